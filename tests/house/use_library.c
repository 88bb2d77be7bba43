// SPDX-License-Identifier: GPL-3.0-or-later
/* use_library.c -- a stranger's program: samara.h and libsamara.a, and nothing else of the project.
 * Two engines live side by side, and the mate in one is found. */
#include <samara.h>
#include <stdio.h>
#include <string.h>

static int fail(const char *what, const SamaraError *err)
{
    fprintf(stderr, "%s: %s\n", what, err->text);
    return 1;
}

int main(void)
{
    SamaraError err = {0};
    Samara *a = samara_new(&err), *b = samara_new(&err);
    if (!a || !b)
        return fail("samara_new", &err);

    SamaraResult result;
    const SamaraLimits limits = {.depth = 4};
    const char *const mate_in_one = "6k1/5ppp/p7/P7/5b2/7P/1r3PP1/3R2K1 w - - 0 1";
    if (!samara_set_position(a, mate_in_one, NULL, 0, &err))
        return fail("samara_set_position", &err);
    if (!samara_search(a, &limits, NULL, &result, &err))
        return fail("samara_search", &err);
    if (strcmp(result.best, "d1d8") != 0 || !result.score.is_mate || result.score.value != 1)
        return fail("wanted mate in one by d1d8", &(SamaraError){0});

    if (!samara_play(b, "Nf3", &err))
        return fail("samara_play", &err);
    if (samara_white_to_move(b) || !samara_white_to_move(a))
        return fail("two engines share a game", &(SamaraError){0});

    if (samara_set_position(b, "8/8/8/8/8/8/8/8 w - - 0 1", NULL, 0, &err) || !err.text[0])
        return fail("a board without kings was accepted", &err);
    if (samara_white_to_move(b))
        return fail("a refused position changed the game", &(SamaraError){0});

    samara_free(a);
    samara_free(b);
    return 0;
}
