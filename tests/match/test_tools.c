// SPDX-License-Identifier: GPL-3.0-or-later
/* samara-match spsa and samara-match compliance. */
#include "yard.h"

/* --- spsa --- */

static pid_t start_tuning(Yard *y, const char *iterations, bool journal)
{
    char *words[] = {"spsa",
                     "-engine",
                     "cmd=" MOCK_ENGINE,
                     "arg=tunable",
                     y->tag,
                     "nodes=1",
                     "-params",
                     MATCH_TEST_DIR "/mock_params.txt",
                     "-iterations",
                     (char *)iterations,
                     "-openings",
                     "file=" MATCH_TEST_DIR "/openings.epd",
                     "order=random",
                     "-maxmoves",
                     "20",
                     "-concurrency",
                     "2",
                     "-quiet",
                     "-out",
                     y->json,
                     journal ? "-resume" : NULL,
                     y->journal,
                     NULL};
    return start(y->out, words);
}

static void spsa_finds_the_better_values(void **state)
{
    Yard *y = *state;
    assert_int_equal(finish(start_tuning(y, "1200", false)), 0);
    char *text = read_text(y->json);
    double alpha, beta;
    assert_int_equal(sscanf(text, "Alpha, int, %lf, %*[^\n]\nBeta, int, %lf,", &alpha, &beta), 2);
    if (alpha < 60 || beta > 40) /* from 50 and 50 towards 70 and 30 */
        fail_msg("Alpha %g, Beta %g", alpha, beta);
    free(text);
    assert_no_orphans();
}

static void an_interrupted_spsa_session_ends_with_the_same_values(void **state)
{
    Yard *y = *state;
    assert_int_equal(finish(start_tuning(y, "600", false)), 0);
    char *whole = read_text(y->json);
    const pid_t pid = start_tuning(y, "600", true);
    wait_for_games(y, 20);
    kill(pid, SIGKILL);
    finish(pid);
    assert_no_orphans();
    assert_int_equal(finish(start_tuning(y, "600", true)), 0);
    char *resumed = read_text(y->json);
    assert_string_equal(whole, resumed);
    free(whole);
    free(resumed);
}

static void spsa_lists_what_can_be_tuned(void **state)
{
    Yard *y = *state;
    char *words[] = {"spsa", "-engine", "cmd=" MOCK_ENGINE, "-list", NULL};
    assert_int_equal(finish(start(y->out, words)), 0);
    char *text = read_text(y->out);
    assert_string_equal(text, "# name, type, start, min, max, c_end, r_end\n"
                              "Alpha, int, 50, 0, 100, 5, 0.002\n"
                              "Beta, int, 50, 0, 100, 5, 0.002\n");
    free(text);
}

/* --- compliance --- */

static char *lint(Yard *y, const char *check, const char *mode, int code)
{
    char *words[] = {"compliance",        "-check", (char *)check, MOCK_ENGINE, (char *)mode,
                     (char *)arena_tag(), NULL};
    assert_int_equal(finish(start(y->out, words)), code);
    assert_no_orphans();
    return read_text(y->out);
}

static void compliance_names_what_is_wrong(void **state)
{
    Yard *y = *state;
    static const struct {
        const char *check, *mode;
        int code;
        const char *says;
    } cases[] = {
        {"search", "good", 0, "ok       search "},
        {"infinite", "good", 4, "stops at once: bestmove before stop after 'position startpos'"},
        {"ponder", "good", 0, "ok       ponder "},
        {"ponder", "ponder-early", 4, ": bestmove before ponderhit"},
        {"search", "pv-illegal", 4, ": the variation has the illegal move 'e4e4' (number 2)"},
        {"search", "pv-mate", 4, ": mate in 3, but the variation ends without mate after 1 plies"},
        {"search", "info-float", 4, ": '1.5' where a number belongs"},
        {"search", "crash", 4, ": died by signal 6 while it was listened to"},
        {"search", "illegal", 4, ": bestmove 'e4e4' is illegal after"},
        {"one-bestmove", "twice", 4, ": a bestmove came without go"},
        {"quit", "undying", 4, ": still there after 2 s"},
        {"end-of-input", "undying", 4, ": still there after 2 s"},
        {"end-of-input", "good", 0, "1 checks, 0 failed, 0 warnings, 0 skipped"},
        {"multipv", "good", 0, "1 checks, 0 failed, 0 warnings, 1 skipped"},
        {"identity", "exits", 2, "samara-match: ended with exit code 3"},
        {"identity", "mute", 2, "samara-match: no 'uciok' within 5000 ms"},
        {"nothing", "good", 2, "there is no check 'nothing'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = lint(y, cases[i].check, cases[i].mode, cases[i].code);
        if (!strstr(text, cases[i].says))
            fail_msg("%s of %s: no '%s' in\n%s", cases[i].check, cases[i].mode, cases[i].says,
                     text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_YARD(spsa_finds_the_better_values),
        IN_YARD(an_interrupted_spsa_session_ends_with_the_same_values),
        IN_YARD(spsa_lists_what_can_be_tuned),
        IN_YARD(compliance_names_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
