// SPDX-License-Identifier: GPL-3.0-or-later
#include "ladder/yardstick.h"

#include "classical/classical.h"

#include <stddef.h>

typedef struct YardstickSpec {
    const char *name;
    int values[6]; /* pawn to king */
    int tempo;
    bool points;
} YardstickSpec;

static const YardstickSpec yardsticks[YARDSTICK_COUNT] = {
    [YARDSTICK_CLASSICAL] = {"classical", {0}, 0, false},
    [YARDSTICK_FIRST] = {"first", {10, 30, 32, 50, 90, 0}, 0, false},
    [YARDSTICK_SECOND] = {"second", {100, 300, 320, 500, 900, 0}, 10, false},
    [YARDSTICK_THIRD] = {"third", {100, 320, 330, 500, 900, 0}, 10, false},
    [YARDSTICK_POINTS] = {"points", {1, 3, 3, 5, 8, 0}, 0, true},
};

const char *yardstick_name(Yardstick yardstick) { return yardsticks[yardstick].name; }

bool yardstick_named(Str name, Yardstick *out)
{
    for (int j = 0; j < YARDSTICK_COUNT; j++)
        if (str_is(name, yardsticks[j].name)) {
            *out = (Yardstick)j;
            return true;
        }
    return false;
}

static int material(const Position *p, Color c, const int values[6])
{
    int sum = 0;
    for (PieceType t = PAWN; t <= KING; t++)
        sum += values[t] * bb_count(pos_pieces(p, c, t));
    return sum;
}

static int points_beyond_material(const Position *p, Color c)
{
    const Bitboard men = pos_color(p, c),
                   centre = (bb_file(3) | bb_file(4)) & (bb_rank(3) | bb_rank(4)),
                   enemy_half = c == WHITE ? ~0ULL << 32 : ~0ULL >> 32;
    const Bitboard checkers = pos_attackers(p, pos_king(p, color_flip(c)), pos_occupied(p)) & men;
    return 2 * bb_count(checkers) + bb_count(men & centre) + bb_count(men & enemy_half);
}

int yardstick_value(Yardstick yardstick, const Position *p)
{
    const YardstickSpec *spec = &yardsticks[yardstick];
    const Color us = p->turn, them = color_flip(us);
    if (yardstick == YARDSTICK_CLASSICAL)
        return classical_evaluate(p, NULL);
    int value = material(p, us, spec->values) - material(p, them, spec->values) + spec->tempo;
    if (spec->points)
        value += points_beyond_material(p, us) - points_beyond_material(p, them);
    return value;
}
