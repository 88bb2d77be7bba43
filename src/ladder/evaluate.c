// SPDX-License-Identifier: GPL-3.0-or-later
#include "ladder/evaluate.h"

#include "classical/classical.h"

#include <stddef.h>

enum { LIMIT = 8999 }; /* mates begin at 9000 */

typedef struct EvaluationSpec {
    const char *name;
    int values[6]; /* pawn to king */
    int tempo;     /* for the side to move */
    bool points;
} EvaluationSpec;

static const EvaluationSpec specs[EVALUATION_COUNT] = {
    [EVAL_MATERIAL] = {"material", {100, 320, 330, 500, 900, 0}, 10, false},
    [EVAL_FIRST] = {"first", {10, 30, 32, 50, 90, 0}, 0, false},
    [EVAL_SECOND] = {"second", {100, 300, 320, 500, 900, 0}, 10, false},
    [EVAL_POINTS] = {"points", {1, 3, 3, 5, 8, 0}, 0, true},
    [EVAL_CLASSICAL] = {"classical", {0}, 0, false},
};

const char *evaluation_name(Evaluation e) { return specs[e].name; }

bool evaluation_named(Str name, Evaluation *out)
{
    for (int e = 0; e < EVALUATION_COUNT; e++)
        if (str_is(name, specs[e].name)) {
            *out = (Evaluation)e;
            return true;
        }
    return false;
}

static int material(const Position *p, Color c, const int values[6])
{
    int sum = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        sum += values[t] * bb_count(pos_pieces(p, c, t));
    return sum;
}

/* The fourth report's points beyond material. */
static int points(const Position *p, Color c)
{
    const Bitboard men = pos_color(p, c),
                   centre = (bb_file(3) | bb_file(4)) & (bb_rank(3) | bb_rank(4)),
                   enemy_half = c == WHITE ? ~0ULL << 32 : ~0ULL >> 32;
    const Bitboard checkers = pos_attackers(p, pos_king(p, color_flip(c)), pos_occupied(p)) & men;
    return 2 * bb_count(checkers) + bb_count(men & centre) + bb_count(men & enemy_half);
}

static int one_side(const EvaluationSpec *spec, bool squares, const Position *p, Color c)
{
    return material(p, c, spec->values) + (spec->points ? points(p, c) : 0) +
           (squares ? piece_squares(p, c) : 0);
}

int leaf_value(Evaluation e, bool squares, const Position *p)
{
    const EvaluationSpec *spec = &specs[e];
    const Color us = p->turn;
    const int value = e == EVAL_CLASSICAL
                          ? classical_evaluate(p, NULL)
                          : one_side(spec, squares, p, us) -
                                one_side(spec, squares, p, color_flip(us)) + spec->tempo;
    return value > LIMIT ? LIMIT : value < -LIMIT ? -LIMIT : value;
}
