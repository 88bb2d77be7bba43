// SPDX-License-Identifier: GPL-3.0-or-later
/* identity.h -- which engine is this? Its own name, and a number for how it plays: two programs of
 * one identity play the same games, wherever and for whichever processor they were built. */
#ifndef SAMARA_MATCH_IDENTITY_H
#define SAMARA_MATCH_IDENTITY_H

#include "match/client.h"

enum { IDENTITY_SIZE = 72, PAIR_SIZE = 240 };

typedef struct EngineIdentity {
    char text
        [IDENTITY_SIZE]; /* "Samara 2.0.0 1a2b3c4d"; only the name if it does not repeat itself */
    Buffer options;      /* lines of client_options() */
} EngineIdentity;

/* Starts the engine, lets it search some positions to a fixed number of nodes, twice, and ends it.
 * travel: options that identity_takes_option() lets travel are left at their defaults, since they
 * come with each game. XBoard engines are known by their name alone. identity_free in any case. */
bool engine_identify(const EngineSpec *spec, bool travel, Guard *guard, const Interrupt *interrupt,
                     EngineIdentity *out, Error *err);
void identity_free(EngineIdentity *identity);

/* Whether the value may come from elsewhere: a number, a check or a choice that the engine has
 * announced, in range. Texts may not: they name files. */
bool identity_takes_option(const EngineIdentity *identity, const EngineOption *option);
/* What a game of the two needs, in one line, the same for either order. False: names too long. */
bool identity_pair(const char *names[2], const char *identities[2], char out[PAIR_SIZE]);

#endif
