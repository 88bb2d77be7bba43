// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/options.h"

#include "engine/level.h"
#include "search/params.h"
#include <stddef.h>
#include <string.h>

#define CHECK(name, field, value, effect, help)                                                    \
    {                                                                                              \
        {name, SAMARA_CHECK, value, 0, 1, "", help, false}, offsetof(Options, field), effect       \
    }
#define SPIN(name, field, value, min, max, effect, local, help)                                    \
    {                                                                                              \
        {name, SAMARA_SPIN, value, min, max, "", help, local}, offsetof(Options, field), effect    \
    }
#define COMBO(name, field, value, choices, effect, help)                                           \
    {                                                                                              \
        {name, SAMARA_COMBO, value, 0, 0, choices, help, false}, offsetof(Options, field), effect  \
    }
#define BUTTON(name, effect, help)                                                                 \
    {                                                                                              \
        {name, SAMARA_BUTTON, "", 0, 0, "", help, false}, 0, effect                                \
    }
#define STRING(name, field, value, effect, local, help)                                            \
    {                                                                                              \
        {name, SAMARA_STRING, value, 0, 0, "", help, local}, offsetof(Options, field), effect      \
    }

static const OptionSpec specs[] = {
    SPIN("Hash", hash_mb, "16", 1, 1 << 22, EFFECT_HASH, true,
         "Size of the hash table in megabytes."),
    SPIN("Threads", threads, "1", 1, 1024, EFFECT_THREADS, true,
         "Number of threads that search together. Those beyond the processors wait."),
    SPIN("MultiPV", multipv, "1", 1, 512, EFFECT_NONE, false,
         "How many of the best moves to analyse."),
    CHECK("Ponder", ponder, "false", EFFECT_NONE,
          "The client lets the engine think on the opponent's time."),
    BUTTON("Clear Hash", EFFECT_CLEAR, "Forget everything that earlier searches found."),
    SPIN("Move Overhead", overhead_ms, "10", 0, 5000, EFFECT_NONE, false,
         "Milliseconds kept back per move for the way to the client; measured lag is added by "
         "itself."),
    CHECK("UCI_Chess960", chess960, "false", EFFECT_NONE,
          "Speak Chess960: castling is king takes rook."),
    CHECK("UCI_ShowWDL", show_wdl, "false", EFFECT_NONE,
          "Show chances of win, draw and loss in permille."),
    CHECK("UCI_LimitStrength", limit_strength, "false", EFFECT_NONE,
          "Play like a player rated UCI_Elo."),
    SPIN("UCI_Elo", elo, LEVEL_DEFAULT_TEXT, LEVEL_MIN_ELO, LEVEL_MAX_ELO, EFFECT_NONE, false,
         "Playing strength when UCI_LimitStrength is on."),
    SPIN("Level Seed", level_seed, "0", 0, INT32_MAX, EFFECT_NONE, false,
         "Same seed, same errors when strength is limited and same book moves; 0 varies them."),
    CHECK("UCI_AnalyseMode", analyse_mode, "false", EFFECT_NONE,
          "Analyse instead of playing: no book, full strength."),
    STRING("UCI_Opponent", opponent, "", EFFECT_NONE, false,
           "Title, rating, kind and name of the opponent."),
    STRING("UCI_EngineAbout", about,
           "Samara, a chess engine that explains itself. Free software, GPL-3.0-or-later.",
           EFFECT_NONE, false, "Information about the program."),
    COMBO("Evaluation", evaluation, "network", "network|classical", EFFECT_NONE,
          "Evaluate positions by the neural network or by hand-written rules."),
    STRING("EvalFile", eval_path, "", EFFECT_NETWORK, true,
           "Network file; empty for the one built in."),
    STRING("SyzygyPath", tb_path, "", EFFECT_TABLEBASES, true,
           "Folders with Syzygy endgame tables."),
    SPIN("SyzygyProbeDepth", tb_depth, "1", 1, 100, EFFECT_NONE, false,
         "Least remaining depth at which the tables are asked."),
    SPIN("SyzygyProbeLimit", tb_limit, "7", 0, 7, EFFECT_NONE, false,
         "Most men for which the tables are asked."),
    CHECK("Syzygy50MoveRule", tb_rule50, "true", EFFECT_NONE,
          "Wins that the fifty-move rule spoils count as draws."),
    CHECK("OwnBook", own_book, "false", EFFECT_NONE, "Play from the opening book."),
    STRING("BookFile", book_path, "", EFFECT_BOOK, true,
           "Opening book in Polyglot format; empty: a small one of Samara's own games."),
    CHECK("Best Book Move", best_book, "false", EFFECT_NONE,
          "Always the most popular book move instead of a draw by lot."),
    STRING("Debug Log File", log_path, "", EFFECT_NONE, true,
           "Write both sides of the conversation to this file."),
#ifdef SAMARA_TUNE
#define PARAM(name, value, min, max, step)                                                         \
    {{#name, SAMARA_SPIN, #value, min, max, "", "Parameter of the search.", false},                \
     0,                                                                                            \
     EFFECT_PARAMETER},
#include "search/params.def"
#undef PARAM
#endif
};

enum { SPEC_COUNT = sizeof specs / sizeof *specs };

const OptionSpec *options_at(int index)
{
    return index >= 0 && index < SPEC_COUNT ? &specs[index] : NULL;
}

/* Word by word, so that "clear   HASH" finds "Clear Hash". */
static bool same_name(Str a, Str b)
{
    for (;;) {
        const Str x = str_token(&a), y = str_token(&b);
        if (x.len != y.len)
            return false;
        if (x.len == 0)
            return true;
        for (size_t i = 0; i < x.len; i++) {
            const char c = x.ptr[i], d = y.ptr[i];
            const bool letters = (c | 32) >= 'a' && (c | 32) <= 'z';
            if (c != d && !(letters && (c | 32) == (d | 32)))
                return false;
        }
    }
}

const OptionSpec *options_find(Str name)
{
    for (int i = 0; i < SPEC_COUNT; i++)
        if (same_name(name, str_from(specs[i].about.name)))
            return &specs[i];
    return NULL;
}

static int64_t choice_index(const char *choices, Str word)
{
    Str rest = str_from(choices);
    for (int64_t index = 0; rest.len > 0; index++)
        if (same_name(str_until(&rest, '|'), word))
            return index;
    return -1;
}

static Str choice_name(const char *choices, int64_t index)
{
    Str rest = str_from(choices);
    Str choice = str_until(&rest, '|');
    for (; index > 0 && rest.len > 0; index--)
        choice = str_until(&rest, '|');
    return choice;
}

void options_default(Options *options)
{
    memset(options, 0, sizeof *options);
    for (int i = 0; i < SPEC_COUNT; i++)
        if (specs[i].about.type != SAMARA_BUTTON && specs[i].effect != EFFECT_PARAMETER)
            options_parse(&specs[i], str_from(specs[i].about.default_value), options, NULL);
}

/* Protocols write truth in three ways. */
static bool parse_check(const char *name, Str value, bool *out, Error *err)
{
    if (str_is_nocase(value, "true") || str_is(value, "1") || str_is_nocase(value, "on")) {
        *out = true;
        return true;
    }
    if (str_is_nocase(value, "false") || str_is(value, "0") || str_is_nocase(value, "off")) {
        *out = false;
        return true;
    }
    return error_code(err, "OPTION_VALUE", 0, "option %s takes true or false", name);
}

/* "<empty>" is how UCI writes an empty string. */
static bool parse_string(const char *name, Str value, char *out, Error *err)
{
    if (str_is(value, "<empty>"))
        value = STR("");
    if (value.len >= OPTION_TEXT_SIZE)
        return error_code(err, "OPTION_VALUE", 0, "the value of option %s is longer than %d bytes",
                          name, OPTION_TEXT_SIZE - 1);
    if (memchr(value.ptr, 0, value.len))
        return error_code(err, "OPTION_VALUE", 0, "the value of option %s contains a NUL byte",
                          name);
    return str_copy(out, OPTION_TEXT_SIZE, value);
}

static bool parse_parameter(const SamaraOption *o, Str value, Error *err)
{
    int64_t number;
    return (str_int(value, o->min, o->max, &number) && param_set(o->name, (int)number)) ||
           error_code(err, "OPTION_VALUE", 0, "parameter %s goes from %lld to %lld", o->name,
                      (long long)o->min, (long long)o->max);
}

static int parameter_value(const char *name)
{
    const ParamInfo *info;
    for (int i = 0; (info = param_at(i)); i++)
        if (strcmp(info->name, name) == 0)
            return param_get(i);
    return 0;
}

/* GUIs save options: "both", the mean of two evaluations in version 1, is accepted as "network". */
static Str current_word(const OptionSpec *spec, Str word)
{
    const bool old =
        str_is(str_from(spec->about.name), "Evaluation") && str_is_nocase(word, "both");
    return old ? STR("network") : word;
}

/* Checks type and range; *options changes only if the value is good. */
bool options_parse(const OptionSpec *spec, Str value, Options *options, Error *err)
{
    const SamaraOption *o = &spec->about;
    void *field = (char *)options + spec->offset;
    value = str_trim(value);
    if (spec->effect == EFFECT_PARAMETER)
        return parse_parameter(o, value, err);
    switch (o->type) {
    case SAMARA_BUTTON:
        return true;
    case SAMARA_CHECK:
        return parse_check(o->name, value, field, err);
    case SAMARA_STRING:
        return parse_string(o->name, value, field, err);
    case SAMARA_SPIN:
        return str_int(value, o->min, o->max, field) ||
               error_code(err, "OPTION_VALUE", 0,
                          "option %s takes a whole number from %lld to %lld", o->name,
                          (long long)o->min, (long long)o->max);
    case SAMARA_COMBO: {
        const int64_t index = choice_index(o->choices, current_word(spec, value));
        if (index < 0)
            return error_code(err, "OPTION_VALUE", 0, "option %s takes one of %s", o->name,
                              o->choices);
        *(int64_t *)field = index;
        return true;
    }
    }
    return false;
}

/* The value as a protocol shows it and options_parse() reads it again. */
void options_print(const OptionSpec *spec, const Options *options, Buffer *out)
{
    const void *field = (const char *)options + spec->offset;
    if (spec->effect == EFFECT_PARAMETER) {
        buffer_printf(out, "%d", parameter_value(spec->about.name));
        return;
    }
    switch (spec->about.type) {
    case SAMARA_BUTTON:
        break;
    case SAMARA_CHECK:
        buffer_puts(out, *(const bool *)field ? "true" : "false");
        break;
    case SAMARA_SPIN:
        buffer_printf(out, "%lld", (long long)*(const int64_t *)field);
        break;
    case SAMARA_COMBO: {
        const Str name = choice_name(spec->about.choices, *(const int64_t *)field);
        buffer_append(out, name.ptr, name.len);
        break;
    }
    case SAMARA_STRING:
        buffer_puts(out, field);
        break;
    }
}
