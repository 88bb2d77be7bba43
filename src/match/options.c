// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/options.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(Error *err) { return error_code(err, "NO_MEMORY", 0, "out of memory"); }

static bool refuse(Error *err, const char *what, Str word)
{
    return error_set(err, "%s: '%.*s'", what, word.len > 100 ? 100 : (int)word.len, word.ptr);
}

/* "key=value" -> key; *value is what follows. */
static Str key_of(Str setting, Str *value)
{
    const char *equals = setting.len ? memchr(setting.ptr, '=', setting.len) : NULL;
    const size_t len = equals ? (size_t)(equals - setting.ptr) : setting.len;
    *value =
        equals ? (Str){equals + 1, setting.len - len - 1} : (Str){setting.ptr + setting.len, 0};
    return (Str){setting.ptr, len};
}

static bool parse_switch(Str value, bool *out)
{
    const bool on =
        str_is(value, "on") || str_is(value, "true") || str_is(value, "1") || !value.len;
    const bool off = str_is(value, "off") || str_is(value, "false") || str_is(value, "0");
    if (on || off)
        *out = on;
    return on || off;
}

/* Given in units of which one is `unit` microseconds. */
static bool parse_time(Str value, double unit, int64_t *out)
{
    double amount;
    if (!str_double(value, &amount) || amount < 0 || amount * unit > 1e15)
        return false;
    *out = (int64_t)(amount * unit + 0.5);
    return true;
}

static bool parse_int(Str value, int min, int *out)
{
    int64_t number;
    if (!str_int(value, min, INT32_MAX, &number))
        return false;
    *out = (int)number;
    return true;
}

/* Node and other counts may be written 2000, 25k, 1M. */
static bool parse_count(Str value, int64_t *out)
{
    int64_t factor = 1;
    if (value.len && (value.ptr[value.len - 1] == 'k' || value.ptr[value.len - 1] == 'K'))
        factor = 1000;
    if (value.len && (value.ptr[value.len - 1] == 'm' || value.ptr[value.len - 1] == 'M'))
        factor = 1000 * 1000;
    value.len -= factor > 1;
    if (!str_int(value, 1, INT64_MAX / factor, out))
        return false;
    *out *= factor;
    return true;
}

static bool parse_total(Str value, uint64_t *out)
{
    int64_t number;
    if (!parse_count(value, &number) || number > INT32_MAX)
        return false;
    *out = (uint64_t)number;
    return true;
}

/* --- engines --- */

bool engine_split_arguments(EngineSpec *spec, Str text)
{
    size_t i = 0;
    while (i < text.len) {
        const char blank = ' ', quote = '"';
        while (i < text.len && text.ptr[i] == blank)
            i++;
        if (i == text.len)
            break;
        const char stop = text.ptr[i] == quote ? quote : blank;
        const size_t begin = i += stop == quote;
        while (i < text.len && text.ptr[i] != stop)
            i++;
        if (!engine_add_argument(spec, (Str){text.ptr + begin, i - begin}))
            return false;
        i += i < text.len;
    }
    return true;
}

/* The command comes first in argv, wherever it stood among the settings. */
static bool set_command(EngineSpec *spec, Str value)
{
    if (spec->argc)
        return engine_set(&spec->argv[0], value);
    return engine_add_argument(spec, value);
}

static bool need_command_place(EngineSpec *spec)
{
    return spec->argc || engine_add_argument(spec, STR(""));
}

bool engine_setting(EngineSpec *spec, Str setting, Error *err)
{
    Str value;
    const Str key = key_of(setting, &value);
    TimeControl *tc = &spec->tc;
    bool ok = true;
    if (str_starts(key, "option."))
        return engine_add_option(spec, (Str){key.ptr + 7, key.len - 7}, value) || no_memory(err);
    if (str_is(key, "tc"))
        return time_control_parse(tc, value, err);
    if (str_is(key, "cmd"))
        return set_command(spec, value) || no_memory(err);
    if (str_is(key, "arg"))
        return (need_command_place(spec) && engine_add_argument(spec, value)) || no_memory(err);
    if (str_is(key, "args"))
        return (need_command_place(spec) && engine_split_arguments(spec, value)) || no_memory(err);
    if (str_is(key, "name"))
        return engine_set(&spec->name, value) || no_memory(err);
    if (str_is(key, "dir"))
        return engine_set(&spec->directory, value) || no_memory(err);
    if (str_is(key, "stderr"))
        return engine_set(&spec->stderr_path, value) || no_memory(err);
    if (str_is(key, "init") || str_is(key, "initstr"))
        return engine_add_init(spec, value) || no_memory(err);

    if (str_is(key, "proto")) {
        ok = str_is(value, "uci") || str_is(value, "xboard") || str_is(value, "cecp");
        spec->protocol = str_is(value, "uci") ? PROTOCOL_UCI : PROTOCOL_XBOARD;
    } else if (str_is(key, "restart"))
        ok = parse_switch(value, &spec->restart);
    else if (str_is(key, "ponder"))
        ok = parse_switch(value, &spec->ponder);
    else if (str_is(key, "linegap"))
        ok = parse_int(value, 0, &spec->line_gap_ms) && spec->line_gap_ms <= 1000;
    else if (str_is(key, "st"))
        ok = parse_time(value, 1e6, &tc->move_time) && tc->move_time > 0;
    else if (str_is(key, "timemargin"))
        ok = parse_time(value, 1e3, &tc->margin);
    else if (str_is(key, "hang"))
        ok = parse_time(value, 1e6, &tc->patience) && tc->patience > 0;
    else if (str_is(key, "nodes"))
        ok = parse_count(value, &tc->nodes);
    else if (str_is(key, "depth"))
        ok = str_int(value, 1, 1000, &tc->depth);
    else
        return refuse(err, "unknown engine setting", setting);
    return ok || refuse(err, "bad engine setting", setting);
}

static void inherit_time(TimeControl *own, const TimeControl *each)
{
    const int64_t margin = own->margin >= 0 ? own->margin : each->margin;
    const int64_t patience = own->patience ? own->patience : each->patience;
    if (!time_control_given(own))
        *own = *each;
    own->margin = margin;
    own->patience = patience;
}

static bool inherit_lists(EngineSpec *spec, const EngineSpec *each)
{
    for (int i = 0; i < each->option_count; i++) {
        bool own = false;
        for (int j = 0; j < spec->option_count; j++)
            own = own || str_is_nocase(str_from(each->options[i].name), spec->options[j].name);
        if (!own && !engine_add_option(spec, str_from(each->options[i].name),
                                       str_from(each->options[i].value)))
            return false;
    }
    for (int i = 1; i < each->argc; i++)
        if (!engine_add_argument(spec, str_from(each->argv[i])))
            return false;
    for (int i = 0; i < each->init_count; i++)
        if (!engine_add_init(spec, str_from(each->init[i])))
            return false;
    if (each->directory && !spec->directory &&
        !engine_set(&spec->directory, str_from(each->directory)))
        return false;
    return !each->stderr_path || spec->stderr_path ||
           engine_set(&spec->stderr_path, str_from(each->stderr_path));
}

bool engine_complete(EngineSpec *spec, const EngineSpec *each, Error *err)
{
    if (!spec->argc && each->argc && !set_command(spec, str_from(each->argv[0])))
        return no_memory(err);
    if (!spec->argc || !spec->argv[0][0])
        return error_set(err, "an engine has no command (cmd=...)");
    if (!inherit_lists(spec, each))
        return no_memory(err);
    inherit_time(&spec->tc, &each->tc);
    spec->restart = spec->restart || each->restart;
    spec->ponder = spec->ponder || each->ponder;
    if (each->protocol != PROTOCOL_UCI)
        spec->protocol = each->protocol;
    if (!spec->name) {
        const char *slash = strrchr(spec->argv[0], '/');
        if (!engine_set(&spec->name, str_from(slash ? slash + 1 : spec->argv[0])))
            return no_memory(err);
    }
    if (!time_control_given(&spec->tc))
        return error_set(err, "%s has no limit (tc=, st=, nodes= or depth=)", spec->name);
    return true;
}

/* --- sections --- */

typedef bool (*Setter)(MatchOptions *o, Str setting, Error *err);

static bool set_engine(MatchOptions *o, Str setting, Error *err)
{
    return engine_setting(&o->config.engines[o->config.engine_count - 1], setting, err);
}

static bool set_each(MatchOptions *o, Str setting, Error *err)
{
    return engine_setting(&o->each, setting, err);
}

static bool set_openings(MatchOptions *o, Str setting, Error *err)
{
    OpeningConfig *c = &o->config.openings;
    Str value;
    const Str key = key_of(setting, &value);
    int64_t number;
    bool ok = true;
    if (str_is(key, "file"))
        c->path = value.ptr; /* to the end of the word */
    else if (str_is(key, "format")) {
        ok = str_is(value, "epd") || str_is(value, "pgn");
        c->format = str_is(value, "pgn") ? OPENING_PGN : OPENING_EPD;
    } else if (str_is(key, "order")) {
        ok = str_is(value, "random") || str_is(value, "sequential");
        c->shuffle = str_is(value, "random");
    } else if (str_is(key, "plies"))
        ok = parse_int(value, 0, &c->plies);
    else if (str_is(key, "start")) {
        ok = str_int(value, 1, INT64_MAX, &number);
        c->first = ok ? (uint64_t)number - 1 : 0;
    } else if (str_is(key, "seed")) {
        ok = str_int(value, 0, INT64_MAX, &number);
        c->seed = ok ? (uint64_t)number : 0;
    } else if (!str_is(key, "policy")) /* of cutechess; ours is fixed */
        return refuse(err, "unknown setting of -openings", setting);
    return ok || refuse(err, "bad setting of -openings", setting);
}

static bool set_sprt(MatchOptions *o, Str setting, Error *err)
{
    Sprt *t = &o->config.sprt;
    Str value;
    const Str key = key_of(setting, &value);
    bool ok;
    if (str_is(key, "elo0"))
        ok = str_double(value, &t->elo0);
    else if (str_is(key, "elo1"))
        ok = str_double(value, &t->elo1);
    else if (str_is(key, "alpha"))
        ok = str_double(value, &t->alpha) && t->alpha > 0 && t->alpha < 0.5;
    else if (str_is(key, "beta"))
        ok = str_double(value, &t->beta) && t->beta > 0 && t->beta < 0.5;
    else if (str_is(key, "model")) {
        ok =
            str_is(value, "normalized") || str_is(value, "normalised") || str_is(value, "logistic");
        t->model = str_is(value, "logistic") ? SPRT_LOGISTIC : SPRT_NORMALISED;
    } else
        return refuse(err, "unknown setting of -sprt", setting);
    return ok || refuse(err, "bad setting of -sprt", setting);
}

static bool set_draw(MatchOptions *o, Str setting, Error *err)
{
    Adjudication *a = &o->config.rules;
    Str value;
    const Str key = key_of(setting, &value);
    bool ok;
    if (str_is(key, "movenumber"))
        ok = parse_int(value, 0, &a->draw_from);
    else if (str_is(key, "movecount"))
        ok = parse_int(value, 1, &a->draw_moves);
    else if (str_is(key, "score"))
        ok = parse_int(value, 0, &a->draw_score);
    else
        return refuse(err, "unknown setting of -draw", setting);
    return ok || refuse(err, "bad setting of -draw", setting);
}

static bool set_resign(MatchOptions *o, Str setting, Error *err)
{
    Adjudication *a = &o->config.rules;
    Str value;
    const Str key = key_of(setting, &value);
    bool ok;
    if (str_is(key, "movecount"))
        ok = parse_int(value, 1, &a->resign_moves);
    else if (str_is(key, "score"))
        ok = parse_int(value, 1, &a->resign_score);
    else if (str_is(key, "twosided"))
        ok = parse_switch(value, &a->resign_two_sided);
    else
        return refuse(err, "unknown setting of -resign", setting);
    return ok || refuse(err, "bad setting of -resign", setting);
}

static bool set_rounds(MatchOptions *o, Str setting, Error *err)
{
    return parse_total(setting, &o->config.schedule.rounds) ||
           refuse(err, "bad number of rounds", setting);
}

static bool set_games(MatchOptions *o, Str setting, Error *err)
{
    return parse_total(setting, &o->config.schedule.games) ||
           refuse(err, "bad number of games", setting);
}

static bool set_iterations(MatchOptions *o, Str setting, Error *err)
{
    return parse_total(setting, &o->iterations) || refuse(err, "bad number of iterations", setting);
}

static bool set_report(MatchOptions *o, Str setting, Error *err)
{
    return parse_total(setting, &o->report_every) || refuse(err, "bad -report", setting);
}

static bool set_concurrency(MatchOptions *o, Str setting, Error *err)
{
    return (parse_int(setting, 1, &o->config.concurrency) && o->config.concurrency <= 1024) ||
           refuse(err, "bad -concurrency", setting);
}

static bool set_max_moves(MatchOptions *o, Str setting, Error *err)
{
    return parse_int(setting, 1, &o->config.rules.max_moves) ||
           refuse(err, "bad -maxmoves", setting);
}

static bool set_table_men(MatchOptions *o, Str setting, Error *err)
{
    return parse_int(setting, 2, &o->config.rules.tablebase_men) ||
           refuse(err, "bad -tbpieces", setting);
}

static bool set_seed(MatchOptions *o, Str setting, Error *err)
{
    int64_t number;
    if (!str_int(setting, 0, INT64_MAX, &number))
        return refuse(err, "bad -seed", setting);
    o->config.openings.seed = (uint64_t)number;
    return true;
}

static bool set_tournament(MatchOptions *o, Str setting, Error *err)
{
    const bool gauntlet = str_is(setting, "gauntlet");
    o->config.schedule.form = gauntlet ? GAUNTLET : ROUND_ROBIN;
    return gauntlet || str_is(setting, "round-robin") || str_is(setting, "roundrobin") ||
           refuse(err, "unknown tournament", setting);
}

static bool set_variant(MatchOptions *o, Str setting, Error *err)
{
    o->config.openings.chess960 = str_is(setting, "fischerandom") || str_is(setting, "chess960");
    return o->config.openings.chess960 || str_is(setting, "standard") ||
           refuse(err, "unknown variant", setting);
}

static bool set_repeat(MatchOptions *o, Str setting, Error *err)
{
    o->config.schedule.repeat = true;
    return str_is(setting, "2") || refuse(err, "an opening is played twice, not", setting);
}

/* --- the table --- */

/* What a section does before its words are read. */
static bool begin_engine(MatchOptions *o)
{
    MatchConfig *c = &o->config;
    EngineSpec *grown = realloc(c->engines, sizeof *grown * ((size_t)c->engine_count + 1));
    if (!grown)
        return false;
    c->engines = grown;
    c->engines[c->engine_count++] = (EngineSpec){.tc.margin = -1};
    return true;
}

static bool begin_draw(MatchOptions *o)
{
    o->config.rules.draw_from = 40;
    o->config.rules.draw_moves = 8;
    o->config.rules.draw_score = 10;
    return true;
}

static bool begin_resign(MatchOptions *o)
{
    o->config.rules.resign_moves = 3;
    o->config.rules.resign_score = 600;
    return true;
}

static bool begin_norepeat(MatchOptions *o)
{
    o->config.schedule.repeat = false;
    return true;
}

typedef enum Words { NO_WORD, ONE_WORD, ONE_OR_NONE, ANY_WORDS, SOME_WORDS } Words;

typedef struct Section {
    const char *name;
    Words words;
    Setter set;                     /* for each word, or NULL: it is kept as it is in `target` */
    size_t target;                  /* of a bool (NO_WORD) or a const char * (ONE_WORD); 0: none */
    bool (*begin)(MatchOptions *o); /* may be NULL; false: no memory */
} Section;

#define AT(field) offsetof(MatchOptions, field)

static const Section sections[] = {
    {"engine", SOME_WORDS, set_engine, 0, begin_engine},
    {"each", SOME_WORDS, set_each, 0, NULL},
    {"openings", SOME_WORDS, set_openings, 0, NULL},
    {"sprt", ANY_WORDS, set_sprt, AT(config.has_sprt), NULL},
    {"draw", ANY_WORDS, set_draw, 0, begin_draw},
    {"resign", ANY_WORDS, set_resign, 0, begin_resign},
    {"rounds", ONE_WORD, set_rounds, 0, NULL},
    {"games", ONE_WORD, set_games, 0, NULL},
    {"repeat", ONE_OR_NONE, set_repeat, 0, NULL},
    {"norepeat", NO_WORD, NULL, 0, begin_norepeat},
    {"tournament", ONE_WORD, set_tournament, 0, NULL},
    {"variant", ONE_WORD, set_variant, 0, NULL},
    {"concurrency", ONE_WORD, set_concurrency, 0, NULL},
    {"maxmoves", ONE_WORD, set_max_moves, 0, NULL},
    {"tb", ONE_WORD, NULL, AT(config.tablebase_path), NULL},
    {"tbpieces", ONE_WORD, set_table_men, 0, NULL},
    {"tbignore50", NO_WORD, NULL, AT(config.rules.tablebase_ignores_50), NULL},
    {"seed", ONE_WORD, set_seed, 0, NULL},
    {"srand", ONE_WORD, set_seed, 0, NULL},
    {"event", ONE_WORD, NULL, AT(config.event), NULL},
    {"pgnout", ONE_WORD, NULL, AT(config.pgn_path), NULL},
    {"json", ONE_WORD, NULL, AT(json_path), NULL},
    {"resume", ONE_WORD, NULL, AT(config.journal_path), NULL},
    {"report", ONE_WORD, set_report, 0, NULL},
    {"ratinginterval", ONE_WORD, set_report, 0, NULL},
    {"pin", NO_WORD, NULL, AT(config.pin), NULL},
    {"quiet", NO_WORD, NULL, AT(quiet), NULL},
    {"recover", NO_WORD, NULL, 0, NULL}, /* of cutechess; we always do */
    {"params", ONE_WORD, NULL, AT(params_path), NULL},
    {"iterations", ONE_WORD, set_iterations, 0, NULL},
    {"out", ONE_WORD, NULL, AT(values_path), NULL},
    {"list", NO_WORD, NULL, AT(list_params), NULL},
    {"help", NO_WORD, NULL, AT(help), NULL},
    {"h", NO_WORD, NULL, AT(help), NULL},
};

static bool is_section(const char *word)
{
    return word[0] == '-' && word[1] && (word[1] == '-' || (word[1] | 32) >= 'a');
}

static const Section *find_section(const char *word)
{
    const Str name = str_from(word + (word[1] == '-' ? 2 : 1));
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (str_is(name, sections[i].name))
            return &sections[i];
    return NULL;
}

static bool take_word(MatchOptions *o, const Section *section, const char *word, Error *err)
{
    if (section->set)
        return section->set(o, str_from(word), err);
    /* A file may also be written file=PATH. */
    *(const char **)((char *)o + section->target) =
        strncmp(word, "file=", 5) == 0 ? word + 5 : word;
    return true;
}

/* Reads one section; *i stands on its name and ends on its last word. */
static bool read_section(MatchOptions *o, int argc, char *const *argv, int *i, Error *err)
{
    const Section *section = is_section(argv[*i]) ? find_section(argv[*i]) : NULL;
    if (!section)
        return refuse(err, "unknown option", str_from(argv[*i]));
    if (section->begin && !section->begin(o))
        return no_memory(err);
    if (section->target && section->words != ONE_WORD)
        *(bool *)((char *)o + section->target) = true;

    const int most = section->words == NO_WORD ? 0 : section->words >= ANY_WORDS ? argc : 1;
    int words = 0;
    for (; words < most && *i + 1 < argc && !is_section(argv[*i + 1]); words++)
        if (!take_word(o, section, argv[++*i], err))
            return false;
    const bool needs = section->words == ONE_WORD || section->words == SOME_WORDS;
    return !needs || words || error_set(err, "-%s needs something after it", section->name);
}

static bool unique_names(MatchConfig *c, Error *err)
{
    for (int i = 0; i < c->engine_count; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(c->engines[i].name, c->engines[j].name) == 0) {
                Buffer name = {0};
                buffer_printf(&name, "%s #%d", c->engines[i].name, i + 1);
                const bool ok =
                    !name.failed && engine_set(&c->engines[i].name, str_from(name.data));
                buffer_free(&name);
                if (!ok)
                    return no_memory(err);
                j = -1; /* the new name might be taken, too */
            }
    return true;
}

static bool complete_engines(MatchOptions *o, Error *err)
{
    for (int i = 0; i < o->config.engine_count; i++)
        if (!engine_complete(&o->config.engines[i], &o->each, err))
            return false;
    return unique_names(&o->config, err);
}

static bool complete_match(MatchOptions *o, Error *err)
{
    MatchConfig *c = &o->config;
    if (c->engine_count < 2)
        return error_set(err, "a match needs two engines (-engine cmd=... twice); see --help");
    if (o->params_path || o->iterations || o->values_path || o->list_params)
        return error_set(err, "-params, -iterations, -out and -list belong to 'samara-match spsa'");
    if (c->has_sprt && c->engine_count != 2)
        return error_set(err, "-sprt needs exactly two engines");
    if (c->has_sprt && c->sprt.elo0 >= c->sprt.elo1)
        return error_set(err, "-sprt needs elo0 below elo1");
    if (c->schedule.repeat && c->schedule.games * c->schedule.rounds % 2)
        return error_set(err, "pairs of games need an even number of them (or -norepeat)");
    c->schedule.engines = c->engine_count;
    return true;
}

static bool complete_spsa(const MatchOptions *o, Error *err)
{
    if (o->config.engine_count != 1)
        return error_set(err, "spsa tunes one engine (-engine cmd=...); see spsa --help");
    if (o->list_params)
        return true;
    if (!o->params_path)
        return error_set(err,
                         "spsa needs -params FILE (-list makes one from the engine's options)");
    return o->iterations > 0 || error_set(err, "spsa needs -iterations N");
}

bool match_options_parse(MatchOptions *o, MatchMode mode, int argc, char *const *argv, Error *err)
{
    *o = (MatchOptions){
        .each.tc.margin = -1,
        .config = {.schedule = {.rounds = 1, .games = 2, .repeat = true},
                   .concurrency = 1,
                   .openings.seed = 1,
                   .sprt = {.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05},
                   .event = "samara-match"},
    };
    for (int i = 0; i < argc; i++) {
        if (!read_section(o, argc, argv, &i, err))
            return false;
        if (o->help)
            return true;
    }
    if (mode == MODE_SPSA ? !complete_spsa(o, err) : !complete_match(o, err))
        return false;
    if (o->list_params && !time_control_given(&o->each.tc))
        o->each.tc.depth = 1; /* nothing will be played */
    Adjudication *rules = &o->config.rules;
    rules->tablebase_men = !o->config.tablebase_path ? 0
                           : rules->tablebase_men    ? rules->tablebase_men
                                                     : MAX_MEN;
    return complete_engines(o, err);
}

void match_options_free(MatchOptions *o)
{
    for (int i = 0; i < o->config.engine_count; i++)
        engine_free(&o->config.engines[i]);
    free(o->config.engines);
    engine_free(&o->each);
    *o = (MatchOptions){0};
}

const char *match_options_help(void)
{
    return "Usage: samara-match -engine cmd=A [...] -engine cmd=B [...] -each tc=2+0.02 [...]\n"
           "       samara-match spsa ... | compliance ENGINE   (each has its own --help)\n"
           "\n"
           "Plays engines against each other and says with statistics which is stronger.\n"
           "Options may be written -word or --word.\n"
           "\n"
           "Engines\n"
           "  -engine SETTINGS      of one engine; give two or more\n"
           "  -each SETTINGS        of all of them\n"
           "    cmd=PROGRAM         looked up in PATH unless it contains a slash\n"
           "    name=NAME           in tables and PGN (default: the program's name)\n"
           "    arg=WORD            one argument; args=\"several words\"\n"
           "    proto=uci|xboard    (default uci)\n"
           "    option.NAME=VALUE   an option of the engine\n"
           "    tc=[MOVES/]TIME[+INC]  seconds, or minutes:seconds; tc=inf\n"
           "    st=SECONDS          for each move\n"
           "    nodes=N depth=N     for each move (nodes=25k)\n"
           "    timemargin=MS       tolerance before a loss on time (default 0; 20 with st)\n"
           "    hang=SECONDS        silence that counts as a hang (default 10; 120 without a "
           "clock)\n"
           "    dir=PATH            to run it in\n"
           "    stderr=FILE         for its error messages (default: thrown away)\n"
           "    init=LINE           sent after the handshake\n"
           "    ponder              thinks in the opponent's time, too (a game then needs two "
           "cores)\n"
           "    restart=on          a fresh process for every game\n"
           "    linegap=MS          pause between lines sent to an XBoard engine (GNU Chess needs "
           "2)\n"
           "\n"
           "Games\n"
           "  -openings file=F [format=epd|pgn] [order=random|sequential] [seed=N] [plies=N] "
           "[start=N]\n"
           "  -rounds N             encounters of each pairing (default 1)\n"
           "  -games N              games per encounter (default 2)\n"
           "  -norepeat             every game has its own opening (default: pairs with colours "
           "swapped)\n"
           "  -tournament round-robin|gauntlet   (gauntlet: the first engine against each other "
           "one)\n"
           "  -variant fischerandom  Chess960; a book with castling letters such as HAha asks for "
           "it, too\n"
           "  -concurrency N        games at a time; leave a core for each\n"
           "  -pin                  each worker and its engines on a core of their own\n"
           "  -seed N               of the shuffled openings (default 1)\n"
           "\n"
           "Ending games and matches early\n"
           "  -draw [movenumber=40] [movecount=8] [score=10]      both engines agree (centipawns)\n"
           "  -resign [movecount=3] [score=600] [twosided=false]\n"
           "  -maxmoves N           then it is a draw\n"
           "  -tb PATH [-tbpieces N] [-tbignore50]                Syzygy tablebases\n"
           "  -sprt elo0=0 elo1=5 [alpha=0.05] [beta=0.05] [model=normalized|logistic]\n"
           "\n"
           "Output\n"
           "  -pgnout FILE          appends every game\n"
           "  -json FILE            the result for programs\n"
           "  -resume FILE          keeps a journal there and goes on from it if it exists\n"
           "  -report N             a table every N games\n"
           "  -event NAME           for the PGN\n"
           "  -quiet                only the final table\n"
           "\n"
           "Exit code: 0 all games played or SPRT decided, 1 wrong usage or no file, 2 an engine "
           "cannot be\n"
           "run or a game cannot be written, 3 interrupted (a second interrupt ends at once).\n";
}
