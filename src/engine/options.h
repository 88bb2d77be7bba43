// SPDX-License-Identifier: GPL-3.0-or-later
/* options.h -- the one table of options. UCI, XBoard, HTTP and --help print from it; one setter
 * parses into it. */
#ifndef SAMARA_ENGINE_OPTIONS_H
#define SAMARA_ENGINE_OPTIONS_H

#include "base/error.h"
#include "base/text.h"
#include "samara.h"

enum { OPTION_TEXT_SIZE = 4096 };

typedef struct Options {
    int64_t hash_mb, threads, multipv, overhead_ms;
    int64_t elo, level_seed;
    int64_t tb_depth, tb_limit;
    int64_t evaluation; /* a SamaraEvaluation: index of the choice */
    bool ponder, chess960, show_wdl, limit_strength, analyse_mode, own_book, best_book, tb_rule50;
    char opponent[OPTION_TEXT_SIZE], about[OPTION_TEXT_SIZE], tb_path[OPTION_TEXT_SIZE],
        book_path[OPTION_TEXT_SIZE], eval_path[OPTION_TEXT_SIZE], log_path[OPTION_TEXT_SIZE];
} Options;

/* What else must happen when an option changes; engine.c knows how. */
typedef enum OptionEffect {
    EFFECT_NONE,
    EFFECT_HASH,
    EFFECT_CLEAR,
    EFFECT_THREADS,
    EFFECT_TABLEBASES,
    EFFECT_BOOK,
    EFFECT_NETWORK,
    EFFECT_PARAMETER, /* of the search, in tune builds: its value lives there */
} OptionEffect;

typedef struct OptionSpec {
    SamaraOption about;
    size_t offset; /* of the value in Options; meaningless for buttons */
    OptionEffect effect;
} OptionSpec;

const OptionSpec *options_at(int index);  /* NULL behind the last */
const OptionSpec *options_find(Str name); /* case-blind, runs of blanks are one; NULL if unknown */
void options_default(Options *options);
/* Refuses what does not fit and leaves *options as it was. */
bool options_parse(const OptionSpec *spec, Str value, Options *options, Error *err);
void options_print(const OptionSpec *spec, const Options *options, Buffer *out);

#endif
