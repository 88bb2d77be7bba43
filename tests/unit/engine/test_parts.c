// SPDX-License-Identifier: GPL-3.0-or-later
/* Options and the meaning of scores: the parts of the engine that need no search. */
#include "chess/fen.h"
#include "engine/options.h"
#include "engine/wdl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* --- options --- */

static void every_default_is_a_value_the_option_accepts(void **state)
{
    (void)state;
    Options options;
    const OptionSpec *spec;
    options_default(&options);
    for (int i = 0; (spec = options_at(i)); i++) {
        Buffer text = {0};
        Error err;
        options_print(spec, &options, &text);
        if (spec->about.type != SAMARA_BUTTON)
            assert_string_equal(buffer_text(&text), spec->about.default_value);
        assert_true(options_parse(spec, str_from(spec->about.default_value), &options, &err));
        assert_true(spec->about.help[0] && strlen(spec->about.help) < 120);
        assert_ptr_equal(options_find(str_from(spec->about.name)), spec);
        buffer_free(&text);
    }
}

static void names_are_found_in_any_case_and_spacing(void **state)
{
    (void)state;
    assert_non_null(options_find(STR("  clear   HASH ")));
    assert_ptr_equal(options_find(STR("hash")), options_find(STR("HASH")));
    assert_null(options_find(STR("Has")));
    assert_null(options_find(STR("Hash x")));
    assert_null(options_find(STR("")));
}

static void wrong_values_are_refused_and_change_nothing(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"Hash", ""},
        {"Hash", "0"},
        {"Hash", "-1"},
        {"Hash", "1.5"},
        {"Hash", "abc"},
        {"Hash", "16x"},
        {"Threads", "0"},
        {"Threads", "99999999"},
        {"Ponder", "yes"},
        {"Ponder", ""},
        {"UCI_Elo", "1"},
        {"Evaluation", ""},
        {"Evaluation", "magic"},
        {"Hash", "99999999999999999999"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Options before, after;
        Error err = {0};
        options_default(&before);
        after = before;
        assert_false(options_parse(options_find(str_from(wrong[i][0])), str_from(wrong[i][1]),
                                   &after, &err));
        assert_memory_equal(&before, &after, sizeof before);
        assert_string_equal(err.code, "OPTION_VALUE");
    }
}

static void texts_may_be_empty_but_not_endless(void **state)
{
    (void)state;
    Options options;
    Error err;
    options_default(&options);
    const OptionSpec *path = options_find(STR("SyzygyPath"));
    assert_true(options_parse(path, STR("/a b/c"), &options, &err));
    assert_string_equal(options.tb_path, "/a b/c");
    assert_true(options_parse(path, STR("<empty>"), &options, &err));
    assert_string_equal(options.tb_path, "");
    char *endless = calloc(1, 100001);
    memset(endless, 'a', 100000);
    assert_false(options_parse(path, str_from(endless), &options, &err));
    free(endless);
    assert_string_equal(options.tb_path, "");
}

/* --- scores --- */

static Position start(void)
{
    Position p;
    attacks_init();
    pos_start(&p);
    return p;
}

static void one_pawn_means_an_even_chance_to_win(void **state)
{
    (void)state;
    const Position p = start();
    const WdlModel model = wdl_model(&p);
    int win, draw, loss;
    wdl_chances(model, wdl_score(model, 100), &win, &draw, &loss);
    assert_in_range(win, 495, 505);
    assert_int_equal(win + draw + loss, 1000);
}

static void chances_mirror_and_rise_with_the_score(void **state)
{
    (void)state;
    const Position p = start();
    const WdlModel model = wdl_model(&p);
    int last = -1;
    for (Score v = -2000; v <= 2000; v += 50) {
        int win, draw, loss, win2, draw2, loss2;
        wdl_chances(model, v, &win, &draw, &loss);
        wdl_chances(model, -v, &win2, &draw2, &loss2);
        assert_int_equal(win, loss2);
        assert_int_equal(draw, draw2);
        assert_true(win >= last && draw >= 0);
        last = win;
        assert_in_range(wdl_score(model, wdl_centipawns(model, v)) - v + 10, 0, 20);
    }
}

static void decisive_scores_are_told_as_what_they_are(void **state)
{
    (void)state;
    const Position p = start();
    SamaraScore s;
    wdl_export(&p, score_mate(1), BOUND_EXACT, &s);
    assert_true(s.is_mate && s.value == 1 && s.win == 1000 && s.loss == 0);
    wdl_export(&p, score_mate(5), BOUND_LOWER, &s);
    assert_true(s.is_mate && s.value == 3 && s.bound == SAMARA_LOWER);
    wdl_export(&p, score_mated(0), BOUND_EXACT, &s);
    assert_true(s.is_mate && s.value == 0 && s.loss == 1000);
    wdl_export(&p, score_mated(4), BOUND_EXACT, &s);
    assert_true(s.is_mate && s.value == -2);
    wdl_export(&p, SCORE_TB_WIN - 10, BOUND_EXACT, &s);
    assert_true(!s.is_mate && s.value == 19990 && s.win == 1000);
    wdl_export(&p, -SCORE_TB_WIN + 10, BOUND_EXACT, &s);
    assert_true(!s.is_mate && s.value == -19990 && s.loss == 1000);
}

static void material_counts_both_sides(void **state)
{
    (void)state;
    const Position p = start();
    assert_int_equal(wdl_material(&p), 78);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_default_is_a_value_the_option_accepts),
        cmocka_unit_test(names_are_found_in_any_case_and_spacing),
        cmocka_unit_test(wrong_values_are_refused_and_change_nothing),
        cmocka_unit_test(texts_may_be_empty_but_not_endless),
        cmocka_unit_test(one_pawn_means_an_even_chance_to_win),
        cmocka_unit_test(chances_mirror_and_rise_with_the_score),
        cmocka_unit_test(decisive_scores_are_told_as_what_they_are),
        cmocka_unit_test(material_counts_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
