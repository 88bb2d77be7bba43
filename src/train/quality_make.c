// SPDX-License-Identifier: GPL-3.0-or-later
/* quality_make.c -- the deep searches behind a quality set. */
#include "train/quality.h"

#include "base/file.h"
#include "base/parallel.h"
#include "chess/fen.h"
#include "train/datagen.h"
#include "train/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 64, HASH_MB = 8 };

typedef struct Making {
    QualitySet set;
    Crew crew;
    uint32_t nodes;
    size_t from, to; /* the positions that are searched together */
    bool failed[DATAGEN_MAX_THREADS];
    Error errors[DATAGEN_MAX_THREADS];
} Making;

static void search_share(void *user, int index)
{
    Making *m = user;
    for (size_t i = m->from + (size_t)index; i < m->to && !m->failed[index];
         i += (size_t)m->crew.threads) {
        QualityPosition *item = &m->set.items[i];
        m->failed[index] = !selfplay_score(m->crew.players[index], &item->p, m->nodes, &item->score,
                                           &m->errors[index]);
    }
}

static size_t count_lines(FILE *file)
{
    size_t lines = 0;
    for (int c; (c = getc(file)) != EOF;)
        lines += c == '\n';
    return lines;
}

static bool write_batch(const Making *m, FILE *file, Error *err)
{
    for (size_t i = m->from; i < m->to; i++) {
        char fen[FEN_SIZE];
        fen_write(&m->set.items[i].p, fen);
        fprintf(file, "%s\t%d\n", fen, m->set.items[i].score);
    }
    return fflush(file) == 0 || error_set(err, "cannot write the set: %s", strerror(errno));
}

/* Batch by batch, so that an interrupted run goes on behind the lines that it has written. */
static bool search_set(Making *m, Team *team, FILE *file, Error *err)
{
    Progress progress;
    progress_begin(&progress);
    const size_t first = count_lines(file);
    for (m->from = first; m->from < m->set.count; m->from = m->to) {
        m->to = m->from + BATCH < m->set.count ? m->from + BATCH : m->set.count;
        team_run(team, search_share, m);
        for (int i = 0; i < m->crew.threads; i++)
            if (m->failed[i])
                return error_set(err, "%s", m->errors[i].text);
        if (!write_batch(m, file, err))
            return false;
        if (progress_due(&progress)) {
            const double done = (double)(m->to - first), all = (double)(m->set.count - first);
            progress_show(&progress, "%zu of %zu positions  %.0f min left", m->to, m->set.count,
                          progress_seconds(&progress) / done * (all - done) / 60);
        }
    }
    progress_end(&progress);
    return true;
}

/* Appends to a file that is there: what was searched before is not searched again. */
static bool make_set(Making *m, const QualityJob *job, Error *err)
{
    Team *team = team_create(job->threads);
    FILE *file = file_stream(job->path, "a+");
    bool ok = team || error_set(err, "there is not enough memory for %d threads", job->threads);
    if (ok && !file)
        ok = error_set(err, "cannot open '%s': %s", job->path, strerror(errno));
    ok = ok && crew_create(&m->crew, job->threads, job->net, HASH_MB, err) &&
         search_set(m, team, file, err);
    crew_free(&m->crew);
    if (file && fclose(file) != 0 && ok)
        ok = error_set(err, "cannot write '%s': %s", job->path, strerror(errno));
    team_destroy(team);
    return ok;
}

/* The same seed and files give the same positions, so that an unfinished set can be continued. */
bool quality_make(const QualityJob *job, char *const *games, int count, Error *err)
{
    Making *m = calloc(1, sizeof *m);
    if (!m)
        return error_set(err, "there is not enough memory for the positions");
    m->nodes = job->nodes;
    const bool ok = quality_draw(&m->set, games, count, job->positions, job->seed, err) &&
                    make_set(m, job, err);
    quality_free(&m->set);
    free(m);
    return ok;
}
