// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/cli.h"

#include "base/app.h"
#include "base/clock.h"
#include "base/text.h"
#include "front/board.h"
#include "front/cli_commands.h"
#include "front/cli_words.h"
#include "front/protocol.h"
#include "samara.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SAMARA_HTTP
#include "front/http/http.h"
#include "front/http/mcp.h"
#endif

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
        return cli_fail("bench", err.text);
    printf("Network: %s, %s\nFrom the parent (ns): %.0f\nFrom nothing (ns): %.0f\n",
           result.architecture, result.instructions, result.step_ns, result.fresh_ns);
    return EXIT_OK;
}

/* The line 'Nodes searched' is what scripts compare. */
static int bench_search(int depth)
{
    SamaraBench result;
    SamaraError err;
    const bool show = app_is_terminal(2);
    if (!samara_bench(depth, show ? show_progress : NULL, NULL, &result, &err))
        return cli_fail("bench", err.text);
    const uint64_t ms = result.time_ms > 0 ? (uint64_t)result.time_ms : 1;
    printf("Total time (ms): %llu\nNodes searched: %llu\nNodes/second: %llu\n",
           (unsigned long long)ms, (unsigned long long)result.nodes,
           (unsigned long long)(result.nodes * 1000 / ms));
    return EXIT_OK;
}

/* Without words it searches; with --nnue it times the network. */
static int bench(int argc, char **argv)
{
    bool nnue = false;
    const ArgSpec specs[] = {
        ARGS_FLAG("nnue", &nnue, "time the network, built in or of FILE, instead of a search"),
    };
    const ArgCommand command = {
        .program = "samara",
        .name = "bench",
        .operands = "[DEPTH | FILE]",
        .most = 1,
        .summary = "Searches a fixed set of positions with one thread. The line 'Nodes searched' "
                   "names the behaviour of a build: it is the same for every compiler and "
                   "processor. DEPTH is a number from 1 to 100.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int words, code;
    if (!cli_read(&command, argc, argv, &words, &code))
        return code;
    if (nnue)
        return bench_network(words > 0 ? argv[1] : NULL);
    int64_t depth = 0;
    if (words == 0 || str_int(str_from(argv[1]), 1, 100, &depth))
        return bench_search((int)depth);
    fprintf(stderr, "samara bench: DEPTH is a number from 1 to 100, not '%s'\n", argv[1]);
    return EXIT_USAGE;
}

/* --- perft --- */

static void print_divide(void *user, const SamaraMove *move, uint64_t count)
{
    (void)user;
    printf("%s: %llu\n", move->uci, (unsigned long long)count);
}

/* Counts and prints; the position is the caller's. */
static int count_leaves(const SamaraPosition *position, int depth, int threads, int hash_mb,
                        bool quiet)
{
    SamaraError err;
    uint64_t total;
    const int64_t start = clock_us();
    if (!samara_position_perft(position, depth, threads, (size_t)hash_mb,
                               quiet ? NULL : print_divide, NULL, NULL, &total, &err))
        return cli_fail("perft", err.text);
    const double seconds = (double)(clock_us() - start) / 1e6;
    printf("%sTime: %.3f s, %.0f million nodes per second\nNodes searched: %llu\n",
           quiet ? "" : "\n", seconds, (double)total / (seconds > 0 ? seconds : 1e-6) / 1e6,
           (unsigned long long)total);
    return EXIT_OK;
}

/* Counts and, unless told otherwise, divides by first move. */
static int perft(int argc, char **argv)
{
    int threads = 1, hash = 0;
    bool quiet = false, chess960 = false;
    const ArgSpec specs[] = {
        ARGS_INT("threads", &threads, 1, 1024, "N", "threads that count"),
        ARGS_INT("hash", &hash, 0, 1 << 20, "MB", "memory for counts of positions met before"),
        ARGS_FLAG("no-divide", &quiet, "only the sum, without a line for each first move"),
        ARGS_FLAG("chess960", &chess960, "castle as in Chess960"),
    };
    const ArgCommand command = {
        .program = "samara",
        .name = argv[0],
        .operands = "DEPTH [FEN]",
        .least = 1,
        .summary = "Counts the leaves of the tree of legal moves, with one line for each first "
                   "move. DEPTH is a number from 1 to 100.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int words, code;
    int64_t depth;
    if (!cli_read(&command, argc, argv, &words, &code))
        return code;
    if (!str_int(str_from(argv[1]), 1, 100, &depth)) {
        fprintf(stderr, "samara %s: DEPTH is a number from 1 to 100, not '%s'\n", argv[0], argv[1]);
        return EXIT_USAGE;
    }
    SamaraPosition *position = cli_position(argv[0], argv + 2, words - 1, chess960);
    if (!position)
        return EXIT_FAILED;
    code = count_leaves(position, (int)depth, threads, hash, quiet);
    samara_position_free(position);
    return code;
}

/* --- eval --- */

/* Colours only where a person looks. */
static int explain_position(const SamaraPosition *position)
{
    SamaraError err;
    Samara *engine = samara_new(NULL, &err);
    if (!engine)
        return cli_fail("eval", err.text);
    Buffer text = {0};
    board_draw(position, &text);
    buffer_putc(&text, '\n');
    board_explain(engine, position, SAMARA_NETWORK, app_is_terminal(1), &text);
    puts(buffer_text(&text));
    buffer_free(&text);
    samara_free(engine);
    return EXIT_OK;
}

/* The static evaluation, without any search. */
static int eval(int argc, char **argv)
{
    bool chess960 = false;
    const ArgSpec specs[] = {ARGS_FLAG("chess960", &chess960, "castle as in Chess960")};
    const ArgCommand command = {
        .program = "samara",
        .name = "eval",
        .operands = "[FEN]",
        .summary = "Prints the static evaluation of a position term by term, and what each piece "
                   "is worth to the network.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int words, code;
    if (!cli_read(&command, argc, argv, &words, &code))
        return code;
    SamaraPosition *position = cli_position("eval", argv + 1, words, chess960);
    if (!position)
        return EXIT_FAILED;
    code = explain_position(position);
    samara_position_free(position);
    return code;
}

/* --- serve --- */

#ifndef SAMARA_NO_SERVER /* why there is none; the build may know it better */
#define SAMARA_NO_SERVER "jansson and sqlite3 were missing"
#endif

static int serve(int argc, char **argv)
{
#ifdef SAMARA_HTTP
    return http_main(argc, argv);
#else
    (void)argc;
    return cli_fail(argv[0], "this build has no server: " SAMARA_NO_SERVER);
#endif
}

static int mcp(int argc, char **argv)
{
#ifdef SAMARA_HTTP
    return mcp_main(argc, argv);
#else
    (void)argc;
    return cli_fail(argv[0], "this build cannot read JSON: jansson and sqlite3 were missing");
#endif
}

/* --- all of them --- */

static const ArgEntry commands[] = {
    {"bench", "searches a fixed set of positions: the node count names a build", bench},
    {"perft", "counts the tree of legal moves", perft},
    {"divide", "the same as perft: the count of each first move", perft},
    {"eval", "explains the static evaluation of a position", eval},
    {"analyse", "analyses a position, a suite of test positions, or games", analyse_main},
    {"explain", "says why a move is good or bad, with proof", explain_main},
    {"puzzles", "makes puzzles of the mistakes in games", puzzles_main},
    {"book", "looks a position up in an opening book, or builds a book from games", book_main},
    {"genfens", "prints random start positions for self-play", genfens_main},
    {"play", "plays a game in the terminal", play_main},
    {"platform", "speaks the protocol of a teaching platform", platform_main},
    {"serve", "serves the HTTP interface and the board page", serve},
    {"queue", "looks after a queue of jobs for many machines", queue_main},
    {"mcp", "serves AI assistants over the Model Context Protocol", mcp},
};

enum { OWN_COMMANDS = sizeof commands / sizeof *commands, MOST_COMMANDS = 32 };

typedef struct CommandList {
    ArgEntry entries[MOST_COMMANDS];
    int count;
} CommandList;

/* Our commands and those that the program brings. */
static CommandList list_commands(const ArgEntry *more)
{
    CommandList l = {.count = OWN_COMMANDS};
    memcpy(l.entries, commands, sizeof commands);
    for (; more && more->name && l.count < MOST_COMMANDS; more++)
        l.entries[l.count++] = *more;
    return l;
}

/* Finds and runs a command; its words are argv[0], the name, and what follows. */
static int run_command(const CommandList *l, int argc, char **argv)
{
    const ArgEntry *entry = args_find(l->entries, l->count, argv[0]);
    if (entry)
        return entry->run(argc, argv);
    fprintf(stderr, "samara: there is no command '%s'; 'samara help' lists them\n", argv[0]);
    return EXIT_USAGE;
}

/* What stands before a command: the program's own options, or --help. */
static int run_options(const CommandList *l, int argc, char **argv)
{
    bool version = false;
    const char *simd = NULL;
    const ArgSpec specs[] = {
        ARGS_FLAG("version", &version, "shows version and build"),
        ARGS_TEXT("simd", &simd, "WORD",
                  "before a command: lets the network compute with avx512, avx2, sse4.1, neon or "
                  "scalar instead of the best that the processor has"),
    };
    const ArgCommand command = {
        .program = "samara",
        .operands = "[COMMAND ...]",
        .summary = "Without a command it speaks UCI or XBoard on standard input; the first word of "
                   "the client decides. With a command it does one thing and leaves.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs),
        .own_options = true,
        .commands = l->entries,
        .command_count = l->count,
        .notes = "'samara COMMAND --help' or 'samara help COMMAND' shows the options of one.\n"
                 "A FEN may be one word or several; startpos or nothing means the start position."};
    int words, code;
    if (!cli_read(&command, argc, argv, &words, &code))
        return code;
    printf("Samara %s\n%s\n", samara_version(), samara_build());
    return EXIT_OK;
}

/* OpenBench sends a command as one word: "genfens 8 seed 1 book None" "quit". */
static bool is_packed(const char *word, const char *name)
{
    const size_t len = strlen(name);
    return strncmp(word, name, len) == 0 && word[len] == ' ';
}

/* Without words the program is an engine for a client; "help COMMAND" is "COMMAND --help". */
int cli_main(int argc, char **argv, const ArgEntry *more)
{
    if (argc < 2)
        return protocol_main();
    if (is_packed(argv[1], "genfens")) {
        char name[] = "genfens";
        return genfens_main(2, (char *[]){name, argv[1] + sizeof name, NULL});
    }
    const CommandList list = list_commands(more);
    char ask[] = "--help";
    if (strcmp(argv[1], "help") == 0 && argc > 2 && argv[2][0] != '-')
        return run_command(&list, 2, (char *[]){argv[2], ask, NULL});
    if (strcmp(argv[1], "help") == 0)
        return run_options(&list, 2, (char *[]){argv[0], ask, NULL});
    return argv[1][0] == '-' ? run_options(&list, argc, argv)
                             : run_command(&list, argc - 1, argv + 1);
}
