// SPDX-License-Identifier: GPL-3.0-or-later
/* suite FILE MODE LIMIT PERCENT [COUNT]: solves an EPD suite with one thread from a clean slate.
 * MODE nodes: LIMIT nodes each; time: LIMIT milliseconds each; mate: `go mate` with the suite's
 * distance, at most LIMIT nodes. Solved means: one of the best moves (bm), or with ce +Mn or dm n
 * the exact distance. Fails below PERCENT solved, on any mate shorter than the suite's, and on any
 * line that does not hold. Exit code 77: the file is not there. */
#include "chess/epd.h"
#include "classical/classical.h"
#include "nnue/net.h"
#include "search/pool.h"
#include "search/tt.h"
#include <stdio.h>
#include <string.h>

enum { LINE_SIZE = 1024, SKIPPED = 77 };

typedef struct Check {
    Position root;
    int faults;
    int shortest; /* mate claimed */
} Check;

static void check_line(void *user, const SearchInfo *info)
{
    Check *check = user;
    Position pos = check->root;
    for (int i = 0; i < info->pv_length; i++) {
        MoveList list;
        Undo undo;
        gen_legal(&pos, &list);
        if (!list_has(&list, info->pv[i])) {
            check->faults++;
            return;
        }
        pos_make(&pos, info->pv[i], &undo, NULL);
    }
    if (!score_is_mate(info->score))
        return;
    const bool mated = pos_in_check(&pos) && !pos_has_legal_move(&pos);
    check->faults += !mated || info->pv_length != score_mate_plies(info->score);
    if (info->score > 0 && score_mate_moves(info->score) < check->shortest)
        check->shortest = score_mate_moves(info->score);
}

/* dm 3, or ce +M3; 0 if the position is not about a mate. */
static int mate_distance(const Epd *epd)
{
    const EpdOp *dm = epd_find(epd, "dm"), *ce = epd_find(epd, "ce");
    Str text = dm ? dm->operand : ce ? ce->operand : (Str){0};
    if (str_starts(text, "+M"))
        text = (Str){text.ptr + 2, text.len - 2};
    int64_t moves;
    return str_int(text, 1, 99, &moves) ? (int)moves : 0;
}

static bool is_best(const Epd *epd, Move m)
{
    Move best[64];
    const int count = epd_moves(epd, epd_find(epd, "bm"), best, 64, NULL);
    for (int i = 0; i < count; i++)
        if (best[i] == m)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    int64_t limit, percent, most = INT32_MAX;
    if (argc < 5 || !str_int(str_from(argv[3]), 1, INT64_MAX, &limit) ||
        !str_int(str_from(argv[4]), 0, 100, &percent) ||
        (argc > 5 && !str_int(str_from(argv[5]), 1, INT32_MAX, &most))) {
        fprintf(stderr, "usage: suite FILE nodes|time|mate LIMIT PERCENT [COUNT]\n");
        return 2;
    }
    FILE *file = fopen(argv[1], "r");
    if (!file)
        return SKIPPED;
    classical_init();
    TTable *tt = tt_create(64, NULL);
    Pool *pool = pool_create(1, NULL);
    if (!tt || !pool)
        return 2;

    int total = 0, solved = 0, shorter = 0, faults = 0;
    uint64_t nodes = 0;
    char line[LINE_SIZE];
    while (total < most && fgets(line, sizeof line, file)) {
        Epd epd;
        if (line[0] == '#' || !epd_parse(&epd, str_trim(str_from(line)), FEN_STANDARD, NULL, NULL))
            continue;
        const int distance = mate_distance(&epd);
        Check check = {.root = epd.pos, .shortest = 1000};
        SearchSetup setup = {.root = &epd.pos,
                             .net = net_embedded(),
                             .multipv = 1,
                             .events = {.user = &check, .info = check_line}};
        SearchResult result;
        if (strcmp(argv[2], "time") == 0)
            setup.limits.movetime_ms = limit;
        else
            setup.limits.nodes = (uint64_t)limit;
        if (strcmp(argv[2], "mate") == 0)
            setup.limits.mate = distance;
        tt_clear(tt, 1);
        pool_clear(pool);
        pool_run(pool, tt, &setup, &result);

        const bool ok =
            distance ? result.score == score_mate(2 * distance - 1) : is_best(&epd, result.best);
        total++;
        solved += ok;
        nodes += result.nodes;
        faults += check.faults;
        shorter += distance && check.shortest < distance;
        if (!ok)
            printf("not solved: %s", line);
    }
    printf("%s: %d of %d solved, %d mates too short, %d faulty lines, %llu nodes\n", argv[1],
           solved, total, shorter, faults, (unsigned long long)nodes);
    pool_destroy(pool);
    tt_destroy(tt);
    fclose(file);
    return shorter || faults || total == 0 || solved * 100 < total * percent;
}
