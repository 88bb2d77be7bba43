// SPDX-License-Identifier: GPL-3.0-or-later
/* samara-train -- teaches Samara: plays games, looks after them, trains networks. */
#include "base/file.h"
#include "base/cpu.h"
#include "chess/attacks.h"
#include "samara.h"
#include "train/commands.h"
#include "train/texel.h"
#include "train/wdl_fit.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} commands[] = {
    {"datagen", datagen_main, "let the engine play against itself and keep the games"},
    {"info", info_main, "check files of games and say what is in them"},
    {"filter", filter_main, "keep some of the games"},
    {"merge", merge_main, "put several files into one"},
    {"shuffle", shuffle_main, "put games into random order"},
    {"rescore", rescore_main, "search the positions of old games again"},
    {"train", train_main, "train a network on games"},
    {"loop", loop_main, "play, train and judge, generation after generation"},
    {"quality", quality_main, "compare networks and labels with deep searches"},
    {"texel", texel_main, "fit the classical weights to games"},
    {"wdl", wdl_main, "fit the meaning of scores to games"},
    {"bench", bench_main, "measure the trainer"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *out)
{
    fprintf(out, "usage: samara-train COMMAND [options]\n\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].help);
    fprintf(out, "\nsamara-train COMMAND --help shows the options of one. docs/NNUE.md tells the "
                 "whole story.\n");
}

static int run(int argc, char **argv)
{
    for (int i = 0; argc > 1 && i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help(stdout);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("samara-train %s\n", samara_version());
        return 0;
    }
    if (argc > 1)
        fprintf(stderr, "samara-train: there is no command '%s'\n", argv[1]);
    print_help(stderr);
    return 2;
}

int main(int argc, char **argv)
{
    if (cpu_lacks()) {
        fprintf(stderr, "samara-train: this build needs a processor with %s\n", cpu_lacks());
        return 1;
    }
    Error err;
    file_hold_standard();
    attacks_init();
    const int code = run(argc, argv);
    if (file_flush_output(&err) || code != 0)
        return code;
    fprintf(stderr, "samara-train: %s\n", err.text);
    return 1;
}
