// SPDX-License-Identifier: GPL-3.0-or-later
/* protocol.h -- the engine on standard input and output. */
#ifndef SAMARA_FRONT_PROTOCOL_H
#define SAMARA_FRONT_PROTOCOL_H

#include "samara.h"

/* Serves the client in the language that it opens with, until it leaves. Returns the exit code. */
int protocol_main(void);
/* The same for the protocol of the teaching platform alone; `limits` hold for each move. */
int protocol_platform(const SamaraLimits *limits);

#endif
