// SPDX-License-Identifier: GPL-3.0-or-later
/* The program itself: exit codes, files, repeatability, and what happens when it is interrupted or
 * killed. */
#include "arena.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

enum { MAX_WORDS = 64 };

/* Starts samara-match with these words (ended by NULL); its output goes to `out`. */
static pid_t start(const char *out, char *const *words)
{
    char *argv[MAX_WORDS] = {(char *)SAMARA_MATCH};
    int argc = 1;
    while (*words && argc < MAX_WORDS - 1)
        argv[argc++] = *words++;
    const pid_t pid = fork();
    if (pid == 0) {
        const int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(fd, 1);
        dup2(fd, 2);
        execv(argv[0], argv);
        _exit(127);
    }
    return pid;
}

static int finish(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("no file %s", path);
    char *text = calloc(1, 1 << 22);
    const size_t got = fread(text, 1, (1 << 22) - 1, file);
    text[got] = 0;
    fclose(file);
    return text;
}

/* A folder of its own for every test, with the words of a match between two mocks in it. */
typedef struct Yard {
    char folder[64];
    char out[96], pgn[96], json[96], journal[96];
    char tag[80];
} Yard;

static int open_yard(void **state)
{
    Yard *y = calloc(1, sizeof *y);
    strcpy(y->folder, "/tmp/samara-match-test-XXXXXX");
    if (!mkdtemp(y->folder))
        return -1;
    snprintf(y->out, sizeof y->out, "%s/out", y->folder);
    snprintf(y->pgn, sizeof y->pgn, "%s/games.pgn", y->folder);
    snprintf(y->json, sizeof y->json, "%s/result.json", y->folder);
    snprintf(y->journal, sizeof y->journal, "%s/journal", y->folder);
    snprintf(y->tag, sizeof y->tag, "arg=%s", arena_tag());
    *state = y;
    return 0;
}

static int close_yard(void **state)
{
    Yard *y = *state;
    const char *files[] = {y->out, y->pgn, y->json, y->journal};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    const bool clean = rmdir(y->folder) == 0;
    free(y);
    return clean ? 0 : -1;
}

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
        {{"-nonsense", NULL}, "unknown option: '-nonsense'"},
        {{"-engine", NULL}, "-engine needs something after it"},
        {{"-engine", "cmd=x", "colour=red", NULL}, "unknown engine setting: 'colour=red'"},
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

static void help_is_printed_and_is_no_error(void **state)
{
    Yard *y = *state;
    char *words[] = {"--help", NULL};
    assert_int_equal(finish(start(y->out, words)), 0);
    char *text = read_text(y->out);
    assert_non_null(strstr(text, "Usage: samara-match"));
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

/* Waits until some games are on disk, but not all of them. */
static void wait_for_games(const Yard *y, int wanted)
{
    for (int i = 0; i < 500; i++) {
        clock_sleep_ms(20);
        FILE *file = fopen(y->journal, "rb");
        int lines = 0;
        for (int c; file && (c = fgetc(file)) != EOF;)
            lines += c == '\n';
        if (file)
            fclose(file);
        if (lines > wanted)
            return;
    }
    fail_msg("there are no games after ten seconds");
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
    assert_int_equal(strncmp(text, "A vs B\n", 7), 0);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(wrong_words_are_refused_with_a_sentence, open_yard,
                                        close_yard),
        cmocka_unit_test_setup_teardown(a_program_that_is_not_there_gives_exit_code_2, open_yard,
                                        close_yard),
        cmocka_unit_test_setup_teardown(help_is_printed_and_is_no_error, open_yard, close_yard),
        cmocka_unit_test_setup_teardown(the_same_seed_gives_the_same_games_at_any_concurrency,
                                        open_yard, close_yard),
        cmocka_unit_test_setup_teardown(an_interrupted_match_leaves_nobody_and_goes_on, open_yard,
                                        close_yard),
        cmocka_unit_test_setup_teardown(a_killed_match_leaves_nobody_and_goes_on, open_yard,
                                        close_yard),
        cmocka_unit_test_setup_teardown(killing_leaves_not_even_undying_engines, open_yard,
                                        close_yard),
        cmocka_unit_test_setup_teardown(a_torn_journal_line_is_played_again, open_yard, close_yard),
        cmocka_unit_test_setup_teardown(the_journal_of_another_match_is_refused, open_yard,
                                        close_yard),
        cmocka_unit_test_setup_teardown(nothing_but_the_result_is_written_to_a_file, open_yard,
                                        close_yard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
