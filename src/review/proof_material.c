// SPDX-License-Identifier: GPL-3.0-or-later
/* proof_material.c -- material that can be forced. An AND/OR search: one move of the winner is
 * enough, and every move of the loser must fail. A proof found is final; a proof not found says
 * nothing. So all pruning here is of one kind: it may give up, never claim. */
#include "chess/movegen.h"
#include "review/proof.h"
#include <stdlib.h>
#include <string.h>

enum {
    QUIET_END = -10,
    SURE_DEPTH = 2,   /* of the shallowest search whose proofs are told */
    QUIET_DEPTH = 2,  /* where the winner may play quiet moves, too */
    FORCED_DEPTH = 6, /* of the first search, in which he may not */
    MOST_DEPTH = 12,
    TABLE_BITS = 16,
    KILLERS = 32,      /* plies */
    PASSED_PLY = 1000, /* where plies begin to count behind a pass: no hints, no second pass */
};

/* What is known of a position under one goal. */
typedef struct Known {
    Key key;
    Move move;     /* of the winner: proves it; of the loser: refutes it */
    int8_t proved; /* holds for searches up to this depth: one of captures alone proves less */
    int8_t failed; /* so deep it was searched in vain */
} Known;
enum { NEVER = -100, ALWAYS = 100 };

typedef struct Prover {
    uint64_t nodes, limit;
    Color winner;
    int goal;
    int quiet_depth; /* least depth at which the winner may play any quiet move */
    const Move *hint;
    int hints;
    Known *table; /* or NULL */
    Move killers[2][KILLERS];
} Prover;

static bool spent(Prover *s) { return ++s->nodes > s->limit; }

static Known *slot_of(Prover *s, const Position *p)
{
    return s->table ? &s->table[p->st.key >> (64 - TABLE_BITS)] : NULL;
}

/* What the table says: proved (1), searched in vain (0), or nothing (-1). */
static int recall(Prover *s, const Position *p, int depth, Move *move)
{
    const Known *k = slot_of(s, p);
    *move = MOVE_NONE;
    if (!k || k->key != p->st.key)
        return -1;
    *move = k->move;
    return k->proved >= depth ? 1 : k->failed >= depth ? 0 : -1;
}

/* From SURE_DEPTH on a proof is as good as one that is told, and serves everywhere. */
static void remember(Prover *s, const Position *p, int depth, bool proved, Move move)
{
    Known *k = slot_of(s, p);
    if (!k || s->nodes > s->limit)
        return;
    if (k->key != p->st.key)
        *k = (Known){p->st.key, MOVE_NONE, NEVER, NEVER};
    k->move = move != MOVE_NONE ? move : k->move;
    if (proved)
        k->proved = (int8_t)(depth >= SURE_DEPTH ? ALWAYS : depth);
    else
        k->failed = (int8_t)depth;
}

static Move killer_of(const Prover *s, Color c, int ply)
{
    return ply < KILLERS ? s->killers[c][ply] : MOVE_NONE;
}

static void set_killer(Prover *s, Color c, int ply, Move m)
{
    if (ply < KILLERS)
        s->killers[c][ply] = m;
}

static Move hint_at(const Prover *s, int ply, bool hinted)
{
    return hinted && ply < s->hints ? s->hint[ply] : MOVE_NONE;
}

static bool loser_moves(Prover *s, Position *p, int depth, int ply, bool hinted, ProofLine *line);

/* A pawn of this colour that wants two more moves to promote, with nothing before it: captures alone
 * do not show what it threatens. */
static bool has_runner(const Position *p, Color c)
{
    Bitboard sixth = pos_pieces(p, c, PAWN) & bb_relative_rank(c, 5);
    while (sixth) {
        const Square s = bb_pop(&sixth);
        if (pos_piece_on(p, c == WHITE ? s + 8 : s - 8) == NO_PIECE)
            return true;
    }
    return false;
}

/* The winner could pass here, and would still have it: captures alone do not win it back. */
static bool could_pass(Prover *s, Position *p, int ply)
{
    ProofLine ignored = {0};
    Undo undo;
    if (pos_in_check(p) || material_balance(p, s->winner) < s->goal)
        return false;
    const int depth = ply < PASSED_PLY && has_runner(p, color_flip(s->winner)) ? 2 : 0;
    pos_make_null(p, &undo);
    const bool holds = loser_moves(s, p, depth, PASSED_PLY, false, &ignored);
    pos_unmake_null(p, &undo);
    return holds;
}

/* Which moves the winner is offered: the hint, what forces, once he has it all that may hold it, and
 * with depth enough everything. */
static bool is_offered(const Prover *s, const Position *p, const CheckInfo *info, Move m, Move hint,
                       int depth, bool ahead)
{
    if (m == hint || ahead || depth >= s->quiet_depth || pos_in_check(p) || pos_is_noisy(p, m))
        return true;
    return depth >= 1 && pos_gives_check(p, info, m);
}

/* One winning reply is enough: a node where any move may prove the goal. */
static bool winner_moves(Prover *s, Position *p, int depth, int ply, bool hinted, ProofLine *line)
{
    line->length = 0;
    if (spent(s) || depth < QUIET_END)
        return false;
    const Move hint = hint_at(s, ply, hinted);
    Move first;
    const int known = recall(s, p, depth, &first);
    if (known >= 0 && hint == MOVE_NONE) {
        if (known == 1 && first != MOVE_NONE)
            *line = (ProofLine){1, {first}};
        return known == 1;
    }
    if (could_pass(s, p, ply)) {
        remember(s, p, depth, true, MOVE_NONE);
        return true;
    }
    MoveList list = {0};
    CheckInfo info;
    const bool noisy_only = depth <= 0 && !pos_in_check(p) && hint == MOVE_NONE;
    const bool ahead = depth >= 1 && material_balance(p, s->winner) >= s->goal;
    if (noisy_only)
        gen_noisy(p, &list);
    else
        gen_legal(p, &list);
    proof_sort(p, &list, hint, first, killer_of(s, s->winner, ply));
    pos_check_info(p, &info);
    for (int i = 0; i < list.count && s->nodes <= s->limit; i++) {
        const Move m = list.moves[i];
        if (!is_offered(s, p, &info, m, hint, depth, ahead))
            continue;
        Undo undo;
        ProofLine rest;
        pos_make(p, m, &undo, NULL);
        const bool wins =
            loser_moves(s, p, m == hint ? depth : depth - 1, ply + 1, m == hint, &rest);
        pos_unmake(p, m, &undo);
        if (wins) {
            proof_keep(line, m, &rest);
            set_killer(s, s->winner, ply, m);
            remember(s, p, depth, true, m);
            return true;
        }
    }
    remember(s, p, depth, false, MOVE_NONE);
    return false;
}

/* If the loser may pass and nothing happens, the winner's last move threatened nothing. Gives up
 * proofs by zugzwang, which a hint or a loser without pieces keeps. */
static bool nothing_threatened(Prover *s, Position *p, int depth, int ply)
{
    ProofLine ignored;
    Undo undo;
    pos_make_null(p, &undo);
    const bool wins = winner_moves(s, p, depth - 1, ply + 1, false, &ignored);
    pos_unmake_null(p, &undo);
    return !wins;
}

/* Every move must lose; at the horizon only captures are tried, or none at all. */
static bool loser_moves(Prover *s, Position *p, int depth, int ply, bool hinted, ProofLine *line)
{
    line->length = 0;
    if (spent(s) || depth < QUIET_END)
        return false;
    MoveList list = {0};
    const Color loser = color_flip(s->winner);
    const Move hint = hint_at(s, ply, hinted);
    const bool in_check = pos_in_check(p), horizon = depth <= 0 && !in_check;
    if (horizon && material_balance(p, s->winner) < s->goal)
        return false;
    Move first;
    const int known = recall(s, p, depth, &first);
    if (known >= 0 && hint == MOVE_NONE)
        return known == 1;
    if (horizon)
        gen_noisy(p, &list);
    else
        gen_legal(p, &list);
    if (list.count == 0)
        return in_check || (horizon && pos_has_legal_move(p));
    if (!horizon && !in_check && hint == MOVE_NONE && pos_has_pieces(p, loser) &&
        nothing_threatened(s, p, depth, ply))
        return false;
    proof_sort(p, &list, first, MOVE_NONE, killer_of(s, loser, ply));
    bool kept_hint = false;
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        Undo undo;
        ProofLine rest;
        pos_make(p, m, &undo, NULL);
        const bool loses =
            winner_moves(s, p, m == hint ? depth : depth - 1, ply + 1, m == hint, &rest);
        pos_unmake(p, m, &undo);
        if (!loses) {
            set_killer(s, loser, ply, m);
            remember(s, p, depth, false, m);
            return false;
        }
        if (m == hint || (!kept_hint && !horizon && rest.length >= line->length)) {
            proof_keep(line, m, &rest);
            kept_hint |= m == hint;
        }
    }
    remember(s, p, depth, true, MOVE_NONE);
    return true;
}

/* A line that ends where the table knew the rest is proved anew from there, until it shows all. */
static void complete(const Position *start, Prover *s, ProofLine *line)
{
    Position p = *start;
    Undo undo;
    for (int i = 0; i < line->length; i++)
        pos_make(&p, line->moves[i], &undo, NULL);
    while (line->length < PROOF_LINE && material_balance(&p, s->winner) < s->goal) {
        ProofLine rest = {0};
        bool found = false;
        memset(s->table, 0, sizeof(Known) << TABLE_BITS);
        s->hints = 0;
        for (int depth = 2; depth <= MOST_DEPTH && !found; depth += 2) {
            const bool mine = p.turn == s->winner;
            s->nodes = 0;
            found = (mine ? winner_moves : loser_moves)(s, &p, depth + !mine, 0, false, &rest);
        }
        if (!found || rest.length == 0)
            return;
        for (int i = 0; i < rest.length && line->length < PROOF_LINE; i++) {
            line->moves[line->length++] = rest.moves[i];
            pos_make(&p, rest.moves[i], &undo, NULL);
        }
    }
}

/* Deepens by two plies, so that the shortest proof is found first. */
static bool deepen(Prover *s, const Position *p, int most, uint64_t nodes, ProofLine *found)
{
    const bool mine = p->turn == s->winner;
    bool proved = false;
    s->nodes = 0;
    s->limit = nodes;
    memset(s->table, 0, sizeof(Known) << TABLE_BITS);
    for (int depth = 2; depth <= most && !proved && s->nodes <= s->limit; depth += 2) {
        Position board = *p;
        proved = (mine ? winner_moves : loser_moves)(s, &board, depth + !mine, 0, true, found);
    }
    return proved;
}

/* First by what forces, which is quick; then by quiet moves as well, with so many nodes. */
static bool prove(const Position *p, Color winner, int goal, const Move *hint, int hints,
                  uint64_t nodes, ProofLine *line)
{
    ProofLine found = {0};
    Prover s = {.winner = winner,
                .goal = goal,
                .quiet_depth = MOST_DEPTH + 1,
                .hint = hint,
                .hints = hints,
                .table = malloc(sizeof(Known) << TABLE_BITS)};
    if (!s.table)
        return false;
    bool proved = deepen(&s, p, FORCED_DEPTH, PROOF_NODES / 2, &found);
    if (!proved && nodes > 0) {
        s.quiet_depth = QUIET_DEPTH;
        proved = deepen(&s, p, MOST_DEPTH, nodes, &found);
    }
    if (proved && line) {
        complete(p, &s, &found);
        *line = found;
    }
    free(s.table);
    return proved;
}

bool prove_material(const Position *p, Color winner, int goal, const Move *hint, int hints,
                    ProofLine *line)
{
    return prove(p, winner, goal, hint, hints, PROOF_NODES, line);
}

bool prove_material_quickly(const Position *p, Color winner, int goal, const Move *hint, int hints,
                            ProofLine *line)
{
    return prove(p, winner, goal, hint, hints, 0, line);
}

/* The largest gain that can be proved, step by step; the first step is the one that matters. */
static int gain_by_steps(const Position *p, Color winner, int base, const Move *hint, int hints,
                         uint64_t nodes, ProofLine *line)
{
    int gain = 0;
    ProofLine found;
    while (gain < PROOF_MOST &&
           prove(p, winner, base + gain + 1, hint, hints, gain == 0 ? nodes : nodes / 4, &found)) {
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
            prove(p, winner, base + reached, hint, hints, nodes / 4, &found)) {
            gain = reached;
            if (line)
                *line = found;
        }
    }
    return gain;
}

int prove_gain(const Position *p, Color winner, int base, const Move *hint, int hints,
               ProofLine *line)
{
    return gain_by_steps(p, winner, base, hint, hints, PROOF_NODES, line);
}

int prove_gain_quickly(const Position *p, Color winner, int base, const Move *hint, int hints,
                       ProofLine *line)
{
    return gain_by_steps(p, winner, base, hint, hints, 0, line);
}
