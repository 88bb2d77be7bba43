// SPDX-License-Identifier: GPL-3.0-or-later
/* store.h -- games and their analyses in one SQLite file. Every call is a transaction of its own
 * and may come from any thread. A killed process loses nothing that was stored before. */
#ifndef SAMARA_FRONT_HTTP_STORE_H
#define SAMARA_FRONT_HTTP_STORE_H

#include "base/error.h"
#include "base/text.h"
#include <stdint.h>

typedef struct Store Store;

typedef enum GameState { GAME_SAVED, GAME_QUEUED, GAME_DONE, GAME_FAILED } GameState;

/* Texts may be NULL where the database has none. */
typedef struct StoredGame {
    int64_t id;
    char *created; /* 2026-01-31T12:00:00Z */
    char *white, *black, *result;
    int plies;
    GameState state;
    char *pgn;
    char *limits;    /* JSON: how to analyse it */
    char *report;    /* JSON */
    char *annotated; /* PGN */
    char *message;   /* why it failed */
} StoredGame;

Store *store_open(const char *path,
                  Error *err);  /* ":memory:" keeps nothing; NULL, and *err set, on failure */
void store_close(Store *store); /* NULL is fine */

int64_t store_add(Store *store, const StoredGame *game, Error *err); /* the new id, 0 on failure */
bool store_get(Store *store, int64_t id, StoredGame *out);           /* false: there is none */
bool store_finish(Store *store, int64_t id, GameState state, const char *report,
                  const char *annotated, const char *message, Error *err);
bool store_delete(Store *store, int64_t id); /* false: there was none */
/* Newest first, without pgn, report and annotated. Returns how many were written. */
size_t store_list(Store *store, size_t offset, StoredGame *out, size_t max);
int64_t store_next_queued(Store *store); /* the oldest; 0: none */
int64_t store_count(Store *store);
/* Deepest known analysis of a position. The text is JSON; NULL if none is known. Caller frees. */
char *store_recall(Store *store, const char *key, int lines);
void store_remember(Store *store, const char *key, int lines, int depth, const char *json);

void stored_game_free(StoredGame *game); /* its texts */
const char *game_state_name(GameState state);

#endif
