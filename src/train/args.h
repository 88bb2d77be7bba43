// SPDX-License-Identifier: GPL-3.0-or-later
/* args.h -- the command lines of samara-train's commands: one table gives the parsing and the help.
 */
#ifndef SAMARA_TRAIN_ARGS_H
#define SAMARA_TRAIN_ARGS_H

#include "base/error.h"

#include <stdint.h>

typedef enum ArgType { ARG_TEXT, ARG_INT, ARG_REAL, ARG_FLAG } ArgType;

/* One option `--name value`, or `--name` for a flag. `out` holds the default and receives the
 * value: const char *, int64_t, double, bool. Numbers must lie within min..max. */
typedef struct ArgSpec {
    const char *name;
    ArgType type;
    void *out;
    double min, max;
    const char *help;
} ArgSpec;

typedef struct Command {
    const char *usage;   /* "datagen --out FILE [options]" */
    const char *summary; /* a sentence or two */
    const ArgSpec *specs;
    int spec_count;
    bool takes_files; /* words that are not options are allowed */
} Command;

typedef enum ArgsOutcome { ARGS_RUN, ARGS_HELP, ARGS_WRONG } ArgsOutcome;

/* argv[0] is the command's own name. Files are moved to the front of argv[1..], *files of them.
 * Help and complaints are printed here. */
ArgsOutcome args_parse(const Command *command, int argc, char **argv, int *files);

#endif
