// SPDX-License-Identifier: GPL-3.0-or-later
/* The first byte chooses a position, the rest is a move in it: what is understood is legal, and
 * reads back from both notations. */
#include "fuzz.h"

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"

static const char *const fens[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w ha - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w HA - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w HAha f6 0 3",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "4k3/8/8/8/8/8/8/RRK2R1R w HA - 0 1",
    "1r1k3r/8/8/8/8/8/8/1R1K3R b HBhb - 0 1",
    "4k3/8/8/q7/8/8/1N1N4/2N1K3 w - - 0 1",
    "7k/8/8/8/8/8/1p3p2/R1B4K b - - 0 1",
    "1k6/8/8/8/3Q3Q/8/8/K6Q w - - 0 1",
    "4k3/4r3/8/2bB1B2/1P6/8/8/4K3 w - - 0 1",
};

static void check_move(const Position *p, Move m)
{
    if (m == MOVE_NONE || m == MOVE_NULL)
        return;
    MoveList list;
    gen_legal(p, &list);
    DEMAND(list_has(&list, m));
    char san[SAN_SIZE], uci[UCI_MOVE_SIZE];
    move_to_san(p, m, san);
    DEMAND(move_from_san(p, str_from(san)) == m);
    move_to_uci(m, p->chess960, uci);
    DEMAND(move_from_uci(p, str_from(uci)) == m);
    DEMAND(move_from_san(p, str_from(uci)) == m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { COUNT = sizeof fens / sizeof fens[0] };
    attacks_init();
    if (size == 0)
        return 0;
    const FenMode mode = data[0] / COUNT % 2 ? FEN_960 : FEN_STANDARD;
    Position p;
    DEMAND(fen_parse(&p, str_from(fens[data[0] % COUNT]), mode, NULL, NULL));
    const Str text = {(const char *)data + 1, size - 1};
    check_move(&p, move_from_san(&p, text));
    check_move(&p, move_from_uci(&p, text));
    return 0;
}
