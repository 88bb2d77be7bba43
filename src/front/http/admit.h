// SPDX-License-Identifier: GPL-3.0-or-later
/* admit.h -- whether a request may come in: is it sound, is its sender known, is its body welcome.
 * Nothing of the body is read for one that may not. */
#ifndef SAMARA_FRONT_HTTP_ADMIT_H
#define SAMARA_FRONT_HTTP_ADMIT_H

#include "front/http/request.h"

/* Larger bodies are counted (App.bodies): they are what costs memory. */
enum { ADMIT_SMALL_BODY = 64 << 10 };

/* Fills in what the head says (path, query, route, client, body). False: r->reply says why not. */
bool admit(Request *r, ClientId peer, bool peer_is_proxy);

#endif
