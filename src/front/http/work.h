// SPDX-License-Identifier: GPL-3.0-or-later
/* work.h -- the command `samara work`: an engine that works for front doors on other machines. */
#ifndef SAMARA_FRONT_HTTP_WORK_H
#define SAMARA_FRONT_HTTP_WORK_H

#include "queue/worker.h"

/* Kinds of jobs that the program brings besides analyses and reviews; returns how many. */
typedef int (*WorkMore)(const char *network, WorkKind *out);

int work_main(int argc, char **argv, WorkMore more);

#endif
