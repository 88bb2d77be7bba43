// SPDX-License-Identifier: GPL-3.0-or-later
/* pgn_speed -- how fast are games read, every move checked, and is memory flat?
 *   pgn_speed FILE        reads it and reports
 *   pgn_speed -g MB FILE  writes about that many megabytes of random games first, counts them, and
 *                         fails if as many do not come back unbroken */
#include "base/clock.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "chess/pgn.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Captures are preferred a little: games then thin out as games of people do. */
static Move random_move(const Position *p, Rng *rng)
{
    MoveList list = {0};
    if (rng_below(rng, 3) == 0)
        gen_noisy(p, &list);
    if (list.count == 0)
        gen_legal(p, &list);
    return list.count ? list.moves[rng_below(rng, (uint64_t)list.count)] : MOVE_NONE;
}

static bool write_random_game(Buffer *out, Rng *rng, int number)
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2"};
    Position p;
    pos_start(&p);
    PgnBuilder *b = pgn_builder_new(&p, NULL);
    if (!b)
        return false;
    char round[16];
    snprintf(round, sizeof round, "%d", number);
    pgn_builder_tag(b, "Event", "Reading test");
    pgn_builder_tag(b, "Site", "Somewhere");
    pgn_builder_tag(b, "Date", "2026.01.01");
    pgn_builder_tag(b, "Round", round);
    pgn_builder_tag(b, "White", "Somebody, With A Name");
    pgn_builder_tag(b, "Black", "Nobody, In Particular");
    pgn_builder_tag(b, "WhiteElo", "2345");
    pgn_builder_tag(b, "BlackElo", "2234");
    pgn_builder_tag(b, "ECO", "A00");
    const int plies = 40 + (int)rng_below(rng, 90);
    for (int ply = 0, node = 0; ply < plies; ply++) {
        const Move m = random_move(&p, rng);
        if (m == MOVE_NONE)
            break;
        Undo undo;
        node = pgn_builder_move(b, node, m);
        pos_make(&p, m, &undo, NULL);
    }
    pgn_builder_result(b, results[number % 3]);
    const PgnGame *game = pgn_builder_game(b, NULL);
    if (game)
        pgn_write(game, out);
    pgn_builder_free(b);
    return game && !out->failed;
}

/* The same games again and again, so that a gigabyte does not take minutes to make. */
static long generate(const char *path, long megabytes)
{
    enum { DIFFERENT = 4000 };
    Buffer games = {0};
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < DIFFERENT; i++)
        if (!write_random_game(&games, &rng, i + 1))
            return -1;

    FILE *file = fopen(path, "wb");
    if (!file)
        return -1;
    long count = 0;
    for (double written = 0; written < (double)megabytes * 1e6; written += (double)games.len) {
        if (fwrite(games.data, 1, games.len, file) != games.len)
            count = -1;
        if (count < 0)
            break;
        count += DIFFERENT;
    }
    buffer_free(&games);
    return fclose(file) == 0 ? count : -1;
}

typedef struct Totals {
    long games, broken, moves;
} Totals;

static bool read_all(const char *path, Totals *t)
{
    Error err;
    PgnReader *r = pgn_open_file(path, &err);
    if (!r) {
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    *t = (Totals){0};
    const int64_t start = clock_cpu_us();
    for (const PgnGame *g; (g = pgn_next(r));) {
        t->games++;
        t->broken += g->broken;
        t->moves += g->node_count - 1;
        if (g->broken && t->broken <= 5)
            printf("game %ld: %s\n", t->games, g->problem.text);
    }
    const double seconds = (double)(clock_cpu_us() - start) / 1e6;
    const double mb = (double)pgn_bytes(r) / 1e6;
    const bool ok = !pgn_failed(r, &err);
    if (!ok)
        fprintf(stderr, "%s\n", err.text);
    pgn_close(r);

    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld games, %ld broken, %ld moves, %.1f MB in %.2f s: %.0f MB/s, %.1f million moves/s, "
           "peak memory %ld kB\n",
           t->games, t->broken, t->moves, mb, seconds, mb / seconds,
           (double)t->moves / seconds / 1e6, usage.ru_maxrss);
    return ok;
}

int main(int argc, char **argv)
{
    attacks_init();
    Totals totals;
    if (argc == 2)
        return read_all(argv[1], &totals) ? 0 : 1;
    if (argc != 4 || strcmp(argv[1], "-g") != 0) {
        fprintf(stderr, "usage: %s [-g MB] FILE\n", argv[0]);
        return 2;
    }
    int64_t megabytes;
    if (!str_int(str_from(argv[2]), 1, 100000, &megabytes))
        return 2;
    const long written = generate(argv[3], (long)megabytes);
    const bool ok =
        written > 0 && read_all(argv[3], &totals) && totals.games == written && totals.broken == 0;
    if (!ok)
        fprintf(stderr, "%ld games were written\n", written);
    return ok ? 0 : 1;
}
