// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/turns.h"

void turns_next_round(Turns *turns) { turns->count = 0; }

/* Alone, a client is always served. In a crowd each has one turn until all others had theirs. */
bool turns_take(Turns *turns, ClientId client, int64_t now_ms)
{
    if (client != turns->last && turns->last != 0)
        turns->crowd_ms = now_ms + TURNS_ALONE_MS;
    turns->last = client;
    if (now_ms >= turns->crowd_ms)
        return true;
    for (int i = 0; i < turns->count; i++)
        if (turns->served[i] == client)
            return false;
    if (turns->count == TURNS_REMEMBERED)
        return false;
    turns->served[turns->count++] = client;
    return true;
}
