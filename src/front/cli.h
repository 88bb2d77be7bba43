// SPDX-License-Identifier: GPL-3.0-or-later
/* cli.h -- the program samara: its commands, or a protocol on standard input. */
#ifndef SAMARA_FRONT_CLI_H
#define SAMARA_FRONT_CLI_H

#include "base/args.h"

/* Without words it serves a protocol on standard input. `more` adds commands, up to one without a
 * name. */
int cli_main(int argc, char **argv, const ArgEntry *more);

#endif
