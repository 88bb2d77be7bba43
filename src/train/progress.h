// SPDX-License-Identifier: GPL-3.0-or-later
/* progress.h -- one line on the terminal that says how far a long job is. */
#ifndef SAMARA_TRAIN_PROGRESS_H
#define SAMARA_TRAIN_PROGRESS_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Progress {
    int64_t began_us, shown_us;
    bool terminal;
} Progress;

void progress_begin(Progress *p);
double progress_seconds(const Progress *p);
bool progress_due(Progress *p); /* twice a second on a terminal, twice a minute in a file */
void progress_show(const Progress *p, const char *format, ...) PRINTF_LIKE(2, 3);
void progress_end(const Progress *p); /* leaves the last line standing */

#endif
