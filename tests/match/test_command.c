// SPDX-License-Identifier: GPL-3.0-or-later
/* The program itself: exit codes, files, repeatability, and what happens when it is interrupted or
 * killed. */
#include "yard.h"

static pid_t start_match(Yard *y, const char *mode, const char *rounds, const char *concurrency)
{
    char word[64];
    snprintf(word, sizeof word, "arg=%s", mode);
    char *words[] = {"-engine",
                     "cmd=" MOCK_ENGINE,
                     "name=A",
                     "--engine",
                     "cmd=" MOCK_ENGINE,
                     "name=B",
                     "-each",
                     word,
                     y->tag,
                     "nodes=1",
                     "-rounds",
                     (char *)rounds,
                     "-concurrency",
                     (char *)concurrency,
                     "-pgnout",
                     y->pgn,
                     "-json",
                     y->json,
                     "-resume",
                     y->journal,
                     "-openings",
                     "file=" MATCH_TEST_DIR "/openings.epd",
                     "order=random",
                     "-maxmoves",
                     "20",
                     NULL};
    return start(y->out, words);
}

/* The games without what the clock says. */
static void strip_times(char *pgn)
{
    char *to = pgn;
    for (const char *from = pgn; *from; from++) {
        if (strncmp(from, "[Date", 5) == 0)
            while (*from != '\n')
                from++;
        const char *digits = from;
        while ((*digits >= '0' && *digits <= '9') || *digits == '.')
            digits++;
        if (digits > from && digits[0] == 's' && digits[1] == '}')
            from = digits;
        *to++ = *from == '\n' ? ' ' : *from;
    }
    *to = 0;
}

static char *games_of(const Yard *y)
{
    char *text = read_text(y->pgn);
    strip_times(text);
    return text;
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        count++;
    return count;
}

static void wrong_words_are_refused_with_a_sentence(void **state)
{
    Yard *y = *state;
    static const struct {
        char *words[12];
        const char *says;
    } cases[] = {
        {{NULL}, "a match needs two engines"},
        {{"-nonsense", NULL}, "there is no option '-nonsense'"},
        {{"-engine", NULL}, "-engine needs something after it"},
        {{"-engine", "cmd=x", "colour=red", NULL}, "-engine has no setting 'colour=red'"},
        {{"-engine", "cmd=x", "-engine", "cmd=y", NULL}, "x has no limit"},
        {{"-engine", "cmd=x", "tc=fast", NULL}, "'fast' is no time control"},
        {{"-engine", "cmd=x", "-engine", "cmd=y", "-each", "nodes=1", "-rounds", "1", "-games", "1",
          NULL},
         "even number"},
        {{"-engine", "cmd=/nowhere/x", "-engine", "cmd=y", "-each", "nodes=1", "-openings",
          "file=/nowhere/book.epd", NULL},
         "cannot open '/nowhere/book.epd'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(finish(start(y->out, (char *const *)cases[i].words)), 1);
        char *text = read_text(y->out);
        if (!strstr(text, cases[i].says))
            fail_msg("'%s' does not say '%s'", text, cases[i].says);
        free(text);
    }
}

static void a_program_that_is_not_there_gives_exit_code_2(void **state)
{
    Yard *y = *state;
    char *words[] = {"-engine", "cmd=/nowhere/x", "-engine", "cmd=/nowhere/y",
                     "-each",   "nodes=1",        NULL};
    assert_int_equal(finish(start(y->out, words)), 2);
    char *text = read_text(y->out);
    assert_non_null(strstr(text, "cannot run '/nowhere/x': No such file or directory"));
    free(text);
}

/* /dev/full takes nothing, as a disk without space. */
static void a_full_disk_is_told_and_never_a_success(void **state)
{
    Yard *y = *state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    static const struct {
        const char *out, *option, *says;
        int code;
    } cases[] = {
        {NULL, "-pgnout", "cannot write the games: No space left on device", 2},
        {NULL, "-resume", "'/dev/full' is no plain file, as a journal must be", 1},
        {"/dev/full", "-event", NULL, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *words[] = {"-engine",   "cmd=" MOCK_ENGINE,
                         "-engine",   "cmd=" MOCK_ENGINE,
                         "-each",     "nodes=1",
                         y->tag,      "-maxmoves",
                         "5",         (char *)cases[i].option,
                         "/dev/full", NULL};
        assert_int_equal(finish(start(cases[i].out ? cases[i].out : y->out, words)), cases[i].code);
        char *text = cases[i].says ? read_text(y->out) : NULL;
        if (text && !strstr(text, cases[i].says))
            fail_msg("'%s' does not say '%s'", text, cases[i].says);
        free(text);
    }
    assert_no_orphans();
}

static void help_is_printed_and_is_no_error(void **state)
{
    Yard *y = *state;
    char *words[] = {"--help", NULL};
    assert_int_equal(finish(start(y->out, words)), 0);
    char *text = read_text(y->out);
    assert_non_null(strstr(text, "usage: samara-match"));
    free(text);
}

static void the_same_seed_gives_the_same_games_at_any_concurrency(void **state)
{
    Yard *y = *state;
    assert_int_equal(finish(start_match(y, "good", "15", "1")), 0);
    char *first = games_of(y);
    assert_int_equal(count_of(first, "[Event "), 30);
    unlink(y->pgn);
    unlink(y->journal);
    assert_int_equal(finish(start_match(y, "good", "15", "3")), 0);
    char *second = games_of(y);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void interrupt_and_resume(Yard *y, int signal_number, int code)
{
    assert_int_equal(finish(start_match(y, "good", "10", "2")), 0);
    char *whole = games_of(y);
    unlink(y->pgn);
    unlink(y->journal);

    const pid_t pid = start_match(y, "dawdling", "10", "2");
    wait_for_games(y, 3);
    kill(pid, signal_number);
    assert_int_equal(finish(pid), code);
    assert_no_orphans();

    /* The mode of the mock is part of the match's identity, so this is the same "dawdling" match.
     */
    assert_int_equal(finish(start_match(y, "dawdling", "10", "2")), 0);
    char *resumed = games_of(y), *json = read_text(y->json);
    assert_string_equal(whole, resumed);
    assert_non_null(strstr(json, "\"end\": \"complete\", \"games\": 20, \"scheduled\": 20"));
    free(whole);
    free(resumed);
    free(json);
    assert_no_orphans();
}

static void an_interrupted_match_leaves_nobody_and_goes_on(void **state)
{
    interrupt_and_resume(*state, SIGINT, 3);
}

static void a_killed_match_leaves_nobody_and_goes_on(void **state)
{
    interrupt_and_resume(*state, SIGKILL, -SIGKILL);
}

static void killing_leaves_not_even_undying_engines(void **state)
{
    Yard *y = *state;
    static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        unlink(y->journal);
        const pid_t pid = start_match(y, "undying", "100000", "2");
        wait_for_games(y, 1);
        assert_true(living_mocks() > 0);
        kill(pid, signals[i]);
        finish(pid);
        assert_no_orphans();
    }
}

static void a_torn_journal_line_is_played_again(void **state)
{
    Yard *y = *state;
    assert_int_equal(finish(start_match(y, "good", "5", "1")), 0);
    char *whole = games_of(y);
    char *journal = read_text(y->journal);
    assert_int_equal(truncate(y->journal, (off_t)strlen(journal) - 9), 0);
    assert_int_equal(finish(start_match(y, "good", "5", "1")), 0);
    char *again = games_of(y);
    assert_string_equal(whole, again);
    free(whole);
    free(journal);
    free(again);
}

static void the_journal_of_another_match_is_refused(void **state)
{
    Yard *y = *state;
    assert_int_equal(finish(start_match(y, "good", "2", "1")), 0);
    assert_int_equal(finish(start_match(y, "chatty", "2", "1")), 1);
    char *text = read_text(y->out);
    assert_non_null(strstr(text, "is the journal of another match"));
    free(text);
}

static void nothing_but_the_result_is_written_to_a_file(void **state)
{
    Yard *y = *state;
    assert_int_equal(finish(start_match(y, "good", "2", "1")), 0);
    char *text = read_text(y->out);
    assert_null(strchr(text, '\r'));
    assert_non_null(strstr(text, "Ptnml(0-2): ["));
    assert_int_equal(strncmp(text, "A vs B (nodes=1)\n", 17), 0);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_YARD(wrong_words_are_refused_with_a_sentence),
        IN_YARD(a_program_that_is_not_there_gives_exit_code_2),
        IN_YARD(a_full_disk_is_told_and_never_a_success),
        IN_YARD(help_is_printed_and_is_no_error),
        IN_YARD(the_same_seed_gives_the_same_games_at_any_concurrency),
        IN_YARD(an_interrupted_match_leaves_nobody_and_goes_on),
        IN_YARD(a_killed_match_leaves_nobody_and_goes_on),
        IN_YARD(killing_leaves_not_even_undying_engines),
        IN_YARD(a_torn_journal_line_is_played_again),
        IN_YARD(the_journal_of_another_match_is_refused),
        IN_YARD(nothing_but_the_result_is_written_to_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
