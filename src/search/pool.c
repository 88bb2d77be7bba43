// SPDX-License-Identifier: GPL-3.0-or-later
/* Lazy SMP: all workers search the same root and meet only in the table and the correction history.
 * The first worker leads: it starts the others, watches the clock, collects the votes and reports.
 * Threads live as long as the pool and sleep between searches. */
#include "search/pool.h"

#include "base/clock.h"
#include "base/host.h"
#include "base/memory.h"
#include "classical/kbnk.h"
#include "probe/syzygy.h"
#include "search/worker.h"
#include <stdlib.h>
#include <string.h>

enum {
    MAX_THREADS = 1024,
    WAIT_MAX_MS = 30, /* a longer one is seldom the usual */
    WAIT_MEMORY = 8,
};

typedef struct Seat {
    Pool *pool;
    Worker *worker;
    Thread thread;
    bool started; /* else its searches run in their caller's thread */
    Cond wake;    /* it waits here for: */
    bool asked;   /* to search */
    bool leave;   /* to go home */
} Seat;

struct Pool {
    Shared shared;
    Seat **seats;
    Worker **workers; /* the same, for Shared */
    int count;

    Mutex lock;                /* guards what follows, and what the seats are asked */
    Cond change;               /* leader and callers wait here for each other */
    AtomicI32 helpers_running; /* grows under the lock only */
    AtomicFlag busy;
};

/* --- the search as its leader sees it --- */

static bool wanted(const Limits *limits, Move m)
{
    for (int i = 0; i < limits->search_move_count; i++)
        if (limits->search_moves[i] == m)
            return true;
    return limits->search_move_count == 0;
}

/* Sorted as the mover sees them, so that nothing depends on the colour. */
static void list_root_moves(Shared *s)
{
    const Move flip = s->root.turn == WHITE ? 0 : 56 | 56 << 6;
    MoveList list;
    gen_legal(&s->root, &list);
    s->root_count = 0;
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        if (!wanted(&s->limits, m))
            continue;
        int at = s->root_count++;
        for (; at > 0 && (s->root_list[at - 1] ^ flip) > (m ^ flip); at--)
            s->root_list[at] = s->root_list[at - 1];
        s->root_list[at] = m;
    }
}

static Score tablebase_score(const Shared *s, Wdl wdl)
{
    const int draw_range = s->tb_rule50 ? 1 : 0;
    if (wdl > draw_range)
        return SCORE_TB_WIN;
    if (wdl < -draw_range)
        return -SCORE_TB_WIN;
    return SCORE_DRAW;
}

/* If the tables know the root, only moves that keep its result are searched, and the search itself,
 * which then looks for the nicest way, does not ask them again. */
static void ask_tablebases(Shared *s)
{
    Wdl wdl;
    int dtz;
    MoveList keep;
    s->tb_root = false;
    if (s->tb_probe_limit > syzygy_men(s->tables))
        s->tb_probe_limit = syzygy_men(s->tables);
    if (s->tb_probe_limit == 0 || bb_count(pos_occupied(&s->root)) > s->tb_probe_limit ||
        s->root_count == 0)
        return;
    const bool repeated = pos_repetitions(&s->root, s->keys, s->key_count) > 0;
    if (!syzygy_root(s->tables, &s->root, s->tb_rule50, repeated, &wdl, &dtz, &keep))
        return;
    int kept = 0;
    Move list[MAX_MOVES];
    for (int i = 0; i < s->root_count; i++)
        if (list_has(&keep, s->root_list[i]))
            list[kept++] = s->root_list[i];
    if (kept == 0)
        return; /* searchmoves names only moves that spoil it */
    memcpy(s->root_list, list, (size_t)kept * sizeof *list);
    s->root_count = kept;
    s->tb_root = true;
    s->tb_score = tablebase_score(s, wdl);
    s->tb_probe_limit = 0;
}

/* Bishop and knight at the root: only the shortest ways to mate, or the longest defences, are
 * searched. Several lines are wanted to compare moves, so all moves stay then. Solving takes some
 * tenths of a second once: a short clock does without, and the evaluation leads to the corner. */
static void ask_solution(Shared *s)
{
    enum { SOLVING_US = 600000 };
    int distances[MAX_MOVES], best = -1, kept = 0;
    if (!kbnk_is(&s->root) || s->multipv > 1 || s->tb_root)
        return;
    if (!kbnk_is_solved() && s->budget.timed && s->budget.hard_us < SOLVING_US)
        return;
    if (!kbnk_solve())
        return;
    const bool strong = bb_several(pos_color(&s->root, s->root.turn));
    for (int i = 0; i < s->root_count; i++) {
        Position next = s->root;
        Undo undo;
        pos_make(&next, s->root_list[i], &undo, NULL);
        distances[i] = kbnk_is(&next) ? kbnk_distance(&next) : -1;
        if (!strong && distances[i] < 0)
            return; /* the defender escapes: the search sees it */
        if (distances[i] >= 0 && (best < 0 || (strong ? distances[i] < best : distances[i] > best)))
            best = distances[i];
    }
    for (int i = 0; i < s->root_count && best >= 0; i++)
        if (distances[i] == best)
            s->root_list[kept++] = s->root_list[i];
    s->root_count = best >= 0 ? kept : s->root_count;
}

static Score answer_score(const Worker *w) { return root_claim(w, &w->root_moves[0]).score; }

static int64_t votes_for(const Shared *s, Move m, Score lowest)
{
    int64_t votes = 0;
    for (int i = 0; i < s->worker_count; i++) {
        const Worker *w = s->workers[i];
        if (w->completed_depth > 0 && w->root_moves[0].move == m)
            votes += (int64_t)(w->answer - lowest + 14) * w->completed_depth;
    }
    return votes;
}

/* Each worker votes for its move with its depth and its score above the lowest one. Among decisive
 * scores the highest wins whatever the votes: the shorter mate, the longer defence. */
Worker *elect_worker(const Shared *s)
{
    Worker *best = s->workers[0];
    Score lowest = SCORE_INF;
    for (int i = 0; i < s->worker_count; i++) {
        Worker *w = s->workers[i];
        w->answer = w->completed_depth > 0 ? answer_score(w) : SCORE_INF;
        lowest = w->answer < lowest ? w->answer : lowest;
    }
    if (s->worker_count == 1 || s->multipv > 1 || s->limits.mate > 0 || s->limits.depth > 0 ||
        best->completed_depth == 0)
        return best;

    int64_t best_votes = votes_for(s, best->root_moves[0].move, lowest);
    for (int i = 1; i < s->worker_count; i++) {
        Worker *w = s->workers[i];
        if (w->completed_depth == 0)
            continue;
        const int64_t votes = votes_for(s, w->root_moves[0].move, lowest);
        const bool decisive = score_is_decisive(w->answer) || score_is_decisive(best->answer);
        if (decisive ? w->answer > best->answer : votes > best_votes) {
            best = w;
            best_votes = votes;
        }
    }
    return best;
}

/* Mate or stalemate at the root: one line says so, since there will be no other. */
static void report_no_move(const Shared *s)
{
    if (!s->events.info)
        return;
    const SearchInfo info = {
        .multipv = 1,
        .score = pos_in_check(&s->root) ? score_mated(0) : SCORE_DRAW,
        .bound = BOUND_EXACT,
        .time_us = shared_elapsed_us(s),
    };
    s->events.info(s->events.user, &info);
}

/* The worker's first root move; its reply from the line, else from the hash table. */
static void fill_result(const Shared *s, const Worker *w, SearchResult *result)
{
    *result = (SearchResult){.nodes = shared_nodes(s), .time_us = shared_elapsed_us(s)};
    if (s->root_count == 0) {
        result->score = pos_in_check(&s->root) ? score_mated(0) : SCORE_DRAW;
        return;
    }
    const RootMove *rm = &w->root_moves[0];
    result->best = rm->move;
    result->ponder = rm->pv_length > 1 ? rm->pv[1] : search_expected_reply(w, rm->move);
    result->score = answer_score(w);
    result->depth = w->completed_depth;
}

/* The lock is held. */
static void ask_to_search(Seat *seat)
{
    seat->asked = true;
    cond_signal(&seat->wake);
}

static void start_helpers(Pool *pool)
{
    if (pool->shared.worker_count == 1)
        return;
    mutex_lock(&pool->lock);
    for (int i = 1; i < pool->shared.worker_count; i++)
        ask_to_search(pool->seats[i]);
    mutex_unlock(&pool->lock);
}

/* Who has not woken by now sleeps on. */
static void await_helpers(Pool *pool)
{
    relaxed_store(&pool->shared.stop, true);
    mutex_lock(&pool->lock);
    for (int i = 1; i < pool->shared.worker_count; i++)
        pool->seats[i]->asked = false;
    while (atomic_load(&pool->helpers_running) > 0)
        cond_wait(&pool->change, &pool->lock);
    mutex_unlock(&pool->lock);
}

/* `infinite` and `ponder`: the answer may not come before it is asked for. Where nobody else can ask, the host
 * is waited for; one that cannot wait keeps the answer back itself. */
static void await_permission(Pool *pool)
{
    Shared *s = &pool->shared;
    mutex_lock(&pool->lock);
    while (!relaxed_load(&s->stop) && (s->limits.infinite || relaxed_load(&s->pondering))) {
        if (thread_exists())
            cond_wait(&pool->change, &pool->lock);
        else if (!host_wait())
            break;
    }
    mutex_unlock(&pool->lock);
}

/* Where other programs want the processor, too, a search may end later than it means to. A longer
 * wait counts at once, shorter ones pull the estimate down slowly. */
static void note_wait(Shared *s, int64_t waited_ms)
{
    const int64_t now = waited_ms < 0 ? 0 : waited_ms < WAIT_MAX_MS ? waited_ms : WAIT_MAX_MS;
    const int64_t before = s->waited_ms;
    s->waited_ms = now > before ? now : before - (before - now + WAIT_MEMORY - 1) / WAIT_MEMORY;
}

static void deepen(Worker *leader)
{
    const int64_t begun = clock_us() - clock_thread_us();
    worker_iterate(leader);
    note_wait(leader->shared, (clock_us() - clock_thread_us() - begun) / 1000);
}

/* A wait is time that the clock loses and the search does not get, as the way to the client is. */
static TimeBudget budget_of(const Shared *s)
{
    Limits limits = s->limits;
    if (limits.has_clock)
        limits.overhead_ms += s->waited_ms;
    return time_budget(&limits, s->root.turn, s->root_count);
}

/* The leader's whole search: root moves, tables, budget, deepening, and the election of the worker
 * whose answer counts. */
static void lead_search(Pool *pool, SearchResult *result)
{
    Shared *s = &pool->shared;
    Worker *leader = s->workers[0];
    list_root_moves(s);
    ask_tablebases(s);
    s->budget = budget_of(s);
    ask_solution(s);
    s->budget = budget_of(s); /* one move may be left */

    Worker *best = leader;
    if (s->root_count == 0) {
        report_no_move(s);
    } else {
        worker_begin(leader);
        start_helpers(pool);
        deepen(leader);
    }
    await_permission(pool);
    await_helpers(pool);
    if (s->root_count > 0) {
        best = elect_worker(s);
        if (best != leader)
            report_lines(best);
        s->last_score = answer_score(best);
    }
    fill_result(s, best, result);
    if (s->events.done)
        s->events.done(s->events.user, result);
}

/* --- threads --- */

/* Only the last one takes the lock: where other programs use the cores, too, each may have to wait
 * for its turn, and the leader would wait for all of them. */
static void helper_search(Pool *pool, Worker *w)
{
    worker_begin(w);
    worker_iterate(w);
    if (atomic_fetch_sub(&pool->helpers_running, 1) > 1)
        return;
    mutex_lock(&pool->lock);
    cond_broadcast(&pool->change);
    mutex_unlock(&pool->lock);
}

static void leader_search(Pool *pool)
{
    SearchResult result;
    lead_search(pool, &result);
    mutex_lock(&pool->lock);
    atomic_store(&pool->busy, false);
    cond_broadcast(&pool->change);
    mutex_unlock(&pool->lock);
}

/* A thread for the life of the pool: it sleeps until it is asked for a search. */
static void *seat_run(void *arg)
{
    Seat *seat = arg;
    Pool *pool = seat->pool;
    const bool leads = seat->worker->id == 0;
    history_fetch(seat->worker->history);
    mutex_lock(&pool->lock);
    for (;;) {
        while (!seat->leave && !seat->asked)
            cond_wait(&seat->wake, &pool->lock);
        if (seat->leave)
            break;
        seat->asked = false;
        if (!leads)
            atomic_fetch_add(&pool->helpers_running, 1);
        mutex_unlock(&pool->lock);

        if (leads)
            leader_search(pool);
        else
            helper_search(pool, seat->worker);
        mutex_lock(&pool->lock);
    }
    mutex_unlock(&pool->lock);
    return NULL;
}

static void seat_destroy(Seat *seat)
{
    if (!seat)
        return;
    worker_destroy(seat->worker);
    cond_destroy(&seat->wake);
    free(seat);
}

static bool seat_start(Seat *seat)
{
    if (!seat->started)
        seat->started = thread_start(&seat->thread, seat_run, seat);
    return seat->started;
}

/* Where threads are scarce the leader gets one when a search needs it: most pools there only search in their
 * caller's thread. */
static Seat *seat_create(Pool *pool, int id)
{
    Seat *seat = calloc(1, sizeof *seat);
    if (!seat)
        return NULL;
    seat->pool = pool;
    seat->worker = worker_create(id, &pool->shared);
    cond_init(&seat->wake);
    if (!seat->worker || ((id > 0 || !thread_is_scarce()) && !seat_start(seat))) {
        seat_destroy(seat);
        return NULL;
    }
    return seat;
}

/* Sends home all seats from `first` on. */
static void dismiss_seats(Pool *pool, int first)
{
    mutex_lock(&pool->lock);
    for (int i = first; i < pool->count; i++) {
        pool->seats[i]->leave = true;
        cond_signal(&pool->seats[i]->wake);
    }
    mutex_unlock(&pool->lock);
    for (int i = first; i < pool->count; i++) {
        if (pool->seats[i]->started)
            thread_join(pool->seats[i]->thread);
        seat_destroy(pool->seats[i]);
    }
    if (first < pool->count)
        pool->count = first;
}

Pool *pool_create(int threads, Error *err)
{
    Pool *pool = memory_alloc(sizeof *pool, CACHE_LINE);
    if (pool) {
        pool->seats = calloc(MAX_THREADS, sizeof *pool->seats);
        pool->workers = calloc(MAX_THREADS, sizeof *pool->workers);
        pool->shared.correction = correction_create();
        pool->shared.workers = pool->workers;
        pool->shared.last_score = SCORE_NONE;
        mutex_init(&pool->lock);
        cond_init(&pool->change);
    }
    if (!pool || !pool->seats || !pool->workers || !pool->shared.correction) {
        error_code(err, "NO_MEMORY", 0, "not enough memory for a search");
        pool_destroy(pool);
        return NULL;
    }
    if (!pool_set_threads(pool, threads, err)) {
        pool_destroy(pool);
        return NULL;
    }
    return pool;
}

void pool_destroy(Pool *pool)
{
    if (!pool)
        return;
    if (pool->seats) {
        pool_stop(pool);
        pool_wait(pool);
        dismiss_seats(pool, 0);
    }
    cond_destroy(&pool->change);
    mutex_destroy(&pool->lock);
    correction_destroy(pool->shared.correction);
    free(pool->workers);
    free(pool->seats);
    memory_free(pool);
}

bool pool_set_threads(Pool *pool, int threads, Error *err)
{
    if (threads < 1 || threads > MAX_THREADS)
        return error_set(err, "the number of threads must be between 1 and %d", MAX_THREADS);
    pool_wait(pool);
    const int before = pool->count;
    for (int i = before; i < threads; i++) {
        Seat *seat = seat_create(pool, i);
        if (!seat) {
            dismiss_seats(pool, before);
            return error_code(err, "NO_THREADS", 0, "the system has no room for %d search threads",
                              threads);
        }
        pool->seats[i] = seat;
        pool->workers[i] = seat->worker;
        pool->count = i + 1;
    }
    dismiss_seats(pool, threads);
    return true;
}

int pool_threads(const Pool *pool) { return pool->count; }

void pool_clear(Pool *pool)
{
    pool_wait(pool);
    for (int i = 0; i < pool->count; i++)
        worker_clear(pool->workers[i]);
    correction_clear(pool->shared.correction);
    pool->shared.last_score = SCORE_NONE;
    pool->shared.waited_ms = 0;
}

/* --- searching --- */

/* Copies the request into what all workers see. Of a long game only the last keys are kept:
 * repetitions reach no further. */
static void take_setup(Pool *pool, TTable *tt, const SearchSetup *setup, int workers)
{
    Shared *s = &pool->shared;
    relaxed_store(&s->stop, false);
    relaxed_store(&s->pondering, setup->limits.ponder);
    relaxed_store(&s->ponderhit_us, 0);
    s->tt = tt;
    s->net = setup->net;
    s->limits = setup->limits;
    if (s->limits.start_us == 0)
        s->limits.start_us = clock_us();
    s->events = setup->events;
    s->multipv = setup->multipv > 0 ? setup->multipv : 1;
    s->tables = setup->tables;
    s->tb_probe_depth = setup->tb_probe_depth;
    s->tb_probe_limit = setup->tb_probe_limit;
    s->tb_rule50 = setup->tb_rule50;
    s->root = *setup->root;
    const int kept = setup->key_count < GAME_KEYS ? setup->key_count : GAME_KEYS;
    s->key_count = kept;
    if (kept > 0)
        memcpy(s->keys, setup->keys + setup->key_count - kept, (size_t)kept * sizeof(Key));
    s->worker_count = workers;
    for (int i = 0; i < workers; i++) {
        relaxed_store(&pool->workers[i]->nodes, 0);
        relaxed_store(&pool->workers[i]->tbhits, 0);
        pool->workers[i]->completed_depth = 0; /* also of those who will come too late */
    }
    tt_new_search(tt);
}

/* Threads beyond the processors would take turns with the others: no more nodes, but a leader that
 * sees the clock late and trees that are searched in pieces. They sleep on. */
static int useful_workers(const Pool *pool)
{
    const int processors = thread_cpu_count();
    return pool->count < processors ? pool->count : processors;
}

void pool_start(Pool *pool, TTable *tt, const SearchSetup *setup)
{
    pool_wait(pool);
    take_setup(pool, tt, setup, useful_workers(pool));
    atomic_store(&pool->busy, true);
    if (!seat_start(pool->seats[0])) { /* then it ends before this returns */
        leader_search(pool);
        return;
    }
    mutex_lock(&pool->lock);
    ask_to_search(pool->seats[0]);
    mutex_unlock(&pool->lock);
}

void pool_run(Pool *pool, TTable *tt, const SearchSetup *setup, SearchResult *result)
{
    pool_wait(pool);
    take_setup(pool, tt, setup, 1);
    atomic_store(&pool->busy, true);
    lead_search(pool, result);
    mutex_lock(&pool->lock);
    atomic_store(&pool->busy, false);
    cond_broadcast(&pool->change);
    mutex_unlock(&pool->lock);
}

/* The word first: who holds the lock may be waiting for a core. */
void pool_stop(Pool *pool)
{
    relaxed_store(&pool->shared.stop, true);
    mutex_lock(&pool->lock);
    cond_broadcast(&pool->change);
    mutex_unlock(&pool->lock);
}

void pool_ponderhit(Pool *pool)
{
    mutex_lock(&pool->lock);
    relaxed_store(&pool->shared.ponderhit_us, (uint64_t)clock_us());
    relaxed_store(&pool->shared.pondering, false);
    cond_broadcast(&pool->change);
    mutex_unlock(&pool->lock);
}

void pool_wait(Pool *pool)
{
    mutex_lock(&pool->lock);
    while (atomic_load(&pool->busy))
        cond_wait(&pool->change, &pool->lock);
    mutex_unlock(&pool->lock);
}

bool pool_busy(const Pool *pool) { return atomic_load(&pool->busy); }

uint64_t pool_nodes(const Pool *pool) { return shared_nodes(&pool->shared); }

void pool_teach(TTable *tt, const Position *p, Score score, int depth)
{
    search_teach(tt, p, score, depth);
}
