// SPDX-License-Identifier: GPL-3.0-or-later
#include "ladder/ladder.h"

/* Four of the first report's test positions, then openings, middlegames and endings of games that
 * Samara played against itself. */
static const char *const positions[] = {
    "4r1k1/r4p1p/p3bRpQ/q2pP3/2pP4/Bpn1R3/6PP/1B4K1 w - - 0 1",
    "5r2/Rpp4p/3k2p1/3N4/2P1P1b1/1PQ3P1/1P5r/4KB1q w - - 0 1",
    "2RR1K2/1B3PPq/5Q2/4P3/7n/Ppp1b3/p5pp/3rk2N b - - 0 1",
    "6k1/3r2p1/R4p2/1p2qP1Q/4P3/1P1P3P/1Pr2BP1/6K1 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/ppp2p2/2np2pp/4p3/4P2P/2NP1N2/PPP2PP1/R1BQK2R w KQkq - 0 8",
    "rnbqk2r/1p2ppbp/p4np1/2p1N3/8/2N4P/PPPPBPP1/R1BQK2R w KQkq - 2 8",
    "rnbq1rk1/pp1p1ppp/4pn2/8/2Pp4/P1B2N2/1P2PPPP/R2QKB1R w KQ - 0 8",
    "r1b3k1/ppq2pp1/n1pb1n1p/3p4/3P4/P2B1N1P/1PPQNPP1/R1B3K1 w - - 1 14",
    "r2qr1k1/ppp2pp1/3p3p/5b2/2Pnn3/2B1P1P1/PP3PBP/2RQ1RK1 w - - 0 14",
    "4rrk1/ppp2qb1/3pb2p/4p3/PPP2p1P/2BP1N2/5PP1/2RQR1K1 b - - 2 19",
    "r2qr1k1/1bp2pp1/pp3n1p/2bPp3/P1B1P3/4NNP1/1PQ2PP1/2R1R1K1 b - - 4 19",
    "2rr2k1/p2bqppp/2n5/1p2p3/4P3/P1QR1N1P/BP3PP1/5RK1 b - - 0 19",
    "3rr1k1/1b2qp2/ppp3p1/P1bPp3/4P1p1/3B2P1/1PR2PPN/1Q2R1K1 w - - 0 26",
    "5rk1/2q2p2/p1n2bp1/1p2p1NP/7Q/2PrB2P/PP3P2/2R2RK1 w - - 1 26",
    "6k1/1p1R1pp1/2p4p/1r6/r7/4P1P1/P4P1P/2R3K1 w - - 0 26",
    "6k1/p7/1p1r3p/1b2B3/2P2p1P/8/5PP1/R5K1 b - - 3 32",
    "8/5k2/p7/1p2pn2/4N3/2P4P/PP3PK1/8 w - - 0 40",
    "8/pB6/5k2/1p2N1p1/1P3nP1/5PK1/bP6/8 w - - 6 40",
    "8/8/rp3pkp/8/4PKP1/5P2/1R6/8 b - - 6 48",
};

int ladder_position_count(void) { return sizeof positions / sizeof *positions; }

const char *ladder_position(int index) { return positions[index]; }
