// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/datagen.h"

#include "base/file.h"
#include "nnue/net.h"
#include "queue/ordered.h"
#include "train/parallel_map.h"
#include "train/progress.h"
#include "train/selfplay_job.h"

#include <stdio.h>
#include <stdlib.h>

void crew_free(Crew *crew)
{
    for (int i = 0; i < crew->threads; i++)
        player_free(crew->players[i]);
    crew->threads = 0;
}

/* One engine per thread; all or none. */
bool crew_create(Crew *crew, int threads, const char *net, int hash_mb, Error *err)
{
    *crew = (Crew){0};
    for (; crew->threads < threads; crew->threads++) {
        crew->players[crew->threads] = player_create(net, hash_mb, err);
        if (!crew->players[crew->threads]) {
            crew_free(crew);
            return false;
        }
    }
    return true;
}

/* Who played the games, for the header: version and network. */
bool describe_player(char out[RECORD_MAKER_SIZE], const char *net_path, Error *err)
{
    const bool from_file = net_path && *net_path;
    Net *loaded = from_file ? net_load(net_path, err) : NULL;
    if (from_file && !loaded)
        return false;
    const Net *net = net_path ? loaded : net_embedded();
    snprintf(out, RECORD_MAKER_SIZE, "Samara %s, %s, plain", samara_version(),
             net ? net_name(net) : "classical");
    net_free(loaded);
    return true;
}

typedef struct Run {
    const DatagenJob *job;
    Crew crew;
    RecordWriter *writer;
    Progress progress;
    uint64_t first, first_positions; /* what the file held before */
    uint64_t games, positions, half_points[3];
} Run;

static bool run_begin(void *user, uint64_t number, GameRecord *game)
{
    Run *run = user;
    const DatagenJob *job = run->job;
    (void)game;
    if (job->wait)
        job->wait(job->user);
    return number < job->games &&
           (!job->positions || run->first_positions + run->positions < job->positions);
}

static bool run_work(void *user, int thread, uint64_t number, GameRecord *game, Error *err)
{
    const Run *run = user;
    return selfplay_game(run->crew.players[thread], &run->job->rules, number, game, err);
}

/* The end is by games or by positions, whichever is nearer. */
static double minutes_left(const Run *run, double seconds)
{
    const double games = (double)(run->job->games - run->first - run->games) / (double)run->games;
    double share = games;
    if (run->job->positions) {
        const uint64_t have = run->first_positions + run->positions;
        const double missing =
            have < run->job->positions ? (double)(run->job->positions - have) : 0;
        const double positions = missing / (double)run->positions;
        share = positions < games ? positions : games;
    }
    return seconds * share / 60;
}

/* One line of progress with speed, results and the time that is left. */
static void run_show(const Run *run)
{
    const double seconds = progress_seconds(&run->progress), games = (double)run->games;
    progress_show(&run->progress,
                  "%llu games  %.2f M positions  %.0f positions/s  %.0f plies/game  +%.0f%% "
                  "=%.0f%% -%.0f%%  %.0f min left",
                  (unsigned long long)(run->first + run->games),
                  (double)(run->first_positions + run->positions) / 1e6,
                  (double)run->positions / seconds, (double)run->positions / games,
                  100 * (double)run->half_points[2] / games,
                  100 * (double)run->half_points[1] / games,
                  100 * (double)run->half_points[0] / games, minutes_left(run, seconds));
}

/* Called in order of the games, so that the file does not depend on the number of threads. */
static bool run_put(void *user, uint64_t number, const GameRecord *game, Error *err)
{
    Run *run = user;
    (void)number;
    if (!record_put(run->writer, game, err))
        return false;
    run->games++;
    run->positions += (uint64_t)(game->count - game->opening);
    run->half_points[game->result]++;
    if (progress_due(&run->progress))
        run_show(run);
    return true;
}

/* Searched positions in a file that an earlier run left; 0 if there is none. */
static bool count_positions(const char *path, uint64_t *positions, Error *err)
{
    *positions = 0;
    if (!file_exists(path))
        return true;
    RecordReader *reader = record_open(path, err);
    GameRecord *game = malloc(sizeof *game);
    const bool ok = reader && (game || error_set(err, "there is not enough memory for a game"));
    while (ok && record_next(reader, game))
        *positions += (uint64_t)(game->count - game->opening);
    free(game);
    record_close(reader);
    return ok;
}

/* --- by workers of a queue --- */

enum { JOB_GAMES = 16 }; /* a few seconds of work: a worker that vanishes costs no more */

typedef struct RemoteRun {
    Run *run;
    uint64_t from; /* games before it are in the file already */
    char engine[QUEUE_NAME_SIZE];
} RemoteRun;

/* Job k has the games from k x JOB_GAMES on, whoever asks: a run that is continued finds its jobs. */
static bool job_of(const RemoteRun *remote, uint64_t number, SelfplayJob *out)
{
    const DatagenJob *job = remote->run->job;
    const uint64_t first = number * JOB_GAMES;
    if (first >= job->games)
        return false;
    const uint64_t left = job->games - first;
    *out = (SelfplayJob){.first = first,
                         .count = left < JOB_GAMES ? (int)left : JOB_GAMES,
                         .hash_mb = job->hash_mb,
                         .rules = job->rules};
    return true;
}

/* The text of a job decides its name, so it says everything about its games. */
static bool remote_make(void *user, uint64_t number, Job *job, Buffer *payload)
{
    const RemoteRun *remote = user;
    SelfplayJob games;
    if (!job_of(remote, number, &games))
        return false;
    selfplay_job_write(&games, payload);
    *job = (Job){.kind = SELFPLAY_JOB_KIND,
                 .needs = remote->engine,
                 .owner = "datagen",
                 .priority = JOB_BULK,
                 .cost_ms = 1000};
    return true;
}

static bool remote_put_game(void *user, uint64_t number, const GameRecord *game, Error *err)
{
    const RemoteRun *remote = user;
    return number < remote->from || run_put(remote->run, number, game, err);
}

static bool remote_put(void *user, uint64_t number, Str result, Error *err)
{
    const RemoteRun *remote = user;
    SelfplayJob games;
    return job_of(remote, number, &games) &&
           selfplay_result_read(&games, result, remote_put_game, user, err);
}

static bool remote_stopped(void *user)
{
    const AtomicFlag *stop = ((const RemoteRun *)user)->run->job->stop;
    return stop && atomic_load(stop);
}

/* The same games as parallel_map() below plays, in the same order. */
static bool run_remote(Run *run, Error *err)
{
    RemoteRun remote = {.run = run, .from = run->first};
    const OrderedJobs jobs = {
        .user = &remote, .make = remote_make, .put = remote_put, .stopped = remote_stopped};
    return selfplay_engine(run->job->net, remote.engine, err) &&
           ordered_run(run->job->queue, &jobs, run->first / JOB_GAMES, run->job->threads, err);
}

/* Continues behind the last whole game of the file. */
static bool run_games(Run *run, Error *err)
{
    const DatagenJob *job = run->job;
    RecordHeader header = {job->rules.seed, job->rules.soft_nodes, job->rules.hard_nodes, ""};
    if (!describe_player(header.maker, job->net, err))
        return false;
    run->writer = record_resume(job->path, &header, &run->first, err);
    if (!run->writer)
        return false;
    const ParallelMap map = {run, run_begin, run_work, run_put};
    progress_begin(&run->progress);
    bool ok = job->queue ? run_remote(run, err)
                         : parallel_map(&map, run->crew.threads, run->first, job->stop, err);
    ok = record_finish(run->writer, ok ? err : NULL) && ok; /* the first error is the one to tell */
    if (run->games > 0)
        run_show(run);
    progress_end(&run->progress);
    return ok;
}

/* Plays until the file has the games or positions that were asked for. */
bool datagen_run(const DatagenJob *job, DatagenTotals *totals, Error *err)
{
    Run run = {.job = job};
    if (job->positions && !count_positions(job->path, &run.first_positions, err))
        return false;
    if (!job->queue && !crew_create(&run.crew, job->threads, job->net, job->hash_mb, err))
        return false;
    const bool ok = run_games(&run, err);
    crew_free(&run.crew);
    if (totals)
        *totals = (DatagenTotals){run.first + run.games,
                                  run.first_positions + run.positions,
                                  {run.half_points[0], run.half_points[1], run.half_points[2]}};
    return ok;
}
