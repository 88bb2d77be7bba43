// SPDX-License-Identifier: GPL-3.0-or-later
/* worker.h -- one thread of the search and what it shares with the others.
 *
 * A Worker owns everything that its thread writes. `Shared` is written before the workers run;
 * while they run only its atomics change. Private to search/. */
#ifndef SAMARA_SEARCH_WORKER_H
#define SAMARA_SEARCH_WORKER_H

#include "probe/syzygy.h"
#include "search/evaluate.h"
#include "search/events.h"
#include "search/history.h"
#include "search/timeman.h"
#include "search/tt.h"

enum {
    GAME_KEYS = 256, /* of the game before the root: more than the fifty-move rule looks back */
    FRAME_PAD = 8,   /* frames before the root, so that "six plies ago" needs no test */
    LN_SIZE = 256,
};

/* What a node tells its descendants and its descendants tell it. One per ply. */
typedef struct Frame {
    Move move;     /* being searched from here; MOVE_NONE before the first, MOVE_NULL for a pass */
    Move excluded; /* singular search: must not be played */
    Move killer;   /* last quiet move that cut at this ply */
    int moved;     /* piece_square() of `move`, -1 if none or null */
    bool noisy;    /* `move` captures or promotes */
    int16_t *follow;   /* continuation row of `move` */
    Score static_eval; /* corrected; SCORE_NONE in check */
    int move_count;
    int reduction;    /* of the child being searched, 1/1024 ply */
    int cutoffs;      /* of this ply's nodes since their grandparent began */
    Bitboard threats; /* squares that the enemy attacks, once the move loop has begun */
    bool in_check, table_pv, table_hit;
} Frame;

typedef struct RootMove {
    Move move;
    Score score;    /* of this iteration, -SCORE_INF if not (or not exactly) searched */
    Score previous; /* of the last finished iteration */
    Score average;
    Bound bound;    /* of score */
    uint64_t nodes; /* spent below it in this search */
    int seldepth;
    int pv_length;
    Move pv[MAX_PLY + 1];
} RootMove;

typedef struct Worker Worker;

/* One search, seen by all of its workers. */
typedef struct Shared {
    _Alignas(CACHE_LINE) AtomicFlag stop;
    AtomicFlag pondering;                        /* the clock is not ours yet */
    _Alignas(CACHE_LINE) AtomicU64 ponderhit_us; /* when it became ours */
    TTable *tt;
    Correction *correction;
    const Net *net;
    Limits limits;
    SearchEvents events;
    TimeBudget budget;
    int multipv;
    Syzygy *tables;
    int tb_probe_depth, tb_probe_limit;
    bool tb_rule50;
    bool tb_root;      /* the root moves were chosen by the tables */
    Score tb_score;    /* theirs, if tb_root */
    Score last_score;  /* of the search before, SCORE_NONE if another game */
    int64_t waited_ms; /* for a processor that others use, about the worst of the last searches */
    Position root;
    int key_count;
    Key keys[GAME_KEYS]; /* of the game before the root, oldest first */
    int root_count;
    Move root_list[MAX_MOVES]; /* what may be played */
    Worker **workers;
    int worker_count; /* that take part */
} Shared;

struct Worker {
    _Alignas(CACHE_LINE) AtomicU64 nodes;
    AtomicU64 tbhits;

    _Alignas(CACHE_LINE) Shared *shared;
    int id; /* 0 is the main worker: it watches the clock and reports */
    Position pos;
    Evaluator evaluator;
    bool plain; /* Limits.plain */
    History *history;
    uint64_t next_check; /* node count at which to look at clock and limits again */
    int seldepth;
    int null_min_ply; /* null move is forbidden before this ply (verification) */
    int root_depth;
    int pv_index; /* MultiPV: line being searched */
    int root_count;
    bool used;     /* has learned something since it was last cleared */
    bool searched; /* a root move has been searched to its end: there is something to answer */
    int completed_depth;
    Score answer; /* when all have finished: what it claims */

    bool soft_passed; /* while pondering: the answer is ready when the clock becomes ours */
    int key_count;
    Key keys[GAME_KEYS + MAX_PLY + 2];
    int ln[LN_SIZE]; /* 1024 ln i */
    Frame frames[FRAME_PAD + MAX_PLY + 4];
    int pv_length[MAX_PLY + 2];
    Move pv[MAX_PLY + 2][MAX_PLY + 2];
    RootMove root_moves[MAX_MOVES];
};

/* --- worker.c --- */
Worker *worker_create(int id, Shared *shared); /* NULL if memory is short */
void worker_destroy(Worker *w);
void worker_clear(Worker *w); /* a new game */
void worker_begin(Worker *w); /* takes root, keys and root moves from `shared` */
/* Sets stop if a limit has been reached. Main worker only. */
void worker_check_limits(Worker *w);
uint64_t shared_nodes(const Shared *s);
uint64_t shared_tbhits(const Shared *s);
/* Microseconds that count for the clock. */
int64_t shared_elapsed_us(const Shared *s);

ALWAYS_INLINE Frame *worker_frame(Worker *w, int ply) { return &w->frames[FRAME_PAD + ply]; }
ALWAYS_INLINE bool worker_stopped(const Worker *w) { return relaxed_load(&w->shared->stop); }
ALWAYS_INLINE uint64_t worker_nodes(const Worker *w) { return relaxed_load(&w->nodes); }

/* --- moving: board, key list, accumulator and frame together --- */
void worker_make(Worker *w, int ply, Move m, Undo *undo);
void worker_unmake(Worker *w, Move m, const Undo *undo);
void worker_make_null(Worker *w, int ply, Undo *undo);
void worker_unmake_null(Worker *w, const Undo *undo);

/* --- node.c --- */
Score search_root(Worker *w, Score alpha, Score beta, int depth);

/* --- table.c --- */
/* What the table would answer to this root move; MOVE_NONE if it does not know. */
Move search_expected_reply(const Worker *w, Move m);
void search_teach(TTable *tt, const Position *p, Score score, int depth); /* see pool_teach() */

/* --- iterate.c --- */
/* What a root move may claim: a mate only with a complete line that ends in it. */
typedef struct Claim {
    Score score;
    Bound bound;
} Claim;
Claim root_claim(const Worker *w, const RootMove *rm);
/* The window of the next search after `score` fell outside this one. */
typedef struct Window {
    Score alpha, beta;
    int delta; /* how far the failing side goes next time */
    int fail_highs;
} Window;
void window_widen(Window *win, Score score);
void worker_iterate(Worker *w); /* deepening until something says stop */
bool root_line_is_legal(const Worker *w, const RootMove *rm);
void report_lines(const Worker *w); /* all lines of the worker, as they stand */

/* --- pool.c --- */
Worker *elect_worker(const Shared *s); /* when all have finished: whose move is played */

/* --- mate.c --- */
/* Can the side to move force mate within `plies` (odd) half-moves? Exhaustive, so that both answers
 * are proofs. On success the line goes to pv (room for `plies`). False also if stopped. */
bool mate_prove(Worker *w, int plies, Move *pv);
/* Replays a line from the root: legal, not running past the end of the game, and ending in mate. */
bool mate_line_holds(const Worker *w, const Move *pv, int length);

#endif
