// SPDX-License-Identifier: GPL-3.0-or-later
/* config.h -- a match as it was asked for. Plain data. */
#ifndef SAMARA_MATCH_CONFIG_H
#define SAMARA_MATCH_CONFIG_H

#include "match/score.h"
#include "queue/queue.h"

typedef struct MatchConfig {
    EngineSpec *engines;
    int engine_count;
    OpeningConfig openings;
    Schedule schedule;
    Adjudication rules;
    const char *tablebase_path; /* NULL: none */
    Queue *queue;               /* workers play the games; NULL: they are played here */
    int concurrency;            /* games at a time, here or in the queue */
    bool pin;                   /* worker i and its engines stay on core i */
    bool has_sprt;              /* only with two engines */
    Sprt sprt;
    const char *event;
    const char *pgn_path, *journal_path; /* may be NULL; a journal that exists is gone on from */
} MatchConfig;

#endif
