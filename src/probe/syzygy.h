// SPDX-License-Identifier: GPL-3.0-or-later
/* syzygy.h -- endgame tablebases through libfathom; a build without it answers "none". */
#ifndef SAMARA_PROBE_SYZYGY_H
#define SAMARA_PROBE_SYZYGY_H

#include "base/error.h"
#include "chess/movegen.h"

bool syzygy_available(void); /* built with the library */
/* Path list as in the option SyzygyPath ("" and "<empty>": none). The library is initialised once
 * per process; a second, different path is refused with a sentence. */
bool syzygy_open(const char *path, Error *err);
int syzygy_men(void); /* largest number of men in the tables found, 0 if none */

typedef enum Wdl {
    WDL_LOSS = -2,
    WDL_BLESSED_LOSS = -1,
    WDL_DRAW = 0,
    WDL_CURSED_WIN = 1,
    WDL_WIN = 2
} Wdl;

/* Thread-safe. False if the tables do not know (castling rights, too many men, rule50 != 0). */
bool syzygy_wdl(const Position *p, Wdl *out);
/* At the root, one thread at a time (locked inside): value and distance to the next zeroing move of
 * the position. */
bool syzygy_root(const Position *p, bool rule50, bool repeated, Wdl *wdl, int *dtz,
                 MoveList *keep); /* keep: moves that preserve the result */

#endif
