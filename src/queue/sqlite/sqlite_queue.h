// SPDX-License-Identifier: GPL-3.0-or-later
/* sqlite_queue.h -- the queue inside one machine: in a file that several processes share, or in the
 * memory of one. The rules are those of the Lua scripts; the clock is that of the machine. */
#ifndef SAMARA_QUEUE_SQLITE_SQLITE_QUEUE_H
#define SAMARA_QUEUE_SQLITE_SQLITE_QUEUE_H

#include "queue/queue.h"

Queue *sqlite_queue_open(const char *path, const QueueRules *rules,
                         Error *err); /* ":memory:" too */

#endif
