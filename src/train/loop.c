// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop.h"

#include "base/clock.h"
#include "base/file.h"
#include "nnue/arch.h"
#include "nnue/net.h"
#include "train/datagen.h"
#include "train/gate.h"
#include "train/quality.h"
#include "train/train_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const LoopSettings loop_defaults = {
    .positions = 10000000,
    .window = 100000000,
    .nodes = 160,
    .hard_nodes = 480,
    .hidden = 512,
    .epochs = 6,
    .first_epochs = 16,
    .rate = 4e-4,
    .first_rate = 1e-3,
    .rate_end = 1e-5,
    .batch = 16384,
    .gate_pairs = 150,
    .gate_nodes = 3000,
    .quality_positions = 5000,
    .quality_nodes = 20000,
    .threads = 1,
    .seed = 1,
};

/* A new network may lose so many Elo to the player and still take its place: a gate of some hundred
 * games cannot tell so small a difference from none, and the games of the next generation are new
 * either way. */
enum { TOLERATED_LOSS = 10, NAME_SIZE = 32, PAUSE_MS = 250 };

typedef struct Loop {
    const LoopSettings *settings;
    const AtomicFlag *stop;
    LoopRow *rows;
    int count;
    int64_t began_us;
} Loop;

/* --- the folder --- */

/* DIR/NAME; the caller frees the buffer. */
static const char *in_dir(Buffer *path, const char *dir, const char *name)
{
    buffer_clear(path);
    buffer_printf(path, "%s/%s", dir, name);
    return buffer_text(path);
}

/* DIR/g012ENDING; the caller frees the buffer. */
static const char *generation_path(Buffer *path, const char *dir, int generation,
                                   const char *ending)
{
    buffer_clear(path);
    buffer_printf(path, "%s/g%03d%s", dir, generation, ending);
    return buffer_text(path);
}

static bool write_text(const char *dir, const char *name, const Buffer *text, Error *err)
{
    Buffer path = {0};
    const bool ok = file_save(in_dir(&path, dir, name), text->data, text->len, err);
    buffer_free(&path);
    return ok;
}

static void say(const Loop *loop, int generation, const char *doing)
{
    Buffer text = {0};
    buffer_printf(&text, "generation %d: %s\n", generation, doing);
    printf("%s", buffer_text(&text));
    fflush(stdout);
    write_text(loop->settings->dir, "status", &text, NULL);
    buffer_free(&text);
}

void loop_status(const char *dir, Buffer *out)
{
    Buffer path = {0};
    FILE *file = file_stream(in_dir(&path, dir, "status"), "r");
    char line[256];
    if (file && fgets(line, sizeof line, file))
        buffer_puts(out, line);
    if (file)
        fclose(file);
    buffer_free(&path);
}

bool loop_is_paused(const char *dir)
{
    Buffer path = {0};
    const bool paused = file_exists(in_dir(&path, dir, "pause"));
    buffer_free(&path);
    return paused;
}

/* The loop looks for a file called "pause" between its steps. */
bool loop_set_pause(const char *dir, bool pause, Error *err)
{
    Buffer path = {0};
    in_dir(&path, dir, "pause");
    bool ok = true;
    if (pause)
        ok = file_save(buffer_text(&path), "", 0, err);
    else if (file_exists(buffer_text(&path)))
        ok = file_remove(buffer_text(&path)) ||
             error_set(err, "cannot remove '%s'", buffer_text(&path));
    buffer_free(&path);
    return ok;
}

/* Called between games: returns when there is no pause, or when all is to end. */
static void wait_while_paused(void *user)
{
    const Loop *loop = user;
    while (loop_is_paused(loop->settings->dir) && !relaxed_load(loop->stop))
        clock_sleep_ms(PAUSE_MS);
}

/* --- the table of generations --- */

static const char CSV_HEAD[] =
    "generation,positions,learned,train_loss,valid_loss,quality,bias,wins,"
    "losses,draws,elo,error,accepted,hours\n";

/* One row per generation: the history that a resumed loop reads. */
void loop_csv(const LoopRow *rows, int count, Buffer *out)
{
    buffer_puts(out, CSV_HEAD);
    for (int i = 0; i < count; i++) {
        const LoopRow *r = &rows[i];
        buffer_printf(out, "%d,%llu,%llu,%.6f,%.6f,%.2f,%.1f,%d,%d,%d,%.1f,%.1f,%d,%.3f\n",
                      r->generation, (unsigned long long)r->positions,
                      (unsigned long long)r->learned, r->train_loss, r->valid_loss, r->quality,
                      r->bias, r->wins, r->losses, r->draws, r->elo, r->error, r->accepted,
                      r->hours);
    }
}

/* A row of the form that loop_csv() writes. */
static bool read_row(const char *line, LoopRow *r)
{
    unsigned long long positions, learned;
    int accepted;
    const int fields = /* the file is our own: NOLINTNEXTLINE(cert-err34-c) */
        sscanf(line, "%d,%llu,%llu,%lf,%lf,%lf,%lf,%d,%d,%d,%lf,%lf,%d,%lf", &r->generation,
               &positions, &learned, &r->train_loss, &r->valid_loss, &r->quality, &r->bias,
               &r->wins, &r->losses, &r->draws, &r->elo, &r->error, &accepted, &r->hours);
    if (fields != 14)
        return false;
    r->positions = positions;
    r->learned = learned;
    r->accepted = accepted != 0;
    return true;
}

static bool add_row(LoopRow **rows, int *count, const LoopRow *row)
{
    LoopRow *more = realloc(*rows, (size_t)(*count + 1) * sizeof *more);
    if (!more)
        return false;
    *rows = more;
    more[(*count)++] = *row;
    return true;
}

/* Rows must be numbered without gaps: a history that was cut in the middle is refused. */
bool loop_read(const char *dir, LoopRow **rows, int *count, Error *err)
{
    Buffer path = {0};
    *rows = NULL;
    *count = 0;
    FILE *file = file_stream(in_dir(&path, dir, "loop.csv"), "r");
    char line[512];
    bool ok = true;
    for (int number = 1; ok && file && fgets(line, sizeof line, file); number++) {
        LoopRow row;
        if (number == 1)
            continue;
        ok = (read_row(line, &row) && row.generation == number - 1) ||
             error_set(err, "'%s', line %d is not a generation's row", buffer_text(&path), number);
        ok = ok && (add_row(rows, count, &row) || error_set(err, "there is not enough memory"));
    }
    if (file)
        fclose(file);
    buffer_free(&path);
    return ok;
}

/* The last accepted generation, 0 if there is none yet. */
static int player_of(const Loop *loop)
{
    for (int i = loop->count; i > 0; i--)
        if (loop->rows[i - 1].accepted)
            return i;
    return 0;
}

/* Its network: a path (the caller frees the buffer), or the start of the settings. */
static const char *player_net(const Loop *loop, Buffer *path)
{
    const int player = player_of(loop);
    return player ? generation_path(path, loop->settings->dir, player, ".nnue")
                  : loop->settings->start;
}

/* --- the steps of a generation --- */

/* Self-play of a generation with the newest accepted network. */
static bool play_games(Loop *loop, int generation, LoopRow *row, Error *err)
{
    const LoopSettings *s = loop->settings;
    Buffer path = {0}, net = {0};
    DatagenJob job = {.path = generation_path(&path, s->dir, generation, ".games"),
                      .net = player_net(loop, &net),
                      .rules = selfplay_defaults,
                      .games = UINT64_MAX,
                      .positions = s->positions,
                      .threads = s->threads,
                      .hash_mb = 1,
                      .stop = loop->stop,
                      .wait = wait_while_paused,
                      .user = loop};
    job.rules.seed = s->seed * 1000003 + (uint64_t)generation;
    job.rules.soft_nodes = s->nodes;
    job.rules.hard_nodes = s->hard_nodes;
    job.rules.max_opening_score = 250;
    DatagenTotals totals;
    say(loop, generation, "playing");
    const bool ok = datagen_run(&job, &totals, err);
    row->positions = totals.positions;
    buffer_free(&path);
    buffer_free(&net);
    return ok && (!relaxed_load(loop->stop) || error_set(err, "stopped"));
}

/* Paths of the newest files that hold the window's positions, newest first, behind the older files
 * of the settings. Returns how many; the caller frees those of the loop. */
static int newest_files(const Loop *loop, int generation, uint64_t played, char **paths,
                        uint64_t *learned)
{
    const LoopSettings *s = loop->settings;
    int count = s->file_count;
    *learned = 0;
    for (int i = 0; i < s->file_count; i++)
        paths[i] = s->files[i];
    for (int g = generation; g > 0 && *learned < s->window; g--) {
        Buffer path = {0};
        generation_path(&path, s->dir, g, ".games");
        *learned += g == generation ? played : loop->rows[g - 1].positions;
        paths[count++] = path.data;
    }
    return count;
}

static bool train_tick(void *user)
{
    wait_while_paused(user);
    return !relaxed_load(((const Loop *)user)->stop);
}

/* From the player's weights if it is a network of the same width, else from nothing. */
static bool train_network(Loop *loop, int generation, LoopRow *row, Error *err)
{
    const LoopSettings *s = loop->settings;
    char **paths = calloc((size_t)(generation + s->file_count), sizeof *paths);
    if (!paths)
        return error_set(err, "there is not enough memory");
    Buffer out = {0}, from = {0};
    const int files = newest_files(loop, generation, row->positions, paths, &row->learned);
    const char *net = player_net(loop, &from);
    const bool goes_on = net && *net;
    TrainJob job = train_job_default();
    job.out = generation_path(&out, s->dir, generation, "");
    job.from = goes_on ? net : NULL;
    job.resume = true;
    job.tick = train_tick;
    job.user = loop;
    job.threads = job.data.threads = s->threads;
    job.settings.shape.hidden = s->hidden;
    job.settings.batch = s->batch;
    job.settings.epochs = goes_on ? s->epochs : s->first_epochs;
    job.settings.rate = goes_on ? s->rate : s->first_rate;
    job.settings.rate_end = s->rate_end;
    job.settings.seed = job.data.seed = s->seed + (uint64_t)generation;
    CurvePoint last = {0};
    say(loop, generation, "training");
    const bool ok = train_job_run(&job, paths, files, &last, err);
    row->train_loss = last.train_loss;
    row->valid_loss = last.valid_loss;
    for (int i = s->file_count; i < files; i++)
        free(paths[i]);
    free(paths);
    buffer_free(&out);
    buffer_free(&from);
    return ok;
}

/* Made from the first generation's held-out games by its player, and then never changed. */
static bool make_quality_set(Loop *loop, const char *path, Error *err)
{
    const LoopSettings *s = loop->settings;
    Buffer games = {0};
    generation_path(&games, s->dir, 1, ".games");
    const QualityJob job = {.path = path,
                            .net = s->start,
                            .positions = s->quality_positions,
                            .nodes = s->quality_nodes,
                            .seed = s->seed,
                            .threads = s->threads};
    char *paths[] = {games.data};
    const bool ok = quality_make(&job, paths, 1, err);
    buffer_free(&games);
    return ok;
}

/* The mean error against deep searches of held-out positions, which all generations share. */
static bool judge_quality(Loop *loop, int generation, LoopRow *row, Error *err)
{
    const LoopSettings *s = loop->settings;
    Buffer path = {0}, net_path = {0};
    QualitySet set = {0};
    in_dir(&path, s->dir, "quality.tsv");
    say(loop, generation, "judging");
    bool ok = generation > 1 || make_quality_set(loop, buffer_text(&path), err);
    ok = ok && quality_read(&set, buffer_text(&path), err);
    Net *net = ok ? net_load(generation_path(&net_path, s->dir, generation, ".nnue"), err) : NULL;
    QualityFigures figures;
    ok = net && quality_of_network(&set, net, &figures, err);
    if (ok) {
        row->quality = figures.error;
        row->bias = figures.bias;
    }
    net_free(net);
    quality_free(&set);
    buffer_free(&path);
    buffer_free(&net_path);
    return ok;
}

/* A network plays on if it is not clearly weaker: with few games a strict test would refuse most
 * gains. */
static bool play_gate(Loop *loop, int generation, LoopRow *row, Error *err)
{
    const LoopSettings *s = loop->settings;
    Buffer fresh = {0}, old = {0};
    const GateJob job = {.new_net = generation_path(&fresh, s->dir, generation, ".nnue"),
                         .old_net = player_net(loop, &old),
                         .pairs = s->gate_pairs,
                         .nodes = s->gate_nodes,
                         .seed = s->seed + 7919 * (uint64_t)generation,
                         .threads = s->threads,
                         .hash_mb = 4,
                         .stop = loop->stop,
                         .wait = wait_while_paused,
                         .user = loop};
    GateResult result;
    say(loop, generation, "playing against its predecessor");
    bool ok = gate_run(&job, &result, err);
    ok = ok && (!relaxed_load(loop->stop) || error_set(err, "stopped"));
    row->wins = result.wins;
    row->losses = result.losses;
    row->draws = result.draws;
    row->elo = result.elo;
    row->error = result.error;
    row->accepted = result.elo >= -TOLERATED_LOSS;
    buffer_free(&fresh);
    buffer_free(&old);
    return ok;
}

/* The picture first and the table last: the row in the table is what makes a generation done. */
static bool finish_generation(Loop *loop, const LoopRow *row, Error *err)
{
    const char *dir = loop->settings->dir;
    Buffer text = {0};
    if (!add_row(&loop->rows, &loop->count, row))
        return error_set(err, "there is not enough memory");
    loop_svg(loop->rows, loop->count, &text);
    bool ok = write_text(dir, "loop.svg", &text, err);
    buffer_clear(&text);
    loop_csv(loop->rows, loop->count, &text);
    ok = ok && write_text(dir, "loop.csv", &text, err);
    buffer_free(&text);
    printf("generation %d: quality %.2f, bias %+.1f, %+.0f +- %.0f Elo (%d-%d-%d), %s\n",
           row->generation, row->quality, row->bias, row->elo, row->error, row->wins, row->losses,
           row->draws, row->accepted ? "accepted" : "not accepted");
    fflush(stdout);
    return ok;
}

/* A step that was finished before a stop is quick the second time: the games are counted, the
 * training resumes behind its last epoch. */
static bool run_generation(Loop *loop, int generation, Error *err)
{
    const int64_t began = clock_us();
    LoopRow row = {.generation = generation};
    if (!play_games(loop, generation, &row, err) || !train_network(loop, generation, &row, err) ||
        !judge_quality(loop, generation, &row, err) || !play_gate(loop, generation, &row, err))
        return false;
    row.hours = (double)(clock_us() - began) / 3.6e9;
    return finish_generation(loop, &row, err);
}

static bool goes_on(const Loop *loop)
{
    const LoopSettings *s = loop->settings;
    const double hours = (double)(clock_us() - loop->began_us) / 3.6e9;
    return !relaxed_load(loop->stop) && (s->generations == 0 || loop->count < s->generations) &&
           (s->hours <= 0 || hours < s->hours);
}

/* The network of the build as a file, so that training can begin with it. */
static bool write_start(const char *dir, Buffer *path, Error *err)
{
    Buffer bytes = {0};
    in_dir(path, dir, "start.nnue");
    bool ok = net_embedded() || error_set(err, "this build carries no network to begin with");
    ok = ok && (net_write(net_embedded(), &bytes) || error_set(err, "there is not enough memory"));
    ok = ok && file_save(buffer_text(path), bytes.data, bytes.len, err);
    buffer_free(&bytes);
    return ok;
}

/* Goes on behind the last generation in the folder. */
bool loop_run(const LoopSettings *settings, const AtomicFlag *stop, Error *err)
{
    Loop loop = {.settings = settings, .stop = stop, .began_us = clock_us()};
    if (!file_make_folder(settings->dir))
        return error_set(err, "cannot make the folder '%s'", settings->dir);
    Buffer start = {0};
    LoopSettings complete = *settings;
    loop.settings = &complete;
    bool ok = loop_read(settings->dir, &loop.rows, &loop.count, err);
    if (ok && !settings->start) {
        ok = write_start(settings->dir, &start, err);
        complete.start = buffer_text(&start);
    }
    while (ok && goes_on(&loop))
        ok = run_generation(&loop, loop.count + 1, err);
    free(loop.rows);
    buffer_free(&start);
    return ok;
}
