// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/attacks_speed.h"

#include "base/clock.h"
#include "base/rng.h"
#include "chess/attacks.h"

/* Boards as they occur: a bit is set with chance one in four. */
static Bitboard random_board(Rng *rng)
{
    const Bitboard half = rng_next(rng);
    return half & rng_next(rng);
}

static uint64_t sum_lookups(int boards)
{
    Rng rng;
    uint64_t sum = 0;
    rng_seed(&rng, 1);
    for (int i = 0; i < boards; i++) {
        const Bitboard occupied = random_board(&rng);
        for (Square s = A1; s <= H8; s++)
            sum = sum * 31 + queen_attacks(s, occupied);
    }
    return sum;
}

static uint64_t sum_rays(int boards)
{
    Rng rng;
    uint64_t sum = 0;
    rng_seed(&rng, 1);
    for (int i = 0; i < boards; i++) {
        const Bitboard occupied = random_board(&rng);
        for (Square s = A1; s <= H8; s++)
            sum = sum * 31 + queen_attacks_by_rays(s, occupied);
    }
    return sum;
}

static double timed(uint64_t (*count)(int boards), int boards, uint64_t *sum)
{
    const int64_t start = clock_cpu_us();
    *sum = count(boards);
    return 1000.0 * (double)(clock_cpu_us() - start) / (64.0 * boards);
}

AttacksSpeed attacks_speed(int boards)
{
    AttacksSpeed speed;
    timed(sum_lookups, boards, &speed.lookup_sum); /* the table comes into the cache */
    speed.lookup_ns = timed(sum_lookups, boards, &speed.lookup_sum);
    speed.rays_ns = timed(sum_rays, boards, &speed.rays_sum);
    return speed;
}
