// SPDX-License-Identifier: GPL-3.0-or-later
/* work.h -- the command `samara work`: an engine that works for front doors on other machines. */
#ifndef SAMARA_FRONT_HTTP_WORK_H
#define SAMARA_FRONT_HTTP_WORK_H

#include "queue/worker.h"

/* Kinds of jobs that the program brings besides analyses and reviews. */
typedef struct WorkMore {
    void *user;
    bool (*engine)(void *user, Str words, Error *err); /* the words of one --engine */
    /* Before there are threads. Returns how many, two at most; -1: *err says why. */
    int (*kinds)(void *user, const char *network, WorkKind *out, Error *err);
} WorkMore;

int work_main(int argc, char **argv, const WorkMore *more);

#endif
