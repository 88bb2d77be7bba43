// SPDX-License-Identifier: GPL-3.0-or-later
/* command.h -- runs what the command line asks for, in front of a person or a script. */
#ifndef SAMARA_MATCH_COMMAND_H
#define SAMARA_MATCH_COMMAND_H

#include "match/display.h"

/* argv without the program's name. Each returns an exit code. */
int command_match(Context *context, int argc, char **argv);
int command_spsa(Context *context, int argc, char **argv);
int command_compliance(Context *context, int argc, char **argv);
/* Looks at the first word: one of these commands, or a match. */
int command_run(Context *context, int argc, char **argv);

#endif
