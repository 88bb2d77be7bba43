// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/review.h"

#include "base/parallel.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 64 };

bool review_white_moves(const Review *v, size_t ply) { return (ply % 2 == 0) != v->black_first; }

/* --- making --- */

static int count_men(const SamaraFields *fields)
{
    int men = 0;
    for (int s = 0; s < 64; s++)
        men += fields->board[s] && strchr("NBRQnbrq", fields->board[s]) != NULL;
    return men;
}

/* What the rules alone say about each position. */
static bool fill_positions(Review *v)
{
    SamaraPosition *position = samara_position_new();
    bool ok = position != NULL;
    for (size_t i = 0; ok && i <= v->plies; i++) {
        SamaraFields fields;
        ok = samara_game_position(v->game, i, position, NULL);
        samara_position_fields(position, &fields);
        ReviewPosition *p = &v->positions[i];
        p->white = fields.white_to_move;
        p->men = count_men(&fields);
        p->over = samara_position_moves(position, NULL, 0) == 0;
        p->known = p->over;
        p->worth = p->over && samara_position_in_check(position) ? -WORTH_MATE : 0;
        if (i == 0) {
            v->black_first = !fields.white_to_move;
            v->first_number = fields.move_number;
        }
    }
    samara_position_free(position);
    return ok;
}

/* Takes the game over, also when it fails. */
Review *review_create(SamaraGame *game)
{
    Review *v = calloc(1, sizeof *v);
    if (!v) {
        samara_game_free(game);
        return NULL;
    }
    mutex_init(&v->lock);
    v->game = game;
    v->plies = samara_game_length(game);
    v->positions = calloc(v->plies + 1, sizeof *v->positions);
    v->verdicts = calloc(v->plies + 1, sizeof *v->verdicts);
    if (v->positions && v->verdicts && fill_positions(v))
        return v;
    review_destroy(v);
    return NULL;
}

void review_destroy(Review *v)
{
    if (!v)
        return;
    mutex_destroy(&v->lock);
    samara_game_free(v->game);
    free(v->positions);
    free(v->verdicts);
    free(v);
}

/* --- sharing the work --- */

typedef struct Pool Pool;

/* One thread with its engine. */
typedef struct Worker {
    Pool *pool;
    Study study;
    SamaraPosition *position;
} Worker;

struct Pool {
    Review *review;
    bool (*work)(Worker *worker, size_t item);
    size_t items;
    AtomicU64 next;
    AtomicFlag failed;
    int count;
    Worker workers[MOST_JOBS];
};

/* Workers take the next item as they become free. */
static void run_worker(void *user, int part)
{
    Pool *pool = user;
    for (;;) {
        const size_t item = (size_t)relaxed_add(&pool->next, 1);
        if (item >= pool->items || relaxed_load(&pool->failed))
            return;
        if (!pool->work(&pool->workers[part], item))
            relaxed_store(&pool->failed, true);
    }
}

/* Items 0 to items - 1, each once, by whoever is free. */
static bool pool_run(Pool *pool, bool (*work)(Worker *, size_t), size_t items)
{
    pool->work = work;
    pool->items = items;
    relaxed_store(&pool->next, 0);
    parallel_for(pool->count, run_worker, pool);
    return !relaxed_load(&pool->failed);
}

/* One engine per worker: searches of different positions do not disturb each other. */
static bool pool_open(Pool *pool, Review *review, const ReviewEffort *effort,
                      const ReviewEvents *events)
{
    const int jobs = effort->jobs < 1 ? 1 : effort->jobs > MOST_JOBS ? MOST_JOBS : effort->jobs;
    pool->review = review;
    for (pool->count = 0; pool->count < jobs; pool->count++) {
        Worker *worker = &pool->workers[pool->count];
        worker->pool = pool;
        worker->position = samara_position_new();
        if (!study_open(&worker->study, effort, events) || !worker->position) {
            pool->count++;
            return false;
        }
    }
    return true;
}

/* Keeps the first error for the caller. */
static void pool_close(Pool *pool, SamaraError *err)
{
    for (int i = 0; i < pool->count; i++) {
        Worker *worker = &pool->workers[i];
        if (err && !err->text[0])
            *err = worker->study.err;
        if (err && worker->study.stopped)
            *err = (SamaraError){.code = "STOPPED", .text = "the review was stopped"};
        study_close(&worker->study);
        samara_position_free(worker->position);
    }
}

/* Tells how far the review has come: looks and judgements count alike. */
static void tell_progress(Worker *worker)
{
    Review *v = worker->pool->review;
    const ReviewEvents *events = worker->study.events;
    if (!events || !events->progress)
        return;
    mutex_lock(&v->lock);
    const size_t done = (v->looked + v->judged) / 2;
    mutex_unlock(&v->lock);
    events->progress(events->user, done < v->plies ? done : v->plies, v->plies);
}

/* --- first looks --- */

/* The search runs without the lock; only the result is written under it. */
static bool look_at(Worker *worker, size_t ply, bool fresh)
{
    Review *v = worker->pool->review;
    ReviewPosition *p = &v->positions[ply];
    Found found = {0};
    const bool over = p->over;
    if (!over && (!samara_game_position(v->game, ply, worker->position, &worker->study.err) ||
                  !study_search(&worker->study, worker->position, 1, NULL, 0, fresh, &found)))
        return false;
    mutex_lock(&v->lock);
    if (!over) {
        p->known = true;
        p->worth = found.worth;
        p->depth = found.depth;
        p->line = found.line;
    }
    v->looked++;
    mutex_unlock(&v->lock);
    tell_progress(worker);
    return true;
}

/* A segment, from its last position to its first, so that the table knows what follows. Segments
 * are handed out from the end of the game: there the consistency pass begins. */
static bool look_at_segment(Worker *worker, size_t item)
{
    const size_t positions = worker->pool->review->plies + 1;
    const size_t first = (worker->pool->items - 1 - item) * REVIEW_SEGMENT;
    size_t ply = first + REVIEW_SEGMENT < positions ? first + REVIEW_SEGMENT : positions;
    for (bool fresh = true; ply-- > first; fresh = false)
        if (!look_at(worker, ply, fresh))
            return false;
    return true;
}

/* A position is worth at least what the move played in it leads to: a mate that was seen one move
 * later was there before. From the last move to the first, so that it travels all the way. */
static void make_consistent(Review *v)
{
    for (size_t i = v->plies; i-- > 0;) {
        const ReviewPosition *after = &v->positions[i + 1];
        ReviewPosition *p = &v->positions[i];
        const Worth reached = worth_before(after->worth);
        if (p->line.length > 0 && reached <= p->worth)
            continue;
        ReviewStep played;
        step_of(&samara_game_moves(v->game)[i], &played);
        mutex_lock(&v->lock);
        p->worth = reached > p->worth ? reached : p->worth;
        line_prepend(&played, &after->line, &p->line);
        mutex_unlock(&v->lock);
    }
}

/* --- verdicts --- */

static bool is_book_move(const Worker *worker, const SamaraMove *move)
{
    SamaraBookMove known[64];
    size_t count = samara_book_moves(worker->study.engine, worker->position, known, 64);
    for (size_t i = 0; i < count && i < 64; i++)
        if (known[i].move.code == move->code)
            return true;
    return false;
}

/* Compares the position before with the one after the move, both searched already. */
static bool judge_ply(Worker *worker, size_t ply)
{
    Review *v = worker->pool->review;
    const SamaraMove *move = &samara_game_moves(v->game)[ply];
    const ReviewPosition *p = &v->positions[ply], *after = &v->positions[ply + 1];
    Verdict verdict;
    FirstLook look = {.best = p->worth, .played = worth_before(after->worth), .best_line = p->line};
    ReviewStep played;
    step_of(move, &played);
    line_prepend(&played, &after->line, &look.played_line);
    if (!samara_game_position(v->game, ply, worker->position, &worker->study.err))
        return false;
    /* The engine's own choice is never a fault, whatever the next search says. */
    if (p->line.steps[0].move == move->code)
        look.played = look.best;
    look.book = is_book_move(worker, move);
    if (!verdict_make(&worker->study, worker->position, move, &look, &verdict))
        return false;
    mutex_lock(&v->lock);
    v->verdicts[ply] = verdict;
    v->judged++;
    mutex_unlock(&v->lock);
    tell_progress(worker);
    return true;
}

/* Theory ends with the first move that the book does not have. */
static void end_theory(Review *v)
{
    bool theory = true;
    mutex_lock(&v->lock);
    for (size_t i = 0; i < v->plies; i++) {
        theory &= v->verdicts[i].book;
        v->verdicts[i].book = theory;
    }
    mutex_unlock(&v->lock);
}

/* First every position is searched, then every move is judged by what is known on both sides of it.
 * */
bool review_run(Review *v, const ReviewEffort *effort, const ReviewEvents *events, SamaraError *err)
{
    SamaraError ignored = {0};
    Pool *pool = calloc(1, sizeof *pool);
    err = err ? err : &ignored;
    *err = (SamaraError){0};
    if (!pool) {
        snprintf(err->text, sizeof err->text, "not enough memory");
        return false;
    }
    const bool ready = pool_open(pool, v, effort, events);
    mutex_lock(&v->lock); /* a half report may be asked for at any time */
    v->nodes = ready ? pool->workers[0].study.limits.nodes : 0;
    mutex_unlock(&v->lock);
    bool ok = ready && pool_run(pool, look_at_segment, v->plies / REVIEW_SEGMENT + 1);
    if (ok) {
        make_consistent(v);
        ok = pool_run(pool, judge_ply, v->plies);
        end_theory(v);
    }
    pool_close(pool, ok ? NULL : err);
    if (!ok && !err->text[0])
        snprintf(err->text, sizeof err->text, "not enough memory");
    free(pool);
    return ok;
}
