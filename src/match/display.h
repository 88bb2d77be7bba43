// SPDX-License-Identifier: GPL-3.0-or-later
/* display.h -- what the commands have in common: where they print, how they end, and, if they play
 * games, their options and the line of progress that is drawn again and again. */
#ifndef SAMARA_MATCH_DISPLAY_H
#define SAMARA_MATCH_DISPLAY_H

#include "match/options.h"
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

/* Where the events of something that runs go. */
typedef struct Display {
    Context *context;
    const MatchOptions *options;
} Display;

void display_clear_line(const Context *c);       /* on a terminal; elsewhere there is none */
void display_note(void *user, const char *text); /* user: a Display */

/* Reads the words of a command and runs it, or prints its help. Returns the exit code. */
int display_command(Context *c, MatchMode mode, int argc, char **argv,
                    int (*run)(Context *c, const MatchOptions *options, Error *err));

#endif
