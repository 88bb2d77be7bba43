// SPDX-License-Identifier: GPL-3.0-or-later
/* remote_games.h -- reports of games by workers of the queue. The store says which games wait; each
 * becomes a job, and its result goes back into the store. Whatever is lost on the way is sent
 * again: the store forgets nothing. */
#ifndef SAMARA_FRONT_HTTP_REMOTE_GAMES_H
#define SAMARA_FRONT_HTTP_REMOTE_GAMES_H

#include "front/http/app.h"
#include "review/study.h"
#include "review/speech.h"

typedef struct RemoteGames RemoteGames;

typedef struct RemoteGamesEvents {
    void *user;
    /* How the client wants its game analysed, from the text in the store. */
    void (*effort)(void *user, const char *limits, ReviewEffort *effort, Speech *speech);
    void (*progress)(void *user, int64_t id, const char *state, size_t done, size_t total);
} RemoteGamesEvents;

RemoteGames *remote_games_start(App *app, const RemoteGamesEvents *events); /* NULL: no memory */
void remote_games_stop(RemoteGames *games); /* after the broker is quiet; NULL is fine */
void remote_games_wake(RemoteGames *games); /* games were added */
void remote_games_forget(RemoteGames *games, int64_t id);
/* What is known of a report that is being made. False: none is. trouble: why it cannot be stored
 * yet, or "". */
bool remote_games_look(RemoteGames *games, int64_t id, size_t *done, size_t *total, Buffer *report,
                       char trouble[256]);

#endif
