// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd_loop.c -- `samara-train loop`: generation after generation, in the background. */
#include "train/commands.h"

#include "classical/classical.h"
#include "train/args.h"
#include "train/datagen.h"
#include "train/loop.h"
#include "nnue/arch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static AtomicFlag interrupted;

static void interrupt(int signal_number)
{
    (void)signal_number;
    atomic_store(&interrupted, true);
}

static int complain(const Error *err)
{
    fprintf(stderr, "samara-train loop: %s\n", err->text);
    return 1;
}

static int print_status(const char *dir)
{
    Error err;
    LoopRow *rows;
    int count;
    if (!loop_read(dir, &rows, &count, &err))
        return complain(&err);
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

int loop_main(int argc, char **argv)
{
    LoopSettings s = loop_defaults;
    int64_t positions = (int64_t)s.positions, window = (int64_t)s.window, nodes = s.nodes,
            hard = s.hard_nodes, hidden = s.hidden, epochs = s.epochs, pairs = s.gate_pairs,
            gate_nodes = s.gate_nodes, generations = 0, seed = 1, threads = thread_cpu_count();
    bool from_nothing = false, status = false, pause = false, resume = false;
    const ArgSpec specs[] = {
        {"dir", ARG_TEXT, &s.dir, 0, 0, "folder of everything; an unfinished loop is continued"},
        {"hours", ARG_REAL, &s.hours, 0, 1e6, "begin no generation after so long; 0: no end"},
        {"generations", ARG_INT, &generations, 0, 999, "end after so many; 0: no end"},
        {"from", ARG_TEXT, &s.start, 0, 0, "network to begin with; default: the one built in"},
        {"from-nothing", ARG_FLAG, &from_nothing, 0, 0, "begin with the classical evaluation"},
        {"positions", ARG_INT, &positions, 1000, 1e12, "positions that a generation plays"},
        {"window", ARG_INT, &window, 1000, 1e12, "newest positions that it learns from"},
        {"nodes", ARG_INT, &nodes, 1, 1e9, "nodes per move: stop at the end of the iteration"},
        {"hard-nodes", ARG_INT, &hard, 1, 1e9, "and at once at this many"},
        {"hidden", ARG_INT, &hidden, 128, NN_MAX_HIDDEN, "neurons of the networks"},
        {"epochs", ARG_INT, &epochs, 1, 1000, "passes through the positions in a generation"},
        {"rate", ARG_REAL, &s.rate, 1e-7, 1, "learning rate at first (cosine to 1e-5)"},
        {"gate-pairs", ARG_INT, &pairs, 1, 100000, "pairs of games against the network before"},
        {"gate-nodes", ARG_INT, &gate_nodes, 1, 1e9, "nodes per move in them"},
        {"seed", ARG_INT, &seed, 0, 1e12, "same seed, settings and threads: same networks"},
        {"threads", ARG_INT, &threads, 1, DATAGEN_MAX_THREADS, "threads"},
        {"status", ARG_FLAG, &status, 0, 0, "show how far it is, and leave"},
        {"pause", ARG_FLAG, &pause, 0, 0, "let the loop in this folder wait, and leave"},
        {"resume", ARG_FLAG, &resume, 0, 0, "let it go on, and leave"},
    };
    const Command command = {
        "loop --dir FOLDER [GAMES...] [options]",
        "The newest network plays games, is trained on them, judged by deep "
        "searches and by a match\n"
        "against its predecessor, and plays the next games. Runs at the "
        "lowest priority until it is\n"
        "stopped; the same command goes on from there. GAMES: older files to learn from as well.",
        specs, sizeof specs / sizeof *specs, true};
    int files;
    const ArgsOutcome outcome = args_parse(&command, argc, argv, &files);
    if (outcome != ARGS_RUN)
        return outcome == ARGS_HELP ? 0 : 2;
    if (!s.dir || (from_nothing && s.start)) {
        fprintf(stderr, "samara-train loop: %s\n",
                s.dir ? "--from and --from-nothing exclude each other" : "--dir FOLDER is missing");
        return 2;
    }
    Error err;
    if (status)
        return print_status(s.dir);
    if (pause || resume)
        return loop_set_pause(s.dir, pause, &err) ? 0 : complain(&err);
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
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    return loop_run(&s, &interrupted, &err) ? 0 : complain(&err);
}
