// SPDX-License-Identifier: GPL-3.0-or-later
/* samara -- the engine as a program. */
#include "base/clock.h"
#include "base/cpu.h"
#include "base/file.h"
#include "base/app.h"
#include "chess/attacks_speed.h"
#include "chess/diagram.h"
#include "chess/fen.h"
#include "classical/classical.h"
#include "front/cli.h"
#include "front/cli_words.h"
#ifdef SAMARA_HTTP
#include "front/http/work.h"
#endif
#include "ladder/ladder.h"
#include "nnue/kernels.h"
#include "samara.h"
#ifdef SAMARA_HTTP
#include "match/match_work.h"
#include "train/selfplay_job.h"
#endif
#include <stdio.h>
#include <string.h>

/* --- the full engine as the ladder's last rungs --- */

typedef struct FullEngine {
    Samara *engine;
    SamaraPosition *position;
    SamaraEvaluation evaluation;
    int threads;
} FullEngine;

static void keep_result(void *user, const SamaraResult *result) { *(SamaraResult *)user = *result; }

/* CPU time of one thread: a busy machine does not matter, and threads that share the work share the
 * time. */
static bool search_with_engine(void *user, const char *fen, const char *const *moves,
                               size_t move_count, int depth, uint64_t nodes,
                               LadderEngineResult *out)
{
    const FullEngine *full = user;
    const SamaraRequest request = {.position = full->position,
                                   .limits = {.depth = depth, .nodes = nodes},
                                   .evaluation = full->evaluation};
    SamaraResult result;
    const SamaraEvents events = {.user = &result, .done = keep_result};
    samara_forget(full->engine);
    if (!samara_position_set(full->position, fen, false, moves, move_count, NULL))
        return false;
    const int64_t start = clock_cpu_us();
    if (!samara_go(full->engine, &request, &events, NULL))
        return false;
    samara_wait(full->engine);
    out->cpu_us = (clock_cpu_us() - start) / full->threads;
    out->depth = result.depth;
    out->nodes = result.nodes;
    memcpy(out->best, result.best.uci, sizeof result.best.uci);
    return true;
}

static bool open_engine(FullEngine *full, int threads, SamaraEvaluation evaluation,
                        SamaraError *err)
{
    *full = (FullEngine){samara_new(&(SamaraConfig){.threads = threads}, err),
                         samara_position_new(), evaluation, threads};
    return full->engine && full->position;
}

static void close_engine(FullEngine *full)
{
    samara_free(full->engine);
    samara_position_free(full->position);
}

/* --- samara ladder --- */

enum { ENGINES = 3 };
typedef struct LadderCommand {
    LadderPlan plan;
    FullEngine full[ENGINES];
    LadderEngine engines[ENGINES + 1];
    char threads_name[40];
    bool json, markdown, svg;
    const char *save;
} LadderCommand;

static void show_progress(void *user, const char *name, int done, int total)
{
    (void)user;
    fprintf(stderr, "\r%s: %d of %d\033[K%s", name, done, total, done == total ? "\r\033[K" : "");
}

/* A rung by its name or its number; no word leaves *rung as it is. */
static bool read_rung(const char *option, const char *name, int *rung)
{
    if (!name || rung_named(str_from(name), rung))
        return true;
    fprintf(stderr, "samara ladder: %s is a number from 1 to %d or a name of the table, not '%s'\n",
            option, RUNG_COUNT, name);
    return false;
}

typedef struct LadderWords {
    int movetime_ms, threads;
    const char *from, *to, *evaluation;
} LadderWords;

/* What the words mean together. */
static bool complete_plan(LadderPlan *plan, const LadderWords *w)
{
    plan->movetime_us = w->movetime_ms * 1000;
    plan->games += plan->games % 2;
    plan->to = RUNG_COUNT - 1;
    plan->each = plan->reports = true;
    plan->progress = app_is_terminal(2) ? show_progress : NULL;
    if (!evaluation_named(str_from(w->evaluation), &plan->evaluation) ||
        !read_rung("--from", w->from, &plan->from) || !read_rung("--to", w->to, &plan->to))
        return false;
    if (plan->from > plan->to)
        fprintf(stderr, "samara ladder: --from comes before --to\n");
    return plan->from <= plan->to;
}

/* The full engine three times: without its network, with it, and with several threads. */
static bool open_engines(LadderCommand *c, int threads, SamaraError *err)
{
    static const SamaraEvaluation evaluations[ENGINES] = {SAMARA_CLASSICAL};
    const char *names[ENGINES] = {"engine, no network", "engine", c->threads_name};
    const int count = threads > 1 ? ENGINES : ENGINES - 1;
    snprintf(c->threads_name, sizeof c->threads_name, "engine, %d threads", threads);
    for (int i = 0; i < count; i++) {
        if (!open_engine(&c->full[i], i == 2 ? threads : 1, evaluations[i], err))
            return false;
        c->engines[i] = (LadderEngine){names[i], &c->full[i], search_with_engine, i < 2};
    }
    c->plan.engines = c->engines;
    return true;
}

typedef void (*TableWriter)(const LadderTable *t, Buffer *out);

/* One form of the table into a file of its own. */
static bool save_table(const LadderTable *t, const char *name, const char *ending,
                       TableWriter write)
{
    Buffer path = {0}, text = {0};
    buffer_printf(&path, "%s.%s", name, ending);
    write(t, &text);
    Error err;
    const bool ok = file_save(buffer_text(&path), text.data, text.len, &err);
    if (!ok)
        fprintf(stderr, "samara ladder: %s\n", err.text);
    buffer_free(&path);
    buffer_free(&text);
    return ok;
}

/* Prints the form that was asked for and saves all of them with --save. */
static bool put_table(const LadderCommand *c, const LadderTable *t)
{
    Buffer text = {0};
    const TableWriter write = c->json       ? ladder_write_json
                              : c->markdown ? ladder_write_markdown
                              : c->svg      ? ladder_write_svg
                                            : ladder_write_text;
    write(t, &text);
    fputs(buffer_text(&text), stdout);
    buffer_free(&text);
    return !c->save || (save_table(t, c->save, "json", ladder_write_json) &&
                        save_table(t, c->save, "md", ladder_write_markdown) &&
                        save_table(t, c->save, "svg", ladder_write_svg));
}

/* Engines are opened first, since they may fail for want of memory. */
static bool run_ladder(LadderCommand *c, int threads)
{
    SamaraError problem = {.text = "not enough memory"};
    Error err;
    LadderTable table;
    classical_init();
    if (!open_engines(c, threads, &problem)) {
        fprintf(stderr, "samara ladder: %s\n", problem.text);
        return false;
    }
    if (!ladder_measure(&c->plan, &table, &err)) {
        fprintf(stderr, "samara ladder: %s\n", err.text);
        return false;
    }
    return put_table(c, &table);
}

/* Defaults are those of docs/LADDER.md. */
static int ladder(int argc, char **argv)
{
    LadderCommand c = {.plan = {.depth = 6, .minimax_depth = 4, .passes = 3}};
    LadderWords w = {.movetime_ms = 100, .threads = 2, .evaluation = "material"};
    const ArgSpec specs[] = {
        ARGS_INT("depth", &c.plan.depth, 1, LADDER_MAX_DEPTH, "N", "depth that each reaches"),
        ARGS_INT("movetime", &w.movetime_ms, 1, 100000, "MS",
                 "CPU time for the depth reached in equal time, and for a move of a game"),
        ARGS_INT("play", &c.plan.games, 0, 100000, "N", "games of each rung with the one before"),
        ARGS_TEXT("from", &w.from, "RUNG", "first rung, by its name or its number"),
        ARGS_TEXT("to", &w.to, "RUNG", "last rung, by its name or its number"),
        ARGS_CHOICE("eval", &w.evaluation, "material|first|second|points|classical",
                    "what judges the leaves of all but the engine: material (with piece-square "
                    "tables from their rung on), values of the reports, or the classical "
                    "evaluation"),
        ARGS_INT("threads", &w.threads, 1, 1024, "N", "threads of the last line's engine"),
        ARGS_INT("minimax", &c.plan.minimax_depth, 1, 10, "N",
                 "plain minimax is searched to this depth and counted beyond"),
        ARGS_INT("passes", &c.plan.passes, 1, 100, "N",
                 "times that each search is timed; the shortest counts"),
        ARGS_FLAG("json", &c.json, "prints the table for programs"),
        ARGS_FLAG("markdown", &c.markdown, "prints the table for documents"),
        ARGS_FLAG("svg", &c.svg, "prints a picture"),
        ARGS_TEXT("save", &c.save, "PREFIX",
                  "writes PREFIX.json, PREFIX.md and PREFIX.svg as well"),
    };
    const ArgCommand command = {
        .program = "samara",
        .name = "ladder",
        .summary = "Measures what each technique of a chess program is worth, from plain minimax "
                   "to the full engine: one technique is added at a time.\n"
                   "For each rung: nodes and CPU time to the same depth, how many times faster "
                   "that is than plain minimax and than the rung before, what the reports claim "
                   "for it, what the last rung loses without it, the depth reached in the same CPU "
                   "time, and with --play the Elo over the rung before. Without --play it takes "
                   "about three minutes of one core. See docs/LADDER.md.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int words, code;
    if (!cli_read(&command, argc, argv, &words, &code))
        return code;
    if (!complete_plan(&c.plan, &w))
        return EXIT_USAGE;
    const bool ok = run_ladder(&c, w.threads);
    for (int i = 0; i < ENGINES; i++)
        close_engine(&c.full[i]);
    return ok ? EXIT_OK : EXIT_FAILED;
}

/* --- samara bits --- */

enum { SPEED_BOARDS = 20000 };

/* How long a look-up takes beside walking along the rays. */
static int measure_attacks(void)
{
    const AttacksSpeed speed = attacks_speed(SPEED_BOARDS);
    printf("A queen's attacks, CPU time: by table %.1f ns, along the rays %.1f ns: %.1f times\n",
           speed.lookup_ns, speed.rays_ns, speed.rays_ns / speed.lookup_ns);
    if (speed.lookup_sum == speed.rays_sum)
        return EXIT_OK;
    fprintf(stderr, "samara bits: the two do not agree\n");
    return EXIT_FAILED;
}

/* The words from the end that name sets are taken off; what is left is the FEN. */
static int count_fen_words(char **words, int count)
{
    while (count > 0 && diagram_knows(str_from(words[count - 1])))
        count--;
    return count;
}

/* The words of a FEN, or none for the start position. */
static bool read_position(char **words, int count, Position *p)
{
    Buffer fen = {0};
    Error err;
    for (int i = 0; i < count; i++)
        buffer_printf(&fen, "%s%s", i > 0 ? " " : "", words[i]);
    const bool start = count == 0 || strcmp(buffer_text(&fen), "startpos") == 0;
    const Str text = start ? STR(FEN_START) : (Str){buffer_text(&fen), fen.len};
    const bool ok = fen_parse(p, text, FEN_960, &err, NULL);
    if (!ok)
        fprintf(stderr, "samara bits: %s\n", err.text);
    buffer_free(&fen);
    return ok;
}

/* The sets that were named, or all of them. */
static void print_sets(const Position *p, char **names, int count)
{
    Buffer out = {0};
    Str all = STR(DIAGRAM_NAMES);
    for (int i = 0; i < count; i++)
        diagram_put(p, str_from(names[i]), &out);
    while (count == 0 && all.len > 0)
        diagram_put(p, str_until(&all, '|'), &out);
    fputs(buffer_text(&out), stdout);
    buffer_free(&out);
}

/* Bitboards drawn as boards, for people who learn how an engine sees one. */
static int bits(int argc, char **argv)
{
    bool speed = false;
    const ArgSpec specs[] = {
        ARGS_FLAG("speed", &speed,
                  "measures the attacks of sliders: look-up against walking along the rays"),
    };
    const ArgCommand command = {
        .program = "samara",
        .name = "bits",
        .operands = "[FEN] [SET...]",
        .summary = "Draws the bitboards of a position, rank 8 on top: each is a number of 64 bits, "
                   "one for each square.\n"
                   "SET is pawn, knight, bishop, rook, queen or king, white, black or occupied, "
                   "attacks (what each side attacks), moves (where the side to move can go), "
                   "checkers, pinned, or a square such as e4: what the piece on it attacks. None: "
                   "all of them.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int words, code;
    Position position;
    if (!cli_read(&command, argc, argv, &words, &code))
        return code;
    attacks_init();
    if (speed)
        return measure_attacks();
    const int fen = count_fen_words(argv + 1, words);
    if (!read_position(argv + 1, fen, &position))
        return EXIT_FAILED;
    print_sets(&position, argv + 1 + fen, words - fen);
    return EXIT_OK;
}

/* --- samara work --- */

#ifdef SAMARA_HTTP
static void say_engine(const char *text) { fprintf(stderr, "samara work: %s\n", text); }

static bool take_engine(void *user, Str words, Error *err)
{
    return match_engines_add(user, words, err);
}

/* Games for samara-train, and for samara-match if there are engines for it. */
static int more_work(void *user, const char *network, WorkKind *out, Error *err)
{
    MatchEngines *engines = user;
    out[0] = selfplay_work(network);
    if (match_engines_count(engines) == 0)
        return 1;
    if (!match_engines_open(engines, say_engine, err))
        return -1;
    out[1] = match_work(engines);
    return 2;
}
#endif

static int work(int argc, char **argv)
{
#ifdef SAMARA_HTTP
    MatchEngines *engines = match_engines_create();
    if (!engines)
        return cli_fail(argv[0], "not enough memory");
    const int code = work_main(argc, argv, &(WorkMore){engines, take_engine, more_work});
    match_engines_free(engines);
    return code;
#else
    (void)argc;
    return cli_fail(argv[0], "this build cannot read JSON: jansson and sqlite3 were missing");
#endif
}

/* --simd WORD before everything else; true if it was understood and taken out. */
static bool take_simd(int *argc, char ***argv)
{
    char **words = *argv;
    if (*argc < 2 || strncmp(words[1], "--simd", 6) != 0 || (words[1][6] && words[1][6] != '='))
        return true;
    const int taken = words[1][6] ? 1 : 2;
    const char *word = taken == 1 ? words[1] + 7 : *argc > 2 ? words[2] : "";
    if (!kernels_prefer(word)) {
        int count;
        const KernelSet *const *sets = kernels_sets(&count);
        fprintf(stderr, "samara: --simd takes one of");
        for (int i = 0; i < count; i++)
            fprintf(stderr, " %s", sets[i]->word);
        fprintf(stderr, ", not '%s'\n", word);
        return false;
    }
    words[taken] = words[0];
    *argv += taken;
    *argc -= taken;
    return true;
}

/* Checks the processor before anything else runs. Standard output is flushed last: a full disk must
 * not look like success. */
int main(int argc, char **argv)
{
    app_begin(&argc, &argv);
    if (cpu_lacks()) {
        fprintf(stderr, "samara: this build needs a processor with %s\n", cpu_lacks());
        return EXIT_FAILED;
    }
    if (!take_simd(&argc, &argv))
        return EXIT_USAGE;
    if (kernels_note())
        fprintf(stderr, "samara: %s\n", kernels_note());
    static const ArgEntry more[] = {
        {"bits", "draws the bitboards of a position", bits},
        {"work", "takes jobs from a queue and does them, for front doors elsewhere", work},
        {"ladder", "measures what each technique of a chess program is worth", ladder},
        {0},
    };
    Error err;
    const int code = cli_main(argc, argv, more);
    if (file_flush_output(&err) || code != EXIT_OK)
        return code;
    fprintf(stderr, "samara: %s\n", err.text);
    return EXIT_FAILED;
}
