// SPDX-License-Identifier: GPL-3.0-or-later
/* Iterative deepening: the same root again and again, one ply deeper each time, each iteration
 * leaving a good order of moves for the next. The main worker also reports and decides when it is
 * enough. */
#include "search/worker.h"

#include "search/picker.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    QUIET_US = 3000000,     /* bound lines are shown only after this */
    BOUND_LINE_US = 100000, /* and not more often than this */
    MATE_EXTRA_DEPTH = 4,   /* go mate: plies beyond the mate before the exhaustive proof */
};

/* What the main worker watches from iteration to iteration. */
typedef struct Watch {
    Move best;
    int stable;
    Score score;
    RootMove reported; /* first line of the last finished iteration */
    bool stale;        /* something else was told after it */
    int64_t failure_us;
} Watch;

/* --- reporting --- */

/* What may be said about a root move: mates only with a line that proves them, table scores where
 * the tables chose the moves. */
Claim root_claim(const Worker *w, const RootMove *rm)
{
    Claim claim = {rm->score, rm->bound};
    if (rm->score == -SCORE_INF)
        claim = (Claim){rm->previous, BOUND_EXACT};
    if (claim.score == -SCORE_INF)
        return (Claim){SCORE_DRAW, BOUND_NONE};
    if (score_is_mate(claim.score)) {
        if (rm->pv_length == score_mate_plies(claim.score) &&
            mate_line_holds(w, rm->pv, rm->pv_length))
            return (Claim){claim.score, BOUND_EXACT};
        return claim.score > 0 ? (Claim){SCORE_EVAL_MAX, BOUND_LOWER}
                               : (Claim){-SCORE_EVAL_MAX, BOUND_UPPER};
    }
    if (w->shared->tb_root)
        claim.score = w->shared->tb_score;
    return claim;
}

/* For asserts: whether a line that is about to be shown can be played. */
bool root_line_is_legal(const Worker *w, const RootMove *rm)
{
    Position pos = w->shared->root;
    for (int i = 0; i < rm->pv_length; i++) {
        Undo undo;
        if (!move_is_playable(&pos, rm->pv[i]))
            return false;
        pos_make(&pos, rm->pv[i], &undo, NULL);
    }
    return rm->pv_length > 0 && rm->pv[0] == rm->move;
}

/* One line of output; a move that this iteration has not reached shows the depth of the last one.
 * */
static void report_line(const Worker *w, int index)
{
    const Shared *s = w->shared;
    const RootMove *rm = &w->root_moves[index];
    if (!s->events.info)
        return;
    assert(root_line_is_legal(w, rm));
    const Claim claim = root_claim(w, rm);
    const SearchInfo info = {
        .depth = rm->score == -SCORE_INF && w->root_depth > 1 ? w->root_depth - 1 : w->root_depth,
        .seldepth = rm->seldepth,
        .multipv = index + 1,
        .score = claim.score,
        .bound = claim.bound,
        .nodes = shared_nodes(s),
        .tbhits = shared_tbhits(s) + (s->tb_root ? 1 : 0),
        .time_us = shared_elapsed_us(s),
        .hashfull = tt_hashfull(s->tt),
        .pv_length = rm->pv_length,
        .pv = rm->pv,
    };
    s->events.info(s->events.user, &info);
}

static int line_count(const Worker *w)
{
    return w->shared->multipv < w->root_count ? w->shared->multipv : w->root_count;
}

void report_lines(const Worker *w)
{
    for (int i = 0; i < line_count(w); i++)
        report_line(w, i);
}

/* --- the root list --- */

static Score this_score(const RootMove *rm) { return rm->score; }

static Score last_known_score(const RootMove *rm)
{
    return rm->score != -SCORE_INF ? rm->score : rm->previous;
}

/* Best first; equals keep their order. */
static void sort_root_moves(Worker *w, int begin, int end, Score (*worth)(const RootMove *))
{
    for (int i = begin + 1; i < end; i++) {
        if (worth(&w->root_moves[i]) <= worth(&w->root_moves[i - 1]))
            continue;
        const RootMove moving = w->root_moves[i];
        int at = i;
        for (; at > begin && worth(&w->root_moves[at - 1]) < worth(&moving); at--)
            w->root_moves[at] = w->root_moves[at - 1];
        w->root_moves[at] = moving;
    }
}

/* --- windows --- */

/* Fail-high and fail-low lines, for those who watch a long search; never a flood of them. */
static void report_failure(const Worker *w, Watch *watch)
{
    if (w->id != 0 || !w->shared->events.info || w->shared->multipv > 1)
        return;
    const int64_t now = shared_elapsed_us(w->shared);
    if (now < QUIET_US || now - watch->failure_us < BOUND_LINE_US ||
        score_is_mate(w->root_moves[0].score))
        return;
    watch->failure_us = now;
    watch->stale = true;
    report_line(w, w->pv_index);
}

static int clamp_score(int score) { return clamp_int(score, -SCORE_INF, SCORE_INF); }

/* Against a lone king the tree is small and the way to mate long, so small depths get some plies
 * more. */
static int ending_plies(const Worker *w)
{
    const int missing = ending_depth - w->root_depth;
    if (!pos_has_lone_king(&w->shared->root) || missing <= 0)
        return 0;
    return missing < ending_extension ? missing : ending_extension;
}

/* Only the side that failed is widened: after a fail low the upper bound comes down, since the
 * score is now known to be lower; after a fail high the new best move is known, and a little less
 * depth confirms it sooner. Far from zero the failing side is opened at once. */
void window_widen(Window *win, Score score)
{
    if (score <= win->alpha) {
        win->beta = (win->alpha + win->beta) / 2;
        win->alpha = clamp_score(score - win->delta);
        win->fail_highs = 0;
    } else {
        win->beta = clamp_score(score + win->delta);
        win->fail_highs += !score_is_decisive(score);
    }
    if (abs(score) > asp_open_score) {
        win->alpha = score < 0 ? -SCORE_INF : win->alpha;
        win->beta = score > 0 ? SCORE_INF : win->beta;
    }
    win->delta = win->delta * asp_widen / 100 + 1;
}

/* Aspiration: the score will be near the last one, and a narrow window cuts more. */
static Window first_window(const Worker *w)
{
    const Score centre = w->root_moves[w->pv_index].average;
    Window win = {.alpha = -SCORE_INF, .beta = SCORE_INF, .delta = asp_delta + w->id % 8};
    if (use_aspiration && w->root_depth >= 4 && centre != -SCORE_INF) {
        win.delta += (int)((int64_t)centre * centre / asp_score_div);
        win.alpha = clamp_score(centre - win.delta);
        win.beta = clamp_score(centre + win.delta);
    }
    return win;
}

/* One line of an iteration: windows around the last score until the truth lies inside one. */
static void search_line(Worker *w, Watch *watch)
{
    const int extra = ending_plies(w);
    Window win = first_window(w);
    for (;;) {
        const int less = win.fail_highs < asp_max_reduction ? win.fail_highs : asp_max_reduction;
        const int depth = w->root_depth - less > 1 ? w->root_depth - less : 1;
        const Score score = search_root(w, win.alpha, win.beta, depth + extra);
        sort_root_moves(w, w->pv_index, w->root_count, this_score);
        if (worker_stopped(w) || (score > win.alpha && score < win.beta))
            return;
        report_failure(w, watch);
        window_widen(&win, score);
    }
}

/* --- when to stop --- */

static bool mate_wish_granted(const Worker *w)
{
    const int wish = w->shared->limits.mate;
    const Claim claim = root_claim(w, &w->root_moves[0]);
    return wish > 0 && score_is_mate(claim.score) && claim.score > 0 &&
           score_mate_moves(claim.score) <= wish;
}

/* A mate that is nearer than the search is deep will not become shorter by searching on. */
static bool mate_is_final(const Worker *w)
{
    const Score score = w->root_moves[0].score;
    return score_is_mate(score) && root_claim(w, &w->root_moves[0]).score == score &&
           w->root_depth > 2 * score_mate_plies(score) + 6;
}

/* A stable move, one that takes most of the nodes, or a rising score needs less time; a falling
 * score gets more. */
static bool soft_time_is_up(Worker *w, const Watch *watch, Score previous)
{
    const Shared *s = w->shared;
    if (!s->budget.timed)
        return false;
    const uint64_t nodes = worker_nodes(w);
    const TimeSignals signals = {
        .depth = w->root_depth,
        .stable = watch->stable,
        .best_share = nodes ? (double)w->root_moves[0].nodes / (double)nodes : 1,
        .score = w->root_moves[0].score,
        .previous_score = previous,
        .last_search_score = s->last_score,
    };
    const double factor = s->budget.flexible ? time_factor(&signals) : 1;
    return (double)shared_elapsed_us(s) >= (double)s->budget.soft_us * factor ||
           (s->budget.flexible && mate_is_final(w));
}

/* Asked by the leader after each iteration: a mate that was wished for, nodes, time. While
 * pondering the answer waits for ponderhit. */
static bool enough(Worker *w, Watch *watch)
{
    const Shared *s = w->shared;
    const Score previous = watch->score;
    const Move best = w->root_moves[0].move;
    watch->stable = best == watch->best ? watch->stable + 1 : 0;
    watch->best = best;
    watch->score = w->root_moves[0].score;

    if (mate_wish_granted(w))
        return true;
    if (s->limits.soft_nodes && shared_nodes(s) >= s->limits.soft_nodes)
        return true;
    if (!soft_time_is_up(w, watch, previous))
        return false;
    if (!relaxed_load(&s->pondering))
        return true;
    w->soft_passed = true;
    return false;
}

/* --- deepening --- */

/* One depth, line by line: each line searches the moves that no line before it has taken. */
static void search_iteration(Worker *w, Watch *watch)
{
    for (int i = 0; i < w->root_count; i++)
        w->root_moves[i].previous = w->root_moves[i].score;
    for (w->pv_index = 0; w->pv_index < line_count(w); w->pv_index++) {
        w->seldepth = 0;
        search_line(w, watch);
        sort_root_moves(w, 0, w->pv_index + 1, this_score);
        if (worker_stopped(w))
            break;
    }
    w->pv_index = 0;
    /* Several lines, some of this iteration and some of the last: what counts is what is known of
     * each. */
    if (worker_stopped(w) && w->shared->multipv > 1)
        sort_root_moves(w, 0, w->root_count, last_known_score);
}

/* A finished iteration is news. An interrupted one is, if it has found another move; if it was only
 * about to change its mind about the same one, what is known for certain about that stands. */
static void report_iteration(Worker *w, Watch *watch, bool finished)
{
    RootMove *rm = &w->root_moves[0];
    if (w->id != 0)
        return;
    if (!finished && rm->move == watch->reported.move && rm->bound != BOUND_EXACT) {
        const uint64_t nodes = rm->nodes;
        *rm = watch->reported;
        rm->nodes = nodes;
    }
    if (finished || watch->stale || rm->move != watch->reported.move ||
        rm->score != watch->reported.score)
        report_lines(w);
    watch->stale = false;
    watch->reported = *rm;
}

/* go mate: what the search has not found, an exhaustive search decides. */
static void prove_mate(Worker *w)
{
    const int wish = w->shared->limits.mate;
    for (int moves = 1; moves <= wish && 2 * moves - 1 < MAX_PLY && !worker_stopped(w); moves++) {
        Move pv[MAX_PLY];
        const int plies = 2 * moves - 1;
        if (!mate_prove(w, plies, pv))
            continue;
        for (int i = 0; i < w->root_count; i++) {
            RootMove *rm = &w->root_moves[i];
            rm->score = -SCORE_INF;
            if (rm->move != pv[0])
                continue;
            rm->score = score_mate(plies);
            rm->bound = BOUND_EXACT;
            rm->pv_length = plies;
            memcpy(rm->pv, pv, (size_t)plies * sizeof *pv);
        }
        sort_root_moves(w, 0, w->root_count, this_score);
        report_line(w, 0);
        return;
    }
}

/* Iterative deepening: each depth orders the moves for the next one, and there is a best move at
 * any time. */
void worker_iterate(Worker *w)
{
    const Limits *limits = &w->shared->limits;
    Watch watch = {.score = SCORE_NONE};
    int last = limits->depth > 0 && limits->depth < MAX_PLY ? limits->depth : MAX_PLY - 1;
    const int mate_depth = 2 * limits->mate + MATE_EXTRA_DEPTH;
    if (limits->mate > 0 && mate_depth < last)
        last = mate_depth;

    bool done = false;
    for (int depth = 1; depth <= last && !done; depth++) {
        w->root_depth = depth;
        search_iteration(w, &watch);
        const bool finished = !worker_stopped(w);
        if (finished)
            w->completed_depth = depth;
        report_iteration(w, &watch, finished);
        done = !finished || (w->id == 0 && enough(w, &watch));
    }
    if (limits->mate > 0 && w->id == 0 && !done)
        prove_mate(w);
}
