// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd_loop.c -- `samara-train loop`: generation after generation, in the background. */
#include "train/commands.h"

#include "base/app.h"
#include "classical/classical.h"
#include "train/words.h"
#include "train/datagen.h"
#include "train/loop.h"
#include "nnue/arch.h"

#include <stdio.h>
#include <stdlib.h>

static AtomicFlag interrupted;

static void interrupt(int signal_number)
{
    (void)signal_number;
    atomic_store(&interrupted, true);
}

/* A row per generation and what the loop does now, read from its folder: the loop itself is not
 * asked. */
static int print_status(const char *dir)
{
    Error err;
    LoopRow *rows;
    int count;
    if (!loop_read(dir, &rows, &count, &err))
        return train_fail("loop", &err);
    printf("%10s %10s %9s %7s %16s %9s %6s\n", "generation", "positions", "quality", "bias", "Elo",
           "accepted", "hours");
    for (int i = 0; i < count; i++)
        printf("%10d %10llu %9.2f %+7.1f %+8.0f +- %4.0f %9s %6.2f\n", rows[i].generation,
               (unsigned long long)rows[i].positions, rows[i].quality, rows[i].bias, rows[i].elo,
               rows[i].error, rows[i].accepted ? "yes" : "no", rows[i].hours);
    Buffer status = {0};
    loop_status(dir, &status);
    printf("%s%s", buffer_text(&status), loop_is_paused(dir) ? "paused\n" : "");
    buffer_free(&status);
    free(rows);
    return 0;
}

/* Also the switch board of a running loop: --status, --pause and --resume work through files in its
 * folder. */
int loop_main(int argc, char **argv)
{
    LoopSettings s = loop_defaults;
    int64_t positions = (int64_t)s.positions, window = (int64_t)s.window, nodes = s.nodes,
            hard = s.hard_nodes, hidden = s.hidden, epochs = s.epochs, pairs = s.gate_pairs,
            gate_nodes = s.gate_nodes, generations = 0, seed = 1, threads = thread_cpu_count();
    bool from_nothing = false, status = false, pause = false, resume = false;
    const ArgSpec specs[] = {
        ARGS_NEEDED("dir", &s.dir, "FOLDER",
                    "folder of everything; an unfinished loop is continued"),
        ARGS_REAL("hours", &s.hours, 0, 1e6, "X", "begin no generation after so long; 0: no end"),
        ARGS_LONG("generations", &generations, 0, 999, "N", "end after so many; 0: no end"),
        ARGS_TEXT("from", &s.start, "FILE", "network to begin with; default: the one built in"),
        ARGS_FLAG("from-nothing", &from_nothing, "begin with the classical evaluation"),
        ARGS_LONG("positions", &positions, 1000, 1e12, "N", "positions that a generation plays"),
        ARGS_LONG("window", &window, 1000, 1e12, "N", "newest positions that it learns from"),
        ARGS_LONG("nodes", &nodes, 1, 1e9, "N", "nodes per move: stop at the end of the iteration"),
        ARGS_LONG("hard-nodes", &hard, 1, 1e9, "N", "and at once at this many"),
        ARGS_LONG("hidden", &hidden, 128, NN_MAX_HIDDEN, "N", "neurons of the networks"),
        ARGS_LONG("epochs", &epochs, 1, 1000, "N", "passes through the positions in a generation"),
        ARGS_REAL("rate", &s.rate, 1e-7, 1, "X", "learning rate at first (cosine to 1e-5)"),
        ARGS_LONG("gate-pairs", &pairs, 1, 100000, "N",
                  "pairs of games against the network before"),
        ARGS_LONG("gate-nodes", &gate_nodes, 1, 1e9, "N", "nodes per move in them"),
        ARGS_LONG("seed", &seed, 0, 1e12, "N", "same seed, settings and threads: same networks"),
        ARGS_LONG_USUAL("threads", &threads, 1, DATAGEN_MAX_THREADS, "N", "threads",
                        "one per core"),
        ARGS_FLAG("status", &status, "show how far it is, and leave"),
        ARGS_FLAG("pause", &pause, "let the loop in this folder wait, and leave"),
        ARGS_FLAG("resume", &resume, "let it go on, and leave"),
    };
    const ArgCommand command = {
        .program = "samara-train",
        .name = "loop",
        .operands = "[GAMES...]",
        .least = 0,
        .summary = "The newest network plays games, is trained on them, judged by deep searches "
                   "and by a match against its predecessor, and plays the next games. Runs at the "
                   "lowest priority until it is stopped; the same command goes on from there. "
                   "GAMES: older files to learn from as well.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int files, code;
    if (!train_read(&command, argc, argv, &files, &code))
        return code;
    if (from_nothing && s.start)
        return train_refuse(argv[0], "--from and --from-nothing exclude each other");
    Error err;
    if (status)
        return print_status(s.dir);
    if (pause || resume)
        return loop_set_pause(s.dir, pause, &err) ? 0 : train_fail("loop", &err);
    if (from_nothing)
        s.start = "";
    s.files = argv + 1;
    s.file_count = files;
    s.positions = (uint64_t)positions;
    s.window = (uint64_t)window;
    s.nodes = (uint32_t)nodes;
    s.hard_nodes = (uint32_t)hard;
    s.hidden = (int)hidden;
    s.epochs = (int)epochs;
    s.gate_pairs = (int)pairs;
    s.gate_nodes = (uint32_t)gate_nodes;
    s.generations = (int)generations;
    s.threads = (int)threads;
    s.seed = (uint64_t)seed;
    classical_init();
    thread_background();
    app_on_interrupt(interrupt);
    return loop_run(&s, &interrupted, &err) ? 0 : train_fail("loop", &err);
}
