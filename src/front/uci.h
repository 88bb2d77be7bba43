// SPDX-License-Identifier: GPL-3.0-or-later
/* uci.h -- the Universal Chess Interface, as docs/PROTOCOLS.md describes it. */
#ifndef SAMARA_FRONT_UCI_H
#define SAMARA_FRONT_UCI_H

#include "front/command_loop.h"
#include "samara.h"

typedef enum Parting { PARTING_QUIT, PARTING_OTHER_PROTOCOL } Parting;

/* Talks until `quit` or the end of input, or until a line of another protocol opens the
 * conversation (that line is unread). */
Parting uci_run(Console *console, Samara *engine, SamaraPosition *position);

/* The same for a host with a loop of its own, which hands events to loop_handle() while
 * loop_goes_on(). */
typedef struct Uci Uci;
Uci *uci_open(Console *console, Samara *engine, SamaraPosition *position); /* NULL: no memory */
CommandLoop *uci_loop(Uci *uci);
Parting uci_close(Uci *uci);

#endif
