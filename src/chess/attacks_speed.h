// SPDX-License-Identifier: GPL-3.0-or-later
/* attacks_speed.h -- what the look-up of slider attacks gains over walking along the rays. */
#ifndef SAMARA_CHESS_ATTACKS_SPEED_H
#define SAMARA_CHESS_ATTACKS_SPEED_H

#include <stdint.h>

typedef struct AttacksSpeed {
    double lookup_ns, rays_ns;     /* CPU time of a queen's attacks */
    uint64_t lookup_sum, rays_sum; /* of all answers: equal, or one of the two is wrong */
} AttacksSpeed;

/* Queens on every square of `boards` random boards, by both ways. */
AttacksSpeed attacks_speed(int boards);

#endif
