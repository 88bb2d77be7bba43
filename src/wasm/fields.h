// SPDX-License-Identifier: GPL-3.0-or-later
/* fields.h -- the fields of a call: lines of a name, a blank and a value. The names are those of the
 * HTTP interface (docs/HTTP.md). */
#ifndef SAMARA_WASM_FIELDS_H
#define SAMARA_WASM_FIELDS_H

#include "samara.h"

typedef struct Fields {
    const char *fen, *move, *language, *level; /* NULL: not given; they point into `text` */
    const char **moves, **search_moves;
    size_t move_count, search_move_count;
    bool chess960, has_clock;
    int64_t multipv, depth, nodes, movetime, mate, elo, seed, threads, hash, jobs;
    int64_t wtime, btime, winc, binc, movestogo;
    char *text; /* owned, as the two lists are */
} Fields;

/* Free it in either case. False: *err has the code bad_field or no_memory, and says which. */
bool fields_read(Fields *f, const char *text, SamaraError *err);
void fields_free(Fields *f);

#endif
