// SPDX-License-Identifier: GPL-3.0-or-later
/* options.h -- the command line: words as in cutechess-cli and fastchess, `-word` or `--word`
 * alike. */
#ifndef SAMARA_MATCH_OPTIONS_H
#define SAMARA_MATCH_OPTIONS_H

#include "match/match.h"
#include "queue/open.h"

typedef struct MatchOptions {
    MatchConfig config;
    EngineSpec each;                       /* settings for all engines; their own win */
    const char *json_path;                 /* NULL: none */
    uint64_t report_every;                 /* games between two tables; 0: only at the end */
    bool quiet;                            /* no progress line, no notes */
    BrokerWords broker;                    /* url NULL: games are played here */
    const char *params_path, *values_path; /* spsa: what to tune; where the values go */
    uint64_t iterations;                   /* spsa */
    bool list_params;                      /* spsa: only print what could be tuned */
    Buffer help; /* has text if --help was asked for; then nothing else was checked */
} MatchOptions;

typedef enum MatchMode { MODE_MATCH, MODE_SPSA } MatchMode;

/* argv without the program's name. Strings that are not part of an EngineSpec point into argv.
 * False: *err says which word is wrong. match_options_free in any case. */
bool match_options_parse(MatchOptions *options, MatchMode mode, int argc, char **argv, Error *err);
void match_options_free(MatchOptions *options);

/* Fills in what is missing (name, time control of `each`) and refuses what cannot be played. */
bool engine_complete(EngineSpec *spec, const EngineSpec *each, Error *err);

#endif
