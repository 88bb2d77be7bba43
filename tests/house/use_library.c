// SPDX-License-Identifier: GPL-3.0-or-later
/* use_library.c -- a stranger's program: samara.h and the library, and nothing else of the project.
 * It has functions of its own with names that the library uses inside. Two engines live side by
 * side, and the mate in one is found. */
#include <samara.h>
#include <stdio.h>
#include <string.h>

/* Names of the library's inside. If the two got mixed up, one of them would answer wrongly. */
int clock_ms(void), str_trim(void), fen_parse(void), tt_create(void), pos_make(void);
int clock_ms(void) { return -1; }
int str_trim(void) { return -1; }
int fen_parse(void) { return -1; }
int tt_create(void) { return -1; }
int pos_make(void) { return -1; }

static int fail(const char *what, const SamaraError *err)
{
    fprintf(stderr, "%s: %s\n", what, err->text);
    return 1;
}

int main(void)
{
    SamaraError err = {0};
    Samara *a = samara_new(NULL, &err), *b = samara_new(NULL, &err);
    SamaraPosition *mate = samara_position_new(), *game = samara_position_new();
    if (!a || !b || !mate || !game)
        return fail("samara_new", &err);

    SamaraResult result;
    const char *const mate_in_one = "6k1/5ppp/p7/P7/5b2/7P/1r3PP1/3R2K1 w - - 0 1";
    if (!samara_position_set(mate, mate_in_one, false, NULL, 0, &err))
        return fail("samara_position_set", &err);
    const SamaraRequest request = {.position = mate, .limits.depth = 4, .lines = 1};
    if (!samara_search(a, &request, NULL, &result, &err))
        return fail("samara_search", &err);
    if (strcmp(result.lines[0].moves[0].san, "Rd8#") != 0 || result.score.value != 1)
        return fail("wanted mate in one by Rd8", &(SamaraError){0});
    if (!samara_search(b, &request, NULL, &result, &err) || strcmp(result.best.uci, "d1d8") != 0)
        return fail("the second engine does not find it", &err);

    if (!samara_position_play_text(game, "Nf3", &err))
        return fail("samara_position_play_text", &err);
    if (samara_position_set(game, "8/8/8/8/8/8/8/8 w - - 0 1", false, NULL, 0, &err) ||
        !err.text[0])
        return fail("a board without kings was accepted", &err);
    if (samara_position_white_to_move(game))
        return fail("a refused position changed the game", &(SamaraError){0});
    if (clock_ms() + str_trim() + fen_parse() + tt_create() + pos_make() != -5)
        return fail("the library's functions stand for mine", &(SamaraError){0});

    samara_position_free(mate);
    samara_position_free(game);
    samara_free(a);
    samara_free(b);
    return 0;
}
