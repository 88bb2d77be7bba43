// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/motif.h"

#include "chess/movegen.h"
#include "chess/see.h"
#include "review/proof.h"
#include <string.h>

/* A line with the boards between its moves; the attacker has the even ones. */
typedef struct Scene {
    Color attacker, defender;
    int length;
    Move moves[REVIEW_LINE];
    Position boards[REVIEW_LINE + 1]; /* boards[i]: before moves[i] */
    Motif *out;
    int count, max;
} Scene;

static int worth_of_man(Piece piece)
{
    return piece_type(piece) == KING ? 100 : plain_value[piece_type(piece)];
}

/* A bishop for a knight wins nothing. */
static int more_than_trade(void) { return see_value[PAWN] / 2; }

static Bitboard attacks_of(const Position *p, Square s)
{
    const Piece piece = pos_piece_on(p, s);
    return piece_type(piece) == PAWN ? attack_pawn[piece_color(piece)][s]
                                     : piece_attacks(piece_type(piece), s, pos_occupied(p));
}

static bool is_slider(Piece piece)
{
    const PieceType t = piece_type(piece);
    return t == BISHOP || t == ROOK || t == QUEEN;
}

static bool is_defended(const Position *p, Square s, Color by)
{
    return (pos_attackers(p, s, pos_occupied(p)) & pos_color(p, by) & ~bb_square(s)) != 0;
}

/* Whether the side to move can take on s without losing by it. */
static bool can_take(const Position *p, Square s)
{
    MoveList list = {0};
    gen_noisy(p, &list);
    for (int i = 0; i < list.count; i++)
        if (move_to(list.moves[i]) == s && pos_captured(p, list.moves[i]) != NO_PIECE &&
            see_at_least(p, list.moves[i], 0))
            return true;
    return false;
}

static Motif *add(Scene *s, ClaimKind kind, int ply)
{
    for (int i = 0; i < s->count; i++)
        if (s->out[i].kind == kind)
            return NULL; /* the first one speaks */
    if (s->count == s->max)
        return NULL;
    Motif *m = &s->out[s->count++];
    *m = (Motif){.kind = kind, .ply = ply};
    return m;
}

static void put(Motif *m, const Position *p, Square s)
{
    if (m && m->count < CLAIM_SQUARES) {
        m->squares[m->count] = s;
        m->pieces[m->count++] = pos_piece_on(p, s);
    }
}

static bool is_capture_on(const Scene *s, int i, Square x)
{
    return i < s->length && move_to(s->moves[i]) == x &&
           pos_captured(&s->boards[i], s->moves[i]) != NO_PIECE;
}

/* --- the pictures, each at attacker's move i --- */

/* Takes a piece, and nobody takes back. */
static void find_hanging(Scene *s, Move last, Piece taken)
{
    const Move m = s->moves[0];
    const Piece prey = pos_captured(&s->boards[0], m);
    if (prey == NO_PIECE || piece_type(prey) == PAWN)
        return;
    const bool trade = last != MOVE_NONE && move_to(last) == move_to(m) && taken != NO_PIECE &&
                       piece_type(taken) != PAWN;
    if (!trade && !can_take(&s->boards[1], move_to(m)))
        put(add(s, CLAIM_HANGING, 0), &s->boards[0], move_to(m));
}

/* Men that the one on s attacks and may hope to take. */
static Bitboard targets_of(const Position *p, Square s, Color defender)
{
    Bitboard found = 0, attacked = attacks_of(p, s) & pos_color(p, defender);
    const int mine = worth_of_man(pos_piece_on(p, s));
    while (attacked) {
        const Square x = bb_pop(&attacked);
        const Piece prey = pos_piece_on(p, x);
        const int value = worth_of_man(prey);
        if (value > mine || (value > 1 && !is_defended(p, x, defender)))
            found |= bb_square(x);
    }
    return found;
}

/* One man attacks two or more, stays safe, takes one of them, and every reply loses something. */
static void find_fork(Scene *s, int i)
{
    const Position *after = &s->boards[i + 1];
    const Square from = move_to(s->moves[i]);
    if (i + 2 >= s->length || move_kind(s->moves[i]) == CASTLING ||
        pos_piece_on(after, from) == NO_PIECE)
        return;
    Bitboard targets = targets_of(after, from, s->defender);
    if (!bb_several(targets) || can_take(after, from))
        return;
    bool takes = false;
    for (int k = i + 2; k < s->length && k <= i + 4 && !takes; k += 2)
        takes = move_from(s->moves[k]) == from && bb_has(targets, move_to(s->moves[k])) &&
                pos_captured(&s->boards[k], s->moves[k]) != NO_PIECE;
    /* No reply saves everything. */
    if (!takes ||
        !prove_material_quickly(after, s->attacker, material_balance(after, s->attacker) + 1,
                                s->moves + i + 1, s->length - i - 1, NULL))
        return;
    Motif *m = add(s, CLAIM_FORK, i);
    put(m, after, from);
    while (targets) /* the dearest first */
    {
        Square best = bb_first(targets);
        for (Bitboard rest = targets; rest;) {
            const Square x = bb_pop(&rest);
            if (worth_of_man(pos_piece_on(after, x)) > worth_of_man(pos_piece_on(after, best)))
                best = x;
        }
        targets &= ~bb_square(best);
        put(m, after, best);
    }
}

/* A slider takes behind a man that had to step out of its way and was worth more. */
static void find_skewer(Scene *s, int i)
{
    if (i < 2)
        return;
    const Move m = s->moves[i], reply = s->moves[i - 1];
    const Position *p = &s->boards[i], *before = &s->boards[i - 1];
    const Piece rear = pos_captured(p, m), front = pos_piece_on(before, move_from(reply));
    if (!is_slider(pos_piece_on(p, move_from(m))) || rear == NO_PIECE ||
        move_kind(m) == EN_PASSANT || move_to(reply) == move_to(m) ||
        !bb_has(bb_between(move_from(m), move_to(m)), move_from(reply)) ||
        worth_of_man(front) <= worth_of_man(rear) || !see_at_least(p, m, more_than_trade()))
        return;
    Motif *found = add(s, CLAIM_SKEWER, i - 2);
    put(found, p, move_from(m));
    put(found, before, move_from(reply));
    put(found, p, move_to(m));
}

/* The slider that pins this man to its king. */
static Square pinner_of(const Position *p, Square pinned, Color defender)
{
    const Square king = pos_king(p, defender);
    Bitboard sliders = pos_color(p, color_flip(defender)) & bb_line(king, pinned);
    while (sliders) {
        const Square x = bb_pop(&sliders);
        if (is_slider(pos_piece_on(p, x)) && bb_has(bb_between(king, x), pinned) &&
            (attacks_of(p, x) & bb_square(pinned)))
            return x;
    }
    return NO_SQUARE;
}

static void add_pin(Scene *s, int i, const Position *p, Square pinner, Square pinned, Square behind)
{
    Motif *m = add(s, CLAIM_PIN, i);
    put(m, p, pinned);
    put(m, p, behind);
    put(m, p, pinner);
}

/* Whether somebody may take the man on x, or the one on `by` may and gets as much for itself. */
static bool can_take_safely(const Position *p, Square x, Square by)
{
    MoveList list;
    gen_legal(p, &list);
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        if (move_to(m) == x && see_at_least(p, m, move_from(m) == by ? 0 : more_than_trade()))
            return true;
    }
    return false;
}

/* A man pinned to its king guards only in appearance, or cannot run from what attacks it. */
static void find_pin(Scene *s, int i)
{
    const Position *after = &s->boards[i + 1];
    const Square x = move_to(s->moves[i]), king = pos_king(after, s->defender);
    Bitboard pinned = after->st.blockers[s->defender] & pos_color(after, s->defender);
    while (pinned) {
        const Square d = bb_pop(&pinned), pinner = pinner_of(after, d, s->defender);
        if (pinner == NO_SQUARE)
            continue;
        const int worth = worth_of_man(pos_piece_on(after, d));
        const bool looks =
            (attacks_of(after, d) & bb_square(x)) && pinner != x &&
            !bb_has(bb_line(king, pinner), x) &&
            (worth_of_man(pos_piece_on(after, x)) >= worth || !is_defended(after, x, s->attacker));
        const bool falls = is_capture_on(s, i + 2, d) &&
                           pos_piece_on(&s->boards[i + 2], d) == pos_piece_on(after, d) &&
                           move_to(s->moves[i + 1]) != d &&
                           see_at_least(&s->boards[i + 2], s->moves[i + 2], more_than_trade());
        const bool stuck = worth > 1 && pinner == x &&
                           worth > worth_of_man(pos_piece_on(after, pinner)) &&
                           !can_take_safely(after, pinner, d);
        if (looks || falls || stuck) {
            add_pin(s, i, after, pinner, d, king);
            return;
        }
    }
}

/* A man that cannot leave its place before a dearer one, and is taken there. */
static void find_relative_pin(Scene *s, int i)
{
    if (i + 2 >= s->length)
        return;
    const Position *after = &s->boards[i + 1];
    const Move take = s->moves[i + 2];
    const Square d = move_to(take);
    const Piece prey = pos_piece_on(after, d);
    if (prey == NO_PIECE || piece_color(prey) != s->defender || piece_type(prey) == PAWN ||
        !is_capture_on(s, i + 2, d) || move_to(s->moves[i + 1]) == d ||
        !see_at_least(&s->boards[i + 2], take, more_than_trade()))
        return;
    Bitboard sliders = pos_attackers(after, d, pos_occupied(after)) & pos_color(after, s->attacker);
    while (sliders) {
        const Square l = bb_pop(&sliders);
        const Piece slider = pos_piece_on(after, l);
        if (!is_slider(slider))
            continue;
        const Bitboard through =
            piece_attacks(piece_type(slider), l, pos_occupied(after) & ~bb_square(d)) &
            bb_line(l, d) & pos_color(after, s->defender) & ~attacks_of(after, l);
        if (!through || bb_several(through))
            continue;
        const Square behind = bb_first(through);
        if (worth_of_man(pos_piece_on(after, behind)) > worth_of_man(prey) + 1 &&
            worth_of_man(pos_piece_on(after, behind)) > worth_of_man(slider)) {
            add_pin(s, i, after, l, d, behind);
            return;
        }
    }
}

/* A man steps aside, and the one behind it attacks. */
static void find_discovered(Scene *s, int i)
{
    const Position *after = &s->boards[i + 1];
    const Square from = move_from(s->moves[i]), to = move_to(s->moves[i]);
    if (move_kind(s->moves[i]) == CASTLING)
        return;
    Bitboard sliders = pos_color(after, s->attacker) & ~bb_square(to);
    while (sliders) {
        const Square l = bb_pop(&sliders);
        if (!is_slider(pos_piece_on(after, l)))
            continue;
        Bitboard seen = attacks_of(after, l) & pos_color(after, s->defender);
        while (seen) {
            const Square x = bb_pop(&seen);
            const Piece prey = pos_piece_on(after, x);
            if (!bb_has(bb_between(l, x), from))
                continue;
            const bool check = piece_type(prey) == KING;
            const bool takes = is_capture_on(s, i + 2, x) && move_from(s->moves[i + 2]) == l &&
                               move_to(s->moves[i + 1]) != x;
            if (!check && !takes)
                continue;
            Motif *m = add(s, CLAIM_DISCOVERED, i);
            put(m, after, to);
            put(m, after, l);
            put(m, after, x);
            return;
        }
    }
}

/* Attacked, and wherever it goes it is lost as well. */
static bool is_trapped(const Position *p, Square x)
{
    MoveList list;
    if (pos_in_check(p))
        return false;
    Position passed = *p;
    Undo undo;
    pos_make_null(&passed, &undo);
    bool attacked = false;
    MoveList takes = {0};
    gen_noisy(&passed, &takes);
    for (int i = 0; i < takes.count && !attacked; i++)
        attacked = move_to(takes.moves[i]) == x &&
                   see_at_least(&passed, takes.moves[i], more_than_trade());
    if (!attacked)
        return false;
    gen_legal(p, &list);
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        if (move_from(m) == x && see_at_least(p, m, -see_value[PAWN] * 3 / 2))
            return false;
    }
    return true;
}

/* A man that had no safe square before it was taken. */
static void find_trapped(Scene *s, int i)
{
    if (i < 2)
        return;
    const Move m = s->moves[i], reply = s->moves[i - 1];
    const Position *before = &s->boards[i - 1];
    const Piece prey = pos_captured(&s->boards[i], m);
    if (prey == NO_PIECE || piece_type(prey) == PAWN || move_kind(m) == EN_PASSANT)
        return;
    const Square stood = move_to(reply) == move_to(m) ? move_from(reply) : move_to(m);
    if (pos_piece_on(before, stood) == prey && is_trapped(before, stood))
        put(add(s, CLAIM_TRAPPED, i - 2), before, stood);
}

/* Takes a guard, then what it guarded. */
static void find_removed_defender(Scene *s, int i)
{
    if (i < 2)
        return;
    const Position *first = &s->boards[i - 2], *p = &s->boards[i];
    const Square g = move_to(s->moves[i - 2]), y = move_to(s->moves[i]);
    const Piece guard = pos_captured(first, s->moves[i - 2]), prey = pos_captured(p, s->moves[i]);
    if (guard == NO_PIECE || prey == NO_PIECE || g == y || move_kind(s->moves[i]) == EN_PASSANT ||
        move_kind(s->moves[i - 2]) == EN_PASSANT || pos_piece_on(first, y) != prey ||
        move_to(s->moves[i - 1]) == y || !bb_has(attacks_of(first, g), y) ||
        !see_at_least(p, s->moves[i], see_value[PAWN]))
        return;
    /* With the guard in place the capture would not have paid. */
    const Move direct = move_make(move_from(s->moves[i]), y);
    if (pos_is_pseudo_legal(first, direct) && pos_is_legal(first, direct) &&
        see_at_least(first, direct, see_value[PAWN]))
        return;
    Motif *m = add(s, CLAIM_REMOVED_DEFENDER, i - 2);
    put(m, first, g);
    put(m, first, y);
}

/* A guard is drawn away by a capture that it answers, or by a check; then its charge falls. */
static void find_deflection(Scene *s, int i)
{
    if (i < 2)
        return;
    const Position *first = &s->boards[i - 2], *before = &s->boards[i - 1], *p = &s->boards[i];
    const Move bait = s->moves[i - 2], reply = s->moves[i - 1], m = s->moves[i];
    const Square f = move_from(reply), g = move_to(reply), y = move_to(m);
    const bool mates = i + 1 == s->length && pos_in_check(&s->boards[i + 1]) &&
                       !pos_has_legal_move(&s->boards[i + 1]);
    const bool pays = pos_captured(p, m) != NO_PIECE || move_kind(m) == PROMOTION || mates;
    const bool forced = g == move_to(bait) || pos_in_check(before);
    if (!pays || !forced || y == g || y == move_to(bait) || move_kind(reply) == CASTLING ||
        bb_has(attacks_of(p, g), y))
        return;
    /* A rook behind the pawn guards the square of promotion through it. */
    const bool through = move_kind(m) == PROMOTION && bb_has(attacks_of(before, f), move_from(m)) &&
                         bb_has(bb_line(f, y), move_from(m));
    if (!bb_has(attacks_of(before, f), y) && !through)
        return;
    const Piece eaten = pos_captured(first, bait);
    const int given = worth_of_man(pos_piece_on(first, move_from(bait)));
    const bool trade = g == move_to(bait) && eaten != NO_PIECE && worth_of_man(eaten) >= given;
    Motif *found = add(s, trade ? CLAIM_OVERLOAD : CLAIM_DEFLECTION, i - 2);
    put(found, before, f);
    put(found, p, y);
    if (trade)
        put(found, before, g);
}

/* Mate along the back rank, before a wall of own men. */
static void find_back_rank(Scene *s)
{
    const Position *end = &s->boards[s->length];
    if (s->length % 2 == 0 || !pos_in_check(end) || pos_has_legal_move(end))
        return;
    const Square king = pos_king(end, s->defender);
    const Bitboard back = bb_relative_rank(s->defender, 0);
    const Bitboard front = attack_king[king] & bb_relative_rank(s->defender, 1);
    if (!bb_has(back, king) || !(end->st.checkers & back) || (front & ~pos_color(end, s->defender)))
        return;
    put(add(s, CLAIM_BACK_RANK, s->length - 1), end, king);
}

static void find_promotion(Scene *s, int i)
{
    if (move_kind(s->moves[i]) == PROMOTION)
        put(add(s, CLAIM_PROMOTION, i), &s->boards[i + 1], move_to(s->moves[i]));
}

/* Plays the line and looks for each motif at each move of the attacker. */
int motifs_find(const Position *start, Move last, Piece taken, const Move *line, int length,
                Motif *out, int max)
{
    Scene s = {.attacker = start->turn,
               .defender = color_flip(start->turn),
               .length = length < REVIEW_LINE ? length : REVIEW_LINE,
               .out = out,
               .max = max};
    if (s.length == 0)
        return 0;
    memcpy(s.moves, line, (size_t)s.length * sizeof *line);
    s.boards[0] = *start;
    for (int i = 0; i < s.length; i++) {
        Undo undo;
        s.boards[i + 1] = s.boards[i];
        pos_make(&s.boards[i + 1], s.moves[i], &undo, NULL);
    }
    find_back_rank(&s);
    for (int i = 0; i < s.length; i += 2) {
        find_fork(&s, i);
        find_skewer(&s, i);
        find_discovered(&s, i);
        find_removed_defender(&s, i);
        find_deflection(&s, i);
        find_trapped(&s, i);
        find_pin(&s, i);
        find_relative_pin(&s, i);
        find_promotion(&s, i);
    }
    find_hanging(&s, last, taken);
    return s.count;
}
