// SPDX-License-Identifier: GPL-3.0-or-later
/* cli_book.c -- samara book: looks a position up, or makes a book of games. */
#include "base/text.h"
#include "front/args.h"
#include "front/cli_commands.h"
#include "samara.h"
#include <stdio.h>

enum { DEFAULT_PLIES = 40 };

static int fail(const char *text)
{
    fprintf(stderr, "samara book: %s\n", text);
    return EXIT_FAILED;
}

static int build(Args *a, const char *book)
{
    const int plies = (int)args_number(a, "--plies", 1, 10000, DEFAULT_PLIES);
    const int least = (int)args_number(a, "--min-games", 1, 1000000, 1);
    const char *games = args_next(a);
    if (!args_finish(a))
        return EXIT_USAGE;
    if (!games) {
        fprintf(stderr, "samara book: which games? A PGN file must follow\n");
        return EXIT_USAGE;
    }
    SamaraBookStats stats;
    SamaraError err;
    if (!samara_book_build(games, book, plies, least, &stats, &err))
        return fail(err.text);
    printf("%s: %llu moves in %llu positions, from %llu games (%llu without a result skipped)\n",
           book, (unsigned long long)stats.moves, (unsigned long long)stats.positions,
           (unsigned long long)stats.games, (unsigned long long)stats.skipped);
    return EXIT_OK;
}

static void print_moves(const Samara *engine, const SamaraPosition *position)
{
    SamaraBookMove moves[SAMARA_MAX_MOVES];
    const size_t count = samara_book_moves(engine, position, moves, SAMARA_MAX_MOVES);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += moves[i].weight;
    if (count == 0)
        puts("the book does not know this position");
    for (size_t i = 0; i < count; i++) {
        char san[32];
        samara_position_line_text(position, &moves[i].move, 1, san, sizeof san);
        printf("%-12s %-6s %6d %5.1f%%\n", san, moves[i].move.uci, moves[i].weight,
               sum > 0 ? 100 * moves[i].weight / sum : 0);
    }
}

static int look_up(Args *a, const char *book)
{
    const bool chess960 = args_flag(a, "--chess960");
    Buffer fen = {0};
    for (const char *word; (word = args_next(a));)
        buffer_printf(&fen, "%s%s", fen.len > 0 ? " " : "", word);
    SamaraError err = {.text = "not enough memory"};
    SamaraPosition *position = args_finish(a) ? samara_position_new() : NULL;
    Samara *engine = position ? samara_new(&(SamaraConfig){.book = book}, &err) : NULL;
    const bool ok = engine && samara_position_set(position, fen.len > 0 ? fen.data : NULL, chess960,
                                                  NULL, 0, &err);
    if (ok)
        print_moves(engine, position);
    samara_free(engine);
    samara_position_free(position);
    buffer_free(&fen);
    if (a->failed)
        return EXIT_USAGE;
    return ok ? EXIT_OK : fail(err.text);
}

int book_main(int argc, char **argv)
{
    Args a = args_of(argc, argv);
    const char *target = args_value(&a, "--build");
    if (target)
        return build(&a, target);
    const char *book = args_next(&a);
    if (book)
        return look_up(&a, book);
    fprintf(stderr, "samara book: which book? Try 'samara help book'\n");
    return EXIT_USAGE;
}
