// SPDX-License-Identifier: GPL-3.0-or-later
/* engine.h -- an engine as the user describes it, and what can go wrong with one. Plain data. */
#ifndef SAMARA_MATCH_ENGINE_H
#define SAMARA_MATCH_ENGINE_H

#include "base/error.h"
#include "base/text.h"
#include <stdint.h>

/* Zero means "not limited by this". All times in microseconds. */
typedef struct TimeControl {
    int64_t moves; /* per period of `base`; 0: the whole game */
    int64_t base, increment;
    int64_t move_time; /* for each move, nothing carried over */
    int64_t depth, nodes;
    int64_t margin;   /* how far a clock may be overstepped; -1: MARGIN_DEFAULT for move_time, else
                         none */
    int64_t patience; /* silence beyond all limits that counts as a hang; 0: PATIENCE_DEFAULT */
} TimeControl;

enum {
    MARGIN_DEFAULT = 20 * 1000,
    PATIENCE_DEFAULT = 10 * 1000 * 1000,
    PATIENCE_UNTIMED = 120 * 1000 * 1000
};

/* "40/60+0.6", "2+0.02", "1:30+1", "inf": the part of a time control that is a clock. False: *tc
 * unchanged. */
bool time_control_parse(TimeControl *tc, Str text, Error *err);
bool time_control_given(const TimeControl *tc); /* limited by anything at all */
/* PGN style: "40/60+0.6", "2+0.02"; "-" if there is no clock. */
void time_control_write(const TimeControl *tc, Buffer *out);
/* All limits, as on the command line without "tc=": "2+0.02", "nodes=5000", "10+0.1 depth=8". */
void limit_write(const TimeControl *tc, Buffer *out);

typedef enum Protocol { PROTOCOL_UCI, PROTOCOL_XBOARD } Protocol;

typedef struct EngineOption {
    char *name, *value;
} EngineOption;

typedef struct EngineSpec {
    char *name;
    char **argv; /* NULL-terminated; argv[0] is the command */
    int argc;
    char *directory, *stderr_path; /* may be NULL */
    EngineOption *options;
    int option_count;
    char **init; /* raw lines sent after the handshake */
    int init_count;
    Protocol protocol;
    bool restart;    /* a fresh process for every game */
    bool ponder;     /* thinks in the opponent's time, too */
    int line_gap_ms; /* XBoard: pause between two lines sent, for engines that lose the second */
    TimeControl tc;
} EngineSpec;

/* All strings are copied. False only if memory is short. */
bool engine_add_argument(EngineSpec *spec, Str argument);
bool engine_add_option(EngineSpec *spec, Str name, Str value); /* replaces an earlier value */
bool engine_add_init(EngineSpec *spec, Str line);
bool engine_set(char **field, Str value);
bool engine_copy(EngineSpec *out, const EngineSpec *spec); /* *out is freed if memory is short */
void engine_free(EngineSpec *spec);
/* Everything that has an influence on its play, as text: two engines with the same text play the
 * same. */
void engine_describe(const EngineSpec *spec, Buffer *out);

/* The first group ends a game, the second is only counted. */
typedef enum Fault {
    FAULT_NONE,
    FAULT_CRASH,       /* the process ended */
    FAULT_HANG,        /* it no longer answers */
    FAULT_TIME,        /* its clock ran out */
    FAULT_ILLEGAL,     /* illegal move */
    FAULT_PROTOCOL,    /* an answer that is none */
    FAULT_PV_ILLEGAL,  /* illegal move in a principal variation */
    FAULT_PV_PAST_END, /* the variation goes on after mate, stalemate or a rule's draw */
    FAULT_PV_MATE,     /* mate announced, but the variation does not mate in that many moves */
    FAULT_PV_BESTMOVE, /* the move played is not the first of the last variation */
    FAULT_INFO,        /* malformed numbers in an info line */
    FAULT_QUIT,        /* had to be killed */
    FAULT_COUNT,
    FAULT_INTERRUPTED /* nobody's: we were told to stop, or have no memory left (code NO_MEMORY) */
} Fault;

const char *fault_name(Fault fault); /* "crash", "time loss", ... */
const char *
fault_label(Fault fault); /* one word, for tables and JSON: "crash", "time", "pv_mate", ... */

#endif
