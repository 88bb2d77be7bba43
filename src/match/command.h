// SPDX-License-Identifier: GPL-3.0-or-later
/* command.h -- runs what the command line asks for, in front of a person or a script. */
#ifndef SAMARA_MATCH_COMMAND_H
#define SAMARA_MATCH_COMMAND_H

#include "match/process.h"
#include <stdio.h>

enum { EXIT_OK = 0, EXIT_USAGE = 1, EXIT_ENGINE = 2, EXIT_INTERRUPTED = 3, EXIT_FINDINGS = 4 };

/* What every command works with. */
typedef struct Context {
    Guard guard;
    Interrupt interrupt;
    FILE *out, *err; /* results; progress and complaints */
    bool terminal;   /* err is one: a line may be redrawn */
} Context;

/* argv without the program's name. Each returns an exit code. */
int command_match(Context *context, int argc, char *const *argv);
int command_spsa(Context *context, int argc, char *const *argv);
int command_compliance(Context *context, int argc, char *const *argv);
/* Looks at the first word: one of these commands, or a match. */
int command_run(Context *context, int argc, char *const *argv);

#endif
