// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/pgn_bytes.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

bool pgn_bytes_open(PgnBytes *in, PgnSource source, void *user)
{
    *in = (PgnBytes){.source = source, .user = user, .line_start = true, .line = 1};
    in->buffer = in->at = in->end = malloc(CHUNK + PGN_LOOKAHEAD); /* `at` + PGN_LONGEST exists */
    if (in->buffer)
        *in->end = '\0';
    return in->buffer != NULL;
}

void pgn_bytes_close(PgnBytes *in) { free(in->buffer); }

void pgn_bytes_stop(PgnBytes *in)
{
    in->eof = true;
    in->end = in->at;
    *in->end = '\0';
}

/* Line ends become LF, byte for byte: CR LF a blank and LF, a lone CR LF. NULs become blanks. A CR
 * at the end waits for the byte that follows it. Returns how many bytes may be used. */
static size_t clean(PgnBytes *in, char *bytes, size_t len)
{
    char *const end = bytes + len;
    if (len > 0 && end[-1] == '\r' && !in->eof) {
        in->held_cr = true;
        len--;
    }
    for (char *s = bytes; (s = memchr(s, '\r', (size_t)(bytes + len - s)));)
        *s = s + 1 < end && s[1] == '\n' ? ' ' : '\n';
    for (char *s = bytes; (s = memchr(s, '\0', (size_t)(bytes + len - s)));)
        *s = ' ';
    return len;
}

/* Moves what is unread to the front and reads behind it. A CR at the end is held back until it is
 * known whether a LF follows. */
void pgn_bytes_fill(PgnBytes *in)
{
    const size_t unread = (size_t)(in->end - in->at);
    size_t have = unread;
    memmove(in->buffer, in->at, unread);
    in->at = in->buffer;
    if (in->held_cr)
        in->buffer[have++] = '\r';
    in->held_cr = false;

    while (have < PGN_LOOKAHEAD && !in->eof) {
        const long n = in->source(in->user, in->buffer + have, CHUNK - have);
        in->failed = n < 0 || (size_t)n > CHUNK - have;
        in->eof = n == 0 || in->failed;
        if (!in->eof) {
            in->taken += (uint64_t)n;
            have += (size_t)n;
        }
    }
    in->end = in->buffer + unread + clean(in, in->buffer + unread, have - unread);
    *in->end = '\0';
}

uint64_t pgn_bytes_consumed(const PgnBytes *in)
{
    return in->taken - (uint64_t)(in->end - in->at) - in->held_cr;
}

/* The line may be longer than the window: it is refilled as often as it takes. */
void pgn_skip_line(PgnBytes *in)
{
    for (pgn_look_ahead(in); !pgn_at_end(in); pgn_look_ahead(in)) {
        char *newline = memchr(in->at, '\n', (size_t)(in->end - in->at));
        in->at = newline ? newline + 1 : in->end;
        if (newline) {
            in->line++;
            in->line_start = true;
            return;
        }
    }
}

/* However many of them there are; the window is refilled as often as it takes. */
void pgn_skip_while(PgnBytes *in, bool (*holds)(char))
{
    do {
        pgn_look_ahead(in);
        while (!pgn_at_end(in) && holds(*in->at))
            in->at++;
    } while (pgn_at_end(in) && !in->eof);
}

/* Counts lines on the way, for error messages. */
void pgn_skip_blanks(PgnBytes *in)
{
    for (;;) {
        pgn_look_ahead(in);
        const char c = *in->at;
        if (c == '\n') {
            in->line++;
            in->line_start = true;
            in->at++;
        } else if (pgn_is_blank(c))
            in->at++;
        else if (c == '%' && in->line_start)
            pgn_skip_line(in);
        else if (UNLIKELY(c == '\xEF') && in->at[1] == '\xBB' && in->at[2] == '\xBF')
            in->at += 3;
        else
            return;
    }
}
