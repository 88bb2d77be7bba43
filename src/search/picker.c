// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/picker.h"

#include "chess/see.h"

/* Turns the ranks of both squares: a move as the other colour would write it. */
enum { FLIP_MOVE = 56 | 56 << 6 };

ALWAYS_INLINE int64_t pack(const Position *pos, Move m, int score)
{
    const Move relative = pos->turn == WHITE ? m : m ^ FLIP_MOVE;
    return (int64_t)score * 65536 + relative;
}

ALWAYS_INLINE Move unpack(const Position *pos, int64_t packed)
{
    const Move relative = (Move)packed;
    return pos->turn == WHITE ? relative : relative ^ FLIP_MOVE;
}

ALWAYS_INLINE int packed_score(int64_t packed) { return (int)(packed >> 16); }

bool move_is_playable(const Position *p, Move m)
{
    return m != MOVE_NONE && pos_is_pseudo_legal(p, m) && pos_is_legal(p, m);
}

static Move quiet_or_none(const Position *p, Move m)
{
    return move_is_playable(p, m) && !pos_is_noisy(p, m) ? m : MOVE_NONE;
}

static void picker_begin(Picker *p, const PickContext *context, Move table)
{
    p->context = context;
    p->table = table;
    p->killer = p->counter = MOVE_NONE;
    p->stage = table ? PICK_TABLE : PICK_NOISY_INIT;
    p->noisy_only = false;
    p->lazy_see = p->quiet_checks = false;
    p->threshold = -SCORE_INF;
}

void picker_all(Picker *p, const PickContext *context, Move table, Move killer, Move counter)
{
    const Position *pos = context->pos;
    picker_begin(p, context, table);
    if (killer != p->table)
        p->killer = quiet_or_none(pos, killer);
    if (counter != p->table && counter != p->killer)
        p->counter = quiet_or_none(pos, counter);
    p->lazy_see = true;
}

void picker_quiescence(Picker *p, const PickContext *context, Move table, bool quiet_checks)
{
    const Position *pos = context->pos;
    const bool check = pos_in_check(pos);
    const bool ok = table && (check || pos_is_noisy(pos, table));
    picker_begin(p, context, ok ? table : MOVE_NONE);
    p->noisy_only = !check;
    p->quiet_checks = quiet_checks && !check;
}

void picker_probcut(Picker *p, const PickContext *context, Move table, int threshold)
{
    const Position *pos = context->pos;
    const bool ok = table && pos_is_noisy(pos, table) && see_at_least(pos, table, threshold);
    picker_begin(p, context, ok ? table : MOVE_NONE);
    p->noisy_only = true;
    p->threshold = threshold;
}

/* --- scoring --- */

/* The most valuable victim first; among equals what has worked. A promotion is worth the new piece.
 */
ALWAYS_INLINE int score_noisy(const PickContext *c, Move m)
{
    const Position *pos = c->pos;
    const int victim = victim_index(pos, m);
    int score = order_victim * see_value[victim];
    if (use_capture_history)
        score += c->history->capture[piece_square(pos->board[move_from(m)], move_to(m))][victim];
    if (move_kind(m) == PROMOTION)
        score += move_promotion(m) == QUEEN ? order_victim * see_value[QUEEN]
                                            : -order_victim * see_value[QUEEN];
    return score;
}

/* Captures and promotions are generated together and picked one by one: most nodes need only the
 * first. */
static void score_all_noisy(Picker *p)
{
    const PickContext *c = p->context;
    MoveList list;
    list.count = 0;
    gen_noisy(c->pos, &list);

    int n = 0;
    for (int i = 0; i < list.count; i++)
        if (list.moves[i] != p->table)
            p->moves[n++] = pack(c->pos, list.moves[i], score_noisy(c, list.moves[i]));
    p->next = p->bad_end = 0;
    p->noisy_end = p->end = n;
}

/* A piece should leave squares where a lesser man attacks it, and should not go to such squares. */
ALWAYS_INLINE int score_threats(const PickContext *c, PieceType type, Move m)
{
    Bitboard danger;
    switch (type) {
    case KNIGHT:
    case BISHOP:
        danger = c->pawn_threats;
        break;
    case ROOK:
        danger = c->minor_threats;
        break;
    case QUEEN:
        danger = c->rook_threats;
        break;
    default:
        return 0;
    }
    return order_threat * see_value[type] *
           ((int)bb_has(danger, move_from(m)) - (int)bb_has(danger, move_to(m)));
}

/* The sum of all that history knows about the move, with the checks and threats that it makes. */
ALWAYS_INLINE int score_quiet(const PickContext *c, Move m, const int16_t *pawns)
{
    const Position *pos = c->pos;
    const Piece piece = pos->board[move_from(m)];
    const int cell = piece_square(piece, move_to(m));

    int score = 2 * c->history->butterfly[pos->turn][threat_index(c->threats, m)][from_to(m)];
    if (use_pawn_history)
        score += 2 * pawns[cell];
    if (use_continuation)
        score +=
            c->follow[0][cell] + c->follow[1][cell] + c->follow[2][cell] + c->follow[3][cell] / 2;
    if (use_low_ply && c->ply < LOW_PLIES)
        score += order_low_ply * c->history->low_ply[c->ply][from_to(m)] / (1 + c->ply);
    if (use_threat_order)
        score += score_threats(c, piece_type(piece), m);
    if (use_check_order && c->checks && bb_has(c->checks->squares[piece_type(piece)], move_to(m)) &&
        see_at_least(pos, m, -order_check_see))
        score += order_check;
    return score;
}

/* Sorts what scores at least `limit` to the front, best first, and returns where that part ends. */
static int64_t *sort_above(int64_t *begin, int64_t *end, int64_t limit)
{
    int64_t *sorted = begin;
    for (int64_t *m = begin; m < end; m++) {
        const int64_t moving = *m;
        if (moving < limit)
            continue;
        *m = *sorted;
        int64_t *hole = sorted++;
        for (; hole > begin && hole[-1] < moving; hole--)
            *hole = hole[-1];
        *hole = moving;
    }
    return sorted;
}

/* Sorts only moves above a limit that falls with depth: deep nodes try many moves, shallow ones
 * few. */
static void score_all_quiet(Picker *p)
{
    const PickContext *c = p->context;
    const int16_t *pawns = c->history->pawn[pawn_row(c->pos)];
    MoveList list;
    list.count = 0;
    gen_quiet(c->pos, &list);

    int n = p->noisy_end;
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        if (m != p->table && m != p->killer && m != p->counter)
            p->moves[n++] = pack(c->pos, m, score_quiet(c, m, pawns));
    }
    p->next = p->noisy_end;
    p->end = n;
    int limit = -order_sort_depth * c->depth;
    if (limit < order_good_quiet)
        limit = order_good_quiet;
    p->good_end =
        (int)(sort_above(p->moves + p->next, p->moves + n, (int64_t)limit * 65536) - p->moves);
}

/* Appends the quiet moves of the men on `from` to `to`, if they are legal. */
static void add_checks(Picker *p, Square from, Bitboard to)
{
    const PickContext *c = p->context;
    while (to) {
        const Move m = move_make(from, bb_pop(&to));
        const int cell = piece_square(c->pos->board[from], move_to(m));
        if (m != p->table && pos_is_legal(c->pos, m))
            p->moves[p->end++] = pack(c->pos, m, c->follow[0][cell] + c->follow[1][cell]);
    }
}

/* Quiet checks by pieces, straight from the squares that give check. Pawn moves and king moves that
 * uncover a check are rare and left out. */
static void score_all_checks(Picker *p)
{
    const Position *pos = p->context->pos;
    const CheckInfo *checks = p->context->checks;
    const Bitboard occupied = pos_occupied(pos);
    p->next = p->end = 0;
    for (PieceType t = KNIGHT; t <= QUEEN; t++)
        for (Bitboard b = pos_pieces(pos, pos->turn, t); b;) {
            const Square from = bb_pop(&b);
            Bitboard to = checks->squares[t];
            if (bb_has(checks->discoverers, from))
                to |= ~bb_line(from, checks->king);
            add_checks(p, from, piece_attacks(t, from, occupied) & to & ~occupied);
        }
}

/* Brings the best of [next, end) to the front and takes it. Most nodes cut after a move or two, so
 * picking one at a time is cheaper than sorting them all. */
ALWAYS_INLINE int64_t take_best(Picker *p, int end)
{
    int best = p->next;
    for (int i = p->next + 1; i < end; i++)
        if (p->moves[i] > p->moves[best])
            best = i;
    const int64_t taken = p->moves[best];
    p->moves[best] = p->moves[p->next];
    p->moves[p->next++] = taken;
    return taken;
}

/* --- stages --- */

/* Captures that lose material are put aside for later; the exchange is computed only when a move is
 * about to be tried. */
static Move next_good_noisy(Picker *p)
{
    const Position *pos = p->context->pos;
    while (p->next < p->noisy_end) {
        const int64_t taken = take_best(p, p->noisy_end);
        const Move m = unpack(pos, taken);
        /* A capture with a good record may lose a little; one with a bad record must win. */
        if (p->lazy_see && !see_at_least(pos, m, -packed_score(taken) / order_see_div)) {
            p->moves[p->bad_end++] = taken;
            continue;
        }
        if (p->threshold > -SCORE_INF && !see_at_least(pos, m, p->threshold))
            continue;
        return m;
    }
    return MOVE_NONE;
}

/* The stages in order: table move, good captures, killer, counter, good quiet moves, bad captures,
 * the rest. A stage generates its moves only when it is reached. */
Move picker_next(Picker *p, bool skip_quiets)
{
    const Position *pos = p->context->pos;
    Move m;
    switch (p->stage) {
    case PICK_TABLE:
        p->stage = PICK_NOISY_INIT;
        return p->table;

    case PICK_NOISY_INIT:
        score_all_noisy(p);
        p->stage = PICK_GOOD_NOISY;
        /* fall through */
    case PICK_GOOD_NOISY:
        if ((m = next_good_noisy(p)))
            return m;
        if (p->quiet_checks) {
            score_all_checks(p);
            p->stage = PICK_CHECKS;
            return picker_next(p, skip_quiets);
        }
        if (p->noisy_only) {
            p->stage = PICK_DONE;
            return MOVE_NONE;
        }
        p->stage = PICK_KILLER;
        /* fall through */
    case PICK_KILLER:
        p->stage = PICK_COUNTER;
        if (p->killer && !skip_quiets)
            return p->killer;
        /* fall through */
    case PICK_COUNTER:
        p->stage = PICK_QUIET_INIT;
        if (p->counter && !skip_quiets)
            return p->counter;
        /* fall through */
    case PICK_QUIET_INIT:
        if (!skip_quiets)
            score_all_quiet(p);
        else
            p->next = p->good_end = p->end = p->noisy_end;
        p->stage = PICK_GOOD_QUIET;
        /* fall through */
    case PICK_GOOD_QUIET:
        if (!skip_quiets && p->next < p->good_end)
            return unpack(pos, p->moves[p->next++]);
        p->stage = PICK_BAD_NOISY;
        p->next = 0;
        /* fall through */
    case PICK_BAD_NOISY:
        if (p->next < p->bad_end)
            return unpack(pos, p->moves[p->next++]);
        p->stage = PICK_BAD_QUIET;
        p->next = p->good_end;
        /* fall through */
    case PICK_BAD_QUIET:
        if (!skip_quiets && p->next < p->end)
            return unpack(pos, take_best(p, p->end));
        p->stage = PICK_DONE;
        return MOVE_NONE;

    case PICK_CHECKS:
        if (!skip_quiets && p->next < p->end)
            return unpack(pos, take_best(p, p->end));
        p->stage = PICK_DONE;
        /* fall through */
    default:
        return MOVE_NONE;
    }
}
