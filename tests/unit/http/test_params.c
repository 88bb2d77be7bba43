// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "front/http/params.h"
#include <string.h>

enum { EVERYTHING = (1 << 17) - 1 };

static bool parse(Params *params, Reply *reply, const char *body)
{
    memset(reply, 0, sizeof *reply);
    return params_from_body(params, EVERYTHING, str_from(body), 1000, reply);
}

static void all_fields_are_read(void **state)
{
    (void)state;
    Params p;
    Reply reply;
    assert_true(parse(
        &p, &reply,
        "{\"fen\":\"x "
        "y\",\"moves\":[\"e2e4\",\"e7e5\"],\"chess960\":true,\"depth\":7,\"nodes\":1000000,"
        "\"movetime\":1000,\"mate\":3,\"multipv\":2,\"searchmoves\":[\"a\"],\"elo\":1500,"
        "\"method\":\"random\",\"session\":\"s\",\"clock\":{\"wtime\":1,\"btime\":2,\"winc\":3}}"));
    assert_string_equal(p.fen, "x y");
    assert_int_equal(p.moves.count, 2);
    assert_string_equal(p.moves.words[1], "e7e5");
    assert_true(p.chess960 && p.random);
    assert_int_equal(p.depth, 7);
    assert_int_equal(p.nodes, 1000000);
    assert_int_equal(p.winc, 3);
    assert_true(p.given & FIELD_CLOCK);
    assert_false(p.given & FIELD_PGN);
    params_free(&p);
}

static void faults_are_named(void **state)
{
    (void)state;
    const struct {
        const char *body, *code;
    } cases[] = {
        {"", "bad_json"},
        {"{", "bad_json"},
        {"[]", "bad_json"},
        {"{\"depth\":1,\"depth\":2}", "bad_json"},
        {"{\"x\":1}", "unknown_field"},
        {"{\"depth\":\"1\"}", "wrong_type"},
        {"{\"depth\":1.0}", "wrong_type"},
        {"{\"depth\":61}", "out_of_range"},
        {"{\"movetime\":1001}", "out_of_range"},
        {"{\"fen\":\"a\\nb\"}", "bad_fen"},
        {"{\"fen\":\"\"}", "out_of_range"},
        {"{\"moves\":{}}", "wrong_type"},
        {"{\"moves\":[null]}", "wrong_type"},
        {"{\"method\":null}", "out_of_range"},
        {"{\"analyse\":{\"multipv\":1}}", "unknown_field"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Params p;
        Reply reply;
        assert_false(parse(&p, &reply, cases[i].body));
        assert_int_equal(reply.status, 400);
        assert_non_null(strstr(buffer_text(&reply.body), cases[i].code));
        assert_null(p.json);
        reply_clear(&reply);
    }
}

static void a_query_means_the_same_as_a_body(void **state)
{
    (void)state;
    Params p;
    Reply reply = {0};
    json_t *query = json_pack("{s:s, s:s, s:s, s:s}", "fen", "startpos", "moves", "e2e4, e7e5,,",
                              "depth", "5", "chess960", "1");
    assert_true(params_from_query(&p, EVERYTHING, query, 1000, &reply));
    assert_null(p.fen); /* the start position */
    assert_int_equal(p.moves.count, 2);
    assert_int_equal(p.depth, 5);
    assert_true(p.chess960);
    params_free(&p);
    assert_false(
        params_from_query(&p, EVERYTHING, json_pack("{s:s}", "depth", "5x"), 1000, &reply));
    assert_int_equal(reply.status, 400);
    assert_false(params_from_query(&p, FIELD_FEN, json_pack("{s:s}", "depth", "5"), 1000, &reply));
    reply_clear(&reply);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_fields_are_read),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(a_query_means_the_same_as_a_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
