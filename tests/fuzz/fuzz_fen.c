// SPDX-License-Identifier: GPL-3.0-or-later
/* Any text is refused with a reason or gives a position that can be played, and that reads back
 * equal. */
#include "fuzz.h"

#include "chess/fen.h"
#include "chess/movegen.h"
#include <string.h>

static void play_every_move(Position *p)
{
    MoveList list;
    gen_legal(p, &list);
    DEMAND(list.count == gen_count(p));
    CheckInfo info;
    pos_check_info(p, &info);
    const Position before = *p;
    /* On a board of odd material the enemy may stand in check already; no move "gives" it then. */
    const Color them = color_flip(p->turn);
    const bool given = pos_attacked(p, pos_king(p, them), p->turn, pos_occupied(p));
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        DEMAND(pos_is_pseudo_legal(p, m) && pos_is_legal(p, m));
        const bool check = pos_gives_check(p, &info, m);
        Undo undo;
        pos_make(p, m, &undo, NULL);
        DEMAND(pos_is_consistent(p));
        DEMAND(given || pos_in_check(p) == check);
        pos_unmake(p, m, &undo);
        DEMAND(memcmp(p, &before, sizeof before) == 0);
    }
}

static void check_mode(Str text, FenMode mode)
{
    Position p, again;
    Error err = {0}, warning;
    if (!fen_parse(&p, text, mode, &err, &warning)) {
        DEMAND(err.code[0] && err.text[0] && err.column >= 1);
        DEMAND((size_t)err.column <= text.len + 1);
        return;
    }
    DEMAND(pos_is_consistent(&p));
    char fen[FEN_SIZE], twice[FEN_SIZE];
    fen_write(&p, fen);
    DEMAND(fen_parse(&again, str_from(fen), mode, NULL, NULL));
    fen_write(&again, twice);
    DEMAND(strcmp(fen, twice) == 0 && p.st.key == again.st.key);
    play_every_move(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    attacks_init();
    const Str text = {(const char *)data, size};
    check_mode(text, FEN_STANDARD);
    check_mode(text, FEN_960);
    return 0;
}
