// SPDX-License-Identifier: GPL-3.0-or-later
/* xboard.h -- the Chess Engine Communication Protocol, version 2, as docs/PROTOCOLS.md describes
 * it. */
#ifndef SAMARA_FRONT_XBOARD_H
#define SAMARA_FRONT_XBOARD_H

#include "front/console.h"
#include "samara.h"

/* Until `quit` or the end of input. */
void xboard_run(Console *console, Samara *engine, SamaraPosition *position);

#endif
