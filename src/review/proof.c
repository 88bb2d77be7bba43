// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/proof.h"

#include "chess/movegen.h"
#include "chess/see.h"
#include <string.h>

enum { QUIET_END = -10, MATE_NODES = 300000, CHECK_NODES = 20000 };

const int plain_value[7] = {1, 3, 3, 5, 9, 0, 0};

int material_balance(const Position *p, Color c)
{
    int balance = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        balance += plain_value[t] *
                   (bb_count(pos_pieces(p, c, t)) - bb_count(pos_pieces(p, color_flip(c), t)));
    return balance;
}

static bool winning_capture(const Position *p)
{
    MoveList list = {0};
    gen_noisy(p, &list);
    for (int i = 0; i < list.count; i++)
        if (see_at_least(p, list.moves[i], see_value[PAWN]))
            return true;
    return false;
}

bool is_settled(const Position *p)
{
    if (pos_in_check(p) || winning_capture(p))
        return false;
    Position passed = *p;
    Undo undo;
    pos_make_null(&passed, &undo);
    return !winning_capture(&passed);
}

/* --- material --- */

typedef struct Prover {
    uint64_t nodes, limit;
    Color winner;
    int goal;
    const Move *hint;
    int hints;
} Prover;

static bool spent(Prover *s) { return ++s->nodes > s->limit; }

static void keep(ProofLine *line, Move first, const ProofLine *rest)
{
    const int kept = rest->length < PROOF_LINE ? rest->length : PROOF_LINE - 1;
    memmove(line->moves + 1, rest->moves, (size_t)kept * sizeof *line->moves);
    line->moves[0] = first;
    line->length = kept + 1;
}

static int gain_of(const Position *p, Move m)
{
    const Piece taken = pos_captured(p, m);
    const int promoted = move_kind(m) == PROMOTION ? plain_value[move_promotion(m)] - 1 : 0;
    return promoted + (taken == NO_PIECE ? 0 : plain_value[piece_type(taken)]);
}

/* Dearest captures first, then checks, then the rest; `first` before all. */
static void sort_moves(const Position *p, MoveList *list, Move first)
{
    CheckInfo info;
    int keys[MAX_MOVES];
    pos_check_info(p, &info);
    for (int i = 0; i < list->count; i++) {
        const Move m = list->moves[i];
        const PieceType t = piece_type(pos_piece_on(p, move_from(m)));
        int key = m == first ? 1000 : 16 * gain_of(p, m);
        if (key > 0)
            key -= t;
        else if (pos_gives_check(p, &info, m))
            key = 8;
        int k = i;
        for (; k > 0 && keys[k - 1] < key; k--) {
            keys[k] = keys[k - 1];
            list->moves[k] = list->moves[k - 1];
        }
        keys[k] = key;
        list->moves[k] = m;
    }
}

static Move hint_at(const Prover *s, int ply, bool hinted)
{
    return hinted && ply < s->hints ? s->hint[ply] : MOVE_NONE;
}

static bool loser_moves(Prover *s, Position *p, int depth, int ply, bool hinted, ProofLine *line);

/* The winner could pass here, and would still have it: captures alone do not win it back. */
static bool could_pass(Prover *s, Position *p)
{
    ProofLine ignored = {0};
    Undo undo;
    if (pos_in_check(p) || material_balance(p, s->winner) < s->goal)
        return false;
    pos_make_null(p, &undo);
    const bool holds = loser_moves(s, p, 0, PROOF_LINE, false, &ignored);
    pos_unmake_null(p, &undo);
    return holds;
}

/* Which moves the winner is offered: the hint, what forces, and, once he has it, all that may hold
 * it. */
static bool is_offered(const Position *p, const CheckInfo *info, Move m, Move hint, int depth,
                       bool ahead)
{
    if (m == hint || ahead || pos_in_check(p) || pos_is_noisy(p, m))
        return true;
    return depth >= 1 && pos_gives_check(p, info, m);
}

/* One winning reply is enough: a node where any move may prove the goal. */
static bool winner_moves(Prover *s, Position *p, int depth, int ply, bool hinted, ProofLine *line)
{
    line->length = 0;
    if (spent(s) || depth < QUIET_END)
        return false;
    if (could_pass(s, p))
        return true;
    MoveList list = {0};
    CheckInfo info;
    const Move hint = hint_at(s, ply, hinted);
    const bool noisy_only = depth <= 0 && !pos_in_check(p) && hint == MOVE_NONE;
    const bool ahead = depth >= 1 && material_balance(p, s->winner) >= s->goal;
    if (noisy_only)
        gen_noisy(p, &list);
    else
        gen_legal(p, &list);
    sort_moves(p, &list, hint);
    pos_check_info(p, &info);
    for (int i = 0; i < list.count && s->nodes <= s->limit; i++) {
        const Move m = list.moves[i];
        if (!is_offered(p, &info, m, hint, depth, ahead))
            continue;
        Undo undo;
        ProofLine rest;
        pos_make(p, m, &undo, NULL);
        const bool wins =
            loser_moves(s, p, m == hint ? depth : depth - 1, ply + 1, m == hint, &rest);
        pos_unmake(p, m, &undo);
        if (wins) {
            keep(line, m, &rest);
            return true;
        }
    }
    return false;
}

/* Every move must lose; at the horizon only captures are tried, or none at all. */
static bool loser_moves(Prover *s, Position *p, int depth, int ply, bool hinted, ProofLine *line)
{
    line->length = 0;
    if (spent(s) || depth < QUIET_END)
        return false;
    MoveList list = {0};
    const Move hint = hint_at(s, ply, hinted);
    const bool in_check = pos_in_check(p), horizon = depth <= 0 && !in_check;
    if (horizon && material_balance(p, s->winner) < s->goal)
        return false;
    if (horizon)
        gen_noisy(p, &list);
    else
        gen_legal(p, &list);
    if (list.count == 0)
        return horizon || in_check;
    sort_moves(p, &list, MOVE_NONE);
    bool kept_hint = false;
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        Undo undo;
        ProofLine rest;
        pos_make(p, m, &undo, NULL);
        const bool loses =
            winner_moves(s, p, m == hint ? depth : depth - 1, ply + 1, m == hint, &rest);
        pos_unmake(p, m, &undo);
        if (!loses)
            return false;
        if (m == hint || (!kept_hint && !horizon && rest.length >= line->length)) {
            keep(line, m, &rest);
            kept_hint |= m == hint;
        }
    }
    return true;
}

/* Deepens by two plies, so that the shortest proof is found first. */
bool prove_material(const Position *p, Color winner, int goal, const Move *hint, int hints,
                    ProofLine *line)
{
    ProofLine ignored = {0};
    for (int depth = 2; depth <= 6; depth += 2) {
        Prover s = {
            .limit = PROOF_NODES, .winner = winner, .goal = goal, .hint = hint, .hints = hints};
        Position board = *p;
        const bool mine = p->turn == winner;
        if ((mine ? winner_moves : loser_moves)(&s, &board, depth + !mine, 0, true,
                                                line ? line : &ignored))
            return true;
    }
    return false;
}

/* The largest gain that can be proved, step by step. */
int prove_gain(const Position *p, Color winner, int base, const Move *hint, int hints,
               ProofLine *line)
{
    int gain = 0;
    ProofLine found;
    while (gain < PROOF_MOST && prove_material(p, winner, base + gain + 1, hint, hints, &found)) {
        if (line)
            *line = found;
        /* What the position at the end of the proof has need not be proved step by step. */
        Position end = *p;
        Undo undo;
        for (int i = 0; i < found.length; i++)
            pos_make(&end, found.moves[i], &undo, NULL);
        const int reached = material_balance(&end, winner) - base;
        gain++;
        if (reached > gain && reached <= PROOF_MOST &&
            prove_material(p, winner, base + reached, hint, hints, &found)) {
            gain = reached;
            if (line)
                *line = found;
        }
    }
    return gain;
}

/* --- mate --- */

static bool defender_moves(Prover *s, Position *p, int moves, int ply, bool hinted, bool checks,
                           ProofLine *line);

/* checks: besides the hint, the attacker gives check with every move. */
static bool attacker_moves(Prover *s, Position *p, int moves, int ply, bool hinted, bool checks,
                           ProofLine *line)
{
    line->length = 0;
    if (spent(s))
        return false;
    MoveList list;
    CheckInfo info;
    const Move hint = hint_at(s, ply, hinted);
    gen_legal(p, &list);
    sort_moves(p, &list, hint);
    pos_check_info(p, &info);
    for (int i = 0; i < list.count && s->nodes <= s->limit; i++) {
        const Move m = list.moves[i];
        if (m != hint && (checks || moves == 1) && !pos_gives_check(p, &info, m))
            continue;
        Undo undo;
        ProofLine rest;
        pos_make(p, m, &undo, NULL);
        const bool mates = defender_moves(s, p, moves - 1, ply + 1, m == hint, checks, &rest);
        pos_unmake(p, m, &undo);
        if (mates) {
            keep(line, m, &rest);
            return true;
        }
    }
    return false;
}

/* All replies must lose: one that does not refutes the proof. */
static bool defender_moves(Prover *s, Position *p, int moves, int ply, bool hinted, bool checks,
                           ProofLine *line)
{
    line->length = 0;
    if (spent(s))
        return false;
    MoveList list;
    const Move hint = hint_at(s, ply, hinted);
    gen_legal(p, &list);
    if (list.count == 0)
        return pos_in_check(p);
    if (moves == 0)
        return false;
    sort_moves(p, &list, MOVE_NONE);
    bool kept_hint = false;
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        Undo undo;
        ProofLine rest;
        pos_make(p, m, &undo, NULL);
        const bool mated = attacker_moves(s, p, moves, ply + 1, m == hint, checks, &rest);
        pos_unmake(p, m, &undo);
        if (!mated)
            return false;
        if (m == hint || (!kept_hint && rest.length >= line->length)) {
            keep(line, m, &rest);
            kept_hint |= m == hint;
        }
    }
    return true;
}

bool prove_mate(const Position *p, int moves, const Move *hint, int hints, ProofLine *line)
{
    ProofLine ignored = {0};
    for (int pass = 0; pass < 2; pass++) {
        Prover s = {.limit = MATE_NODES, .hint = hint, .hints = hints};
        Position board = *p;
        if (attacker_moves(&s, &board, moves, 0, true, pass == 0, line ? line : &ignored))
            return true;
    }
    return false;
}

int find_mate_by_checks(const Position *p, int moves, ProofLine *line)
{
    Prover s = {.limit = CHECK_NODES};
    for (int n = 1; n <= moves; n++) {
        Position board = *p;
        if (attacker_moves(&s, &board, n, 0, false, true, line))
            return n;
    }
    return 0;
}
