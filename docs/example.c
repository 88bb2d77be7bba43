// SPDX-License-Identifier: GPL-3.0-or-later
/* example.c -- libsamara in one page: an engine that thinks aloud about a position, answers, and
 * plays a move.
 *
 *   cc example.c -lsamara -lm -lpthread && ./a.out "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
 *
 * (plus -lfathom if the library was built with endgame tables). */
#include <samara.h>
#include <stdio.h>

/* Called from the search, once for each depth. */
static void think_aloud(void *user, const SamaraInfo *info)
{
    (void)user;
    printf("depth %2d  %s %d  %s\n", info->depth, info->score.is_mate ? "mate in" : "centipawns",
           info->score.value, info->pv);
}

static int fail(const SamaraError *err)
{
    fprintf(stderr, "%s\n", err->text);
    return 1;
}

int main(int argc, char **argv)
{
    SamaraError err;
    Samara *engine = samara_new(&err);
    if (!engine)
        return fail(&err);
    if (!samara_set_option(engine, "Hash", "32", &err) ||
        !samara_set_position(engine, argc > 1 ? argv[1] : NULL, NULL, 0, &err)) {
        samara_free(engine);
        return fail(&err);
    }

    /* In this thread, with an end: samara_search(). In the background: samara_go(), samara_stop(),
     * samara_wait(). */
    const SamaraLimits limits = {.depth = 8};
    const SamaraEvents events = {.info = think_aloud};
    SamaraResult result;
    if (!samara_search(engine, &limits, &events, &result, &err)) {
        samara_free(engine);
        return fail(&err);
    }

    if (result.best[0] && samara_play(engine, result.best, &err)) {
        char fen[SAMARA_FEN_SIZE];
        samara_fen(engine, fen);
        printf("%s leads to %s (%s)\n", result.best, fen, samara_state_name(samara_state(engine)));
    } else {
        printf("no move: %s\n", samara_state_name(samara_state(engine)));
    }
    samara_free(engine);
    return 0;
}
