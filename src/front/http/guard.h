// SPDX-License-Identifier: GPL-3.0-or-later
/* guard.h -- who may talk to the server. A page on another site can make a browser send requests to
 * a server on this machine (DNS rebinding, cross-site requests); the names in Host and Origin give
 * it away. */
#ifndef SAMARA_FRONT_HTTP_GUARD_H
#define SAMARA_FRONT_HTTP_GUARD_H

#include "base/text.h"

enum { GUARD_MAX_NAMES = 32, GUARD_MAX_TOKENS = 256 };

typedef struct Guard {
    Str hosts[GUARD_MAX_NAMES]; /* besides localhost, 127.0.0.1 and [::1]; without port */
    int host_count;
    Str origins[GUARD_MAX_NAMES]; /* of pages that may use the API: "https://example.org", "*" */
    int origin_count;
    Str tokens[GUARD_MAX_TOKENS];
    int token_count; /* 0: none is asked for */
} Guard;

bool guard_host(const Guard *guard,
                Str host); /* the Host header: a known name, then maybe a port */
/* The Origin header: the server's own page (same host and port as `host`) or one of the list. */
bool guard_origin(const Guard *guard, Str origin, Str host);
bool guard_any_origin(const Guard *guard); /* all pages may use the API */
bool guard_is_origin(Str text);            /* scheme://name[:port], "null" or "*" */
/* The Authorization header. The number of its token, 0 if none is asked for, -1 if it is wrong.
 * Takes the same time wherever the difference is. */
int guard_token(const Guard *guard, Str authorization);
bool guard_is_loopback(Str address);

#endif
