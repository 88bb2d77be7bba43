// SPDX-License-Identifier: GPL-3.0-or-later
/* pgn_bytes.h -- the bytes of a PGN file as its reader wants them: a window that moves, one kind of
 * line end, no NULs, and always enough of them to look ahead. */
#ifndef SAMARA_CHESS_PGN_BYTES_H
#define SAMARA_CHESS_PGN_BYTES_H

#include "chess/pgn.h"

/* What is looked at as a whole (a word, the name of a tag, a number) has at most PGN_LONGEST bytes, so
 * that it is seen to its end wherever the window ends. No word of chess is that long. */
enum { PGN_LOOKAHEAD = 256, PGN_LONGEST = PGN_LOOKAHEAD - 8 };

typedef struct PgnBytes {
    PgnSource source;
    void *user;
    char *buffer, *at, *end; /* at..end is unread; *end is NUL, and no NUL comes before */
    bool eof, failed;        /* failed: the source said so; it is at its end then */
    bool held_cr;            /* a CR was read, and whether a LF follows is not known yet */
    bool line_start;         /* only blanks since the last line end */
    uint64_t taken, line;    /* bytes from the source; where `at` stands, 1-based */
} PgnBytes;

bool pgn_bytes_open(PgnBytes *in, PgnSource source, void *user); /* false if memory is short */
void pgn_bytes_close(PgnBytes *in);
void pgn_bytes_stop(PgnBytes *in); /* as if the input ended here */
void pgn_bytes_fill(PgnBytes *in);
uint64_t pgn_bytes_consumed(const PgnBytes *in);
void pgn_skip_line(PgnBytes *in);                       /* past the next line end */
void pgn_skip_while(PgnBytes *in, bool (*holds)(char)); /* not to be asked of NUL: it is the end */
/* To the next byte that means something: past blanks, byte order marks and lines that begin with a
 * '%'. */
void pgn_skip_blanks(PgnBytes *in);

/* From here PGN_LOOKAHEAD bytes can be seen, or all that are left. */
ALWAYS_INLINE void pgn_look_ahead(PgnBytes *in)
{
    if (UNLIKELY(in->end - in->at < PGN_LOOKAHEAD && !in->eof))
        pgn_bytes_fill(in);
}
ALWAYS_INLINE bool pgn_at_end(const PgnBytes *in) { return in->at == in->end; } /* after looking */

ALWAYS_INLINE bool pgn_is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

#endif
