// SPDX-License-Identifier: GPL-3.0-or-later
/* The table of arguments: what is read, what is refused and why, and what --help shows. */
#include "base/args.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

typedef struct Values {
    bool quiet;
    int depth;
    int64_t nodes;
    double rate;
    const char *file, *kind;
    char words[100];
} Values;

static Values v;
static int operands;
static Error err;

static bool take_word(void *target, Str word, Error *why)
{
    char *out = target;
    if (str_is(word, "bad"))
        return error_set(why, "bad is no word");
    strncat(out, word.ptr, word.len);
    strcat(out, ";");
    return true;
}

static ArgsOutcome parse_as(ArgCommand command, char **argv, Buffer *out)
{
    v = (Values){.depth = 6, .rate = 0.5, .kind = "plain"};
    const ArgSpec settings[] = {ARGS_INT("level", &v.depth, 1, 9, "N", "how hard")};
    const ArgSpec specs[] = {
        ARGS_HEADING("Things"),
        ARGS_FLAG("quiet", &v.quiet, "say less"),
        ARGS_INT("depth", &v.depth, 1, 100, "N", "plies to search"),
        ARGS_LONG("nodes", &v.nodes, 1, 0x1p63, "N", "nodes to search"),
        ARGS_REAL("rate", &v.rate, 0, 1, "X", "rate of learning"),
        ARGS_TEXT("file", &v.file, "FILE", "where to write"),
        ARGS_CHOICE("kind", &v.kind, "plain|fancy", "how it looks"),
        ARGS_INT("old", &v.depth, 1, 100, "N", NULL),
        {.name = "words",
         .type = ARG_WORDS,
         .at.target = v.words,
         .take = take_word,
         .min = 1,
         .max = 3,
         .value = "SETTINGS",
         .help = "up to three words",
         .settings = settings,
         .setting_count = 1},
    };
    command.program = "prog";
    command.name = "cmd";
    command.summary = "Does a thing.\nAnd another.";
    command.specs = specs;
    command.spec_count = ARGS_COUNT(specs);
    int argc = 0;
    while (argv[argc])
        argc++;
    return args_parse(&command, argc, argv, &operands, out, &err);
}

static ArgsOutcome parse(char **argv)
{
    return parse_as((ArgCommand){.operands = "DEPTH [FEN]"}, argv, NULL);
}

static void options_stand_anywhere_and_operands_keep_their_order(void **state)
{
    (void)state;
    char *argv[] = {
        "--depth=2", "5",      "--nodes", "9223372036854775807", "-", "--quiet", "--rate", "1e-3",
        "fen",       "--kind", "fancy",   "--file=a=b",          NULL};
    assert_int_equal(parse(argv), ARGS_RUN);
    assert_int_equal(v.depth, 2);
    assert_true(v.nodes == INT64_MAX);
    assert_true(v.quiet && v.rate == 1e-3);
    assert_string_equal(v.file, "a=b");
    assert_string_equal(v.kind, "fancy");
    assert_int_equal(operands, 3);
    assert_string_equal(argv[0], "5");
    assert_string_equal(argv[1], "-");
    assert_string_equal(argv[2], "fen");
}

static void two_dashes_end_the_options(void **state)
{
    (void)state;
    char *argv[] = {"--quiet", "--", "--depth", NULL};
    assert_int_equal(parse(argv), ARGS_RUN);
    assert_int_equal(operands, 1);
    assert_string_equal(argv[0], "--depth");
}

static void complaints_name_the_option_and_the_reason(void **state)
{
    (void)state;
    static const struct {
        char *words[3];
        const char *says;
    } cases[] = {
        {{"--nonsense"}, "there is no option '--nonsense'"},
        {{"-quiet"}, "there is no option '-quiet'"},
        {{"--depth"}, "--depth needs something after it"},
        {{"--depth", "--quiet"}, "--depth needs something after it"},
        {{"--depth", "0"}, "--depth takes a whole number from 1 to 100, not '0'"},
        {{"--depth=101"}, "--depth takes a whole number from 1 to 100, not '101'"},
        {{"--depth", "4x"}, "--depth takes a whole number from 1 to 100, not '4x'"},
        {{"--rate", "-0.1"}, "--rate takes a number from 0 to 1, not '-0.1'"},
        {{"--kind", "pl"}, "--kind is one of plain|fancy, not 'pl'"},
        {{"--quiet=perhaps"}, "--quiet is on or off, not 'perhaps'"},
        {{"--words"}, "--words needs something after it"},
        {{"--words", "bad"}, "bad is no word"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *argv[] = {cases[i].words[0], cases[i].words[1], NULL};
        assert_int_equal(parse(argv), ARGS_WRONG);
        assert_string_equal(err.text, cases[i].says);
    }
}

static void words_go_to_their_reader_up_to_the_next_option(void **state)
{
    (void)state;
    char *argv[] = {"--words", "a", "b", "--quiet", "x", NULL};
    assert_int_equal(parse(argv), ARGS_RUN);
    assert_string_equal(v.words, "a;b;");
    assert_true(v.quiet);
    assert_int_equal(operands, 1);
    char *four[] = {"--words", "a", "b", "c", "d", NULL};
    assert_int_equal(parse(four), ARGS_RUN);
    assert_string_equal(v.words, "a;b;c;");
    assert_string_equal(four[0], "d");
}

static void the_number_of_operands_is_checked(void **state)
{
    (void)state;
    char *none[] = {"--quiet", NULL}, *one[] = {"a", NULL}, *two[] = {"a", "b", NULL};
    assert_int_equal(parse_as((ArgCommand){.operands = "DEPTH [FEN]", .least = 1}, none, NULL),
                     ARGS_WRONG);
    assert_string_equal(err.text, "DEPTH is missing");
    assert_int_equal(parse_as((ArgCommand){.operands = "A", .most = 1}, two, NULL), ARGS_WRONG);
    assert_string_equal(err.text, "'b' is not expected here");
    assert_int_equal(parse_as((ArgCommand){.operands = NULL}, one, NULL), ARGS_WRONG);
    assert_string_equal(err.text, "'a' is not expected here");
}

static void words_behind_an_operand_may_belong_to_it(void **state)
{
    (void)state;
    char *argv[] = {"--quiet", "engine", "--depth", NULL};
    assert_int_equal(parse_as((ArgCommand){.operands = "A", .own_options = true}, argv, NULL),
                     ARGS_RUN);
    assert_int_equal(operands, 2);
    assert_string_equal(argv[1], "--depth");
}

static void one_dash_is_enough_where_the_program_says_so(void **state)
{
    (void)state;
    char *argv[] = {"-quiet", "--depth", "7", "-5", NULL};
    assert_int_equal(parse_as((ArgCommand){.operands = "A", .short_dash = true}, argv, NULL),
                     ARGS_RUN);
    assert_true(v.quiet);
    assert_int_equal(v.depth, 7);
    assert_string_equal(argv[0], "-5");
}

static void what_is_needed_must_be_there(void **state)
{
    (void)state;
    const char *out = NULL;
    const ArgSpec specs[] = {ARGS_NEEDED("out", &out, "FILE", "where to write")};
    const ArgCommand command = {.program = "p", .summary = "S.", .specs = specs, .spec_count = 1};
    char *argv[] = {"--out=x", NULL};
    assert_int_equal(args_parse(&command, 0, argv, &operands, NULL, &err), ARGS_WRONG);
    assert_string_equal(err.text, "--out FILE is missing");
    assert_int_equal(args_parse(&command, 1, argv, &operands, NULL, &err), ARGS_RUN);
    assert_string_equal(out, "x");
}

static void help_shows_ranges_and_defaults_and_hides_what_is_hidden(void **state)
{
    (void)state;
    Buffer out = {0};
    char *argv[] = {"--depth", "9", "--help", "rubbish", NULL};
    assert_int_equal(parse_as((ArgCommand){.operands = "DEPTH [FEN]"}, argv, &out), ARGS_HELP);
    static const char *const wanted[] = {
        "usage: prog cmd DEPTH [FEN] [options]\n\nDoes a thing.\nAnd another.\n\nThings\n  --quiet "
        " ",
        "  --nodes N               nodes to search\n",
        "  --rate X                rate of learning (0 to 1; default 0.5)\n",
        "  --kind plain|fancy      how it looks (default plain)\n",
        "  --words SETTINGS        up to three words\n    level=N                 how hard (1 to "
        "9; default 9)\n",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(buffer_text(&out), wanted[i]))
            fail_msg("'%s' is not in\n%s", wanted[i], buffer_text(&out));
    assert_null(strstr(buffer_text(&out), "--old"));
    buffer_free(&out);
}

static void programs_get_the_table_itself(void **state)
{
    (void)state;
    Buffer out = {0};
    char *argv[] = {"--help=table", NULL};
    assert_int_equal(parse_as((ArgCommand){.operands = "FILE"}, argv, &out), ARGS_HELP);
    assert_non_null(strstr(buffer_text(&out),
                           "operands\tFILE\nsummary\tDoes a thing.\nsummary\tAnd another.\n"
                           "heading\tThings\noption\t--quiet\t\tsay less\n"));
    assert_non_null(strstr(buffer_text(&out), "setting\tlevel\tN\thow hard (1 to 9; default 6)\n"));
    buffer_free(&out);
}

static void settings_are_read_by_their_table(void **state)
{
    (void)state;
    int level = 1;
    bool on = false;
    char text[100] = "";
    const ArgSpec list[] = {ARGS_INT("level", &level, 1, 9, "N", "how hard"),
                            ARGS_FLAG("ponder", &on, "think on"),
                            ARGS_CALL("option.", text, take_word, "NAME=VALUE", "an option")};
    assert_true(args_setting(list, 3, "-x", STR("level=4"), &err) && level == 4);
    assert_true(args_setting(list, 3, "-x", STR("ponder"), &err) && on);
    assert_true(args_setting(list, 3, "-x", STR("ponder=off"), &err) && !on);
    assert_true(args_setting(list, 3, "-x", STR("option.Hash=16"), &err));
    assert_string_equal(text, "Hash=16;");
    assert_false(args_setting(list, 3, "-x", STR("level=0"), &err));
    assert_string_equal(err.text, "-x level takes a whole number from 1 to 9, not '0'");
    assert_false(args_setting(list, 3, "-x", STR("level"), &err));
    assert_false(args_setting(list, 3, "-x", STR("option.bad"), &err));
    assert_string_equal(err.text, "-x option.bad: bad is no word");
    assert_false(args_setting(list, 3, "-x", STR("colour=red"), &err));
    assert_string_equal(err.text, "-x has no setting 'colour=red'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_stand_anywhere_and_operands_keep_their_order),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(complaints_name_the_option_and_the_reason),
        cmocka_unit_test(words_go_to_their_reader_up_to_the_next_option),
        cmocka_unit_test(the_number_of_operands_is_checked),
        cmocka_unit_test(words_behind_an_operand_may_belong_to_it),
        cmocka_unit_test(one_dash_is_enough_where_the_program_says_so),
        cmocka_unit_test(what_is_needed_must_be_there),
        cmocka_unit_test(help_shows_ranges_and_defaults_and_hides_what_is_hidden),
        cmocka_unit_test(programs_get_the_table_itself),
        cmocka_unit_test(settings_are_read_by_their_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
