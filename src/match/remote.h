// SPDX-License-Identifier: GPL-3.0-or-later
/* remote.h -- the games of a match, played by workers of a queue (match_work.h). */
#ifndef SAMARA_MATCH_REMOTE_H
#define SAMARA_MATCH_REMOTE_H

#include "match/config.h"

typedef struct RemoteGames {
    const MatchConfig *config; /* queue is set */
    const Openings *openings;
    Guard *guard;
    const Interrupt *interrupt;
    uint64_t first, end; /* games [first, end) */
    void *user;
    /* In the order of the games. False: the match is over. */
    bool (*take)(void *user, uint64_t index, const GameRecord *record);
    void (*note)(void *user, const char *text); /* may be NULL */
} RemoteGames;

/* Runs until all games are taken, take() says no or the interrupt is raised. False: something
 * failed. */
bool remote_run(const RemoteGames *games, Error *err);

#endif
