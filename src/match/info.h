// SPDX-License-Identifier: GPL-3.0-or-later
/* info.h -- what an engine tells about its search, read from one line of UCI or XBoard. */
#ifndef SAMARA_MATCH_INFO_H
#define SAMARA_MATCH_INFO_H

#include "base/text.h"
#include <stdint.h>

typedef struct Info {
    bool has_score, is_mate,
        is_bound;  /* bound: a search window was missed, the truth lies beyond */
    int64_t score; /* centipawns, or moves to mate; the mover's view */
    int64_t depth, seldepth, time_ms, nodes, nps, hashfull, multipv; /* 0 if absent */
    bool has_time, has_nodes, has_depth, has_nps;
    Str pv;    /* the moves; points into the line; empty if absent */
    Str text;  /* of `info string` */
    Str wrong; /* the first token that is not what its place demands; empty if all is well */
} Info;

Info info_from_uci(
    Str line); /* of a line that begins with "info"; the rest of it is read tolerantly */
Info info_from_xboard(Str line); /* "ply score time nodes pv"; depth 0 if it is something else */

/* Engines count moves, comments in PGN plies: 3 means that the mover mates with its third move, in
 * 5 plies; -2 that it is mated after 4. Never negative. */
int64_t mate_plies(int64_t moves);

#endif
