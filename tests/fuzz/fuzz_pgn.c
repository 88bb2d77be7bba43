// SPDX-License-Identifier: GPL-3.0-or-later
/* Any bytes give games that, written, read back as the same number of the same games, however the
 * bytes arrive. */
#include "fuzz.h"

#include "../unit/chess/pgn_support.h"

static PgnReader *open_text(MemorySource *source, Str text, size_t step)
{
    *source = (MemorySource){text, step};
    PgnReader *reader = pgn_open(read_memory, source, NULL);
    DEMAND(reader);
    return reader;
}

static Str contents(const Buffer *b) { return (Str){buffer_text(b), b->len}; }

static int rewrite(Str text, size_t step, Buffer *out)
{
    MemorySource source;
    PgnReader *reader = open_text(&source, text, step);
    int count = 0;
    for (const PgnGame *g; (g = pgn_next(reader)); count++) {
        DEMAND(g->broken == (g->problem.text[0] != '\0'));
        for (int n = 0; n < g->node_count; n++) {
            PgnEval eval;
            const int comment = g->nodes[n].comment;
            pgn_comment_eval(comment < 0 ? NULL : g->text + comment, WHITE, &eval);
        }
        pgn_write(g, out);
    }
    DEMAND(!pgn_failed(reader, NULL) && !out->failed);
    DEMAND(pgn_bytes(reader) == text.len);
    pgn_close(reader);
    return count;
}

static void check_games(Str original, Str written)
{
    MemorySource a, b;
    PgnReader *left = open_text(&a, original, SIZE_MAX);
    PgnReader *right = open_text(&b, written, SIZE_MAX);
    for (const PgnGame *g; (g = pgn_next(left));) {
        const PgnGame *h = pgn_next(right);
        DEMAND(h && same_game(g, h));
    }
    DEMAND(!pgn_next(right));
    pgn_close(left);
    pgn_close(right);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    attacks_init();
    const Str text = {(const char *)data, size};
    Buffer once = {0}, twice = {0}, slowly = {0};
    const int count = rewrite(text, SIZE_MAX, &once);
    DEMAND(rewrite(contents(&once), SIZE_MAX, &twice) == count);
    DEMAND(str_equal(contents(&once), contents(&twice)));
    DEMAND(rewrite(text, 1 + size % 7, &slowly) == count);
    DEMAND(str_equal(contents(&once), contents(&slowly)));
    check_games(text, contents(&once));
    buffer_free(&once);
    buffer_free(&twice);
    buffer_free(&slowly);
    return 0;
}
