// SPDX-License-Identifier: GPL-3.0-or-later
/* shortage -- memory runs out at every possible moment while games are read, built, written and
 * played: nothing may crash or leak, and what was not done must be told. The linker sends all
 * allocations through here (--wrap). */
#include "chess/game.h"
#include "chess/movegen.h"
#include "chess/pgn.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

static long calls, failing_call;
static bool for_ever;

static bool is_short(void)
{
    calls++;
    return failing_call && (calls == failing_call || (for_ever && calls > failing_call));
}

void *__wrap_malloc(size_t size) { return is_short() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size)
{
    return is_short() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *block, size_t size)
{
    return is_short() ? NULL : __real_realloc(block, size);
}

/* A game that needs every kind of room: tags, text, nodes, levels, a long path. */
static char text[60000];

static void make_text(void)
{
    char *s = text;
    for (int i = 0; i < 100; i++)
        s += sprintf(s, "[Tag%d \"a value of some length, number %d\"]\n", i, i);
    s += sprintf(s, "\n1. e4 ");
    for (int i = 0; i < 100; i++)
        s += sprintf(s, "(1. d4 {comment} ");
    for (int i = 0; i < 100; i++)
        s += sprintf(s, ") ");
    s += sprintf(s, "d5 2. exd5 ");
    for (int i = 0; i < 400; i++)
        s += sprintf(s, i % 2 ? "Ng8 Ng1 {some words} " : "Nf6 Nf3 ");
    sprintf(s, "1-0\n");
}

static long read_text(void *user, char *out, size_t size)
{
    const char **at = user;
    const size_t left = strlen(*at), n = left < size ? left : size;
    memcpy(out, *at, n);
    *at += n;
    return (long)n;
}

/* True if all went well; otherwise somebody has to have said so. */
static bool build_and_write(const PgnGame *from, Buffer *out)
{
    PgnBuilder *b = pgn_builder_new(&from->start, NULL);
    if (!b)
        return false;
    pgn_builder_tag(b, "White", "first");
    pgn_builder_tag(b, "White", "second");
    int node = 0;
    for (int n = from->nodes[0].first_child; n >= 0; n = from->nodes[n].first_child) {
        node = pgn_builder_move(b, node, from->nodes[n].move);
        pgn_builder_comment(b, node, "a comment");
    }
    const PgnGame *game = pgn_builder_game(b, NULL);
    const bool built = game != NULL;
    if (built)
        pgn_write(game, out);
    pgn_builder_free(b);
    return built && !out->failed;
}

static bool play_on(const PgnGame *from)
{
    Game g;
    bool ok = true;
    game_init(&g);
    game_reset(&g, &from->start);
    for (int n = from->nodes[0].first_child; n >= 0 && ok; n = from->nodes[n].first_child)
        ok = game_play(&g, from->nodes[n].move, NULL);
    ok = ok && game_end(&g) != END_CHECKMATE;
    game_free(&g);
    return ok;
}

static bool run_once(void)
{
    const char *at = text;
    calls = 0;
    PgnReader *reader = pgn_open(read_text, &at, NULL);
    if (!reader)
        return false;
    int games = 0;
    bool ok = true;
    for (const PgnGame *g; (g = pgn_next(reader)); games++) {
        Buffer out = {0};
        pgn_write(g, &out);
        ok = !out.failed && ok;
        ok = build_and_write(g, &out) && ok;
        ok = play_on(g) && ok;
        buffer_free(&out);
    }
    ok = !pgn_failed(reader, NULL) && games == 1 && ok;
    pgn_close(reader);
    return ok;
}

int main(void)
{
    attacks_init();
    make_text();
    if (!run_once()) {
        fprintf(stderr, "it does not even work with all the memory there is\n");
        return 1;
    }
    const long most = calls;
    for (failing_call = 1; failing_call <= most; failing_call++)
        for (int i = 0; i < 2; i++) {
            for_ever = i == 1;
            if (run_once() && calls >= failing_call) {
                fprintf(stderr, "allocation %ld failed and nobody noticed\n", failing_call);
                return 1;
            }
        }
    printf("%ld allocations, each failed once and for ever\n", most);
    return most > 20 ? 0 : 1;
}
