// SPDX-License-Identifier: GPL-3.0-or-later
/* head.h -- the head of an HTTP/1 request: its first line and its header fields, by the letter of
 * RFC 9112. Lines end in CR LF and in nothing else; no NUL, no bare CR, no folded line, no blank
 * before a colon. What a reader could understand in two ways is refused, so that a proxy before us
 * cannot have understood the other one.
 *
 * Bytes are judged one after the other: how they arrive makes no difference. */
#ifndef SAMARA_FRONT_HTTP_HEAD_H
#define SAMARA_FRONT_HTTP_HEAD_H

#include "base/text.h"

enum { HEAD_MAX_BYTES = 32 << 10, HEAD_MAX_TARGET = 16 << 10, HEAD_MAX_FIELDS = 100 };

typedef enum HeadState { HEAD_MORE, HEAD_DONE, HEAD_BAD } HeadState;

typedef struct HeadField {
    Str name, value; /* value without blanks around it */
} HeadField;

/* Slices of the bytes that were parsed: they must live as long. */
typedef struct Head {
    Str method, target;
    int version; /* 11 for HTTP/1.1 */
    int count;
    HeadField field[HEAD_MAX_FIELDS];
} Head;

/* Looks for the empty line that ends the head, from *seen on, and moves *seen on. HEAD_DONE: *seen
 * is the length of the head, the empty line included. HEAD_BAD: a byte that no head has. */
HeadState head_scan(const char *bytes, size_t len, size_t *seen);
/* Of a head that head_scan() found complete. 0, or the status to refuse it with. */
int head_parse(Head *head, const char *bytes, size_t len);

#endif
