// SPDX-License-Identifier: GPL-3.0-or-later
/* engine.h -- what a Samara is made of; for the files of this folder only. */
#ifndef SAMARA_ENGINE_ENGINE_H
#define SAMARA_ENGINE_ENGINE_H

#include "base/rng.h"
#include "base/thread.h"
#include "chess/game.h"
#include "engine/lag.h"
#include "engine/level.h"
#include "engine/options.h"
#include "nnue/net.h"
#include "probe/book.h"
#include "search/pool.h"

enum { PV_TEXT_SIZE = (MAX_PLY + 1) * SAMARA_MOVE_SIZE };

typedef struct Line {
    Move moves[MAX_PLY];
    int length;
} Line;

/* The search that runs or ran last. The caller's thread fills it in before the start, the search's
 * thread uses it until done() has returned. */
typedef struct Run {
    SamaraEvents events;
    Position root;
    Key *keys; /* of the game before the root, and room for a line behind it */
    int key_count, key_capacity;
    MoveList legal;
    bool timed; /* our clock runs: teach the lag */
    int64_t clock_ms, inc_ms;
    int64_t start_us;
    SamaraResult result;
    bool limited; /* strength is: `level` chooses among `plausible` */
    Level level;
    LevelMove plausible[LEVEL_MAX_LINES];
    Line plausible_line[LEVEL_MAX_LINES]; /* what is expected behind each */
    int plausible_count, shown_lines;     /* lines beyond the client's MultiPV are not told */
    bool table_used; /* the hash table holds something since it was last cleared */
    char pv[PV_TEXT_SIZE];
    SamaraInfo exact; /* the last complete line of the best move; depth 0: none yet */
    char exact_pv[PV_TEXT_SIZE];
    uint64_t told_nodes; /* in the last line that was sent */
} Run;

struct Samara {
    Options options;
    Game game, spare; /* spare: a new game is built here and swapped in when it is whole */
    Square start_ep;  /* as the FEN of the start said it, capture or not */
    TTable *tt;
    Pool *pool;
    Net *loaded_net; /* of EvalFile, or NULL */
    Book *book;      /* of BookFile, or NULL */
    Rng rng;
    Lag lag;
    Run run;
};

void engine_settle(Samara *e);     /* no search runs when it returns */
Square engine_ep(const Samara *e); /* the square that the last move's pawn passed, for the book */
const Net *engine_net(const Samara *e);               /* in use now; NULL: classical evaluation */
bool engine_fail(SamaraError *out, const Error *err); /* copies, returns false */
bool engine_refuse(SamaraError *out, const char *code, const char *text); /* returns false */

#endif
