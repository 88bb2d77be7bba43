// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/cli.h"

#include "base/clock.h"
#include "base/text.h"
#include "front/args.h"
#include "front/board.h"
#include "front/cli_commands.h"
#include "front/protocol.h"
#include "samara.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef SAMARA_HTTP
#include "front/http/http.h"
#endif

static int fail(const char *command, const char *text)
{
    fprintf(stderr, "samara %s: %s\n", command, text);
    return EXIT_FAILED;
}

/* The position that the remaining words spell (a FEN may come as one word or as six), or NULL after
 * saying why. */
static SamaraPosition *position_of(Args *a)
{
    Buffer fen = {0};
    const bool chess960 = args_flag(a, "--chess960");
    for (const char *word; (word = args_next(a));)
        buffer_printf(&fen, "%s%s", fen.len > 0 ? " " : "", word);
    SamaraError err = {.text = "not enough memory"};
    SamaraPosition *position = args_finish(a) ? samara_position_new() : NULL;
    const bool start = fen.len == 0 || strcmp(fen.data, "startpos") == 0;
    if (position &&
        !samara_position_set(position, start ? NULL : fen.data, chess960, NULL, 0, &err)) {
        samara_position_free(position);
        position = NULL;
    } else if (position && err.text[0]) {
        fprintf(stderr, "samara %s: note: %s\n", a->command, err.text);
    }
    if (!position && !a->failed)
        fail(a->command, err.text);
    buffer_free(&fen);
    return position;
}

/* --- bench --- */

static bool show_progress(void *user, int done, int total)
{
    (void)user;
    fprintf(stderr, "\rposition %d of %d%s", done, total, done == total ? "\n" : "");
    return true;
}

static int bench_network(const char *path)
{
    SamaraNetworkBench result;
    SamaraError err;
    if (!samara_bench_network(path, &result, &err))
        return fail("bench", err.text);
    printf("Network: %s, %s\nFrom the parent (ns): %.0f\nFrom nothing (ns): %.0f\n",
           result.architecture, result.instructions, result.step_ns, result.fresh_ns);
    return EXIT_OK;
}

static int bench(int argc, char **argv)
{
    Args a = args_of(argc, argv);
    const bool nnue = args_flag(&a, "--nnue");
    const char *word = args_next(&a);
    int64_t depth = 0;
    if (nnue)
        return args_finish(&a) ? bench_network(word) : EXIT_USAGE;
    if (!args_finish(&a) || (word && !str_int(str_from(word), 1, 100, &depth))) {
        if (!a.failed)
            fprintf(stderr, "samara bench: the depth is a number from 1 to 100\n");
        return EXIT_USAGE;
    }
    SamaraBench result;
    SamaraError err;
    if (!samara_bench((int)depth, isatty(STDERR_FILENO) ? show_progress : NULL, NULL, &result,
                      &err))
        return fail("bench", err.text);
    const uint64_t ms = result.time_ms > 0 ? (uint64_t)result.time_ms : 1;
    printf("Total time (ms): %llu\nNodes searched: %llu\nNodes/second: %llu\n",
           (unsigned long long)ms, (unsigned long long)result.nodes,
           (unsigned long long)(result.nodes * 1000 / ms));
    return EXIT_OK;
}

/* --- perft --- */

static void print_divide(void *user, const SamaraMove *move, uint64_t count)
{
    (void)user;
    printf("%s: %llu\n", move->uci, (unsigned long long)count);
}

static int perft(int argc, char **argv)
{
    Args a = args_of(argc, argv);
    const int threads = (int)args_number(&a, "--threads", 1, 1024, 1);
    const size_t hash = (size_t)args_number(&a, "--hash", 0, 1 << 20, 0);
    const bool quiet = args_flag(&a, "--no-divide");
    const char *word = args_next(&a);
    int64_t depth;
    if (!word || !str_int(str_from(word), 1, 100, &depth)) {
        fprintf(stderr, "samara perft: the depth is a number from 1 to 100\n");
        return EXIT_USAGE;
    }
    SamaraPosition *position = position_of(&a);
    if (!position)
        return a.failed ? EXIT_USAGE : EXIT_FAILED;
    SamaraError err;
    uint64_t total;
    const int64_t start = clock_us();
    const bool ok = samara_position_perft(position, (int)depth, threads, hash,
                                          quiet ? NULL : print_divide, NULL, NULL, &total, &err);
    const double seconds = (double)(clock_us() - start) / 1e6;
    samara_position_free(position);
    if (!ok)
        return fail("perft", err.text);
    printf("%sTime: %.3f s, %.0f million nodes per second\nNodes searched: %llu\n",
           quiet ? "" : "\n", seconds, (double)total / (seconds > 0 ? seconds : 1e-6) / 1e6,
           (unsigned long long)total);
    return EXIT_OK;
}

/* --- eval --- */

static int eval(int argc, char **argv)
{
    Args a = args_of(argc, argv);
    SamaraPosition *position = position_of(&a);
    if (!position)
        return a.failed ? EXIT_USAGE : EXIT_FAILED;
    SamaraError err;
    Samara *engine = samara_new(NULL, &err);
    Buffer text = {0};
    if (engine) {
        board_draw(position, &text);
        buffer_putc(&text, '\n');
        board_explain(engine, position, SAMARA_NETWORK, isatty(STDOUT_FILENO), &text);
        puts(buffer_text(&text));
    }
    buffer_free(&text);
    samara_free(engine);
    samara_position_free(position);
    return engine ? EXIT_OK : fail("eval", err.text);
}

/* --- serve --- */

static int serve(int argc, char **argv)
{
#ifdef SAMARA_HTTP
    return http_main(argc, argv);
#else
    (void)argc;
    return fail(argv[0], "this build has no server: jansson and sqlite3 were missing");
#endif
}

/* --- all of them --- */

static const CliCommand commands[] = {
    {"bench", "bench [DEPTH] | bench --nnue [FILE]",
     "Searches a fixed set of positions. The node count names the behaviour of a build, the time "
     "its speed.\n--nnue: how long the network, built in or of FILE, takes to judge a position.",
     bench},
    {"perft", "perft DEPTH [FEN] [--threads N] [--hash MB] [--no-divide] [--chess960]",
     "Counts the leaves of the move tree, with one line for each first move.", perft},
    {"eval", "eval [FEN] [--chess960]",
     "Explains the static evaluation of a position, term by term.", eval},
    {"analyse",
     "analyse [FEN | FILE] [--depth N] [--nodes N] [--movetime MS] [--mate N] [--multipv N]\n"
     "                      [--threads N] [--hash MB] [--syzygy PATH] [--chess960] [--json]",
     "Analyses a position, a suite of test positions, or games.\n"
     "A file may be EPD, where each line is searched and what is solved is counted, or PGN, where\n"
     "each move is judged. Without a limit: one second per position. --json prints one JSON "
     "object\n"
     "per line.",
     analyse_main},
    {"book",
     "book BOOK [FEN]\n       samara book --build BOOK GAMES.pgn [--plies N] [--min-games N]",
     "Shows what a Polyglot book knows about a position, or builds one from games.", book_main},
    {"serve", "serve [OPTIONS]",
     "Serves the HTTP interface and the board page; see 'samara serve --help'.", serve},
    {0},
};

static const CliCommand *find(const CliCommand *list, const char *name)
{
    for (; list->name; list++)
        if (strcmp(list->name, name) == 0)
            return list;
    return NULL;
}

static const CliCommand *find_anywhere(const CliCommand *more, const char *name)
{
    const CliCommand *command = find(commands, name);
    return command ? command : find(more, name);
}

/* The first sentence of its help stands for a command. */
static void list_commands(const CliCommand *list)
{
    for (; list->name; list++)
        printf("  %-8s %.*s\n", list->name, (int)strcspn(list->help, ".;"), list->help);
}

static int help(const char *name, const CliCommand *more)
{
    if (!name) {
        puts("usage: samara              speak UCI or XBoard on standard input\n"
             "       samara COMMAND ...  do one of these:\n");
        list_commands(commands);
        list_commands(more);
        puts("  help     Lists the commands, or explains the one that is named\n\n"
             "       samara --version    show version and build\n"
             "       samara --simd WORD ...  let the network compute with avx512, avx2, sse4.1 or "
             "scalar\n"
             "                           instead of the best that the processor has");
        return EXIT_OK;
    }
    const CliCommand *command = find_anywhere(more, name);
    if (!command) {
        fprintf(stderr, "samara: there is no command '%s'; 'samara help' lists them\n", name);
        return EXIT_USAGE;
    }
    printf("usage: samara %s\n\n%s\n", command->usage, command->help);
    return EXIT_OK;
}

int cli_main(int argc, char **argv, const CliCommand *more)
{
    if (argc < 2)
        return protocol_main();
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        printf("Samara %s\n%s\n", samara_version(), samara_build());
        return EXIT_OK;
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(argc > 2 ? argv[2] : NULL, more);
    const CliCommand *command = find_anywhere(more, name);
    if (command)
        return command->run(argc - 1, argv + 1);
    fprintf(stderr, "samara: there is no command '%s'; 'samara help' lists them\n", name);
    return EXIT_USAGE;
}
