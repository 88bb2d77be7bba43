// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "front/http/store.h"
#include <stdlib.h>
#include <string.h>

static int64_t add(Store *store, char *white, GameState state)
{
    const StoredGame game = {.white = white,
                             .black = "b",
                             .result = "*",
                             .plies = 2,
                             .state = state,
                             .pgn = "1. e4 e5 *"};
    return store_add(store, &game, NULL);
}

static void games_come_back_newest_first(void **state)
{
    Store *store = *state;
    const int64_t first = add(store, "first", GAME_SAVED),
                  second = add(store, "second", GAME_SAVED);
    assert_true(first > 0 && second > first);
    StoredGame list[2];
    assert_int_equal(store_list(store, 0, list, 2), 2);
    assert_string_equal(list[0].white, "second");
    assert_int_equal(strlen(list[0].created), 20);
    assert_null(list[0].pgn);
    for (int i = 0; i < 2; i++)
        stored_game_free(&list[i]);
    StoredGame one;
    assert_true(store_get(store, first, &one));
    assert_string_equal(one.pgn, "1. e4 e5 *");
    assert_null(one.report);
    stored_game_free(&one);
    assert_true(store_delete(store, first));
    assert_false(store_delete(store, first));
    assert_false(store_get(store, first, &one));
    assert_true(store_delete(store, second));
    assert_int_equal(store_count(store), 0);
}

static void the_oldest_queued_game_is_next(void **state)
{
    Store *store = *state;
    assert_int_equal(store_next_queued(store), 0);
    add(store, "saved", GAME_SAVED);
    const int64_t first = add(store, "a", GAME_QUEUED), second = add(store, "b", GAME_QUEUED);
    assert_int_equal(store_next_queued(store), first);
    assert_true(store_finish(store, first, GAME_DONE, "{}", "pgn", NULL, NULL));
    assert_int_equal(store_next_queued(store), second);
    StoredGame one;
    assert_true(store_get(store, first, &one));
    assert_string_equal(game_state_name(one.state), "done");
    assert_string_equal(one.report, "{}");
    stored_game_free(&one);
}

static void the_deepest_analysis_is_remembered(void **state)
{
    Store *store = *state;
    assert_null(store_recall(store, "k", 1));
    store_remember(store, "k", 2, 20, "deep");
    store_remember(store, "k", 2, 10, "shallow");
    char *one = store_recall(store, "k", 1), *two = store_recall(store, "k", 2);
    assert_string_equal(one, "deep"); /* two lines answer a question for one */
    assert_string_equal(two, "deep");
    assert_null(store_recall(store, "k", 3));
    free(one);
    free(two);
}

static void text_is_data_not_sql(void **state)
{
    Store *store = *state;
    const int64_t id = add(store, "'); DROP TABLE games; --", GAME_SAVED);
    StoredGame one;
    assert_true(store_get(store, id, &one));
    assert_string_equal(one.white, "'); DROP TABLE games; --");
    stored_game_free(&one);
}

static void a_bad_place_is_explained(void **state)
{
    (void)state;
    Error err;
    assert_null(store_open("/nonexistent/folder/x.db", &err));
    assert_true(err.text[0] != '\0');
}

static int open_memory(void **state)
{
    *state = store_open(":memory:", NULL);
    return *state ? 0 : -1;
}

static int close_memory(void **state)
{
    store_close(*state);
    return 0;
}

#define WITH_STORE(test) cmocka_unit_test_setup_teardown(test, open_memory, close_memory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_STORE(games_come_back_newest_first),       WITH_STORE(the_oldest_queued_game_is_next),
        WITH_STORE(the_deepest_analysis_is_remembered), WITH_STORE(text_is_data_not_sql),
        cmocka_unit_test(a_bad_place_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
