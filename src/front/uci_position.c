// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/uci_position.h"

#include <stdlib.h>
#include <string.h>

static size_t count_tokens(Str rest)
{
    size_t count = 0;
    while (str_token(&rest).len > 0)
        count++;
    return count;
}

/* Terminates the words of `rest` (a part of copy) in place and lists them. */
static void list_moves(PositionText *t, Str rest)
{
    for (Str word = str_token(&rest); word.len > 0;) {
        const Str next = str_token(&rest);
        t->copy[(size_t)(word.ptr - t->copy) + word.len] = '\0';
        t->moves[t->count++] = word.ptr;
        word = next;
    }
}

/* Works in a copy of the line: the FEN and each move become NUL-terminated words inside it. */
bool position_text_split(PositionText *t, Str line, Error *err)
{
    *t = (PositionText){.copy = str_duplicate(line)};
    t->moves = malloc((count_tokens(line) + 1) * sizeof *t->moves);
    if (!t->copy || !t->moves)
        return error_code(err, "NO_MEMORY", 0, "not enough memory for the position");
    Str rest = {t->copy, line.len};
    const Str kind = str_token(&rest);
    if (!str_is(kind, "startpos") && !str_is(kind, "fen"))
        return error_code(err, "POSITION_KIND", 0, "position needs startpos or fen");
    /* The FEN ends where the word `moves` stands, or with the line. */
    Str fen = str_trim(rest), moves = STR("");
    for (Str ahead = rest, word; (word = str_token(&ahead)).len > 0;) {
        if (!str_is(word, "moves"))
            continue;
        fen = str_trim((Str){rest.ptr, (size_t)(word.ptr - rest.ptr)});
        moves = ahead;
        break;
    }
    if (str_is(kind, "fen")) {
        if (fen.len == 0)
            return error_code(err, "FEN_EMPTY", 0, "the FEN is empty");
        if (memchr(fen.ptr, 0, fen.len))
            return error_code(err, "FEN_BYTE", 0, "the FEN contains a NUL byte");
        t->copy[(size_t)(fen.ptr - t->copy) + fen.len] = '\0';
        t->fen = fen.ptr;
    } else if (fen.len > 0) {
        return error_code(err, "POSITION_WORD", 0,
                          "startpos is followed by something that is not 'moves'");
    }
    list_moves(t, moves);
    return true;
}

void position_text_free(PositionText *t)
{
    free(t->copy);
    free(t->moves);
}
