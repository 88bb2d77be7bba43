// SPDX-License-Identifier: GPL-3.0-or-later
/* loop.h -- play, train, judge, and again: the newest network makes the games that teach the next.
 *
 * Everything is in one folder, and what is there says where to go on:
 *   g001.games     games of generation 1, played by the player of that time
 *   g001.nnue      its network, with .checkpoint, .csv and .svg of its training
 *   quality.tsv    held-out positions with deep scores, made once
 *   loop.csv       a row for each finished generation; the last accepted one is the player
 *   loop.svg       quality and Elo by generation, as a picture
 *   status         one line: what it is doing
 *   pause          while this file exists nothing is computed */
#ifndef SAMARA_TRAIN_LOOP_H
#define SAMARA_TRAIN_LOOP_H

#include "base/error.h"
#include "base/text.h"
#include "base/thread.h"

typedef struct LoopSettings {
    const char *dir;
    const char *start;  /* first player; NULL: the network of the build, "" classical */
    char *const *files; /* older games, learned from in every generation beside the loop's own */
    int file_count;
    uint64_t positions; /* searched positions that a generation plays */
    uint64_t window;    /* newest positions that it learns from, older files are left out */
    uint32_t nodes, hard_nodes;
    int hidden, epochs, first_epochs; /* first_epochs: where there is no network to begin with */
    double rate, first_rate, rate_end;
    int batch; /* positions per step of the training */
    int gate_pairs;
    uint32_t gate_nodes;
    size_t quality_positions;
    uint32_t quality_nodes;
    int generations; /* 0: until it is stopped */
    double hours;    /* 0: no such end */
    int threads;
    uint64_t seed;
} LoopSettings;

extern const LoopSettings loop_defaults;

/* One finished generation. */
typedef struct LoopRow {
    int generation;
    uint64_t positions, learned; /* played by it; learned from */
    double train_loss, valid_loss;
    double quality, bias; /* of its network, against quality.tsv */
    int wins, losses, draws;
    double elo, error; /* against the player before */
    bool accepted;
    double hours; /* of work on it */
} LoopRow;

/* Runs until an end of the settings or *stop. */
bool loop_run(const LoopSettings *settings, const AtomicFlag *stop, Error *err);

/* The rows of a folder's loop.csv; the caller frees them. A missing file has none. */
bool loop_read(const char *dir, LoopRow **rows, int *count, Error *err);
void loop_csv(const LoopRow *rows, int count, Buffer *out);
void loop_svg(const LoopRow *rows, int count, Buffer *out);

bool loop_set_pause(const char *dir, bool pause, Error *err);
bool loop_is_paused(const char *dir);
/* The line of the status file; "" if there is none. The caller frees the buffer. */
void loop_status(const char *dir, Buffer *out);

#endif
