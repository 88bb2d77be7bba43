// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "chess/fen.h"
#include "review/position_notes.h"
#include "review/proof.h"
#include "review/report.h"
#include "review/words.h"
#include <stdlib.h>
#include <string.h>

static Position board(const char *fen)
{
    Position p;
    attacks_init();
    assert_true(fen_parse(&p, str_from(fen), FEN_STANDARD, NULL, NULL));
    return p;
}

/* --- proofs --- */

static void a_hanging_queen_is_nine_pawns(void **state)
{
    (void)state;
    const Position p = board("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1");
    ProofLine line;
    const int base = material_balance(&p, WHITE);
    assert_int_equal(base, -4);
    assert_int_equal(prove_gain(&p, WHITE, base, NULL, 0, &line), 9);
    assert_int_equal(move_to(line.moves[0]), D5);
}

static void a_guarded_man_is_not_lost(void **state)
{
    (void)state;
    const Position p = board("4k3/2p5/3p4/8/8/8/8/3RK3 w - - 0 1");
    assert_int_equal(prove_gain(&p, WHITE, material_balance(&p, WHITE), NULL, 0, NULL), 0);
}

/* The fork is a quiet move: it is proved if somebody hints at it. */
static void a_fork_is_proved_against_every_defence(void **state)
{
    (void)state;
    const Position p = board("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1");
    const Move hint[] = {move_from_uci(&p, str_from("d5c7"))};
    assert_int_not_equal(hint[0], MOVE_NONE);
    assert_int_equal(prove_gain(&p, WHITE, material_balance(&p, WHITE), hint, 1, NULL), 5);
}

/* Nobody hints: the winner's own quiet moves are found because they threaten something. */
static void a_quiet_fork_is_found_without_a_hint(void **state)
{
    (void)state;
    const Position fork = board("2r3rk/6pp/8/5N2/8/6P1/5PKP/8 w - - 0 1");
    ProofLine line;
    assert_true(prove_gain(&fork, WHITE, material_balance(&fork, WHITE), NULL, 0, &line) > 0);
    assert_false(pos_is_noisy(&fork, line.moves[0]));
}

/* The queen comes after four quiet moves, and the line shows her. */
static void a_pawn_that_wins_the_race_is_proved(void **state)
{
    (void)state;
    static const char *const race[] = {"g4g5", "d5d4", "g5g6", "d4d3", "g6g7", "d3d2", "g7g8q"};
    enum { PLIES = sizeof race / sizeof *race };
    const Position p = board("8/8/7K/1p1p4/1Pk3P1/8/8/8 w - - 0 58");
    Position end = p;
    Undo undo;
    Move hint[PLIES];
    for (int i = 0; i < PLIES; i++) {
        hint[i] = move_from_uci(&end, str_from(race[i]));
        pos_make(&end, hint[i], &undo, NULL);
    }
    ProofLine line;
    const int base = material_balance(&p, WHITE);
    assert_true(prove_gain(&p, WHITE, base, hint, PLIES, &line) >= 7);
    end = p;
    for (int i = 0; i < line.length; i++)
        pos_make(&end, line.moves[i], &undo, NULL);
    assert_true(material_balance(&end, WHITE) >= base + 7);
    /* One move later it is Black who is first. */
    const Position late = board("8/8/7K/1p6/1Pk3P1/3p4/8/8 w - - 0 58");
    assert_int_equal(prove_gain(&late, WHITE, material_balance(&late, WHITE), NULL, 0, NULL), 0);
}

/* Taking everything is worth nothing if the loser then has no move. */
static void stalemate_is_no_win(void **state)
{
    (void)state;
    const Position p = board("k7/p1K5/P7/8/8/8/8/1R6 b - - 0 1");
    assert_false(pos_in_check(&p));
    assert_false(prove_material(&p, WHITE, 5, NULL, 0, NULL));
}

static void mates_are_proved_or_not(void **state)
{
    (void)state;
    ProofLine line;
    const Position back = board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    assert_true(prove_mate(&back, 1, NULL, 0, &line));
    assert_int_equal(line.length, 1);
    const Position free = board("6k1/5pp1/7p/8/8/8/8/R5K1 w - - 0 1");
    assert_false(prove_mate(&free, 2, NULL, 0, NULL));
    const Position two = board("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1");
    assert_true(prove_mate(&two, 2, NULL, 0, &line));
}

/* --- whole explanations --- */

static const struct {
    const char *fen, *move, *kind, *role;
} cases[] = {
    {"r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", "g8f6", "mate", "effect"},
    {"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "d2d3", "mate",
     "better"},
    {"3r2k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a7", "back_rank", "cause"},
};

static void explain_case(int i, Verdict *out)
{
    SamaraPosition *position = samara_position_new();
    SamaraMove move;
    Study study;
    const ReviewEffort effort = {.limits.nodes = 20000, .thorough = true};
    assert_true(samara_position_set(position, cases[i].fen, false, NULL, 0, NULL));
    assert_true(samara_position_read_move(position, cases[i].move, &move, NULL));
    assert_true(study_open(&study, &effort, NULL));
    assert_true(verdict_of_move(&study, position, &move, out));
    study_close(&study);
    samara_position_free(position);
}

static bool has_claim(const Verdict *v, const char *kind, const char *role)
{
    for (int i = 0; i < v->claims.count; i++)
        if (strcmp(claim_kind_name(v->claims.claims[i].kind), kind) == 0 &&
            strcmp(claim_role_name(v->claims.claims[i].role), role) == 0)
            return true;
    return false;
}

static void faults_have_their_reasons(void **state)
{
    (void)state;
    Verdict *v = malloc(sizeof *v);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        explain_case((int)i, v);
        assert_int_not_equal(v->judgement, JUDGED_FINE);
        if (!has_claim(v, cases[i].kind, cases[i].role))
            fail_msg("%s %s: no %s (%s)", cases[i].fen, cases[i].move, cases[i].kind,
                     cases[i].role);
    }
    free(v);
}

static void words_name_the_mate(void **state)
{
    (void)state;
    Verdict *v = malloc(sizeof *v);
    Speech speech;
    Buffer text = {0};
    explain_case(0, v);
    assert_true(speech_named("en", "club", &speech));
    say_move(v, &speech, &text);
    assert_non_null(strstr(buffer_text(&text), "4. Qxf7#"));
    buffer_free(&text);
    free(v);
}

/* --- words --- */

static const char *const all_languages[] = {"en", "bs", "ro", "vi", "fi", "ru"};

/* Every phrase of every language and level can be said, no brace is left, and nothing is longer
 * than a line of text allows. */
static void every_phrase_of_every_language_renders(void **state)
{
    (void)state;
    for (size_t l = 0; l < sizeof all_languages / sizeof *all_languages; l++)
        for (int level = 0; level < LEVEL_COUNT; level++) {
            Speech speech;
            assert_true(
                speech_named(all_languages[l], speech_level_name((SpeechLevel)level), &speech));
            for (int phrase = 0; phrase < PHRASES; phrase++) {
                const Template *t = &speech.language->phrases[phrase];
                assert_non_null(t->club);
                const char *texts[] = {t->club, t->beginner, t->expert};
                for (int i = 0; i < 3; i++) {
                    if (!texts[i])
                        continue;
                    assert_true(strlen(texts[i]) <= 200);
                    int open = 0;
                    for (const char *c = texts[i]; *c; c++) {
                        open += *c == '{' ? 1 : *c == '}' ? -1 : 0;
                        assert_in_range(open, 0, 1);
                    }
                    assert_int_equal(open, 0);
                }
            }
        }
    Speech speech;
    assert_false(speech_named("xx", NULL, &speech));
    assert_false(speech_named("en", "master", &speech));
}

static void a_position_tells_its_threat(void **state)
{
    (void)state;
    SamaraPosition *position = samara_position_new();
    Study study;
    const ReviewEffort effort = {.limits.nodes = 20000, .thorough = true};
    PositionNotes *notes = malloc(sizeof *notes);
    Buffer text = {0};
    Speech speech;
    assert_true(samara_position_set(
        position, "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", false, NULL,
        0, NULL));
    assert_true(study_open(&study, &effort, NULL));
    assert_true(notes_make(&study, position, notes));
    assert_true(speech_named(NULL, NULL, &speech));
    say_position(notes, &speech, &text);
    assert_non_null(strstr(buffer_text(&text), "White threatens mate in 1 with 4. Qxf7#."));
    buffer_clear(&text);
    report_notes(position, notes, &speech, &text);
    assert_non_null(strstr(buffer_text(&text), "\"threats\":[{\"kind\":\"mate\""));
    study_close(&study);
    samara_position_free(position);
    buffer_free(&text);
    free(notes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hanging_queen_is_nine_pawns),
        cmocka_unit_test(a_guarded_man_is_not_lost),
        cmocka_unit_test(a_fork_is_proved_against_every_defence),
        cmocka_unit_test(a_quiet_fork_is_found_without_a_hint),
        cmocka_unit_test(a_pawn_that_wins_the_race_is_proved),
        cmocka_unit_test(stalemate_is_no_win),
        cmocka_unit_test(mates_are_proved_or_not),
        cmocka_unit_test(faults_have_their_reasons),
        cmocka_unit_test(words_name_the_mate),
        cmocka_unit_test(every_phrase_of_every_language_renders),
        cmocka_unit_test(a_position_tells_its_threat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
