// SPDX-License-Identifier: GPL-3.0-or-later
/* args.h -- the words of a command line: options anywhere, as --name VALUE or --name=VALUE, then
 * the rest in order. */
#ifndef SAMARA_FRONT_ARGS_H
#define SAMARA_FRONT_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes of all commands, see man/samara.6. */
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

typedef struct Args {
    const char *command;
    int count;
    char **words; /* taken ones become NULL */
    bool failed;  /* something was wrong and has been said on standard error */
} Args;

Args args_of(int argc, char **argv); /* argv[0] is the name of the command */
bool args_flag(Args *a, const char *name);
const char *args_value(Args *a, const char *name); /* NULL if absent */
int64_t args_number(Args *a, const char *name, int64_t min, int64_t max, int64_t otherwise);
const char *args_next(Args *a); /* the next word that is no option, NULL at the end */
bool args_finish(Args *a);      /* false, and says so, if a word is left or something failed */

#endif
