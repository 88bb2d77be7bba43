// SPDX-License-Identifier: GPL-3.0-or-later
/* A game as PGN: what a player is called must not break the tags. */
#include "front/game_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_name_with_quotes_can_be_read_again(void **state)
{
    (void)state;
    const char *players[2] = {"A \"B\" C", "back\\slash"};
    const char *moves[] = {"e2e4", "e7e5"};
    SamaraPosition *position = samara_position_new();
    Buffer text = {0};
    SamaraError why;
    Error err;
    assert_true(samara_position_set(position, NULL, false, moves, 2, &why));
    assert_true(game_write(position, players, "*", &text, &err));
    assert_non_null(strstr(buffer_text(&text), "[White \"A \\\"B\\\" C\"]\n"));

    SamaraGame *game = samara_game_read(buffer_text(&text), text.len, NULL, &why);
    assert_non_null(game);
    assert_string_equal(samara_game_tag(game, "White"), players[0]);
    assert_string_equal(samara_game_tag(game, "Black"), players[1]);
    assert_int_equal(samara_game_length(game), 2);
    samara_game_free(game);
    buffer_free(&text);
    samara_position_free(position);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_name_with_quotes_can_be_read_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
