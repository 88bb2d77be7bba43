// SPDX-License-Identifier: GPL-3.0-or-later
/* match_work.h -- a worker that plays games of matches with engines of its own machine. Jobs name
 * them; which program a name stands for is said here and nowhere else. */
#ifndef SAMARA_MATCH_MATCH_WORK_H
#define SAMARA_MATCH_MATCH_WORK_H

#include "queue/worker.h"

typedef struct MatchEngines MatchEngines;

MatchEngines *match_engines_create(void); /* NULL: no memory */
void match_engines_free(MatchEngines *engines);
/* "name=new cmd=./samara option.EvalFile=new.nnue", the words of samara-match -engine; words with
 * blanks are quoted. */
bool match_engines_add(MatchEngines *engines, Str words, Error *err);
int match_engines_count(const MatchEngines *engines);
/* Starts each engine once to learn what it is. Call it while there is only one thread. `say` hears
 * of each in a line. */
bool match_engines_open(MatchEngines *engines, void (*say)(const char *text), Error *err);
WorkKind match_work(MatchEngines *engines);

#endif
