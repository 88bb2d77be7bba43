// SPDX-License-Identifier: GPL-3.0-or-later
/* Every way to misbehave gets its own verdict, the match goes on, and no process is left. */
#include "arena.h"
#include "chess/attacks.h"
#include "match/report.h"

typedef struct Arena {
    Guard guard;
    Interrupt interrupt;
    MatchOptions options;
    MatchState state;
    char notes[4096];
} Arena;

static void keep_note(void *user, const char *text)
{
    Arena *a = user;
    strncat(a->notes, text, sizeof a->notes - strlen(a->notes) - 2);
    strcat(a->notes, "\n");
}

/* Plays `first` (a mode of the mock, with further engine settings) against a good one. */
static void play(Arena *a, const char *first, const char *limit, const char *rounds)
{
    char mode[64], tag[80];
    snprintf(mode, sizeof mode, "arg=%s", first);
    snprintf(tag, sizeof tag, "arg=%s", arena_tag());
    const bool xboard = strncmp(first, "xboard", 6) == 0;
    const bool ponders =
        strncmp(first, "ponder", 6) == 0; /* against one who gives it the time to */
    char *argv[] = {"-engine",
                    "cmd=" MOCK_ENGINE,
                    "name=Subject",
                    mode,
                    tag,
                    xboard ? "proto=xboard" : "proto=uci",
                    ponders ? "ponder=on" : "ponder=off",
                    (char *)limit,
                    "hang=0.5",
                    "-engine",
                    "cmd=" MOCK_ENGINE,
                    "name=Good",
                    ponders ? "arg=dawdling" : "arg=good",
                    tag,
                    "nodes=1",
                    "-rounds",
                    (char *)rounds,
                    "-maxmoves",
                    "30"};
    Error err;
    a->notes[0] = 0;
    assert_true(interrupt_init(&a->interrupt, &err));
    assert_true(
        match_options_parse(&a->options, MODE_MATCH, sizeof argv / sizeof *argv, argv, &err));
    const MatchEvents events = {.user = a, .note = keep_note};
    if (!match_run(&a->options.config, &a->guard, &a->interrupt, &events, &a->state, &err))
        fail_msg("%s", err.text);
}

static void leave(Arena *a)
{
    match_state_free(&a->state);
    match_options_free(&a->options);
    interrupt_free(&a->interrupt);
    assert_no_orphans();
}

static uint64_t faults_of(const Arena *a, int engine)
{
    uint64_t sum = 0;
    for (Fault f = FAULT_NONE + 1; f < FAULT_COUNT; f++)
        sum += a->state.score.engines[engine].faults[f];
    return sum;
}

static void good_engines_play_without_a_fault(void **state)
{
    Arena *a = *state;
    play(a, "good", "tc=10+0.1", "10");
    assert_int_equal(a->state.end, MATCH_COMPLETE);
    assert_int_equal(a->state.score.games, 20);
    assert_int_equal(faults_of(a, 0) + faults_of(a, 1), 0);
    assert_string_equal(a->notes, "");
    leave(a);
}

/* Loses both games of the pair by this fault and no other; the opponent has none. */
static void each_deadly_fault_loses_the_game(void **state)
{
    Arena *a = *state;
    static const struct {
        const char *mode, *limit;
        Fault fault;
        const char *note;
    } cases[] = {
        {"crash", "nodes=1", FAULT_CRASH, "Subject was ended by signal 6"},
        {"vanish", "nodes=1", FAULT_CRASH, "Subject ended with exit code 7"},
        {"slow", "tc=0.2", FAULT_TIME, "Subject overstepped its time by"},
        {"slow", "st=0.1", FAULT_TIME, "Subject overstepped its time by"},
        {"late", "tc=0.2", FAULT_TIME, "Subject overstepped its time by"},
        {"late", "nodes=1", FAULT_HANG, "Subject did not move within"},
        {"deaf", "nodes=1", FAULT_HANG, "Subject does not answer 'go', nor 'stop'"},
        {"deaf", "tc=0.2", FAULT_HANG, "Subject does not answer 'go', nor 'stop'"},
        {"illegal", "nodes=1", FAULT_ILLEGAL, "Subject played the illegal move 'e4e4'"},
        {"empty", "nodes=1", FAULT_PROTOCOL, "Subject sent no move"},
        {"twice", "nodes=1", FAULT_PROTOCOL, "Subject sent a bestmove without having been asked"},
        {"ponder-early", "tc=10", FAULT_PROTOCOL,
         "Subject sent a bestmove without having been asked"},
        {"xboard-illegal", "st=1", FAULT_ILLEGAL, "Subject played the illegal move 'e4e4'"},
        {"xboard-claim", "st=1", FAULT_PROTOCOL,
         "Subject claims '1/2-1/2 {I am tired}', which is not so"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        play(a, cases[i].mode, cases[i].limit, "1");
        const EngineScore *subject = &a->state.score.engines[0];
        if (a->state.end != MATCH_COMPLETE || subject->losses != 2 ||
            subject->faults[cases[i].fault] != 2 || faults_of(a, 0) != 2 || faults_of(a, 1) != 0 ||
            !strstr(a->notes, cases[i].note)) {
            Buffer text = {0};
            report_table(&a->state, &text);
            fail_msg("%s with %s:\n%s%s", cases[i].mode, cases[i].limit, buffer_text(&text),
                     a->notes);
        }
        leave(a);
    }
}

/* These are counted, but the game goes on. */
static void untruths_about_variations_are_counted(void **state)
{
    Arena *a = *state;
    static const struct {
        const char *mode;
        Fault fault;
        const char *note;
    } cases[] = {
        {"pv-illegal", FAULT_PV_ILLEGAL, "the variation has the illegal move 'e4e4' (number 2)"},
        {"pv-long", FAULT_PV_PAST_END, "after threefold repetition"},
        {"pv-mate", FAULT_PV_MATE, "mate in 3, but the variation ends without mate after 1 plies"},
        {"pv-other", FAULT_PV_BESTMOVE, "the move played does not begin the last variation"},
        {"info-float", FAULT_INFO, "malformed info line"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        play(a, cases[i].mode, "nodes=1", "1");
        const uint64_t counted = a->state.score.engines[0].faults[cases[i].fault];
        if (a->state.end != MATCH_COMPLETE || counted < 10 || faults_of(a, 0) != counted ||
            faults_of(a, 1) != 0 || !strstr(a->notes, cases[i].note)) {
            Buffer text = {0};
            report_table(&a->state, &text);
            fail_msg("%s:\n%s%s", cases[i].mode, buffer_text(&text), a->notes);
        }
        leave(a);
    }
}

static void a_flood_of_output_is_no_fault(void **state)
{
    Arena *a = *state;
    play(a, "chatty", "tc=100", "1");
    assert_int_equal(a->state.end, MATCH_COMPLETE);
    assert_int_equal(faults_of(a, 0), 0);
    leave(a);
}

static void an_engine_that_cannot_start_ends_the_match(void **state)
{
    Arena *a = *state;
    play(a, "exits", "nodes=1", "1");
    assert_int_equal(a->state.end, MATCH_FAILED);
    assert_string_equal(a->state.failure.text, "Subject ended with exit code 3");
    leave(a);
    play(a, "mute", "nodes=1", "1");
    assert_int_equal(a->state.end, MATCH_FAILED);
    assert_string_equal(a->state.failure.text, "Subject does not answer 'uci'");
    leave(a);
}

static void an_engine_that_does_not_quit_is_killed(void **state)
{
    Arena *a = *state;
    play(a, "undying", "nodes=1", "1");
    assert_int_equal(a->state.end, MATCH_COMPLETE);
    assert_int_equal(a->state.score.engines[0].faults[FAULT_QUIT], 1);
    assert_int_equal(faults_of(a, 0), 1);
    leave(a);
}

static void children_of_engines_are_killed_too(void **state)
{
    Arena *a = *state;
    play(a, "parent", "nodes=1", "1");
    assert_int_equal(a->state.end, MATCH_COMPLETE);
    assert_int_equal(faults_of(a, 0), 0);
    leave(a);
}

static void pondering_engines_are_told_whether_they_guessed_right(void **state)
{
    Arena *a = *state;
    static const char *const modes[] = {"ponder-hit", "ponder-miss"};
    for (size_t i = 0; i < 2; i++) {
        play(a, modes[i], "tc=10+0.1", "2");
        if (a->state.end != MATCH_COMPLETE || faults_of(a, 0) || faults_of(a, 1))
            fail_msg("%s: %s", modes[i], a->notes);
        leave(a);
    }
}

static void xboard_engines_play_and_resign(void **state)
{
    Arena *a = *state;
    play(a, "xboard", "tc=10+0.1", "2");
    assert_int_equal(a->state.end, MATCH_COMPLETE);
    assert_int_equal(a->state.score.games, 4);
    assert_int_equal(faults_of(a, 0) + faults_of(a, 1), 0);
    leave(a);
    play(a, "xboard-resign", "tc=10+0.1", "1");
    assert_int_equal(a->state.score.engines[0].losses, 2);
    assert_int_equal(faults_of(a, 0), 0);
    leave(a);
}

static int open_arena(void **state)
{
    Error err;
    Arena *a = calloc(1, sizeof *a);
    attacks_init();
    *state = a;
    return a && guard_start(&a->guard, &err) ? 0 : -1;
}

static int close_arena(void **state)
{
    Arena *a = *state;
    guard_stop(&a->guard);
    free(a);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_engines_play_without_a_fault),
        cmocka_unit_test(each_deadly_fault_loses_the_game),
        cmocka_unit_test(untruths_about_variations_are_counted),
        cmocka_unit_test(a_flood_of_output_is_no_fault),
        cmocka_unit_test(an_engine_that_cannot_start_ends_the_match),
        cmocka_unit_test(an_engine_that_does_not_quit_is_killed),
        cmocka_unit_test(children_of_engines_are_killed_too),
        cmocka_unit_test(pondering_engines_are_told_whether_they_guessed_right),
        cmocka_unit_test(xboard_engines_play_and_resign),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
