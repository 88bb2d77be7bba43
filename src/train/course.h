// SPDX-License-Identifier: GPL-3.0-or-later
/* course.h -- a whole training: epochs, schedules, validation, checkpoints.
 *
 * Deterministic by seed, settings, data and number of threads; going on from a checkpoint gives the
 * same network, byte for byte, as never having stopped. */
#ifndef SAMARA_TRAIN_COURSE_H
#define SAMARA_TRAIN_COURSE_H

#include "train/curve.h"
#include "train/learn.h"

enum { COURSE_MAX_EPOCHS = 1000 };

typedef struct CourseSettings {
    int hidden, buckets;
    int epochs, batch;         /* batch: samples per step, whole runs */
    int warmup;                /* steps in which the learning rate rises */
    double rate, rate_end;     /* cosine between them */
    double result, result_end; /* share of the result in the target, straight line between them */
    uint64_t seed;
    LearnOptions learn;
} CourseSettings;

extern const CourseSettings course_defaults;

typedef struct Course {
    CourseSettings settings;
    const Dataset *data;
    Model model;
    Team *team;
    Learner *learner;
    uint32_t *order; /* of the runs of training data; room for validation too */
    int epochs_done;
    CurvePoint curve[COURSE_MAX_EPOCHS];
} Course;

/* The data are borrowed. */
bool course_begin(Course *course, const CourseSettings *settings, const Dataset *data, int threads,
                  Error *err);
void course_end(Course *course);

/* Called during an epoch with the share that is done; false stops at once (the epoch does not
 * count). */
typedef bool (*CourseTick)(void *user, size_t steps_done, size_t steps);
bool course_epoch(Course *course, CourseTick tick, void *user); /* false: stopped */

bool course_save(const Course *course, const char *path, Error *err); /* never leaves half a file */
/* Into a course just begun with the same settings, shape and data. */
bool course_resume(Course *course, const char *path, Error *err);
/* Takes only the weights: a new course that starts where another ended. */
bool course_start_from(Course *course, const char *path, Error *err);

/* Writes a file whole or not at all. */
bool write_whole_file(const char *path, const void *bytes, size_t size, Error *err);

#endif
