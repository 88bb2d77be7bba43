// SPDX-License-Identifier: GPL-3.0-or-later
/* doubt_motif.c -- the checker's second half: is the picture that a claim names on the board, and
 * does it do what its name says? */
#include "doubt.h"

#include <string.h>

static bool attacks(const Position *p, Square from, Square to)
{
    return (pos_attackers(p, to, pos_occupied(p)) & bb_square(from)) != 0;
}

static int worth(const Position *p, Square s)
{
    const Piece piece = pos_piece_on(p, s);
    return piece == NO_PIECE ? 0 : piece_type(piece) == KING ? 100 : value_of[piece_type(piece)];
}

static bool belongs(const Position *p, Square s, Color c)
{
    return pos_piece_on(p, s) != NO_PIECE && piece_color(pos_piece_on(p, s)) == c;
}

static Position passed(const Position *p)
{
    Position next = *p;
    Undo undo;
    pos_make_null(&next, &undo);
    return next;
}

/* The forking man attacks every target, and every reply loses something. */
static bool is_fork(Doubt *d, const Claimed *c, const Position *p, Color attacker)
{
    for (int i = 1; i < c->count; i++)
        if (!attacks(p, c->squares[0], c->squares[i]) ||
            !belongs(p, c->squares[i], color_flip(attacker)))
            return false;
    if (c->count < 3 || !belongs(p, c->squares[0], attacker))
        return false;
    const int goal = balance(p, attacker) + 1;
    MoveList list;
    gen_legal(p, &list);
    for (int i = 0; i < list.count; i++) {
        Position next = *p;
        Undo undo;
        pos_make(&next, list.moves[i], &undo, NULL);
        bool wins = false;
        for (int depth = 1; depth <= 5 && !wins; depth++) {
            d->nodes = 0;
            wins = material_search(d, &next, goal - 1, goal, depth) >= goal && d->nodes <= d->limit;
        }
        if (!wins)
            return false;
    }
    return true;
}

/* Pinned before a king: it may not leave the line. Before another man: that one is dearer. */
static bool is_pin(const Claimed *c, const Position *p, Color attacker)
{
    const Square man = c->squares[0], behind = c->squares[1], pinner = c->squares[2];
    if (c->count != 3 || !belongs(p, pinner, attacker) || !belongs(p, man, color_flip(attacker)) ||
        !belongs(p, behind, color_flip(attacker)) || !attacks(p, pinner, man) ||
        (bb_between(pinner, behind) & pos_occupied(p)) != bb_square(man))
        return false;
    if (worth(p, behind) < 100)
        return worth(p, behind) > worth(p, man);
    MoveList list;
    gen_legal(p, &list);
    for (int i = 0; i < list.count; i++)
        if (move_from(list.moves[i]) == man &&
            !bb_has(bb_line(pinner, behind), move_to(list.moves[i])))
            return false;
    return true;
}

static bool is_skewer(const Claimed *c, const Position *p, Color attacker)
{
    const Square slider = c->squares[0], front = c->squares[1], rear = c->squares[2];
    const int i = c->ply + 1; /* the capture, two plies behind the move that skewers */
    return c->count == 3 && i < c->length && belongs(p, slider, attacker) &&
           attacks(p, slider, front) && bb_has(bb_between(slider, rear), front) &&
           worth(p, front) > worth(&c->boards[i], rear) && move_from(c->line[i]) == slider &&
           move_to(c->line[i]) == rear;
}

static bool is_discovered(const Claimed *c, const Position *before, const Position *p)
{
    return c->count == 3 && c->squares[0] != c->squares[1] &&
           !attacks(before, c->squares[1], c->squares[2]) &&
           attacks(p, c->squares[1], c->squares[2]) &&
           move_to(c->line[c->ply - 1]) == c->squares[0];
}

/* Wherever it goes, and where it stands, it is lost. */
static bool is_trapped(const Claimed *c, const Position *p)
{
    const Square s = c->squares[0];
    if (pos_in_check(p) || !belongs(p, s, p->turn))
        return false;
    const Position pass = passed(p);
    if (exchange(&pass, s) < 1)
        return false;
    MoveList list;
    gen_legal(p, &list);
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        if (move_from(m) != s)
            continue;
        const Piece taken = pos_captured(p, m);
        Position next = *p;
        Undo undo;
        pos_make(&next, m, &undo, NULL);
        const int got = taken == NO_PIECE ? 0 : value_of[piece_type(taken)];
        if (exchange(&next, move_to(m)) - got < 1)
            return false;
    }
    return true;
}

static bool is_removed_defender(const Claimed *c, const Position *before)
{
    const int i = c->ply - 1;
    return c->count == 2 && i + 2 < c->length && move_to(c->line[i]) == c->squares[0] &&
           attacks(before, c->squares[0], c->squares[1]) &&
           move_to(c->line[i + 2]) == c->squares[1] &&
           pos_captured(&c->boards[i + 2], c->line[i + 2]) != NO_PIECE;
}

/* The guard leaves, and no longer guards what is then taken or entered. */
static bool is_deflection(const Claimed *c, const Position *p)
{
    const int i = c->ply;
    if (c->count < 2 || i + 1 >= c->length || move_from(c->line[i]) != c->squares[0] ||
        move_to(c->line[i + 1]) != c->squares[1])
        return false;
    const bool guarded = attacks(p, c->squares[0], c->squares[1]) ||
                         (move_kind(c->line[i + 1]) == PROMOTION &&
                          attacks(p, c->squares[0], move_from(c->line[i + 1])));
    return guarded && !attacks(&c->boards[i + 1], move_to(c->line[i]), c->squares[1]);
}

static bool is_back_rank(const Claimed *c)
{
    const Position *end = &c->boards[c->length];
    const Color loser = end->turn;
    const Square king = pos_king(end, loser);
    const Bitboard back = bb_relative_rank(loser, 0), wall = bb_relative_rank(loser, 1);
    return pos_in_check(end) && !pos_has_legal_move(end) && king == c->squares[0] &&
           bb_has(back, king) && (end->st.checkers & back) &&
           !(attack_king[king] & wall & ~pos_color(end, loser));
}

static bool is_promotion(const Claimed *c, const Position *p)
{
    const Move m = c->line[c->ply - 1];
    const bool keeps =
        exchange(p, move_to(m)) < 8 || pos_captured(&c->boards[c->ply - 1], m) != NO_PIECE;
    return move_kind(m) == PROMOTION && move_to(m) == c->squares[0] && keeps;
}

static bool is_hanging(const Claimed *c, const Position *before, const Position *p)
{
    return c->ply == 1 && move_to(c->line[0]) == c->squares[0] &&
           pos_captured(before, c->line[0]) != NO_PIECE && exchange(p, c->squares[0]) == 0;
}

const char *doubt_motif(Doubt *d, const Claimed *c)
{
    const int i = c->ply - 1;
    if (i < 0 || i >= c->length || c->count == 0)
        return NULL;
    const Position *before = &c->boards[i], *p = &c->boards[i + 1];
    const Color attacker = c->boards[0].turn;
    const char *kind = c->kind;
    bool holds;
    if (strcmp(kind, "fork") == 0)
        holds = is_fork(d, c, p, attacker);
    else if (strcmp(kind, "pin") == 0)
        holds = is_pin(c, p, attacker);
    else if (strcmp(kind, "skewer") == 0)
        holds = is_skewer(c, p, attacker);
    else if (strcmp(kind, "discovered_attack") == 0)
        holds = is_discovered(c, before, p);
    else if (strcmp(kind, "trapped") == 0)
        holds = is_trapped(c, p);
    else if (strcmp(kind, "removed_defender") == 0)
        holds = is_removed_defender(c, before);
    else if (strcmp(kind, "deflection") == 0 || strcmp(kind, "overload") == 0)
        holds = is_deflection(c, p);
    else if (strcmp(kind, "back_rank") == 0)
        holds = is_back_rank(c);
    else if (strcmp(kind, "promotion") == 0)
        holds = is_promotion(c, p);
    else if (strcmp(kind, "hanging") == 0)
        holds = is_hanging(c, before, p);
    else
        return NULL;
    return holds ? "proved" : "false";
}
