// SPDX-License-Identifier: GPL-3.0-or-later
/* cli.h -- the commands of the program samara. */
#ifndef SAMARA_FRONT_CLI_H
#define SAMARA_FRONT_CLI_H

#include <stdbool.h>

typedef struct CliCommand {
    const char *name, *usage, *help;   /* help: a paragraph */
    int (*run)(int argc, char **argv); /* argv[0] is the name; returns the exit code */
} CliCommand;

/* Without words it serves a protocol on standard input. `more` adds commands, up to one without a
 * name. */
int cli_main(int argc, char **argv, const CliCommand *more);

#endif
