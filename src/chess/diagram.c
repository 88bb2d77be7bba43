// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/diagram.h"

#include "chess/movegen.h"
#include <string.h>

static const char *const type_names[6] = {"pawn", "knight", "bishop", "rook", "queen", "king"};
static const char *const color_names[2] = {"white", "black"};

/* NO_SQUARE if it is none. */
static Square square_named(Str name)
{
    if (name.len != 2 || name.ptr[0] < 'a' || name.ptr[0] > 'h' || name.ptr[1] < '1' ||
        name.ptr[1] > '8')
        return NO_SQUARE;
    return square_make(name.ptr[0] - 'a', name.ptr[1] - '1');
}

bool diagram_knows(Str name)
{
    for (Str names = STR(DIAGRAM_NAMES); names.len > 0;)
        if (str_equal(str_until(&names, '|'), name))
            return true;
    return square_named(name) != NO_SQUARE;
}

/* The title, the number itself, and the board with its coordinates. */
static void put_set(Bitboard set, const char *of, const char *name, Buffer *out)
{
    char rows[BB_TEXT_SIZE];
    bb_draw(set, rows);
    buffer_printf(out, "%s%s%s: %d squares, 0x%016llx\n", of, *of ? " " : "", name, bb_count(set),
                  (unsigned long long)set);
    for (int row = 0; row < 8; row++)
        buffer_printf(out, "%d %.8s\n", 8 - row, rows + 9 * row);
    buffer_puts(out, "  abcdefgh\n\n");
}

static Bitboard targets(const Position *p)
{
    MoveList list;
    Bitboard set = 0;
    gen_legal(p, &list);
    for (int i = 0; i < list.count; i++)
        set |= bb_square(move_to(list.moves[i]));
    return set;
}

static void put_square(const Position *p, Square s, Buffer *out)
{
    const Piece piece = pos_piece_on(p, s);
    const char name[] = {(char)('a' + square_file(s)), (char)('1' + square_rank(s)), '\0'};
    if (piece == NO_PIECE) {
        buffer_printf(out, "%s is empty\n\n", name);
        return;
    }
    const PieceType type = piece_type(piece);
    Buffer title = {0};
    buffer_printf(&title, "%s %s on", color_names[piece_color(piece)], type_names[type]);
    put_set(type == PAWN ? attack_pawn[piece_color(piece)][s]
                         : piece_attacks(type, s, pos_occupied(p)),
            buffer_text(&title), name, out);
    buffer_free(&title);
}

/* Sets that exist once, or once for each colour. */
static void put_named(const Position *p, Str name, Buffer *out)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        if (str_is(name, color_names[c]))
            put_set(pos_color(p, c), "", color_names[c], out);
        if (str_is(name, "attacks"))
            put_set(pos_threats(p, c), color_names[c], "attacks", out);
        if (str_is(name, "pinned"))
            put_set(p->st.blockers[c] & pos_color(p, c), color_names[c], "pinned", out);
        for (PieceType t = PAWN; t <= KING; t++)
            if (str_is(name, type_names[t]))
                put_set(pos_pieces(p, c, t), color_names[c], type_names[t], out);
    }
    if (str_is(name, "occupied"))
        put_set(pos_occupied(p), "", "occupied", out);
    if (str_is(name, "moves"))
        put_set(targets(p), color_names[p->turn], "moves", out);
    if (str_is(name, "checkers"))
        put_set(p->st.checkers, "", "checkers", out);
}

void diagram_put(const Position *p, Str name, Buffer *out)
{
    const Square s = square_named(name);
    if (s != NO_SQUARE)
        put_square(p, s, out);
    else
        put_named(p, name, out);
}
