// SPDX-License-Identifier: GPL-3.0-or-later
/* samara-train -- teaches Samara: plays games, looks after them, trains networks. */
#include "base/file.h"
#include "base/cpu.h"
#include "base/app.h"
#include "chess/attacks.h"
#include "samara.h"
#include "train/commands.h"
#include "train/texel.h"
#include "train/wdl_fit.h"
#include "train/words.h"

#include <stdio.h>
#include <string.h>

static const ArgEntry commands[] = {
    {"datagen", "lets the engine play against itself and keeps the games", datagen_main},
    {"info", "checks files of games and says what is in them", info_main},
    {"filter", "keeps some of the games", filter_main},
    {"merge", "puts several files into one", merge_main},
    {"shuffle", "puts games into random order", shuffle_main},
    {"rescore", "searches the positions of old games again", rescore_main},
    {"train", "trains a network on games", train_main},
    {"loop", "plays, trains and judges, generation after generation", loop_main},
    {"quality", "compares networks and labels with deep searches", quality_main},
    {"texel", "fits the classical weights to games", texel_main},
    {"wdl", "fits the meaning of scores to games", wdl_main},
    {"bench", "measures the trainer", bench_main},
};

/* The program without a command: --version or --help, else the list is a complaint. */
static int run_options(int argc, char **argv)
{
    bool version = false;
    const ArgSpec specs[] = {ARGS_FLAG("version", &version, "shows the version")};
    const ArgCommand command = {
        .program = "samara-train",
        .operands = "COMMAND ...",
        .least = 1,
        .summary = "Teaches Samara: plays games, looks after them, trains networks.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs),
        .own_options = true,
        .commands = commands,
        .command_count = ARGS_COUNT(commands),
        .notes = "'samara-train COMMAND --help' shows the options of one. docs/NNUE.md tells the "
                 "whole story."};
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("samara-train %s\n", samara_version());
        return EXIT_OK;
    }
    int words, code;
    train_read(&command, argc, argv, &words, &code);
    return code;
}

static int run(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == '-')
        return run_options(argc, argv);
    const ArgEntry *entry = args_find(commands, ARGS_COUNT(commands), argv[1]);
    if (entry)
        return entry->run(argc - 1, argv + 1);
    fprintf(stderr, "samara-train: there is no command '%s'; 'samara-train --help' lists them\n",
            argv[1]);
    return EXIT_USAGE;
}

/* Standard output is flushed last: a full disk must not look like success. */
int main(int argc, char **argv)
{
    app_begin(&argc, &argv);
    if (cpu_lacks()) {
        fprintf(stderr, "samara-train: this build needs a processor with %s\n", cpu_lacks());
        return 1;
    }
    Error err;
    attacks_init();
    const int code = run(argc, argv);
    if (file_flush_output(&err) || code != 0)
        return code;
    fprintf(stderr, "samara-train: %s\n", err.text);
    return 1;
}
