// SPDX-License-Identifier: GPL-3.0-or-later
/* syzygy.c -- values of positions. The tables hold any value that compresses well where a capture
 * is at least as good, and know nothing of en passant: so captures are played out first. */
#include "probe/syzygy.h"

#include "probe/syzygy_set.h"
#include <string.h>

/* --- the set --- */

bool syzygy_open(Syzygy **out, const char *path, Error *err)
{
    if (err)
        *err = (Error){0};
    if (path && path[0] && strcmp(path, "<empty>") != 0)
        return tb_set_open(out, path, TB_WHOLE_FILE, err);
    *out = NULL;
    return true;
}

void syzygy_close(Syzygy *s) { tb_set_close(s); }
int syzygy_men(const Syzygy *s) { return s ? tb_set_men(s) : 0; }
int syzygy_files(const Syzygy *s) { return s ? tb_set_files(s) : 0; }
bool syzygy_complaint(Syzygy *s, Error *out) { return s && tb_set_complaint(s, out); }

int syzygy_check(const char *path, void (*each)(void *user, const char *file, const char *problem),
                 void *user, Error *err)
{
    return tb_set_check(path, each, user, err);
}

/* Pawns on the first or last rank, which only a person can put there, have no place in a table. */
static bool can_ask(const Syzygy *s, const Position *p)
{
    return s && p->st.castling == 0 && bb_count(pos_occupied(p)) <= tb_set_men(s) &&
           !(p->by_type[PAWN] & (RANK_1 | RANK_8));
}

/* Two bare kings are a draw and have no table. A table that turns out damaged is not asked again.
 * */
static bool ask_wdl_table(Syzygy *s, const Position *p, int *wdl)
{
    bool flip = false;
    if (pos_occupied(p) == p->by_type[KING]) {
        *wdl = WDL_DRAW;
        return true;
    }
    const TbTable *table = tb_set_table(s, TB_WDL, p, &flip);
    if (!table)
        return false;
    if (tb_table_wdl(table, p, flip, wdl) == TB_FOUND)
        return true;
    tb_set_give_up(s, TB_WDL, p);
    return false;
}

/* --- win, draw, loss --- */

/* The table says what the position is worth without en passant. That differs only where nothing but
 * en passant can be played: the table then knows a mate, which any capture betters, or a stalemate,
 * which it need not. */
static bool only_en_passant(const Position *p)
{
    if (p->st.ep == NO_SQUARE)
        return false;
    MoveList legal;
    gen_legal(p, &legal);
    for (int i = 0; i < legal.count; i++)
        if (move_kind(legal.moves[i]) != EN_PASSANT)
            return false;
    return true;
}

static bool value_of(Syzygy *s, const Position *p, int alpha, int beta, int *value);

/* Of m, for the side that plays it. */
static bool value_of_move(Syzygy *s, const Position *p, Move m, int alpha, int beta, int *value)
{
    Position next = *p;
    Undo undo;
    pos_make(&next, m, &undo, NULL);
    if (!value_of(s, &next, -beta, -alpha, value))
        return false;
    *value = -*value;
    return true;
}

/* The best of the captures, at least alpha. */
static bool best_capture(Syzygy *s, const Position *p, int alpha, int beta, int *best)
{
    MoveList list;
    list.count = 0;
    gen_noisy(p, &list);
    *best = alpha;
    for (int i = 0; i < list.count && *best < beta; i++) {
        int value = 0;
        if (pos_captured(p, list.moves[i]) == NO_PIECE)
            continue;
        if (!value_of_move(s, p, list.moves[i], *best, beta, &value))
            return false;
        *best = value > *best ? value : *best;
    }
    return true;
}

/* Exact between alpha and beta, else a bound. */
static bool value_of(Syzygy *s, const Position *p, int alpha, int beta, int *value)
{
    int best, table;
    if (!best_capture(s, p, alpha, beta, &best))
        return false;
    if (best >= beta || only_en_passant(p)) {
        *value = best;
        return true;
    }
    if (!ask_wdl_table(s, p, &table))
        return false;
    *value = table > best ? table : best;
    return true;
}

bool syzygy_wdl(Syzygy *s, const Position *p, Wdl *out)
{
    int value;
    if (p->st.rule50 != 0 || !can_ask(s, p) || !value_of(s, p, WDL_LOSS, WDL_WIN, &value))
        return false;
    *out = (Wdl)value;
    return true;
}

/* --- distance to zeroing --- */

/* Of a capture or pawn move that leads to this value. */
static int dtz_of_zeroing(int wdl)
{
    static const int plies[5] = {-1, -101, 0, 101, 1};
    return plies[wdl + 2];
}

static int sign(int n) { return (n > 0) - (n < 0); }

static bool is_zeroing(const Position *p, Move m)
{
    return pos_captured(p, m) != NO_PIECE || piece_type(pos_piece_on(p, move_from(m))) == PAWN;
}

/* The value, and whether a capture or pawn move keeps a win, or nothing else can be played: tables
 * of distances hold anything then. */
static bool value_and_zeroing(Syzygy *s, const Position *p, const MoveList *legal, int *wdl,
                              bool *zeroing)
{
    int best = WDL_LOSS, zeroing_moves = 0;
    for (int i = 0; i < legal->count && best < WDL_WIN; i++) {
        int value = 0;
        if (!is_zeroing(p, legal->moves[i]))
            continue;
        zeroing_moves++;
        if (!value_of_move(s, p, legal->moves[i], best, WDL_WIN, &value))
            return false;
        best = value > best ? value : best;
    }
    const bool all = zeroing_moves > 0 && zeroing_moves == legal->count;
    int table = WDL_LOSS;
    if (best < WDL_WIN && !all && !ask_wdl_table(s, p, &table))
        return false;
    *wdl = table > best ? table : best;
    *zeroing = best == *wdl && (best > WDL_DRAW || all);
    return true;
}

static bool distance(Syzygy *s, const Position *p, bool may_look_ahead, int *dtz);

/* The distance before m, if m is played: one ply more than behind it. */
static bool distance_of_move(Syzygy *s, const Position *p, Move m, bool may_look_ahead, int *dtz)
{
    const bool zeroing = is_zeroing(p, m);
    Position next = *p;
    Undo undo;
    int found = 0;
    pos_make(&next, m, &undo, NULL);
    if (zeroing ? !value_of(s, &next, WDL_LOSS, WDL_WIN, &found)
                : !distance(s, &next, may_look_ahead, &found))
        return false;
    if (pos_in_check(&next) && !pos_has_legal_move(&next))
        *dtz = 1;
    else
        *dtz = zeroing ? dtz_of_zeroing(-found) : -found + sign(-found);
    return true;
}

/* The table has the other side to move only: try every move, and take the quickest that keeps a win
 * or the slowest that loses. Mated positions have no move, and count as -1. */
static bool look_ahead(Syzygy *s, const Position *p, const MoveList *legal, int wdl, int *dtz)
{
    *dtz = legal->count == 0 ? -1 : 0;
    for (int i = 0; i < legal->count; i++) {
        int plies;
        if (!distance_of_move(s, p, legal->moves[i], false, &plies))
            return false;
        if (sign(plies) == sign(wdl) && (*dtz == 0 || plies < *dtz))
            *dtz = plies;
    }
    return *dtz != 0;
}

/* The other side's positions are in the table if these are not, so one ply ahead is enough; only a
 * damaged file asks for more. */
static bool distance(Syzygy *s, const Position *p, bool may_look_ahead, int *dtz)
{
    MoveList legal;
    int wdl, plies;
    bool zeroing, flip = false;
    gen_legal(p, &legal);
    if (!value_and_zeroing(s, p, &legal, &wdl, &zeroing))
        return false;
    if (wdl == WDL_DRAW || zeroing) {
        *dtz = dtz_of_zeroing(wdl);
        return true;
    }
    const TbTable *table = tb_set_table(s, TB_DTZ, p, &flip);
    if (!table)
        return false;
    const TbAnswer answer = tb_table_dtz(table, p, flip, wdl, &plies);
    if (answer == TB_OTHER_SIDE && may_look_ahead)
        return look_ahead(s, p, &legal, wdl, dtz);
    if (answer != TB_FOUND) {
        tb_set_give_up(s, TB_DTZ, p);
        return false;
    }
    const bool too_long = wdl == WDL_CURSED_WIN || wdl == WDL_BLESSED_LOSS;
    *dtz = sign(wdl) * (plies + (too_long ? 100 : 0));
    return true;
}

bool syzygy_dtz(Syzygy *s, const Position *p, int *out)
{
    return can_ask(s, p) && distance(s, p, true, out);
}

/* A distance and the plies already on the clock say whether the fifty-move rule comes first. */
static Wdl wdl_of_distance(int dtz, int clock)
{
    if (dtz == 0)
        return WDL_DRAW;
    const bool in_time = (dtz < 0 ? -dtz : dtz) + clock <= 100;
    if (dtz > 0)
        return in_time ? WDL_WIN : WDL_CURSED_WIN;
    return in_time ? WDL_LOSS : WDL_BLESSED_LOSS;
}

bool syzygy_move(Syzygy *s, const Position *p, Move m, Wdl *wdl, int *dtz)
{
    int value = 0;
    if (!can_ask(s, p))
        return false;
    if (distance_of_move(s, p, m, true, dtz)) {
        *wdl = wdl_of_distance(*dtz, p->st.rule50);
        return true;
    }
    *dtz = 0;
    if (!value_of_move(s, p, m, WDL_LOSS, WDL_WIN, &value))
        return false;
    *wdl = (Wdl)value;
    return true;
}

/* --- the root --- */

/* Higher is better. Certain wins are equal, so that a search may choose among them, unless a
 * repetition shows that it makes no progress; certain losses are equal unless the fifty-move rule
 * may still save a draw. The border between win and draw lies at 900. */
static int rank_of_distance(int dtz, int clock, bool repeated)
{
    if (dtz > 0)
        return dtz + clock <= 99 && !repeated ? 1000 : 1000 - (dtz + clock);
    if (dtz < 0)
        return -dtz * 2 + clock < 100 ? -1000 : -1000 + (-dtz + clock);
    return 0;
}

static int rank_of_value(int wdl, bool rule50)
{
    static const int ranks[5] = {-1000, -899, 0, 899, 1000};
    return rule50 ? ranks[wdl + 2] : 1000 * sign(wdl);
}

static Wdl wdl_of_rank(int rank, bool rule50)
{
    const int certain = rule50 ? 900 : 1;
    if (rank >= certain)
        return WDL_WIN;
    if (rank > 0)
        return WDL_CURSED_WIN;
    if (rank == 0)
        return WDL_DRAW;
    return rank > -certain ? WDL_BLESSED_LOSS : WDL_LOSS;
}

static bool rank_by_distance(Syzygy *s, const Position *p, const MoveList *legal, bool repeated,
                             int *ranks)
{
    for (int i = 0; i < legal->count; i++) {
        int dtz;
        if (!distance_of_move(s, p, legal->moves[i], true, &dtz))
            return false;
        ranks[i] = rank_of_distance(dtz, p->st.rule50, repeated);
    }
    return true;
}

/* Where tables of distances are missing. */
static bool rank_by_value(Syzygy *s, const Position *p, const MoveList *legal, bool rule50,
                          int *ranks)
{
    for (int i = 0; i < legal->count; i++) {
        int wdl = 0;
        if (!value_of_move(s, p, legal->moves[i], WDL_LOSS, WDL_WIN, &wdl))
            return false;
        ranks[i] = rank_of_value(wdl, rule50);
    }
    return true;
}

/* Keeps the moves that hold the value of the position, ranked by distance to zeroing where the
 * tables have it, else by value alone. */
bool syzygy_root(Syzygy *s, const Position *p, bool rule50, bool repeated, Wdl *wdl, int *dtz,
                 MoveList *keep)
{
    MoveList legal;
    int ranks[MAX_MOVES] = {0};
    keep->count = 0;
    if (!can_ask(s, p))
        return false;
    gen_legal(p, &legal);
    if (legal.count == 0 || (!rank_by_distance(s, p, &legal, repeated, ranks) &&
                             !rank_by_value(s, p, &legal, rule50, ranks)))
        return false;
    int best = ranks[0];
    for (int i = 1; i < legal.count; i++)
        best = ranks[i] > best ? ranks[i] : best;
    for (int i = 0; i < legal.count; i++)
        if (ranks[i] == best)
            keep->moves[keep->count++] = legal.moves[i];
    *wdl = wdl_of_rank(best, rule50);
    if (!syzygy_dtz(s, p, dtz))
        *dtz = 0;
    *dtz = *dtz < 0 ? -*dtz : *dtz;
    return true;
}
