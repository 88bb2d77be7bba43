// SPDX-License-Identifier: GPL-3.0-or-later
/* samara -- the engine as a program. */
#include "base/clock.h"
#include "chess/attacks.h"
#include "classical/classical.h"
#include "front/args.h"
#include "front/cli.h"
#include "ladder/ladder.h"
#include "samara.h"
#include <stdio.h>
#include <unistd.h>

static bool search_with_engine(void *user, const char *fen, int depth, uint64_t *nodes,
                               int64_t *time_us)
{
    SamaraResult result;
    SamaraError err;
    Samara *engine = user;
    samara_new_game(engine);
    const int64_t start = clock_us();
    const bool ok = samara_set_position(engine, fen, NULL, 0, &err) &&
                    samara_search(engine, &(SamaraLimits){.depth = depth}, NULL, &result, &err);
    *time_us = clock_us() - start;
    *nodes = ok ? result.nodes : 0;
    return ok;
}

static void show_progress(void *user, const char *name, int done, int total)
{
    (void)user;
    fprintf(stderr, "\r%s: %d of %d\033[K%s", name, done, total, done == total ? "\r\033[K" : "");
}

static int ladder(int argc, char **argv)
{
    Args a = args_of(argc, argv);
    const int depth = (int)args_number(&a, "--depth", 1, LADDER_MAX_DEPTH, 5);
    const int minimax_depth = (int)args_number(&a, "--minimax", 0, LADDER_MAX_DEPTH, 4);
    const char *name = args_value(&a, "--eval");
    Yardstick yardstick = YARDSTICK_CLASSICAL;
    if (!args_finish(&a))
        return EXIT_USAGE;
    if (name && !yardstick_named(str_from(name), &yardstick)) {
        fprintf(stderr, "samara ladder: --eval is classical, first, second, third or points\n");
        return EXIT_USAGE;
    }
    SamaraError err;
    Samara *engine = samara_new(&err);
    if (!engine || !samara_set_option(engine, "Evaluation", "classical", &err)) {
        fprintf(stderr, "samara ladder: %s\n", err.text);
        samara_free(engine);
        return EXIT_FAILED;
    }
    const LadderPlan plan = {depth,     minimax_depth,
                             yardstick, search_with_engine,
                             engine,    isatty(STDERR_FILENO) ? show_progress : NULL};
    Buffer table = {0};
    const bool ok = ladder_report(&plan, &table);
    fputs(ok ? buffer_text(&table) : "", stdout);
    if (!ok)
        fputs("samara ladder: not enough memory\n", stderr);
    buffer_free(&table);
    samara_free(engine);
    return ok ? EXIT_OK : EXIT_FAILED;
}

int main(int argc, char **argv)
{
    static const CliCommand more[] = {
        {"ladder", "ladder [--depth N] [--minimax N] [--eval NAME]",
         "Measures the classic searches, from plain minimax to the full engine.\n"
         "All search the same positions; plain minimax takes part up to the depth of --minimax "
         "(4).\n--eval: what judges the leaves of all but the full engine: classical, or the "
         "values of the\nreports, first, second, third (material) or points.",
         ladder},
        {0},
    };
    return cli_main(argc, argv, more);
}
