// SPDX-License-Identifier: GPL-3.0-or-later
/* client_impl.h -- what client.c and the two protocols share; nobody else includes it. */
#ifndef SAMARA_MATCH_CLIENT_IMPL_H
#define SAMARA_MATCH_CLIENT_IMPL_H

#include "match/client.h"
#include "match/info.h"

typedef struct Dialect {
    Fault (*greet)(Client *client, bool chess960, Error *why); /* handshake, options, ready */
    Fault (*new_game)(Client *client, const Position *start, Error *why);
    Fault (*think)(Client *client, const Turn *turn, Thought *thought, Error *why);
    void (*game_over)(Client *client, const char *result, const char *reason);
    void (*ponder)(Client *client, const Turn *turn); /* NULL: needs no telling */
} Dialect;

extern const Dialect dialect_uci, dialect_xboard;

/* What XBoard engines announce, and where the conversation stands. */
typedef struct XBoardState {
    bool ping, setboard, usermove, reuse, memory, smp, nps, done; /* features */
    bool chess960_variant;                                        /* knows it */
    bool waiting;                                                 /* said done=0 */
    int pings;
    int told;      /* plies of the game that the engine knows of */
    bool playing;  /* it moves by itself after the opponent's move */
    bool chess960; /* plays it */
} XBoardState;

struct Client {
    const EngineSpec *spec;
    Guard *guard;
    const Interrupt *interrupt;
    const Dialect *dialect;
    Process *process; /* NULL: not running */
    bool greeted_960;
    Buffer out;        /* commands being put together */
    int64_t sent_at;   /* when the last of them was written: there the mover's clock starts */
    Buffer variations; /* of the last thought */
    Buffer options;    /* as client_options() gives them; XBoard: only the names */
    char title[64];    /* as client_title() gives it */
    int info_faults;
    char expected[8]; /* UCI: the reply that the last bestmove named; "" if none */
    Move pondering;   /* UCI: the reply that it ponders on now; MOVE_NONE if it does not */
    XBoardState xboard;
};

/* Sends and clears client->out. XBoard engines get one line at a time: some of them sleep on what
 * they have already read if two arrive together. */
Fault client_send(Client *client, Error *why);
/* The next line. FAULT_HANG with a sentence about `what` if none comes before the deadline (of
 * clock_us). */
Fault client_line(Client *client, int64_t deadline, const char *what, Str *line, int64_t *when,
                  Error *why);
/* How long to wait for an answer that has no clock: what the user said, or `usual`. */
int64_t client_patience(const Client *client, int64_t usual);
/* For a process that went away; one that is still there was at fault in the way that `what` says.
 */
Fault client_gone(Client *client, Fault fault, const char *what, Error *why);
/* How long the mover may take, margin included, INT64_MAX if nothing limits its time; and how much
 * longer we wait (without a limit: how long at all) before we call it a hang. */
int64_t turn_limit(const Turn *turn);
int64_t turn_patience(const Turn *turn);
/* Judges an answer that came after `used` microseconds: FAULT_NONE, FAULT_TIME or, without a clock,
 * FAULT_HANG. */
Fault turn_verdict(const Turn *turn, int64_t used, const char *name, Error *why);
/* Copies depth, score and nodes of an info line that has them. */
void thought_note(Thought *thought, const Info *info);

#endif
