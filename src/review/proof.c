// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/proof.h"

#include "chess/movegen.h"
#include "chess/see.h"
#include <string.h>

enum { MATE_NODES = 300000, CHECK_NODES = 20000 };

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

/* --- mate --- */

typedef struct Prover {
    uint64_t nodes, limit;
    const Move *hint;
    int hints;
} Prover;

static bool spent(Prover *s) { return ++s->nodes > s->limit; }

void proof_keep(ProofLine *line, Move first, const ProofLine *rest)
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

void proof_sort(const Position *p, MoveList *list, Move first, Move second, Move killer)
{
    CheckInfo info;
    int keys[MAX_MOVES];
    pos_check_info(p, &info);
    for (int i = 0; i < list->count; i++) {
        const Move m = list->moves[i];
        const PieceType t = piece_type(pos_piece_on(p, move_from(m)));
        int key = m == first ? 2000 : m == second ? 1000 : 16 * gain_of(p, m);
        if (key > 0)
            key -= t;
        else if (pos_gives_check(p, &info, m))
            key = 8;
        if (m == killer)
            key += 9;
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
    proof_sort(p, &list, hint, MOVE_NONE, MOVE_NONE);
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
            proof_keep(line, m, &rest);
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
    proof_sort(p, &list, MOVE_NONE, MOVE_NONE, MOVE_NONE);
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
            proof_keep(line, m, &rest);
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
