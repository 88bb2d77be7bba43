// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/options.h"

#include "match/settings.h"
#include <stdlib.h>
#include <string.h>

static bool no_memory(Error *err) { return error_code(err, "NO_MEMORY", 0, "out of memory"); }

/* --- engines --- */

static void inherit_time(TimeControl *own, const TimeControl *each)
{
    const int64_t margin = own->margin >= 0 ? own->margin : each->margin;
    const int64_t patience = own->patience ? own->patience : each->patience;
    if (!time_control_given(own))
        *own = *each;
    own->margin = margin;
    own->patience = patience;
}

/* What -each gives goes to every engine, except where the engine has its own. */
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

/* Fills in what -each gives, names the engine after its program, and asks for a limit. */
bool engine_complete(EngineSpec *spec, const EngineSpec *each, Error *err)
{
    if (!spec->argc && each->argc && !engine_set_command(spec, str_from(each->argv[0])))
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

/* --- sections: their words go to the tables of settings.c --- */

static bool take_engine(void *target, Str word, Error *err)
{
    MatchOptions *o = target;
    return settings_engine(&o->config.engines[o->config.engine_count - 1], "-engine", word, err);
}

static bool take_each(void *target, Str word, Error *err)
{
    MatchOptions *o = target;
    return settings_engine(&o->each, "-each", word, err);
}

static bool take_opening(void *target, Str word, Error *err)
{
    return settings_openings(target, word, err);
}

static bool take_sprt(void *target, Str word, Error *err)
{
    MatchOptions *o = target;
    return settings_sprt(&o->config.sprt, word, err);
}

static bool take_draw(void *target, Str word, Error *err)
{
    return settings_draw(target, word, err);
}

static bool take_resign(void *target, Str word, Error *err)
{
    return settings_resign(target, word, err);
}

/* --- what a section does before its words are read --- */

static bool begin_engine(void *target, Error *err)
{
    MatchConfig *c = &((MatchOptions *)target)->config;
    EngineSpec *grown = realloc(c->engines, sizeof *grown * ((size_t)c->engine_count + 1));
    if (!grown)
        return no_memory(err);
    c->engines = grown;
    c->engines[c->engine_count++] = (EngineSpec){.tc.margin = -1};
    return true;
}

static bool begin_sprt(void *target, Error *err)
{
    (void)err;
    ((MatchOptions *)target)->config.has_sprt = true;
    return true;
}

static void usual_draw(Adjudication *a)
{
    a->draw_from = 40;
    a->draw_moves = 8;
    a->draw_score = 10;
}

static bool begin_draw(void *target, Error *err)
{
    (void)err;
    usual_draw(target);
    return true;
}

static void usual_resign(Adjudication *a)
{
    a->resign_moves = 3;
    a->resign_score = 600;
}

static bool begin_resign(void *target, Error *err)
{
    (void)err;
    usual_resign(target);
    return true;
}

/* --- the table --- */

typedef struct Settings {
    ArgSpec engine[ENGINE_SETTINGS], openings[OPENING_SETTINGS], sprt[SPRT_SETTINGS],
        draw[DRAW_SETTINGS], resign[RESIGN_SETTINGS];
    EngineSpec some_engine;
    Adjudication usual;
} Settings;

/* The settings with their defaults, for --help. */
static void fill_settings(Settings *s, MatchOptions *o)
{
    s->some_engine = (EngineSpec){0};
    s->usual = (Adjudication){0};
    usual_draw(&s->usual);
    usual_resign(&s->usual);
    engine_settings(&s->some_engine, s->engine);
    opening_settings(&o->config.openings, s->openings);
    sprt_settings(&o->config.sprt, s->sprt);
    draw_settings(&s->usual, s->draw);
    resign_settings(&s->usual, s->resign);
}

#define SECTION(n, to, start, reader, least, list, about)                                          \
    {                                                                                              \
        .name = (n), .type = ARG_WORDS, .at.target = (to), .begin = (start), .take = (reader),     \
        .min = (least), .max = INT32_MAX, .value = "SETTINGS", .help = (about),                    \
        .settings = (list), .setting_count = ARGS_COUNT(list)                                      \
    }
#define MATCH_ONLY(about) (match ? (about) : NULL)
#define SPSA_ONLY(about) (match ? NULL : (about))

/* Reads the words by the one table of options; those of the other mode are understood, but not
 * shown. */
static ArgsOutcome read_table(MatchOptions *o, MatchMode mode, int argc, char **argv, Buffer *help,
                              Error *err)
{
    MatchConfig *c = &o->config;
    Adjudication *rules = &c->rules;
    const bool match = mode == MODE_MATCH;
    bool norepeat = false, recover = false;
    Settings s;
    fill_settings(&s, o);
    const ArgSpec specs[] = {
        ARGS_HEADING(SPSA_ONLY("Tuning")),
        ARGS_TEXT("params", &o->params_path, "FILE",
                  SPSA_ONLY("lines 'name, int, start, min, max, c_end, r_end' or 'PARAM(name, "
                            "start, min, max, step)'; c_end is the size of the last step, r_end "
                            "the last learning rate (0.002 if absent)")),
        ARGS_CALL("iterations", &o->iterations, take_total, "N",
                  SPSA_ONLY("pairs of games to play; step sizes and rates decay over that number")),
        ARGS_TEXT(
            "out", &o->values_path, "FILE",
            SPSA_ONLY("the values reached so far, as a new file for -params (default: standard "
                      "output at the end)")),
        ARGS_FLAG("list", &o->list_params,
                  SPSA_ONLY("prints the engine's numeric options as a file for -params")),
        ARGS_HEADING("Engines"),
        SECTION("engine", o, begin_engine, take_engine, 1, s.engine,
                match ? "settings of one engine; give two or more" : "settings of the engine"),
        {.name = "each",
         .type = ARG_WORDS,
         .at.target = o,
         .take = take_each,
         .min = 1,
         .max = INT32_MAX,
         .value = "SETTINGS",
         .help = "the same settings for all engines"},
        ARGS_HEADING("Games"),
        SECTION("openings", &c->openings, NULL, take_opening, 1, s.openings, "where games begin"),
        ARGS_CALL("rounds", &c->schedule.rounds, take_total, "N",
                  MATCH_ONLY("encounters of each pairing (default 1)")),
        ARGS_CALL("games", &c->schedule.games, take_total, "N",
                  MATCH_ONLY("games of each encounter (default 2)")),
        ARGS_FLAG(
            "norepeat", &norepeat,
            MATCH_ONLY("every game has its own opening (default: pairs with colours swapped)")),
        {.name = "repeat",
         .type = ARG_WORDS,
         .at.target = &c->schedule.repeat,
         .take = take_repeat,
         .max = 1},
        ARGS_CALL("tournament", &c->schedule.form, take_tournament, "round-robin|gauntlet",
                  MATCH_ONLY("gauntlet: the first engine against each other one")),
        ARGS_CALL("variant", &c->openings.chess960, take_variant, "standard|fischerandom",
                  MATCH_ONLY("fischerandom: Chess960; a book with castling letters such as HAha "
                             "asks for it, too")),
        ARGS_INT("concurrency", &c->concurrency, 1, 1024, "N",
                 "games at a time; leave a core for each"),
        ARGS_FLAG("pin", &c->pin, "each worker and its engines on a core of their own"),
        ARGS_TEXT("broker", &o->broker.url, "URL",
                  MATCH_ONLY("workers play (samara work --engine ...), -concurrency games at a "
                             "time: redis://host:port/db or unix:/path")),
        ARGS_TEXT("broker-password-file", &o->broker.password_file, "FILE",
                  MATCH_ONLY("the broker's password (or $SAMARA_BROKER_PASSWORD)")),
        ARGS_FLAG("broker-exposed", &o->broker.exposed,
                  MATCH_ONLY("the broker has no password and is not on this machine: that is "
                             "meant")),
        ARGS_CALL("seed", &c->openings.seed, take_seed, "N",
                  "of the shuffled openings (default 1)"),
        ARGS_CALL("srand", &c->openings.seed, take_seed, "N", NULL),
        ARGS_HEADING("Ending games and matches early"),
        SECTION("draw", rules, begin_draw, take_draw, 0, s.draw, "when both engines agree"),
        SECTION("resign", rules, begin_resign, take_resign, 0, s.resign, "when one is lost"),
        ARGS_INT("maxmoves", &rules->max_moves, 1, INT32_MAX, "N", "after so many it is a draw"),
        ARGS_TEXT("tb", &c->tablebase_path, "FOLDER", "Syzygy tablebases decide games"),
        ARGS_INT("tbpieces", &rules->tablebase_men, 2, INT32_MAX, "N", "with so many pieces"),
        ARGS_FLAG("tbignore50", &rules->tablebase_ignores_50,
                  "tablebase wins count even if the fifty-move rule would save the loser"),
        SECTION("sprt", o, begin_sprt, take_sprt, 0, s.sprt,
                MATCH_ONLY("ends the match when a test is decided")),
        ARGS_HEADING("Output"),
        ARGS_TEXT("pgnout", &c->pgn_path, "FILE", MATCH_ONLY("appends every game")),
        ARGS_TEXT("json", &o->json_path, "FILE", MATCH_ONLY("the result for programs")),
        ARGS_TEXT("resume", &c->journal_path, "FILE",
                  "keeps a journal of all results there and goes on from it if it exists"),
        ARGS_CALL("report", &o->report_every, take_total, "N",
                  match ? "a table every N games"
                        : "writes -out and a line every N iterations (default 100)"),
        ARGS_CALL("ratinginterval", &o->report_every, take_total, "N", NULL),
        ARGS_TEXT("event", &c->event, "NAME", MATCH_ONLY("for the PGN")),
        ARGS_FLAG("quiet", &o->quiet, "only the final table"),
        ARGS_FLAG("recover", &recover, NULL), /* of cutechess; we always do */
    };
    static const ArgEntry commands[] = {
        {"spsa", "tunes numeric options of an engine by playing it against itself", NULL},
        {"compliance", "checks how an engine speaks UCI", NULL},
    };
    const ArgCommand command = {
        .program = "samara-match",
        .name = SPSA_ONLY("spsa"),
        .summary = match ? "Plays engines against each other and says with statistics which is "
                           "stronger: samara-match -engine cmd=A -engine cmd=B -each tc=2+0.02.\n"
                           "Options may be written -word or --word. A command has its own --help."
                         : "Tunes numeric options of one engine by SPSA: each iteration is a pair "
                           "of games between the engine with all parameters moved one way and the "
                           "same engine with all of them moved the other way.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs),
        .notes = match ? "Exit code: 0 all games played or SPRT decided, 1 wrong usage or no file, "
                         "2 an engine cannot be run or a game cannot be written, 3 interrupted (a "
                         "second interrupt ends at once)."
                       : NULL,
        .commands = commands,
        .command_count = match ? ARGS_COUNT(commands) : 0,
        .short_dash = true};
    int operands;
    const ArgsOutcome outcome = args_parse(&command, argc, argv, &operands, help, err);
    c->schedule.repeat = c->schedule.repeat && !norepeat;
    return outcome;
}

/* cutechess writes a file as file=PATH. */
static void drop_prefix(const char **path)
{
    if (*path && strncmp(*path, "file=", 5) == 0)
        *path += 5;
}

/* Engines of the same name get a number, since results are kept by name. */
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

/* What belongs to one machine cannot be asked of others. */
static bool complete_remote(const MatchOptions *o, Error *err)
{
    if (o->config.tablebase_path)
        return error_set(err, "-tb cannot go with -broker: workers adjudicate without tablebases");
    if (o->config.pin)
        return error_set(err, "-pin cannot go with -broker: it binds engines of this machine");
    for (int i = 0; i < o->config.engine_count; i++)
        if (o->config.engines[i].init_count + o->each.init_count > 0)
            return error_set(err, "init= cannot go with -broker: give it to the workers' --engine");
    return true;
}

/* Combinations that make no sense are refused in words before anything starts. */
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
    return !o->broker.url || complete_remote(o, err);
}

static bool complete_spsa(const MatchOptions *o, Error *err)
{
    if (o->broker.url)
        return error_set(err, "-broker is for matches; spsa plays on this machine");
    if (o->config.engine_count != 1)
        return error_set(err, "spsa tunes one engine (-engine cmd=...); see spsa --help");
    if (o->list_params)
        return true;
    if (!o->params_path)
        return error_set(err,
                         "spsa needs -params FILE (-list makes one from the engine's options)");
    return o->iterations > 0 || error_set(err, "spsa needs -iterations N");
}

/* Defaults first, then the table of arguments, then what follows from them. */
bool match_options_parse(MatchOptions *o, MatchMode mode, int argc, char **argv, Error *err)
{
    *o = (MatchOptions){
        .each.tc.margin = -1,
        .config = {.schedule = {.rounds = 1, .games = 2, .repeat = true},
                   .concurrency = 1,
                   .openings.seed = 1,
                   .sprt = {.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05},
                   .event = "samara-match"},
    };
    const ArgsOutcome outcome = read_table(o, mode, argc, argv, &o->help, err);
    if (outcome != ARGS_RUN)
        return outcome == ARGS_HELP;
    const char **paths[] = {&o->params_path,         &o->values_path,
                            &o->json_path,           &o->config.pgn_path,
                            &o->config.journal_path, &o->config.tablebase_path};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        drop_prefix(paths[i]);
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
    buffer_free(&o->help);
    *o = (MatchOptions){0};
}
