// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/words.h"

bool train_read(const ArgCommand *command, int argc, char **argv, int *files, int *code)
{
    const ArgsOutcome outcome = args_read(command, argc - 1, argv + 1, files, stdout, stderr);
    *code = outcome == ARGS_WRONG ? EXIT_USAGE : EXIT_OK;
    return outcome == ARGS_RUN;
}

int train_fail(const char *command, const Error *err)
{
    fprintf(stderr, "samara-train %s: %s\n", command, err->text);
    return EXIT_FAILED;
}

int train_refuse(const char *command, const char *text)
{
    fprintf(stderr, "samara-train %s: %s\n", command, text);
    return EXIT_USAGE;
}
