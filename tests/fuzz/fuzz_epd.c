// SPDX-License-Identifier: GPL-3.0-or-later
/* A line is refused with a reason, or it reads back with the same position and operations. */
#include "fuzz.h"

#include "chess/epd.h"
#include "chess/movegen.h"
#include <string.h>

static void ask_operations(const Epd *epd)
{
    for (int i = 0; i < epd->op_count; i++) {
        Move moves[8];
        int mate;
        const int count = epd_moves(epd, &epd->ops[i], moves, 8, &mate);
        DEMAND(count >= -1 && count <= 8);
        const bool in_sequence = str_is(epd->ops[i].name, "pv");
        for (int k = 0; k < count && (!in_sequence || k == 0); k++)
            DEMAND(pos_is_pseudo_legal(&epd->pos, moves[k]) && pos_is_legal(&epd->pos, moves[k]));
        const Str string = epd_string(&epd->ops[i]);
        DEMAND(string.len <= epd->ops[i].operand.len);
    }
    DEMAND(epd_string(epd_find(epd, "no such name")).len == 0);
}

static void check_same(const Epd *a, const Epd *b)
{
    DEMAND(a->pos.st.key == b->pos.st.key && a->pos.ply == b->pos.ply);
    DEMAND(a->pos.st.rule50 == b->pos.st.rule50 && a->op_count == b->op_count);
    for (int i = 0; i < a->op_count; i++)
        DEMAND(str_equal(a->ops[i].name, b->ops[i].name) &&
               str_equal(a->ops[i].operand, b->ops[i].operand));
}

static void check_mode(Str line, FenMode mode)
{
    static Epd epd, again;
    Error err = {0}, warning;
    if (!epd_parse(&epd, line, mode, &err, &warning)) {
        DEMAND(err.code[0] && err.text[0]);
        return;
    }
    DEMAND(pos_is_consistent(&epd.pos));
    ask_operations(&epd);

    Buffer out = {0}, twice = {0};
    epd_write(&epd, &out);
    DEMAND(epd_parse(&again, (Str){out.data, out.len}, mode, NULL, NULL));
    check_same(&epd, &again);
    epd_write(&again, &twice);
    DEMAND(out.len == twice.len && memcmp(out.data, twice.data, out.len) == 0);
    buffer_free(&out);
    buffer_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    attacks_init();
    const Str line = {(const char *)data, size};
    check_mode(line, FEN_STANDARD);
    check_mode(line, FEN_960);
    return 0;
}
