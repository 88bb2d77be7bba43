// SPDX-License-Identifier: GPL-3.0-or-later
/* support.h -- for the tests of the ladder: programs made of any techniques, run on a FEN. */
#ifndef SAMARA_TESTS_UNIT_LADDER_SUPPORT_H
#define SAMARA_TESTS_UNIT_LADDER_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "classical/classical.h"
#include "ladder/ladder.h"

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define KIWIPETE "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
#define PLAIN (TECHNIQUE(ALPHA_BETA) | TECHNIQUE(NEGAMAX))

enum { SMALL_TABLE = 16 };

static inline Position position_of(const char *fen)
{
    Position p;
    assert_true(fen_parse(&p, str_from(fen), FEN_STANDARD, NULL, NULL));
    return p;
}

static inline Program program_with(TechniqueSet techniques, Evaluation evaluation)
{
    return (Program){"test", techniques, &values_ladder, evaluation};
}

static inline RunResult run_fen(Runner *r, TechniqueSet techniques, Evaluation evaluation,
                                const char *fen, int depth)
{
    const Position p = position_of(fen);
    const Program program = program_with(techniques, evaluation);
    return program_run(r, &program, &p, &(RunLimits){depth, 0});
}

/* Nodes over all positions of the ladder. */
static inline uint64_t suite_nodes(Runner *r, TechniqueSet techniques, Evaluation evaluation,
                                   int depth)
{
    uint64_t nodes = 0;
    for (int i = 0; i < ladder_position_count(); i++)
        nodes += run_fen(r, techniques, evaluation, ladder_position(i), depth).nodes;
    return nodes;
}

static inline void assert_best(Move best, const char *uci)
{
    char word[UCI_MOVE_SIZE];
    move_to_uci(best, false, word);
    assert_string_equal(word, uci);
}

/* A position after some random moves: quiet ones, wild ones, endings, mates. */
static inline void random_position(Rng *rng, Position *p)
{
    MoveList moves;
    pos_start(p);
    for (int plies = (int)rng_below(rng, 120); plies > 0; plies--) {
        gen_legal(p, &moves);
        if (moves.count == 0)
            break;
        Undo undo;
        pos_make(p, moves.moves[rng_below(rng, (uint64_t)moves.count)], &undo, NULL);
    }
}

static inline int open_runner(void **state)
{
    classical_init();
    *state = runner_create(SMALL_TABLE, NULL);
    return *state ? 0 : -1;
}

static inline int close_runner(void **state)
{
    runner_destroy(*state);
    return 0;
}

#endif
