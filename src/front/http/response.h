// SPDX-License-Identifier: GPL-3.0-or-later
/* response.h -- the head of an answer: status, framing, and what every answer of ours carries. */
#ifndef SAMARA_FRONT_HTTP_RESPONSE_H
#define SAMARA_FRONT_HTTP_RESPONSE_H

#include "front/http/request.h"

/* Of r->reply, with the length of its body. */
void response_head(Buffer *out, const Request *r, bool keep_alive);
/* Of an event stream: in chunks, or until the connection is closed. */
void response_stream_head(Buffer *out, const Request *r, bool chunked, bool keep_alive);
void response_chunk(Buffer *out, Str data); /* not empty: an empty chunk would be the last */
Str response_last_chunk(void);
Str response_body(const Reply *reply); /* what follows the head */
/* A whole answer for when there is no memory to make one. */
Str response_of_despair(void);

#endif
