// SPDX-License-Identifier: GPL-3.0-or-later
/* example.c -- libsamara in one page: an engine that thinks aloud about a position, answers, and
 * plays a move.
 *
 *   cc example.c $(pkg-config --cflags --libs samara)
 *   ./a.out "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1" */
#include <samara.h>
#include <stdio.h>

/* Called from the search, once for each depth. */
static void think_aloud(void *user, const SamaraLine *line)
{
    char text[2048];
    samara_position_line_text(user, line->moves, (size_t)line->length, text, sizeof text);
    printf("depth %2d  %s %d  %s\n", line->depth, line->score.is_mate ? "mate in" : "centipawns",
           line->score.value, text);
}

static int fail(const SamaraError *err)
{
    fprintf(stderr, "%s\n", err->text);
    return 1;
}

int main(int argc, char **argv)
{
    SamaraError err;
    SamaraPosition *position = samara_position_new();
    if (!position ||
        !samara_position_set(position, argc > 1 ? argv[1] : NULL, false, NULL, 0, &err))
        return fail(&err);
    Samara *engine = samara_new(&(SamaraConfig){.hash_mb = 32}, &err);
    if (!engine)
        return fail(&err);

    /* In this thread, with an end: samara_search(). In the background: samara_go(), samara_stop(),
     * samara_wait(). */
    const SamaraRequest request = {.position = position, .limits.depth = 8};
    const SamaraEvents events = {.user = position, .line = think_aloud};
    SamaraResult result;
    if (!samara_search(engine, &request, &events, &result, &err))
        return fail(&err);

    if (result.best.code && samara_position_play(position, &result.best, &err)) {
        char fen[SAMARA_FEN_SIZE];
        samara_position_fen(position, fen);
        printf("%s leads to %s", result.best.san, fen);
    } else {
        printf("no move");
    }
    printf(" (%s)\n", samara_state_name(samara_position_state(position)));
    samara_free(engine);
    samara_position_free(position);
    return 0;
}
