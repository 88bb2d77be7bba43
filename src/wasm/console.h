// SPDX-License-Identifier: GPL-3.0-or-later
/* console.h -- what a host may do with a console beyond front/console.h. There console_next() sleeps;
 * here it returns NULL when nothing is left. */
#ifndef SAMARA_WASM_CONSOLE_H
#define SAMARA_WASM_CONSOLE_H

#include "front/console.h"

bool console_hear(Console *c, Str line); /* a line from the client; false: no memory */

#endif
