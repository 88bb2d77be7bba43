// SPDX-License-Identifier: GPL-3.0-or-later
/* queue.h -- work for many machines: one interface, several back ends.
 *
 *   front door  --enqueue-->  back end  --acquire-->  worker
 *               <---watch---            <---tell, finish, give back---
 *
 * A job is named by its content (kind, engine that must do it, payload), so equal work is done once
 * and every call may be repeated. A worker holds a job by a lease that it renews; what a vanished
 * worker held is handed out again, and after some attempts it becomes a dead letter. The first
 * result counts; later ones change nothing.
 *
 * A handle is used by one thread at a time; queue_clone() makes another one. Every function returns
 * within about two seconds (and the time that it was told to wait); false means that nothing is
 * known about the outcome, with the code AWAY where the back end cannot be reached. */
#ifndef SAMARA_QUEUE_QUEUE_H
#define SAMARA_QUEUE_QUEUE_H

#include "base/error.h"
#include "base/text.h"

enum {
    JOB_ID_SIZE = 41,      /* 40 hexadecimal digits */
    JOB_KIND_SIZE = 16,    /* "analyse" */
    QUEUE_NAME_SIZE = 96,  /* of workers, engines, front doors, owners */
    QUEUE_LANE_SIZE = 256, /* "kind|engine that is needed" */
    QUEUE_MAX_LANES = 48,
    QUEUE_BATCH = 96, /* most jobs of one touch, leave or renew */
};
#define QUEUE_AWAY "AWAY"     /* Error.code: the back end cannot be reached now */
#define QUEUE_ENGINE "ENGINE" /* Error.code: another engine was asked for */

typedef enum JobClass {
    JOB_NOW,  /* somebody waits for it */
    JOB_SOON, /* reports, batches */
    JOB_BULK, /* self-play, matches */
    JOB_CLASSES
} JobClass;

/* What is to be done. The texts belong to the caller. */
typedef struct Job {
    char id[JOB_ID_SIZE];     /* job_name() */
    char kind[JOB_KIND_SIZE]; /* what sort of work: decides who understands the payload */
    const char *needs;        /* engine that must do it, version and network; "": any. One line */
    const char *owner;        /* for whom: owners of one class share it fairly */
    JobClass priority;        /* a lower class waits while a higher one has work */
    int64_t cost_ms;          /* about how long it takes: the measure of fairness */
    bool live;                /* ends when no front door wants it any more */
    Str payload;
} Job;

void job_name(Job *job); /* fills in the id */

typedef enum JobState {
    JOB_GONE, /* not there: never enqueued, forgotten, or lost */
    JOB_READY,
    JOB_LEASED,
    JOB_DONE,      /* the text is its result */
    JOB_DEAD,      /* the text says why */
    JOB_FULL,      /* refused: too many wait, */
    JOB_OWNER_FULL /* or too many of this owner */
} JobState;

const char *job_state_name(JobState state);
bool job_state_named(Str name, JobState *out);

/* What became of a job. text: result, reason or newest partial result; freed by the caller. */
typedef struct JobNews {
    JobState state;
    Buffer text;
} JobNews;

/* A job in the hands of a worker. */
typedef struct Lease {
    char id[JOB_ID_SIZE]; /* "": none */
    char kind[JOB_KIND_SIZE];
    int64_t epoch; /* which handing-out this is */
    int tries;     /* that failed before */
    bool live;
    Buffer payload;
} Lease;

/* Rules that all parts of one installation should share. */
typedef struct QueueRules {
    int64_t most_waiting, most_per_owner;
    int attempts;           /* then a job is a dead letter */
    int lease_ms;           /* a worker that says nothing for so long has vanished */
    int interest_ms;        /* a front door, likewise */
    int keep_s;             /* finished jobs are kept for so long, */
    int64_t kept_bytes;     /* up to this size */
    int remember_s;         /* and results of positions for so long, */
    int64_t most_positions; /* up to this number */
} QueueRules;

extern const QueueRules queue_rules;

/* Who takes work, and which: a lane is a kind of job and the engine that it needs. */
typedef struct Taker {
    char name[QUEUE_NAME_SIZE]; /* of one thread: it has one job at a time */
    char lanes[QUEUE_MAX_LANES][QUEUE_LANE_SIZE];
    int lane_count;
} Taker;

/* Adds a lane. False: the words are too long, or there are too many. */
bool taker_add(Taker *taker, const char *kind, const char *needs);
void taker_lines(const Taker *taker,
                 Buffer *out); /* a line for each lane, and one end before all */

/* One finished job. */
typedef struct Outcome {
    Str result;
    int64_t positions, nodes; /* for the counters */
} Outcome;

typedef enum QueueEvent { EVENT_PART, EVENT_DONE, EVENT_DEAD } QueueEvent;
typedef void (*QueueListener)(void *user, const char *id, QueueEvent event, Str text);
typedef void (*QueuePut)(void *user, const char *name, const char *value);

/* One line of queue_list(). */
typedef struct JobLine {
    const char *id, *kind, *state, *owner, *priority, *tries, *age_ms, *worker, *reason;
} JobLine;
typedef void (*QueuePutJob)(void *user, const JobLine *line);

typedef struct Queue Queue;

/* What a back end does; see the functions below. */
typedef struct QueueOps {
    Queue *(*clone)(Queue *q, Error *err);
    void (*close)(Queue *q);
    bool (*enqueue)(Queue *q, const char *front, const Job *jobs, size_t count, JobNews *news,
                    Error *err);
    bool (*touch)(Queue *q, const char *front, const char *const *ids, size_t count, char born[33],
                  JobNews *news, Error *err);
    bool (*leave)(Queue *q, const char *front, const char *const *ids, size_t count, Error *err);
    bool (*watch)(Queue *q, const char *front, int wait_ms, QueueListener listener, void *user,
                  Error *err);
    bool (*acquire)(Queue *q, const Taker *taker, int wait_ms, Lease *lease, Error *err);
    bool (*renew)(Queue *q, const Lease *const *leases, size_t count, bool *held, Error *err);
    bool (*tell)(Queue *q, const Lease *lease, Str text, Error *err);
    bool (*finish)(Queue *q, const Taker *taker, const Lease *lease, const Outcome *outcome,
                   bool *counts, Error *err);
    bool (*give_back)(Queue *q, const Lease *lease, bool failed, const char *reason, Error *err);
    bool (*hello)(Queue *q, const char *worker, const char *what, Error *err);
    bool (*status)(Queue *q, QueuePut put, void *user, Error *err);
    bool (*list)(Queue *q, JobState state, int most, QueuePutJob put, void *user, Error *err);
    bool (*retry)(Queue *q, const char *id, int64_t *count, Error *err);
    bool (*drop)(Queue *q, const char *id, int64_t *count, Error *err);
    bool (*remember)(Queue *q, const char *position, int lines, int depth, Str text, Error *err);
    bool (*recall)(Queue *q, const char *position, int lines, Buffer *text, Error *err);
} QueueOps;

struct Queue {
    const QueueOps *ops;
    QueueRules rules;
};

/* --- for everybody --- */
Queue *queue_clone(Queue *q, Error *err); /* another handle; it may be away, and comes by itself */
void queue_close(Queue *q);               /* NULL is fine */

/* --- front doors --- */
/* `front` names the front door that wants to hear of the jobs; "": nobody does. The states are in
 * news[0 .. count), which begin empty; jobs that were there already are joined. */
bool queue_enqueue(Queue *q, const char *front, const Job *jobs, size_t count, JobNews *news,
                   Error *err);
/* Says that the front door still wants these jobs (QUEUE_BATCH at most), and asks what became of
 * them. born: names the back end's memory; another name means that it was wiped. */
bool queue_touch(Queue *q, const char *front, const char *const *ids, size_t count, char born[33],
                 JobNews *news, Error *err);
bool queue_leave(Queue *q, const char *front, const char *const *ids, size_t count, Error *err);
/* Waits for events and hands them to the listener. An event may be missed while the back end is
 * away: queue_touch() tells of it later. */
bool queue_watch(Queue *q, const char *front, int wait_ms, QueueListener listener, void *user,
                 Error *err);
/* Results of positions, by a name of up to 64 hexadecimal digits: the deeper one stays. */
bool queue_remember(Queue *q, const char *position, int lines, int depth, Str text, Error *err);
bool queue_recall(Queue *q, const char *position, int lines, Buffer *text, Error *err);

/* --- workers --- */
/* lease->id is "" if there was nothing for so long. */
bool queue_acquire(Queue *q, const Taker *taker, int wait_ms, Lease *lease, Error *err);
/* QUEUE_BATCH at most. held[i] false: stop, the job is another's, finished, or unwanted. */
bool queue_renew(Queue *q, const Lease *const *leases, size_t count, bool *held, Error *err);
bool queue_tell(Queue *q, const Lease *lease, Str text, Error *err); /* a partial result */
bool queue_finish(Queue *q, const Taker *taker, const Lease *lease, const Outcome *outcome,
                  bool *counts, Error *err);
bool queue_give_back(Queue *q, const Lease *lease, bool failed, const char *reason, Error *err);
bool queue_hello(Queue *q, const char *worker, const char *what, Error *err);

/* --- operators --- */
/* Names and values: "waiting 0", "age_ms 0", "leased", "dead_letters", "total done", "worker", ... */
bool queue_status(Queue *q, QueuePut put, void *user, Error *err);
bool queue_list(Queue *q, JobState state, int most, QueuePutJob put, void *user, Error *err);
/* Of dead letters; id "": all. drop also takes jobs that wait or run. */
bool queue_retry(Queue *q, const char *id, int64_t *count, Error *err);
bool queue_drop(Queue *q, const char *id, int64_t *count, Error *err);

#endif
