// SPDX-License-Identifier: GPL-3.0-or-later
/* think.h -- searching on behalf of a request. All scores go out in White's view. */
#ifndef SAMARA_FRONT_HTTP_THINK_H
#define SAMARA_FRONT_HTTP_THINK_H

#include "front/http/request.h"

enum { THINK_KEY_SIZE = SAMARA_FEN_SIZE + 8, THINK_MEMORY_DEPTH = 14 };

/* For whom a search is made: a request of this server, or a job of the queue. */
typedef struct ThinkClient {
    const Params *params;
    Metrics *metrics;
    int64_t max_ms; /* longest search */
    bool fresh;     /* nothing from earlier searches counts: the same on every machine */
    void *user;
    bool (*cancelled)(void *user);           /* nobody waits any more */
    bool (*should_end)(void *user);          /* or what is known by now is enough */
    void (*live)(void *user, json_t *lines); /* hears of each depth; NULL: nobody listens */
} ThinkClient;

/* Sets the position as the request says. False: *reply says what is wrong. */
bool think_prepare(Slot *slot, const Params *params, Reply *reply);
json_t *think_score(const SamaraScore *score, bool white_to_move); /* {"cp": 35} or {"mate": -3} */
/* {"status": "game_over", ...} if the game is over, else NULL */
json_t *think_finished(const SamaraPosition *position);

/* Analyses the slot's position as the request says; NULL: *reply says why not. */
json_t *think_here(Request *r, Slot *slot, Reply *reply);

/* The same for any client. */
json_t *think_for(const ThinkClient *client, Slot *slot, Reply *reply);
/* Gives the engine this many threads or megabytes, unless it has them: a new size of the table
 * forgets what the old one knew. */
bool think_set_size(Slot *slot, const char *option, int64_t wanted, Reply *reply);
/* Under which name the analysis of a position is remembered. False: its past matters, or only some
 * moves are searched, and it is not remembered. */
bool think_memory_key(const Params *params, const SamaraPosition *position,
                      char key[THINK_KEY_SIZE]);

void think_move(Task *task, Slot *slot);     /* POST /move */
bool think_move_now(Request *r, Slot *slot); /* the same; false: takes longer, not answered */
void think_analyse(Task *task, Slot *slot);  /* GET, POST /api/v1/analyse */
void think_stream(Task *task, Slot *slot);   /* GET /api/v1/stream */

#endif
