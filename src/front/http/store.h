// SPDX-License-Identifier: GPL-3.0-or-later
/* store.h -- games and their analyses in one SQLite file. Every call is a transaction of its own
 * and may come from any thread. A killed process loses nothing that was stored before.
 *
 * The store has a ceiling. A quarter of it is for analyses of positions, the rest for games. Beyond
 * that quarter the positions that nobody asked for longest are forgotten. A client may fill its
 * share with games; when all clients together reach the ceiling, the one that has most loses its
 * oldest game to one that has less. */
#ifndef SAMARA_FRONT_HTTP_STORE_H
#define SAMARA_FRONT_HTTP_STORE_H

#include "base/error.h"
#include "base/text.h"
#include <stdint.h>

typedef struct Store Store;

typedef enum GameState { GAME_SAVED, GAME_QUEUED, GAME_DONE, GAME_FAILED } GameState;

typedef struct StoreLimits {
    int64_t bytes;      /* of games and positions together */
    int64_t per_client; /* of the games of one client */
    int keep_days;      /* older games are deleted; 0: none is */
} StoreLimits;

/* Whether something is there, or cannot be had. */
typedef enum StoreAnswer { STORE_FOUND, STORE_ABSENT, STORE_FAILED } StoreAnswer;

/* What an Error says in `code`, besides "STORE" for everything else. */
#define STORE_CODE_FULL "STORE_FULL"   /* the disk, or the ceiling */
#define STORE_CODE_SHARE "STORE_SHARE" /* the client's own share */

/* Texts may be NULL where the database has none. */
typedef struct StoredGame {
    int64_t id;
    uint64_t owner; /* the client that stored it; only for store_add() */
    char *created;  /* 2026-01-31T12:00:00Z */
    char *white, *black, *result;
    int plies;
    GameState state;
    char *pgn;
    char *limits;    /* JSON: how to analyse it */
    char *report;    /* JSON */
    char *annotated; /* PGN */
    char *message;   /* why it failed */
} StoredGame;

/* ":memory:" keeps nothing; NULL, and *err set, on failure. */
Store *store_open(const char *path, StoreLimits limits, Error *err);
void store_close(Store *store); /* NULL is fine */

int64_t store_add(Store *store, const StoredGame *game, Error *err); /* the new id, 0 on failure */
StoreAnswer store_get(Store *store, int64_t id, StoredGame *out, Error *err);
/* True also if the game was deleted meanwhile. */
bool store_finish(Store *store, int64_t id, GameState state, const char *report,
                  const char *annotated, const char *message, Error *err);
StoreAnswer store_delete(Store *store, int64_t id, Error *err);
/* Newest first, without pgn, report and annotated. Returns how many were written. */
size_t store_list(Store *store, size_t offset, StoredGame *out, size_t max);
int64_t store_next_queued(Store *store);              /* the oldest; 0: none */
int64_t store_queued_after(Store *store, int64_t id); /* the next one behind this; 0: none */
int64_t store_count(Store *store);
int64_t store_bytes(Store *store); /* what counts against the ceiling; does not wait */
/* Deepest known analysis of a position. The text is JSON; NULL if none is known. Caller frees. */
char *store_recall(Store *store, const char *key, int lines);
void store_remember(Store *store, const char *key, int lines, int depth, const char *json);
/* The first entry behind the one of this key and number of lines, which become its own; the text is
 * to be freed, NULL: there is none. For going through all of them. */
char *store_position_after(Store *store, char *key, size_t key_size, int *lines, int *depth);

/* --- which moves were played in a position --- */

typedef struct PlayedMove {
    char uci[6];
    int64_t games, white, draws, black; /* white, draws, black: of the games that have a result */
} PlayedMove;
typedef struct StoredStep { /* `uci` was played where the position had this key */
    int64_t key;
    char uci[6];
} StoredStep;

/* The oldest game whose steps are not known yet, with its PGN, for the caller to free; 0: none. */
int64_t store_next_unindexed(Store *store, char **pgn);
bool store_index(Store *store, int64_t id, const StoredStep *steps, size_t count);
/* Most often played first. Returns how many were written. */
size_t store_played(Store *store, int64_t key, PlayedMove *out, size_t max);
/* Games that reached the position, newest first, as store_list(). */
size_t store_reached(Store *store, int64_t key, StoredGame *out, size_t max);

/* --- puzzles --- */

typedef struct StoredCard { /* texts may be NULL */
    int64_t id;
    char *created, *title;
    char *puzzle;    /* JSON */
    char *card;      /* JSON: what a trainer remembers; NULL: nothing yet */
    char *pgn, *epd; /* the puzzle, for other programs */
} StoredCard;

int64_t store_card_find(Store *store, const char *key); /* 0: there is none */
/* Its id; that of the card which has the key already; 0 on failure. */
int64_t store_card_add(Store *store, const char *key, const StoredCard *card, Error *err);
StoreAnswer store_card_get(Store *store, int64_t id, StoredCard *out, Error *err);
size_t store_cards(Store *store, size_t offset, StoredCard *out, size_t max); /* oldest first */
int64_t store_card_count(Store *store);
StoreAnswer store_card_set(Store *store, int64_t id, const char *card, Error *err);
StoreAnswer store_card_delete(Store *store, int64_t id, Error *err);
void stored_card_free(StoredCard *card); /* its texts */

void stored_game_free(StoredGame *game); /* its texts */
const char *game_state_name(GameState state);

#endif
