// SPDX-License-Identifier: GPL-3.0-or-later
/* match_job.h -- one game of a match as a job of the queue.
 *
 *   payload   match 1 SEED GAME RUN          RUN is 0 where limits are nodes or depth: equal games
 *             start 0|1 FEN                  1: Chess960
 *             book MOVE ...
 *             rules and seven numbers        draws, resignation, length
 *             then for White and for Black
 *             player NAME                    the worker knows what to start for it
 *             limits and eight numbers, manner RESTART PONDER, option NAME=VALUE ...
 *   result    result RESULT TERMINATION FAULT THINKING DURATION
 *             faults and two for each kind; reason, first and first with a text each
 *             ply MOVE USED HAS_SCORE IS_MATE SCORE DEPTH NODES, one for each move of an engine
 *             sum CRC                        CRC-32C of the payload and of all lines before
 *
 * Nothing of a payload becomes a command, a path or a word of a shell: engines are looked up by name
 * among those that the worker was given, and options are numbers or announced choices. */
#ifndef SAMARA_MATCH_MATCH_JOB_H
#define SAMARA_MATCH_MATCH_JOB_H

#include "match/play.h"

#define MATCH_JOB_KIND "match"

enum { MATCH_JOB_BOOK = 400 };

typedef struct MatchJob {
    uint64_t seed, game, run;
    Position start;
    Move book[MATCH_JOB_BOOK];
    int book_count;
    Adjudication rules;      /* without tables */
    const EngineSpec *white; /* name, limits, manner and options are written */
    const EngineSpec *black;
    EngineSpec read[2]; /* what match_job_read() found; white and black point here */
} MatchJob;

void match_job_write(const MatchJob *job, Buffer *payload);
bool match_job_read(Str payload, MatchJob *out, Error *err); /* match_job_free in any case */
void match_job_free(MatchJob *job);
Opening match_job_opening(const MatchJob *job);

void match_result_write(Str payload, const GameRecord *record, Buffer *out);
/* Plays the moves again: each must be legal, and an end by the rules must be one. */
bool match_result_read(Str payload, const MatchJob *job, Str result, GameRecord *out, Error *err);

#endif
