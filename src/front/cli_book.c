// SPDX-License-Identifier: GPL-3.0-or-later
/* cli_book.c -- samara book: looks a position up, or makes a book of games. */
#include "front/cli_commands.h"
#include "front/cli_words.h"

enum { DEFAULT_PLIES = 40 };

static int build(const char *book, const char *games, int plies, int least, const char *player)
{
    SamaraBookStats stats;
    SamaraError err;
    if (!samara_book_build(games, book, plies, least, player, &stats, &err))
        return cli_fail("book", err.text);
    printf("%s: %llu moves in %llu positions, from %llu games (%llu without a result skipped)\n",
           book, (unsigned long long)stats.moves, (unsigned long long)stats.positions,
           (unsigned long long)stats.games, (unsigned long long)stats.skipped);
    return EXIT_OK;
}

/* Each move with its weight and its share. */
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

static int look_up(const char *book, const SamaraPosition *position)
{
    SamaraError err;
    Samara *engine = samara_new(&(SamaraConfig){.book = book}, &err);
    if (!engine)
        return cli_fail("book", err.text);
    print_moves(engine, position);
    samara_free(engine);
    return EXIT_OK;
}

/* Looks up, or builds with --build. */
int book_main(int argc, char **argv)
{
    int plies = DEFAULT_PLIES, least = 1;
    const char *target = NULL, *player = NULL;
    bool chess960 = false;
    const ArgSpec specs[] = {
        ARGS_TEXT("build", &target, "FILE", "makes this book from a PGN file of games"),
        ARGS_INT("plies", &plies, 1, 10000, "N", "--build: half-moves of each game to take"),
        ARGS_INT("min-games", &least, 1, 1000000, "N", "--build: games in which a move was played"),
        ARGS_TEXT("player", &player, "NAME", "--build: only the moves of this player"),
        ARGS_FLAG("chess960", &chess960, "castle as in Chess960"),
    };
    const ArgCommand command = {
        .program = "samara",
        .name = "book",
        .operands = "BOOK [FEN] | GAMES",
        .least = 1,
        .summary = "Shows the moves of a Polyglot book in a position with their weights. With "
                   "--build it makes one: a move weighs two for each game won and one for each "
                   "game drawn by it.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int words, code;
    if (!cli_read(&command, argc, argv, &words, &code))
        return code;
    if (target)
        return build(target, argv[1], plies, least, player);
    SamaraPosition *position = cli_position("book", argv + 2, words - 1, chess960);
    if (!position)
        return EXIT_FAILED;
    code = look_up(argv[1], position);
    samara_position_free(position);
    return code;
}
