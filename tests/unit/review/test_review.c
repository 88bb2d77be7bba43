// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "review/annotate.h"
#include "review/report.h"
#include <string.h>

enum { NODES = 3000 };

static const char mate[] =
    "[White \"A \\\\ \\\"B\\\"\"]\n[Result \"0-1\"]\n[Zeta \"z\"]\n\n1. f3 e5 2. g4 Qh4# 0-1";
/* Thirty-five plies: three segments. */
static const char longer[] =
    "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1";
static const char three[] =
    "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 Nbd7 7. Rc1 c6 8. Bd3 dxc4 "
    "9. Bxc4 Nd5 10. Bxe7 Qxe7 11. O-O Nxc3 12. Rxc3 e5 13. Qc2 exd4 14. exd4 Nb6 15. Re1 Qf6 "
    "16. Bb3 Bg4 17. Ne5 Be6 18. Qe4 *";

static Review *review_of(const char *pgn, int jobs)
{
    SamaraGame *game = samara_game_read(pgn, strlen(pgn), NULL, NULL);
    assert_non_null(game);
    Review *review = review_create(game);
    assert_non_null(review);
    const ReviewEffort effort = {.limits = {.nodes = NODES}, .jobs = jobs};
    SamaraError err;
    assert_true(review_run(review, &effort, NULL, &err));
    return review;
}

static Speech english(void)
{
    Speech speech;
    assert_true(speech_named("en", "club", &speech));
    return speech;
}

static void both_texts(const char *pgn, int jobs, Buffer *out)
{
    Review *review = review_of(pgn, jobs);
    const Speech speech = english();
    report_write(review, &speech, out);
    annotate_pgn(review, &speech, out);
    review_destroy(review);
}

static void threads_change_no_letter(void **state)
{
    (void)state;
    Buffer one = {0}, two = {0}, again = {0};
    both_texts(three, 1, &one);
    both_texts(three, 2, &two);
    both_texts(three, 1, &again);
    assert_string_equal(buffer_text(&one), buffer_text(&again));
    assert_string_equal(buffer_text(&one), buffer_text(&two));
    buffer_free(&one);
    buffer_free(&two);
    buffer_free(&again);
}

static void walking_into_mate_is_a_blunder(void **state)
{
    (void)state;
    Review *review = review_of(mate, 1);
    assert_int_equal(review->verdicts[2].judgement, JUDGED_BLUNDER);
    assert_int_equal(worth_mate_in(review->verdicts[2].played), -1);
    assert_int_equal(review->verdicts[3].judgement, JUDGED_FINE);
    assert_true(review->positions[4].over);
    review_destroy(review);
}

/* What the game shows was there before it was seen: no position is worth less than the move that
 * was played in it. */
static void worths_are_consistent(void **state)
{
    (void)state;
    Review *review = review_of(longer, 1);
    for (size_t i = 0; i < review->plies; i++)
        assert_true(review->positions[i].worth >= worth_before(review->positions[i + 1].worth));
    assert_int_equal(worth_mate_in(review->positions[13].worth), 1);
    assert_int_equal(review->verdicts[12].judgement, JUDGED_BLUNDER); /* 7. Be2 */
    review_destroy(review);
}

static void annotated_pgn_can_be_read_again(void **state)
{
    (void)state;
    Buffer pgn = {0};
    Review *review = review_of(mate, 1);
    const Speech speech = english();
    annotate_pgn(review, &speech, &pgn);
    assert_non_null(strstr(buffer_text(&pgn), "[White \"A \\\\ \\\"B\\\"\"]\n[Black \"?\"]\n"));
    assert_non_null(strstr(buffer_text(&pgn), "[Annotator \"Samara\"]\n\n"));
    assert_non_null(strstr(buffer_text(&pgn), "2. g4 $4 { [%eval #-1]"));
    assert_non_null(strstr(buffer_text(&pgn), " (2. "));
    SamaraGame *again = samara_game_read(buffer_text(&pgn), pgn.len, NULL, NULL);
    assert_non_null(again);
    assert_int_equal(samara_game_length(again), 4);
    samara_game_free(again);
    buffer_free(&pgn);
    review_destroy(review);
}

static bool never(void *user)
{
    (void)user;
    return false;
}

static void it_can_be_stopped(void **state)
{
    (void)state;
    SamaraGame *game = samara_game_read(three, strlen(three), NULL, NULL);
    Review *review = review_create(game);
    const ReviewEvents events = {.goes_on = never};
    SamaraError err;
    assert_false(review_run(review, &(ReviewEffort){0}, &events, &err));
    assert_string_equal(err.code, "STOPPED");
    Buffer out = {0};
    const Speech speech = english();
    report_write(review, &speech, &out); /* half a review, or none, can be shown */
    assert_non_null(strstr(buffer_text(&out), "\"accuracy\":null"));
    buffer_free(&out);
    review_destroy(review);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_no_letter),
        cmocka_unit_test(walking_into_mate_is_a_blunder),
        cmocka_unit_test(worths_are_consistent),
        cmocka_unit_test(annotated_pgn_can_be_read_again),
        cmocka_unit_test(it_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
