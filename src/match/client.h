// SPDX-License-Identifier: GPL-3.0-or-later
/* client.h -- one engine, spoken to: UCI and XBoard behind one interface.
 *
 * A Client outlives the processes that run its engine: one that crashed or hung is started anew for
 * the next game. Every call returns a Fault; FAULT_NONE is success, and otherwise *why holds a
 * sentence. Not for several threads. */
#ifndef SAMARA_MATCH_CLIENT_H
#define SAMARA_MATCH_CLIENT_H

#include "chess/game.h"
#include "match/engine.h"
#include "match/process.h"

typedef struct Client Client;

/* spec, guard and interrupt must outlive the client. Starts nothing yet. NULL if memory is short.
 */
Client *client_create(const EngineSpec *spec, Guard *guard, const Interrupt *interrupt);
/* Tells the engine to quit and waits for it; returns FAULT_QUIT if it had to be killed. NULL is
 * fine. */
Fault client_destroy(Client *client);

const EngineSpec *client_spec(const Client *client);

/* Starts the process, shakes hands and sends the options, unless all that is done. */
Fault client_ready(Client *client, bool chess960, Error *why);
/* A new game from `start`; the client is ready. */
Fault client_new_game(Client *client, const Position *start, Error *why);
/* UCI only, between games; an engine that is not running takes its options from the spec when it
 * starts. */
Fault client_set_option(Client *client, const char *name, const char *value, Error *why);

/* What the engine calls itself ("id name", "myname"); "" before the handshake. */
Str client_title(const Client *client);
/* What the engine said about its options: lines like "name Hash type spin default 16 min 1 max
 * 1024". */
Str client_options(const Client *client);

typedef struct Turn {
    const Game *game;
    Color mover;                 /* the engine's side */
    const TimeControl *limit[2]; /* by colour */
    int64_t clock[2];            /* what is left, microseconds */
    int64_t moves_to_go;         /* of the mover until the next period; 0 if there is none */
} Turn;

typedef struct Thought {
    Move move;
    bool resigns;
    int64_t used; /* microseconds from writing the request to reading the move */
    bool has_score, is_mate;
    int64_t score; /* as in Info */
    int64_t depth, nodes;
} Thought;

/* FAULT_TIME and FAULT_ILLEGAL leave the engine usable, other faults end its process. */
Fault client_think(Client *client, const Turn *turn, Thought *thought, Error *why);
/* After its own move: lets an engine that is to ponder do so, if it has named the reply it expects.
 * The next client_think() tells it whether it was right. */
void client_ponder(Client *client, const Turn *turn);
/* The lines with variations of the last thought, each ended by LF, oldest first; UCI only, at most
 * a megabyte. */
Str client_variations(const Client *client);
/* Malformed info lines since the last call. */
int client_take_info_faults(Client *client);

/* Tells an engine that wants to know how the game ended: "1-0", "{White mates}". */
void client_game_over(Client *client, const char *result, const char *reason);

#endif
