// SPDX-License-Identifier: GPL-3.0-or-later
/* Mates, proved: an exhaustive search without any evaluation, and the replay of a line that claims
 * to mate.
 *
 * The table remembers refutations only (a position where no mate in so many plies exists), under
 * keys of their own; found mates are always searched out, so that the line is complete. */
#include "search/worker.h"

#include "chess/movegen.h"
#include <string.h>

#define MATE_SALT 0x6D6174653F6D6174ULL

static bool drawn(const Worker *w)
{
    const Position *p = &w->pos;
    return pos_fifty_moves(p) || pos_is_repetition(p, w->keys, w->key_count, 0);
}

static bool stopping(Worker *w)
{
    if (worker_nodes(w) >= w->next_check)
        worker_check_limits(w);
    return worker_stopped(w);
}

/* Far from the fifty-move limit a refutation depends on the position alone. */
static bool may_remember(const Worker *w, int plies) { return w->pos.st.rule50 + plies < 100; }

static bool known_refuted(const Worker *w, int plies)
{
    TTData data;
    return may_remember(w, plies) && tt_probe(w->shared->tt, w->pos.st.key ^ MATE_SALT, &data) &&
           data.depth >= plies && data.bound == BOUND_UPPER;
}

static void remember_refuted(Worker *w, int plies)
{
    const TTData data = {
        .move = MOVE_NONE, .score = 0, .eval = SCORE_NONE, .depth = plies, .bound = BOUND_UPPER};
    if (may_remember(w, plies))
        tt_store(w->shared->tt, w->pos.st.key ^ MATE_SALT, &data);
}

static void keep_line(Worker *w, int ply, Move m)
{
    w->pv[ply][0] = m;
    memcpy(&w->pv[ply][1], w->pv[ply + 1], (size_t)w->pv_length[ply + 1] * sizeof(Move));
    w->pv_length[ply] = w->pv_length[ply + 1] + 1;
}

static bool defender_is_lost(Worker *w, int ply, int plies);

/* Checks first; with one ply left nothing else can mate. */
static bool attacker_mates(Worker *w, int ply, int plies)
{
    if (stopping(w) || (ply > 0 && drawn(w)) || known_refuted(w, plies))
        return false;
    CheckInfo checks;
    MoveList list;
    pos_check_info(&w->pos, &checks);
    gen_legal(&w->pos, &list);
    for (int quiet = 0; quiet <= (plies > 1 ? 1 : 0); quiet++)
        for (int i = 0; i < list.count; i++) {
            const Move m = list.moves[i];
            if (pos_gives_check(&w->pos, &checks, m) == (bool)quiet)
                continue;
            Undo undo;
            worker_make(w, ply, m, &undo);
            const bool mates = defender_is_lost(w, ply + 1, plies - 1);
            worker_unmake(w, m, &undo);
            if (mates) {
                keep_line(w, ply, m);
                return true;
            }
            if (worker_stopped(w))
                return false;
        }
    remember_refuted(w, plies);
    return false;
}

/* The line kept is the longest defence. */
static bool defender_is_lost(Worker *w, int ply, int plies)
{
    if (plies == 0) {
        w->pv_length[ply] = 0;
        return pos_in_check(&w->pos) && !pos_has_legal_move(&w->pos);
    }
    MoveList list;
    gen_legal(&w->pos, &list);
    if (list.count == 0) {
        w->pv_length[ply] = 0;
        return pos_in_check(&w->pos);
    }
    if (drawn(w))
        return false;
    Move longest[MAX_PLY + 2];
    int length = 0;
    for (int i = 0; i < list.count; i++) {
        Undo undo;
        worker_make(w, ply, list.moves[i], &undo);
        const bool lost = attacker_mates(w, ply + 1, plies - 1);
        worker_unmake(w, list.moves[i], &undo);
        if (!lost)
            return false;
        if (w->pv_length[ply + 1] + 1 > length) {
            keep_line(w, ply, list.moves[i]);
            length = w->pv_length[ply];
            memcpy(longest, w->pv[ply], (size_t)length * sizeof(Move));
        }
    }
    memcpy(w->pv[ply], longest, (size_t)length * sizeof(Move));
    w->pv_length[ply] = length;
    return true;
}

bool mate_prove(Worker *w, int plies, Move *pv)
{
    if (!attacker_mates(w, 0, plies) || w->pv_length[0] != plies)
        return false;
    memcpy(pv, w->pv[0], (size_t)plies * sizeof *pv);
    return true;
}

/* Plays the line: all moves legal, no draw on the way, mate at the end. A hash table can break a
 * line without breaking the score. */
bool mate_line_holds(const Worker *w, const Move *pv, int length)
{
    const Shared *s = w->shared;
    Position pos = s->root;
    Key keys[GAME_KEYS + MAX_PLY + 2];
    int count = s->key_count;
    memcpy(keys, s->keys, (size_t)count * sizeof *keys);
    for (int i = 0; i < length; i++) {
        MoveList list;
        gen_legal(&pos, &list);
        if (!list_has(&list, pv[i]))
            return false;
        if (i > 0 && (pos_fifty_moves(&pos) || pos_repetitions(&pos, keys, count) >= 2))
            return false;
        Undo undo;
        keys[count++] = pos.st.key;
        pos_make(&pos, pv[i], &undo, NULL);
    }
    return pos_in_check(&pos) && !pos_has_legal_move(&pos);
}
