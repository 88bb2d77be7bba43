// SPDX-License-Identifier: GPL-3.0-or-later
/* What engines and users write: info lines, options, time controls, command lines. */
#include "match/info.h"
#include "match/option.h"
#include "match/options.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void uci_info_is_read_field_by_field(void **state)
{
    (void)state;
    const Info i = info_from_uci(
        STR("info depth 18 seldepth 25 multipv 2 score cp -31 lowerbound nodes 123456 "
            "nps 1000000 hashfull 12 tbhits 0 time 123 pv e2e4 e7e5"));
    assert_int_equal(i.depth, 18);
    assert_int_equal(i.seldepth, 25);
    assert_int_equal(i.multipv, 2);
    assert_true(i.has_score && !i.is_mate && i.is_bound);
    assert_int_equal(i.score, -31);
    assert_int_equal(i.nodes, 123456);
    assert_int_equal(i.nps, 1000000);
    assert_int_equal(i.time_ms, 123);
    assert_true(str_is(i.pv, "e2e4 e7e5"));
    assert_int_equal(i.wrong.len, 0);
}

static void uci_info_tolerates_what_it_does_not_know(void **state)
{
    (void)state;
    const Info mate = info_from_uci(STR("info depth 5 score mate -3 wdl 0 0 1000 pv a7a8q"));
    assert_true(mate.has_score && mate.is_mate);
    assert_int_equal(mate.score, -3);
    const Info text = info_from_uci(STR("info string depth 7 pv e2e4"));
    assert_false(text.has_depth);
    assert_int_equal(text.pv.len, 0);
    assert_true(str_is(text.text, "depth 7 pv e2e4"));
    assert_int_equal(info_from_uci(STR("info")).wrong.len, 0);
}

static void uci_info_names_the_wrong_token(void **state)
{
    (void)state;
    static const struct {
        const char *line, *wrong;
    } cases[] = {
        {"info depth x", "x"},
        {"info time 1.5 depth 3", "1.5"},
        {"info score 31", "31"},
        {"info score cp +-3", "+-3"},
        {"info nodes", "(end of line)"},
        {"info nodes 99999999999999999999999", "99999999999999999999999"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_true(str_is(info_from_uci(str_from(cases[k].line)).wrong, cases[k].wrong));
}

static void xboard_thinking_is_told_from_other_lines(void **state)
{
    (void)state;
    const Info i = info_from_xboard(STR("12 -45 340 98765 e4 e5 Nf3"));
    assert_int_equal(i.depth, 12);
    assert_int_equal(i.score, -45);
    assert_int_equal(i.time_ms, 3400);
    assert_int_equal(i.nodes, 98765);
    assert_false(i.is_mate);
    assert_int_equal(info_from_xboard(STR("7. 10 1 20 e4")).depth, 7);
    assert_false(info_from_xboard(STR("1. ... e7e5")).has_score);
    assert_false(info_from_xboard(STR("1-0 {White mates}")).has_score);
    assert_false(info_from_xboard(STR("# 3 4 5 6")).has_score);
    const Info mate = info_from_xboard(STR("9 -100004 1 2 Kh1"));
    assert_true(mate.is_mate);
    assert_int_equal(mate.score, -4);
}

static void options_keep_blanks_in_names_and_values(void **state)
{
    (void)state;
    OptionInfo o = option_parse(STR("option name Clear Hash type button"));
    assert_true(str_is(o.name, "Clear Hash") && str_is(o.type, "button"));
    o = option_parse(STR("name Syzygy Path type string default C:\\my tables"));
    assert_true(str_is(o.name, "Syzygy Path") && str_is(o.value, "C:\\my tables"));
    o = option_parse(STR("name Hash type spin default 16 min 1 max 33554432"));
    assert_true(o.has_min && o.has_max && o.has_value);
    assert_int_equal(o.min, 1);
    assert_int_equal(o.max, 33554432);
}

static void option_faults_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *line, *fault; /* NULL: none */
    } cases[] = {
        {"name Hash type spin default 16 min 1 max 1024", NULL},
        {"name Ponder type check default false", NULL},
        {"name Style type combo default Solid var Solid var Risky", NULL},
        {"name Book type string default <empty>", NULL},
        {"name Clear type button", NULL},
        {"name Hash type spin default 16", "a spin needs default, min and max"},
        {"name Hash type spin default x min 1 max 2", "its default is no number"},
        {"name Hash type spin default 9 min 1 max 2", "its default lies outside of min and max"},
        {"name Ponder type check default 1", "its default is not true or false"},
        {"name Style type combo default Solid", "a combo needs vars"},
        {"name Style type combo default Wild var Solid", "its default is none of its vars"},
        {"name X type slider default 1", "its type is none of check, spin, combo, button, string"},
        {"type check default true", "it has no name"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const OptionInfo o = option_parse(str_from(cases[k].line));
        const char *fault = option_fault(&o);
        if (!cases[k].fault)
            assert_null(fault);
        else
            assert_string_equal(fault ? fault : "(none)", cases[k].fault);
    }
}

static void time_controls_are_read_and_written(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t moves, base, increment;
        const char *written;
    } cases[] = {
        {"2+0.02", 0, 2000000, 20000, "2+0.02"},
        {"40/60+0.6", 40, 60000000, 600000, "40/60+0.6"},
        {"1:30+1", 0, 90000000, 1000000, "90+1"},
        {"10", 0, 10000000, 0, "10"},
        {"0+1", 0, 0, 1000000, "0+1"},
        {"inf", 0, 0, 0, "-"},
        {"0.001+0", 0, 1000, 0, "0.001"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        TimeControl tc = {0};
        Buffer out = {0};
        assert_true(time_control_parse(&tc, str_from(cases[k].text), NULL));
        assert_int_equal(tc.moves, cases[k].moves);
        assert_int_equal(tc.base, cases[k].base);
        assert_int_equal(tc.increment, cases[k].increment);
        time_control_write(&tc, &out);
        assert_string_equal(buffer_text(&out), cases[k].written);
        buffer_free(&out);
    }
}

static void limits_are_written_as_on_the_command_line(void **state)
{
    (void)state;
    static const struct {
        TimeControl tc;
        const char *written;
    } cases[] = {
        {{.base = 2000000, .increment = 20000}, "2+0.02"},
        {{.nodes = 5000}, "nodes=5000"},
        {{.move_time = 100000, .depth = 8}, "st=0.1 depth=8"},
        {{.base = 10000000, .increment = 100000, .depth = 8}, "10+0.1 depth=8"},
        {{0}, ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Buffer out = {0};
        limit_write(&cases[k].tc, &out);
        assert_string_equal(buffer_text(&out), cases[k].written);
        buffer_free(&out);
    }
}

static void wrong_time_controls_are_refused_and_change_nothing(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",   "x", "1+",  "+1",   "40/",   "/5",  "1:2:3",
        "-1", "0", "0+0", "1+-1", "5+1+1", "1e3", "99999999999999999999"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        TimeControl tc = {.base = 7};
        Error err;
        if (time_control_parse(&tc, str_from(cases[k]), &err))
            fail_msg("'%s' was accepted", cases[k]);
        assert_int_equal(tc.base, 7);
    }
}

static void a_command_line_becomes_a_match(void **state)
{
    (void)state;
    char *argv[] = {"-engine",
                    "cmd=./a",
                    "name=A",
                    "option.Hash=64",
                    "args=--x \"y z\"",
                    "--engine",
                    "cmd=./b",
                    "tc=5+0.1",
                    "-each",
                    "tc=2+0.02",
                    "option.Hash=16",
                    "option.Clear Hash=",
                    "timemargin=30",
                    "-openings",
                    "file=book.epd",
                    "order=random",
                    "seed=7",
                    "start=11",
                    "-rounds",
                    "50",
                    "-repeat",
                    "-concurrency",
                    "2",
                    "-sprt",
                    "elo0=-1.5",
                    "elo1=3",
                    "alpha=0.1",
                    "-draw",
                    "-resign",
                    "movecount=4",
                    "score=900",
                    "twosided=true",
                    "-pgnout",
                    "file=out.pgn",
                    "-maxmoves",
                    "200",
                    "-tournament",
                    "gauntlet"};
    MatchOptions o;
    Error err;
    if (!match_options_parse(&o, MODE_MATCH, sizeof argv / sizeof *argv, argv, &err))
        fail_msg("%s", err.text);
    const MatchConfig *c = &o.config;
    assert_int_equal(c->engine_count, 2);
    const EngineSpec *a = &c->engines[0], *b = &c->engines[1];
    assert_string_equal(a->name, "A");
    assert_string_equal(b->name, "b");
    assert_int_equal(a->argc, 3);
    assert_string_equal(a->argv[0], "./a");
    assert_string_equal(a->argv[2], "y z");
    assert_null(a->argv[3]);
    assert_int_equal(a->tc.base, 2000000);
    assert_int_equal(b->tc.base, 5000000);
    assert_int_equal(a->tc.margin, 30000);
    assert_int_equal(a->option_count, 2);
    assert_string_equal(a->options[0].value, "64");
    assert_string_equal(b->options[0].value, "16");
    assert_string_equal(b->options[1].name, "Clear Hash");
    assert_string_equal(c->openings.path, "book.epd");
    assert_true(c->openings.shuffle);
    assert_int_equal(c->openings.seed, 7);
    assert_int_equal(c->openings.first, 10);
    assert_int_equal(schedule_games(&c->schedule), 100);
    assert_int_equal(c->concurrency, 2);
    assert_true(c->has_sprt && c->sprt.elo0 == -1.5 && c->sprt.elo1 == 3 && c->sprt.alpha == 0.1 &&
                c->sprt.beta == 0.05);
    assert_int_equal(c->rules.draw_moves, 8);
    assert_int_equal(c->rules.resign_moves, 4);
    assert_int_equal(c->rules.resign_score, 900);
    assert_true(c->rules.resign_two_sided);
    assert_string_equal(c->pgn_path, "out.pgn");
    assert_int_equal(c->rules.max_moves, 200);
    match_options_free(&o);
}

static void engines_of_one_name_are_told_apart(void **state)
{
    (void)state;
    char *argv[] = {"-engine", "cmd=x/e", "-engine", "cmd=y/e",
                    "-engine", "cmd=e",   "-each",   "depth=1"};
    MatchOptions o;
    assert_true(match_options_parse(&o, MODE_MATCH, sizeof argv / sizeof *argv, argv, NULL));
    assert_string_equal(o.config.engines[0].name, "e");
    assert_string_equal(o.config.engines[1].name, "e #2");
    assert_string_equal(o.config.engines[2].name, "e #3");
    match_options_free(&o);
}

static void wrong_settings_are_refused(void **state)
{
    (void)state;
    static const struct {
        char *word[2];
        const char *says;
    } cases[] = {
        {{"-rounds", "0"}, "-rounds: a number such as 100 or 2k is needed, not '0'"},
        {{"-rounds", "x"}, "-rounds: a number such as 100 or 2k is needed, not 'x'"},
        {{"-concurrency", "0"}, "-concurrency takes a whole number from 1 to 1024, not '0'"},
        {{"-sprt", "alpha=0.7"}, "-sprt alpha takes a number from 1e-06 to 0.499, not '0.7'"},
        {{"-sprt", "elo1=-3"}, "-sprt needs elo0 below elo1"},
        {{"-openings", "order=best"}, "-openings order: it is random or sequential, not 'best'"},
        {{"-each", "nodes=-1"}, "-each nodes: a number such as 2000 or 25k is needed, not '-1'"},
        {{"-each", "proto=telnet"}, "-each proto: it is uci or xboard, not 'telnet'"},
        {{"-tournament", "swiss"}, "-tournament: it is round-robin or gauntlet, not 'swiss'"},
        {{"-repeat", "3"}, "an opening is played twice, not '3'"},
        {{"-params", "x"}, "-params, -iterations, -out and -list belong to 'samara-match spsa'"},
        {{"stray", "word"}, "'stray' is not expected here"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *argv[] = {"-engine", "cmd=a",  "nodes=1",        "-engine",       "cmd=b",
                        "nodes=1", "-quiet", cases[k].word[0], cases[k].word[1]};
        MatchOptions o;
        Error err;
        if (match_options_parse(&o, MODE_MATCH, sizeof argv / sizeof *argv, argv, &err))
            fail_msg("%s %s was accepted", cases[k].word[0], cases[k].word[1]);
        assert_string_equal(err.text, cases[k].says);
        match_options_free(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uci_info_is_read_field_by_field),
        cmocka_unit_test(uci_info_tolerates_what_it_does_not_know),
        cmocka_unit_test(uci_info_names_the_wrong_token),
        cmocka_unit_test(xboard_thinking_is_told_from_other_lines),
        cmocka_unit_test(options_keep_blanks_in_names_and_values),
        cmocka_unit_test(option_faults_are_named),
        cmocka_unit_test(time_controls_are_read_and_written),
        cmocka_unit_test(limits_are_written_as_on_the_command_line),
        cmocka_unit_test(wrong_time_controls_are_refused_and_change_nothing),
        cmocka_unit_test(a_command_line_becomes_a_match),
        cmocka_unit_test(engines_of_one_name_are_told_apart),
        cmocka_unit_test(wrong_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
