// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "front/http/store.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const StoreLimits wide = {.bytes = 1 << 20, .per_client = 1 << 20};

static int64_t add(Store *store, char *white, GameState state)
{
    const StoredGame game = {.owner = 7,
                             .white = white,
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
    assert_int_equal(store_get(store, first, &one, NULL), STORE_FOUND);
    assert_string_equal(one.pgn, "1. e4 e5 *");
    assert_null(one.report);
    stored_game_free(&one);
    assert_int_equal(store_delete(store, first, NULL), STORE_FOUND);
    assert_int_equal(store_delete(store, first, NULL), STORE_ABSENT);
    assert_int_equal(store_get(store, first, &one, NULL), STORE_ABSENT);
    assert_int_equal(store_delete(store, second, NULL), STORE_FOUND);
    assert_int_equal(store_count(store), 0);
    assert_int_equal(store_bytes(store), 0);
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
    assert_int_equal(store_get(store, first, &one, NULL), STORE_FOUND);
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
    assert_int_equal(store_get(store, id, &one, NULL), STORE_FOUND);
    assert_string_equal(one.white, "'); DROP TABLE games; --");
    stored_game_free(&one);
}

/* A game of so many bytes, and 256 for its row. */
static int64_t add_of_size(Store *store, uint64_t owner, size_t size, Error *err)
{
    char *pgn = calloc(1, size + 1);
    assert_non_null(pgn);
    memset(pgn, 'x', size);
    const StoredGame game = {
        .owner = owner, .white = "w", .black = "b", .result = "*", .plies = 1, .pgn = pgn};
    const int64_t id = store_add(store, &game, err);
    free(pgn);
    return id;
}

/* 4000 bytes are for games, 2000 for one client; each takes 500. */
static void shares_hold_and_who_has_most_makes_room(void **state)
{
    (void)state;
    const StoreLimits limits = {.bytes = 4 * 4000 / 3 + 4, .per_client = 2000};
    Store *store = store_open(":memory:", limits, NULL);
    Error err;
    int64_t first = 0;
    for (int i = 0; i < 4; i++) {
        const int64_t id = add_of_size(store, 1, 244, &err);
        assert_true(id > 0);
        first = first ? first : id;
    }
    assert_int_equal(add_of_size(store, 1, 244, &err), 0);
    assert_string_equal(err.code, STORE_CODE_SHARE);
    for (uint64_t owner = 2; owner < 6; owner++)
        assert_true(add_of_size(store, owner, 244, &err) > 0);
    assert_int_equal(store_bytes(store), 4000);
    assert_true(add_of_size(store, 2, 244, &err) > 0); /* client 1 had four, now three */
    StoredGame one;
    assert_int_equal(store_get(store, first, &one, NULL), STORE_ABSENT);
    assert_true(add_of_size(store, 3, 244, &err) > 0);     /* two */
    assert_int_equal(add_of_size(store, 4, 500, &err), 0); /* nobody has more than it would */
    assert_string_equal(err.code, STORE_CODE_FULL);
    assert_int_equal(store_count(store), 8); /* what a refused game pushed out came back */
    store_close(store);
}

static void the_least_used_positions_are_forgotten(void **state)
{
    (void)state;
    const StoreLimits limits = {.bytes = 4 * 40 * 200, .per_client = 1};
    Store *store = store_open(":memory:", limits, NULL);
    char key[16], json[70];
    memset(json, 'j', sizeof json - 1);
    json[sizeof json - 1] = '\0';
    for (int i = 0; i < 200; i++) { /* 200 bytes each, forty are allowed */
        snprintf(key, sizeof key, "%03d", i);
        store_remember(store, key, 1, 20, json);
        assert_true(store_bytes(store) <= 40 * 200);
    }
    assert_true(store_bytes(store) > 20 * 200);
    store_close(store);
}

static void a_bad_place_is_explained(void **state)
{
    (void)state;
    Error err;
    assert_null(store_open("/nonexistent/folder/x.db", wide, &err));
    assert_true(err.text[0] != '\0');
}

static int open_memory(void **state)
{
    *state = store_open(":memory:", wide, NULL);
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
        WITH_STORE(games_come_back_newest_first),
        WITH_STORE(the_oldest_queued_game_is_next),
        WITH_STORE(the_deepest_analysis_is_remembered),
        WITH_STORE(text_is_data_not_sql),
        cmocka_unit_test(shares_hold_and_who_has_most_makes_room),
        cmocka_unit_test(the_least_used_positions_are_forgotten),
        cmocka_unit_test(a_bad_place_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
