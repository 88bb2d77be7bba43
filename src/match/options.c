// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/options.h"
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

/* ------------------------------------------------- engines
 * ------------------------------------------------- */

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

/* ------------------------------------------------- sections
 * ------------------------------------------------ */

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

/* A path, alone or as file=PATH. */
static const char *path_of(Str setting)
{
    return str_starts(setting, "file=") ? setting.ptr + 5 : setting.ptr;
}

static bool set_pgnout(MatchOptions *o, Str setting, Error *err)
{
    (void)err;
    o->config.pgn_path = path_of(setting);
    return true;
}

static bool set_json(MatchOptions *o, Str setting, Error *err)
{
    (void)err;
    o->json_path = path_of(setting);
    return true;
}

static bool set_resume(MatchOptions *o, Str setting, Error *err)
{
    (void)err;
    o->config.journal_path = path_of(setting);
    return true;
}

static bool set_event(MatchOptions *o, Str setting, Error *err)
{
    (void)err;
    o->config.event = setting.ptr;
    return true;
}

static bool set_tables(MatchOptions *o, Str setting, Error *err)
{
    (void)err;
    o->config.tablebase_path = setting.ptr;
    return true;
}

static bool set_table_men(MatchOptions *o, Str setting, Error *err)
{
    return parse_int(setting, 2, &o->config.rules.tablebase_men) ||
           refuse(err, "bad -tbpieces", setting);
}

static bool set_rounds(MatchOptions *o, Str setting, Error *err)
{
    int64_t number;
    if (!parse_count(setting, &number) || number > INT32_MAX)
        return refuse(err, "bad number of rounds", setting);
    o->config.schedule.rounds = (uint64_t)number;
    return true;
}

static bool set_games(MatchOptions *o, Str setting, Error *err)
{
    int64_t number;
    if (!parse_count(setting, &number) || number > INT32_MAX)
        return refuse(err, "bad number of games", setting);
    o->config.schedule.games = (uint64_t)number;
    return true;
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

static bool set_report(MatchOptions *o, Str setting, Error *err)
{
    int64_t number;
    if (!str_int(setting, 0, INT64_MAX, &number))
        return refuse(err, "bad -report", setting);
    o->report_every = (uint64_t)number;
    return true;
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

typedef enum SectionKind { MANY, ONE, ONE_OR_NONE, NONE } SectionKind;

typedef struct Section {
    const char *name;
    SectionKind kind; /* how many words follow */
    Setter set;
    bool (*begin)(MatchOptions *o, Error *err); /* may be NULL */
} Section;

static bool begin_engine(MatchOptions *o, Error *err)
{
    MatchConfig *c = &o->config;
    EngineSpec *grown = realloc(c->engines, sizeof *grown * ((size_t)c->engine_count + 1));
    if (!grown)
        return no_memory(err);
    c->engines = grown;
    c->engines[c->engine_count++] = (EngineSpec){.tc.margin = -1};
    return true;
}

static bool begin_sprt(MatchOptions *o, Error *err)
{
    (void)err;
    o->config.has_sprt = true;
    return true;
}

static bool begin_draw(MatchOptions *o, Error *err)
{
    (void)err;
    o->config.rules.draw_from = 40;
    o->config.rules.draw_moves = 8;
    o->config.rules.draw_score = 10;
    return true;
}

static bool begin_resign(MatchOptions *o, Error *err)
{
    (void)err;
    o->config.rules.resign_moves = 3;
    o->config.rules.resign_score = 600;
    return true;
}

static bool begin_repeat(MatchOptions *o, Error *err)
{
    (void)err;
    o->config.schedule.repeat = true;
    return true;
}

static bool begin_norepeat(MatchOptions *o, Error *err)
{
    (void)err;
    o->config.schedule.repeat = false;
    return true;
}

static bool begin_tables_50(MatchOptions *o, Error *err)
{
    (void)err;
    o->config.rules.tablebase_ignores_50 = true;
    return true;
}

static bool begin_pin(MatchOptions *o, Error *err)
{
    (void)err;
    o->config.pin = true;
    return true;
}

static bool begin_quiet(MatchOptions *o, Error *err)
{
    (void)err;
    o->quiet = true;
    return true;
}

static bool begin_help(MatchOptions *o, Error *err)
{
    (void)err;
    o->help = true;
    return true;
}

static const Section sections[] = {
    {"engine", MANY, set_engine, begin_engine},
    {"each", MANY, set_each, NULL},
    {"openings", MANY, set_openings, NULL},
    {"sprt", MANY, set_sprt, begin_sprt},
    {"draw", MANY, set_draw, begin_draw},
    {"resign", MANY, set_resign, begin_resign},
    {"rounds", ONE, set_rounds, NULL},
    {"games", ONE, set_games, NULL},
    {"repeat", ONE_OR_NONE, set_repeat, begin_repeat},
    {"norepeat", NONE, NULL, begin_norepeat},
    {"tournament", ONE, set_tournament, NULL},
    {"variant", ONE, set_variant, NULL},
    {"concurrency", ONE, set_concurrency, NULL},
    {"maxmoves", ONE, set_max_moves, NULL},
    {"tb", ONE, set_tables, NULL},
    {"tbpieces", ONE, set_table_men, NULL},
    {"tbignore50", NONE, NULL, begin_tables_50},
    {"seed", ONE, set_seed, NULL},
    {"srand", ONE, set_seed, NULL},
    {"event", ONE, set_event, NULL},
    {"pgnout", ONE, set_pgnout, NULL},
    {"json", ONE, set_json, NULL},
    {"resume", ONE, set_resume, NULL},
    {"report", ONE, set_report, NULL},
    {"ratinginterval", ONE, set_report, NULL},
    {"pin", NONE, NULL, begin_pin},
    {"quiet", NONE, NULL, begin_quiet},
    {"recover", NONE, NULL, NULL}, /* of cutechess; we always do */
    {"help", NONE, NULL, begin_help},
    {"h", NONE, NULL, begin_help},
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

/* Reads one section; *i stands on its name and ends on its last word. */
static bool read_section(MatchOptions *o, int argc, char *const *argv, int *i, Error *err)
{
    const Section *section = is_section(argv[*i]) ? find_section(argv[*i]) : NULL;
    if (!section)
        return refuse(err, "unknown option", str_from(argv[*i]));
    if (section->begin && !section->begin(o, err))
        return false;
    int words = 0;
    while (*i + 1 < argc && !is_section(argv[*i + 1]) &&
           (section->kind == MANY || (section->kind != NONE && words == 0))) {
        words++;
        if (!section->set(o, str_from(argv[++*i]), err))
            return false;
    }
    if (words == 0 &&
        (section->kind == MANY
             ? section->set != set_sprt && section->set != set_draw && section->set != set_resign
             : section->kind == ONE))
        return error_set(err, "-%s needs something after it", section->name);
    return true;
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

static bool complete(MatchOptions *o, Error *err)
{
    MatchConfig *c = &o->config;
    if (c->engine_count < 2)
        return error_set(err, "a match needs two engines (-engine cmd=... twice); see --help");
    for (int i = 0; i < c->engine_count; i++)
        if (!engine_complete(&c->engines[i], &o->each, err))
            return false;
    if (c->has_sprt && c->engine_count != 2)
        return error_set(err, "-sprt needs exactly two engines");
    if (c->has_sprt && c->sprt.elo0 >= c->sprt.elo1)
        return error_set(err, "-sprt needs elo0 below elo1");
    if (c->schedule.repeat && c->schedule.games * c->schedule.rounds % 2)
        return error_set(err, "pairs of games need an even number of them (or -norepeat)");
    if (c->tablebase_path && !c->rules.tablebase_men)
        c->rules.tablebase_men = MAX_MEN;
    if (!c->tablebase_path)
        c->rules.tablebase_men = 0;
    c->schedule.engines = c->engine_count;
    return unique_names(c, err);
}

bool match_options_parse(MatchOptions *o, int argc, char *const *argv, Error *err)
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
    return complete(o, err);
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
           "  -engine SETTINGS      one for each engine; -each SETTINGS is for all of them\n"
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
           "  -variant fischerandom Chess960; a book with castling letters such as HAha asks for "
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
           "cannot\n"
           "be run, 3 interrupted (a second interrupt ends at once).\n";
}
