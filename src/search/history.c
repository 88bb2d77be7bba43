// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/history.h"

#include "base/memory.h"
#include <string.h>

History *history_create(void) { return memory_map(sizeof(History)); }

void history_destroy(History *h)
{
    if (h)
        memory_unmap(h, sizeof *h);
}

void history_clear(History *h) { memset(h, 0, sizeof *h); }

void history_fetch(History *h) { memory_fetch(h, sizeof *h); }

void history_new_search(History *h)
{
    for (int ply = 0; ply < LOW_PLIES; ply++)
        for (int i = 0; i < 64 * 64; i++)
            h->low_ply[ply][i] = low_ply_fill;
}

Correction *correction_create(void)
{
    Correction *c = memory_map(sizeof *c);
    if (c)
        memory_fetch(c, sizeof *c);
    return c;
}

void correction_destroy(Correction *c)
{
    if (c)
        memory_unmap(c, sizeof *c);
}

void correction_clear(Correction *c) { memset(c, 0, sizeof *c); }

ALWAYS_INLINE int row_of(Key key, Color turn)
{
    return (int)(key_relative(key, turn) % CORRECTION_ROWS);
}

/* How far the static evaluation was off in positions like this one: same pawns, same minor pieces,
 * same men of a side, same two last moves. */
int correction_value(const Correction *c, const Position *p, int before, int last)
{
    const Color us = p->turn;
    const PosState *st = &p->st;
    const int own = row_of(st->nonpawn_key[us], us), enemy = row_of(st->nonpawn_key[!us], us);

    int sum = correction_pawn * relaxed_load(&c->pawn[us][row_of(st->pawn_key, us)]) +
              correction_minor * relaxed_load(&c->minor[us][row_of(st->minor_key, us)]) +
              correction_nonpawn * relaxed_load(&c->nonpawn[us][0][own]) +
              correction_nonpawn * relaxed_load(&c->nonpawn[us][1][enemy]);
    if (before >= 0 && last >= 0)
        sum += correction_follow * relaxed_load(&c->follow[before][last]);
    return sum / 512;
}

/* Two threads may lose an update to each other; the next one repairs it. */
ALWAYS_INLINE void learn(AtomicI16 *cell, int bonus)
{
    int16_t h = relaxed_load(cell);
    gravity_add(&h, bonus, CORRECTION_LIMIT);
    relaxed_store(cell, h);
}

/* The difference between search and static evaluation, weighted by depth, goes into every table
 * that will be asked. */
void correction_learn(Correction *c, const Position *p, int before, int last, int error, int depth)
{
    const Color us = p->turn;
    const PosState *st = &p->st;
    const int bonus = clamp_int(error * depth / correction_depth_div, -CORRECTION_LIMIT / 4,
                                CORRECTION_LIMIT / 4);

    learn(&c->pawn[us][row_of(st->pawn_key, us)], bonus);
    learn(&c->minor[us][row_of(st->minor_key, us)], bonus);
    learn(&c->nonpawn[us][0][row_of(st->nonpawn_key[us], us)], bonus);
    learn(&c->nonpawn[us][1][row_of(st->nonpawn_key[!us], us)], bonus);
    if (before >= 0 && last >= 0)
        learn(&c->follow[before][last], bonus);
}
