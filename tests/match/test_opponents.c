// SPDX-License-Identifier: GPL-3.0-or-later
/* Engines that the system may have: each plays a pair of games without a fault that ends one.
 * Absent ones are skipped. */
#include "arena.h"
#include "chess/attacks.h"
#include "match/report.h"

typedef struct Opponent {
    const char *program;
    const char *settings[4]; /* of -engine, ended by NULL */
} Opponent;

static const Opponent opponents[] = {
    {"stockfish", {"nodes=300"}},
    {"ethereal-chess", {"depth=3"}},
    {"toga2", {"depth=3"}},
    {"glaurung", {"depth=3"}},
    {"fairymax", {"proto=xboard", "st=0.1", "timemargin=1000"}},
    {"phalanx", {"proto=xboard", "tc=1+0.01", "timemargin=1000"}},
    {"sjeng", {"proto=xboard", "depth=2"}},
    {"gnuchess", {"proto=xboard", "arg=-x", "linegap=5", "tc=5+0.05"}},
};

/* In PATH, or where Debian puts games. */
static bool find_program(const char *name, char *out, size_t size)
{
    Buffer folders = {0};
    buffer_printf(&folders, "%s:/usr/games", getenv("PATH") ? getenv("PATH") : "");
    bool found = false;
    for (char *folder = folders.data; folder && !found;) {
        char *colon = strchr(folder, ':');
        if (colon)
            *colon = 0;
        snprintf(out, size, "cmd=%s/%s", folder, name);
        found = access(out + 4, X_OK) == 0;
        folder = colon ? colon + 1 : NULL;
    }
    buffer_free(&folders);
    return found;
}

/* Losing on time is excused: the machine may be busy. */
static bool played_well(const MatchState *state)
{
    const uint64_t *faults = state->score.engines[0].faults;
    return state->end == MATCH_COMPLETE && state->score.games == 2 && !faults[FAULT_CRASH] &&
           !faults[FAULT_HANG] && !faults[FAULT_ILLEGAL] && !faults[FAULT_PROTOCOL];
}

static void play(Guard *guard, const Opponent *opponent, const char *command)
{
    char *argv[32] = {"-engine", (char *)command};
    int argc = 2;
    for (int i = 0; i < 4 && opponent->settings[i]; i++)
        argv[argc++] = (char *)opponent->settings[i];
    static char *const rest[] = {"-engine",
                                 "cmd=" MOCK_ENGINE,
                                 "nodes=1",
                                 "-openings",
                                 "file=" MATCH_TEST_DIR "/openings.epd",
                                 "-maxmoves",
                                 "12"};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        argv[argc++] = rest[i];

    MatchOptions options;
    MatchState state;
    Interrupt interrupt;
    Error err;
    assert_true(interrupt_init(&interrupt, &err));
    assert_true(match_options_parse(&options, MODE_MATCH, argc, argv, &err));
    assert_true(match_run(&options.config, guard, &interrupt, &(MatchEvents){0}, &state, &err));
    if (!played_well(&state)) {
        Buffer text = {0};
        report_table(&state, &text);
        fail_msg("%s%s", buffer_text(&text), state.end == MATCH_FAILED ? state.failure.text : "");
    }
    match_state_free(&state);
    match_options_free(&options);
    interrupt_free(&interrupt);
}

static void every_engine_that_is_here_can_play(void **state)
{
    (void)state;
    Guard guard;
    int found = 0;
    attacks_init();
    assert_true(guard_start(&guard, NULL));
    for (size_t i = 0; i < sizeof opponents / sizeof *opponents; i++) {
        char command[600];
        if (!find_program(opponents[i].program, command, sizeof command))
            continue;
        found++;
        play(&guard, &opponents[i], command);
    }
    guard_stop(&guard);
    if (!found)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_engine_that_is_here_can_play)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
