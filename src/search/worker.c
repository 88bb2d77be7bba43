// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/worker.h"

#include "base/clock.h"
#include "base/host.h"
#include "base/memory.h"
#include "search/picker.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    CHECK_INTERVAL = 1024, /* nodes between two looks at the clock */
    GRACE_US = 20000,
};

/* Everything a thread needs, so that nothing is allocated while it searches. */
Worker *worker_create(int id, Shared *shared)
{
    Worker *w = memory_alloc(sizeof *w, CACHE_LINE);
    if (!w)
        return NULL;
    w->id = id;
    w->shared = shared;
    w->history = history_create();
    w->evaluator.acc = acc_create(MAX_PLY + 8);
    w->evaluator.pawns = pawn_table_create();
    if (!w->history || !w->evaluator.acc || !w->evaluator.pawns) {
        worker_destroy(w);
        return NULL;
    }
    for (int i = 1; i < LN_SIZE; i++)
        w->ln[i] = (int)(1024 * log(i) + 0.5);
    return w;
}

void worker_destroy(Worker *w)
{
    if (!w)
        return;
    history_destroy(w->history);
    if (w->evaluator.acc)
        acc_destroy(w->evaluator.acc);
    if (w->evaluator.pawns)
        pawn_table_destroy(w->evaluator.pawns);
    memory_free(w);
}

void worker_clear(Worker *w)
{
    if (!w->used)
        return;
    w->used = false;
    history_clear(w->history);
    pawn_table_clear(w->evaluator.pawns);
}

/* Each worker sorts and scores root moves of its own. */
static void copy_root_moves(Worker *w)
{
    const Shared *s = w->shared;
    w->root_count = s->root_count;
    for (int i = 0; i < s->root_count; i++) {
        RootMove *rm = &w->root_moves[i];
        rm->move = rm->pv[0] = s->root_list[i];
        rm->pv_length = 1;
        rm->score = rm->previous = rm->average = -SCORE_INF;
        rm->bound = BOUND_NONE;
        rm->nodes = 0;
        rm->seldepth = 0;
    }
}

/* Clears what belongs to one search; the histories stay. */
void worker_begin(Worker *w)
{
    const Shared *s = w->shared;
    w->pos = s->root;
    w->key_count = s->key_count;
    if (s->key_count > 0)
        memcpy(w->keys, s->keys, (size_t)s->key_count * sizeof(Key));
    copy_root_moves(w);
    w->next_check = 0;
    w->seldepth = w->null_min_ply = w->root_depth = w->pv_index = w->completed_depth = 0;
    w->used = true;
    w->searched = w->soft_passed = false;
    for (int i = 0; i < FRAME_PAD + MAX_PLY + 4; i++)
        w->frames[i] =
            (Frame){.moved = -1, .follow = w->history->nothing, .static_eval = SCORE_NONE};
    w->evaluator.net = s->net;
    w->plain = s->limits.plain;
    if (w->evaluator.net)
        acc_reset(w->evaluator.acc, w->evaluator.net, &s->root);
    history_new_search(w->history);
}

/* --- limits --- */

uint64_t shared_nodes(const Shared *s)
{
    uint64_t sum = 0;
    for (int i = 0; i < s->worker_count; i++)
        sum += relaxed_load(&s->workers[i]->nodes);
    return sum;
}

uint64_t shared_tbhits(const Shared *s)
{
    uint64_t sum = 0;
    for (int i = 0; i < s->worker_count; i++)
        sum += relaxed_load(&s->workers[i]->tbhits);
    return sum;
}

int64_t shared_elapsed_us(const Shared *s) { return clock_us() - s->limits.start_us; }

/* The hard limit counts from the moment at which the clock became ours. The first root move gets a
 * little grace: without it there is no answer but a guess. */
static bool time_is_up(const Worker *w)
{
    const Shared *s = w->shared;
    if (!s->budget.timed || relaxed_load(&s->pondering))
        return false;
    const int64_t hit = (int64_t)relaxed_load(&s->ponderhit_us);
    const int64_t elapsed = clock_us() - (hit ? hit : s->limits.start_us);
    return elapsed >= s->budget.hard_us + (w->searched ? 0 : GRACE_US);
}

/* Called every CHECK_INTERVAL nodes. Only the leader looks at clock and nodes, and its stop is for
 * all. */
void worker_check_limits(Worker *w)
{
    Shared *s = w->shared;
    const uint64_t own = worker_nodes(w);
    w->next_check = own + CHECK_INTERVAL;
    if (w->id != 0)
        return;
    host_poll();
    if (s->limits.nodes) {
        const uint64_t all = shared_nodes(s);
        const uint64_t left = all < s->limits.nodes ? s->limits.nodes - all : 0;
        if (left == 0)
            relaxed_store(&s->stop, true);
        else if (left < CHECK_INTERVAL)
            w->next_check = own + left;
    }
    if (w->soft_passed && !relaxed_load(&s->pondering))
        relaxed_store(&s->stop, true);
    if (time_is_up(w))
        relaxed_store(&s->stop, true);
}

/* --- moving --- */

ALWAYS_INLINE void count_node(Worker *w) { relaxed_store(&w->nodes, relaxed_load(&w->nodes) + 1); }

/* Makes the move on board, history and network together, so that they cannot disagree. */
void worker_make(Worker *w, int ply, Move m, Undo *undo)
{
    Frame *f = worker_frame(w, ply);
    assert(ply >= 0 && ply < MAX_PLY && w->key_count < GAME_KEYS + MAX_PLY + 2);
    assert(move_is_playable(&w->pos, m)); /* wherever it comes from: table, killers, generator */
    f->move = m;
    f->moved = piece_square(w->pos.board[move_from(m)], move_to(m));
    f->noisy = pos_is_noisy(&w->pos, m);
    f->follow = w->history->continuation[f->noisy][f->moved];
    w->keys[w->key_count++] = w->pos.st.key;
    count_node(w);
    if (w->evaluator.net) {
        Delta delta;
        pos_make(&w->pos, m, undo, &delta);
        acc_push(w->evaluator.acc, &delta);
    } else {
        pos_make(&w->pos, m, undo, NULL);
    }
}

void worker_unmake(Worker *w, Move m, const Undo *undo)
{
    pos_unmake(&w->pos, m, undo);
    if (w->evaluator.net)
        acc_pop(w->evaluator.acc);
    w->key_count--;
    assert(w->pos.st.key == w->keys[w->key_count]);
}

/* A null move has no cell: the histories see a neutral one. */
void worker_make_null(Worker *w, int ply, Undo *undo)
{
    Frame *f = worker_frame(w, ply);
    assert(ply >= 0 && ply < MAX_PLY && w->key_count < GAME_KEYS + MAX_PLY + 2);
    f->move = MOVE_NULL;
    f->moved = -1;
    f->noisy = false;
    f->follow = w->history->nothing;
    w->keys[w->key_count++] = w->pos.st.key;
    count_node(w);
    pos_make_null(&w->pos, undo);
    if (w->evaluator.net) {
        const Delta nothing = {0};
        acc_push(w->evaluator.acc, &nothing);
    }
}

void worker_unmake_null(Worker *w, const Undo *undo)
{
    pos_unmake_null(&w->pos, undo);
    if (w->evaluator.net)
        acc_pop(w->evaluator.acc);
    w->key_count--;
    assert(w->pos.st.key == w->keys[w->key_count]);
}
