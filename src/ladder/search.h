// SPDX-License-Identifier: GPL-3.0-or-later
/* search.h -- what the pages of the ladder share: one search, one node, and the calls from one
 * page to the next.
 *
 * Every technique is a page of its own, and every page asks uses() before it does anything: a
 * Search with the set of techniques of a rung is that rung. */
#ifndef SAMARA_LADDER_SEARCH_H
#define SAMARA_LADDER_SEARCH_H

#include "chess/movegen.h"
#include "ladder/evaluate.h"
#include "ladder/techniques.h"
#include "ladder/values.h"

#include <stddef.h>

enum {
    INFINITY_SCORE = 30000,            /* first report */
    MATE_SCORE = 10000,                /* first report: mated at the root; further away is better */
    MAX_PLY = 100,                     /* fifth report */
    MATE_BOUND = MATE_SCORE - MAX_PLY, /* scores from here on are mates */
    KILLER_SLOTS = 2,                  /* first, third and fifth report */
    LADDER_MAX_DEPTH = 60,
    DEPTH_OF_A_LEAF = 0,
};

typedef struct Table Table; /* the transposition table, see table.c */

/* What a search learns on its way, forgotten as a whole. */
typedef struct Learned {
    Move killers[MAX_PLY + 1][KILLER_SLOTS];
    int history[2][64][64]; /* by colour, from, to */
    Move counters[64][64];  /* by from and to of the move before */
} Learned;

typedef struct Search {
    Position pos;
    TechniqueSet techniques;
    const Values *values;
    Evaluation evaluation;
    uint64_t nodes;      /* positions visited, leaves too */
    Move best;           /* at the root */
    int64_t deadline_us; /* of the process's CPU time; 0: none */
    bool stopped;        /* the deadline is over: all results from here on are void */
    Table *table;        /* NULL unless TRANSPOSITION_TABLE */
    /* Keys of the earlier positions of the game, then of the line being searched. NULL: nobody
     * looks for repetitions, and a position alone decides its value. */
    Key *path;
    int path_length;
    /* Of the line being searched. */
    Move
        played[MAX_PLY + 1]; /* played[ply]: the move made at that ply; MOVE_NULL for a null move */
    int extensions[MAX_PLY + 1]; /* how many check extensions led to that ply */
    bool verifying;              /* a null move is being verified: no others */
    Learned learned;
} Search;

typedef struct Node {
    int ply, depth, alpha, beta;
    bool pv; /* the window is open: the score matters, not only the side it falls on */
    bool in_check;
    int eval;        /* static; only where a technique wants it */
    Move table_move; /* MOVE_NONE if the table has none */
    /* Legal moves, and their order; sorted as far as they have been tried. */
    MoveList moves;
    int order[MAX_MOVES];
} Node;

static inline bool uses(const Search *s, Technique t) { return s->techniques >> t & 1; }

/* A value as White sees it: the searches that do not negate count so. */
static inline int white_view(const Search *s, int value)
{
    return s->pos.turn == WHITE ? value : -value;
}

/* --- search.c: the ground --- */
bool search_stops(Search *s); /* counts a node; true if the time is up */
bool search_is_draw(const Search *s, int ply);
int search_leaf(Search *s);                   /* static value, side to move's view */
int search_no_move(const Search *s, int ply); /* mate or stalemate, side to move's view */
void search_make(Search *s, Move m, int ply, Undo *undo);
void search_unmake(Search *s, Move m, const Undo *undo);
void search_make_null(Search *s, int ply, Undo *undo);
void search_unmake_null(Search *s, const Undo *undo);

/* --- whole searches: each searches s->pos to `depth` > 0, the best move to s->best --- */
int minimax_search(Search *s, int depth);
int alpha_beta_search(Search *s, int depth);
int negamax_search(Search *s, int depth);
int window_search(Search *s, int alpha, int beta, int depth); /* node.c: from CAPTURES_FIRST on */
int aspiration_search(Search *s, int depth, int guess); /* the same, with a window about a guess */
/* deepening.c: the search that the techniques ask for, to `depth`. Returns the depth that was
 * finished, 0 if the time was too short for one ply; score and move are those of that depth. */
int deepening_search(Search *s, int depth, bool always_deepen, int *score);

/* --- inside node.c --- */
void node_open(Node *n, int alpha, int beta, int depth, int ply); /* without moves */
int node_search(Search *s, int alpha, int beta, int depth, int ply);
int scout_child(Search *s, const Node *n, int index, int depth, int reduction);

/* --- ordering.c, exchange.c --- */
int victim_order(const Position *p, Move m); /* captures above 0, quiet moves 0 */
void order_moves(const Search *s, Node *n);
Move order_next(Node *n, int index); /* brings the best of the rest to `index` */
int exchange_value(const Position *p, Move m);
int piece_value(PieceType t); /* 100 320 330 500 900 */

/* --- table.c --- */
Table *table_create(int log2_entries); /* NULL if memory is short */
void table_destroy(Table *t);
void table_forget(Table *t);                          /* everything, at once */
bool try_table(const Search *s, Node *n, int *score); /* also fills in table_move and eval */
void table_keep(Search *s, const Node *n, int alpha, int best, Move move);
bool table_has_eval(const Search *s, int *eval);

/* --- learning from a quiet move that was good enough --- */
void killers_learn(Search *s, const Node *n, Move m);
bool is_killer(const Search *s, int ply, Move m);
void history_learn(Search *s, const Node *n, Move m);
int history_order(const Search *s, Move m);
void counters_learn(Search *s, const Node *n, Move m);
bool is_counter(const Search *s, int ply, Move m);

/* --- before the moves: the node needs no search, and *score is its value --- */
bool try_razoring(Search *s, const Node *n, int *score);
bool try_null_move(Search *s, const Node *n, int *score);
int null_move_reduction(const Values *v, int depth); /* R */
bool try_multi_cut(Search *s, Node *n, int *score);
void internal_deepening(Search *s, Node *n); /* finds a table move where there is none */

/* --- among the moves; `quiet`: neither capture nor promotion --- */
bool futility_skips(const Search *s, const Node *n);
bool late_pruning_skips(const Search *s, const Node *n, int index);
int late_reduction(const Search *s, const Node *n, Move m, int index);
int check_extension(const Search *s, const Node *n);

/* --- below the leaves --- */
int quiescence(Search *s, int alpha, int beta, int ply);

#endif
