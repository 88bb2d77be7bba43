// SPDX-License-Identifier: GPL-3.0-or-later
/* Games as jobs: what is written is read again, what is damaged or hostile is refused. */
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "match/identity.h"
#include "match/match_job.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char good[] =
    "match 1 7 3 0\nstart 0 rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"
    "book g1f3 b8c6\nrules 40 8 10 3 600 0 90\n"
    "player new\nlimits 0 0 0 0 0 700 -1 0\nmanner 0 0\noption Hash=2\n"
    "player old one\nlimits 40 60000000 600000 0 0 0 20000 0\nmanner 1 1\n";

static bool reads(const char *text)
{
    MatchJob *job = malloc(sizeof *job);
    Error err;
    const bool ok = match_job_read(str_from(text), job, &err);
    match_job_free(job);
    free(job);
    return ok;
}

static void a_job_is_written_as_it_was_read(void **state)
{
    MatchJob *job = malloc(sizeof *job);
    Buffer again = {0};
    Error err;
    (void)state;
    assert_true(match_job_read(str_from(good), job, &err));
    assert_int_equal(job->book_count, 2);
    assert_string_equal(job->black->name, "old one");
    assert_int_equal(job->black->tc.increment, 600000);
    match_job_write(job, &again);
    assert_string_equal(buffer_text(&again), good);
    buffer_free(&again);
    match_job_free(job);
    free(job);
}

/* Each is `good` with one text in place of another. */
static void a_job_with_one_wrong_word_is_refused(void **state)
{
    static const char *const wrong[][2] = {
        {"match 1", "match 2"},
        {"match 1 7", "match 1 -7"},
        {"start 0", "start 2"},
        {"w KQkq", "x KQkq"},
        {"book g1f3", "book g1g3"},
        {"rules 40", "rules 40 1"},
        {"rules 40", "rules -1"},
        {"player new", "player "},
        {"limits 0 0 0 0 0 700", "limits 0 0 0 0 0 0"},
        {"limits 40 60000000", "limits 40 -1"},
        {"manner 1 1", "manner 1 2"},
        {"manner 1 1\n", "manner 1 1\ncmd /bin/sh\n"},
        {"option Hash=2", "option Hash"},
        {"option Hash=2", "option Hash=2\x01"},
        {"option Hash=2", "option =2"},
        {"option Hash=2", "init quit"},
    };
    (void)state;
    assert_true(reads(good));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Buffer text = {0};
        const char *at = strstr(good, wrong[i][0]);
        assert_non_null(at);
        buffer_append(&text, good, (size_t)(at - good));
        buffer_puts(&text, wrong[i][1]);
        buffer_puts(&text, at + strlen(wrong[i][0]));
        assert_false(reads(buffer_text(&text)));
        buffer_free(&text);
    }
}

/* Two engine moves after the book, then Black has resigned. */
static void play_some(const MatchJob *job, GameRecord *record)
{
    const Opening opening = match_job_opening(job);
    Error err;
    record_init(record);
    assert_true(record_set_opening(record, &opening, &err));
    for (int i = 0; i < 2; i++) {
        const Move move = move_from_uci(&record->game.pos, str_from(i ? "g8f6" : "f1b5"));
        const MoveNote note = {
            .thought = {.move = move, .used = 1234, .has_score = true, .score = -31, .depth = 9}};
        assert_true(record_add(record, move, &note, &err));
    }
    record->result = RESULT_WHITE;
    record->termination = TERMINATION_RESIGNATION;
    record->faults[BLACK][FAULT_INFO] = 2;
    str_copy(record->reason, sizeof record->reason, STR("Black resigns"));
    str_copy(record->first_fault[BLACK].text, ERROR_TEXT_SIZE, STR("malformed\ninfo line"));
}

/* Every byte counts, the question's included. */
static void a_result_comes_back_whole_or_not_at_all(void **state)
{
    MatchJob *job = malloc(sizeof *job);
    GameRecord record, back;
    Buffer text = {0};
    Error err;
    (void)state;
    attacks_init();
    assert_true(match_job_read(str_from(good), job, &err));
    play_some(job, &record);
    match_result_write(str_from(good), &record, &text);
    record_init(&back);
    assert_true(match_result_read(str_from(good), job, (Str){text.data, text.len}, &back, &err));
    assert_int_equal(back.game.count, 4);
    assert_int_equal(back.notes[3].thought.score, -31);
    assert_int_equal(back.faults[BLACK][FAULT_INFO], 2);
    assert_string_equal(back.reason, "Black resigns");
    assert_string_equal(back.first_fault[BLACK].text, "malformed info line");
    record_free(&back);
    for (size_t i = 0; i < text.len; i++) {
        text.data[i] ^= 1;
        record_init(&back);
        assert_false(
            match_result_read(str_from(good), job, (Str){text.data, text.len}, &back, &err));
        record_free(&back);
        text.data[i] ^= 1;
    }
    record_init(&back);
    assert_false(match_result_read(STR("match"), job, (Str){text.data, text.len}, &back, &err));
    record_free(&back);
    record_free(&record);
    buffer_free(&text);
    match_job_free(job);
    free(job);
}

/* A worker that claims a mate where there is none is not believed, although its sum is right. */
static void an_end_by_the_rules_must_be_one(void **state)
{
    MatchJob *job = malloc(sizeof *job);
    GameRecord record, back;
    Buffer text = {0};
    Error err;
    (void)state;
    assert_true(match_job_read(str_from(good), job, &err));
    play_some(job, &record);
    record.termination = TERMINATION_RULES;
    match_result_write(str_from(good), &record, &text);
    record_init(&back);
    assert_false(match_result_read(str_from(good), job, (Str){text.data, text.len}, &back, &err));
    record_free(&back);
    record_free(&record);
    buffer_free(&text);
    match_job_free(job);
    free(job);
}

/* Numbers and announced choices travel; texts and unknown names do not. */
static void only_numbers_and_choices_travel(void **state)
{
    static const struct {
        char *name, *value;
        bool taken;
    } cases[] = {
        {"Hash", "64", true},      {"hash", "64", true},          {"Hash", "0", false},
        {"Hash", "64; rm", false}, {"Ponder", "true", true},      {"Ponder", "perhaps", false},
        {"Style", "Normal", true}, {"Style", "../../etc", false}, {"EvalFile", "x.nnue", false},
        {"EvalFile", "", false},   {"Clear Hash", "", false},     {"Nothing", "1", false},
    };
    EngineIdentity identity = {0};
    (void)state;
    buffer_puts(&identity.options, "name Hash type spin default 16 min 1 max 1024\n"
                                   "name Ponder type check default false\n"
                                   "name Style type combo default Normal var Normal var Wild\n"
                                   "name EvalFile type string default <empty>\n"
                                   "name Clear Hash type button\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            identity_takes_option(&identity, &(EngineOption){cases[i].name, cases[i].value}),
            cases[i].taken);
    identity_free(&identity);
}

int main(void)
{
    attacks_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_is_written_as_it_was_read),
        cmocka_unit_test(a_job_with_one_wrong_word_is_refused),
        cmocka_unit_test(a_result_comes_back_whole_or_not_at_all),
        cmocka_unit_test(an_end_by_the_rules_must_be_one),
        cmocka_unit_test(only_numbers_and_choices_travel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
