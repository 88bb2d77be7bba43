// SPDX-License-Identifier: GPL-3.0-or-later
/* follow.h -- clients that follow a report while it is made: requests that wait for events and hold
 * no engine. Any thread may call these. */
#ifndef SAMARA_FRONT_HTTP_FOLLOW_H
#define SAMARA_FRONT_HTTP_FOLLOW_H

#include "front/http/request.h"

typedef struct Followers Followers;

Followers *followers_create(void); /* NULL: no memory */
/* Takes over the hold of a request that streams; its first event has been sent. False: there are
 * too many, and it is still the caller's. */
bool followers_add(Followers *followers, Request *r, int64_t game);
/* An event for all who follow the game; last: there will be no other, their streams end. */
void followers_tell(Followers *followers, int64_t game, const char *name, const char *data,
                    bool last);
void followers_close(Followers *followers);   /* ends all streams; adding is refused from now on */
void followers_destroy(Followers *followers); /* closed before; NULL is fine */

#endif
