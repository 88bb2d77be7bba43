// SPDX-License-Identifier: GPL-3.0-or-later
/* engine.h -- what a Samara is made of; for the files of this folder only. */
#ifndef SAMARA_ENGINE_ENGINE_H
#define SAMARA_ENGINE_ENGINE_H

#include "base/thread.h"
#include "engine/level.h"
#include "engine/lines.h"
#include "engine/options.h"
#include "engine/position.h"
#include "nnue/net.h"
#include "probe/book.h"
#include "probe/syzygy.h"
#include "search/pool.h"

enum { EVALUATION_NONE = -1 };

/* The search that runs or ran last. The caller's thread fills it in before the start, the search's
 * thread uses it until done() has returned. */
typedef struct Run {
    SamaraEvents events;
    Position root;
    Key *keys; /* of the game before the root, and room for a line behind it */
    int key_count, key_capacity;
    MoveList legal;
    int64_t clock_ms; /* ours; -1: none runs */
    int64_t seed;
    SamaraResult result;
    bool limited; /* strength is: `level` chooses among `plausible` */
    Level level;
    LevelMove plausible[LEVEL_MAX_LINES];
    FoundLine plausible_line[LEVEL_MAX_LINES]; /* what is expected behind each */
    int plausible_count, shown_lines;          /* lines beyond those asked for are not told */
    FoundLine exact;     /* the last line of the best move with an exact score; depth 0: none yet */
    uint64_t told_nodes; /* in the last line that was found or told */
    Lines lines;         /* for result.lines; room 0: nobody asked */
    SamaraLine told;     /* what events.line sees */
    SamaraLine *shown;   /* what samara_lines() returns: room for lines.room */
    int shown_room;
} Run;

struct Samara {
    Options options;
    TTable *tt;
    Pool *pool;
    Net *loaded_net;  /* of EvalFile, or NULL */
    Book *book;       /* of BookFile, or NULL */
    Syzygy *tables;   /* of SyzygyPath, or NULL */
    bool learned;     /* table or statistics hold something, */
    int learned_with; /* found with this SamaraEvaluation, or EVALUATION_NONE: told by a person */
    Run run;
};

void engine_settle(Samara *e); /* no search runs when it returns */
void engine_forget(Samara *e); /* the same as samara_forget(), while no search runs */
/* What this evaluation asks; NULL: the classical one alone. */
const Net *engine_net(const Samara *e, SamaraEvaluation evaluation);

#endif
