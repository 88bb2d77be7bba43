// SPDX-License-Identifier: GPL-3.0-or-later
/* The measuring itself: games, Elo, clocks, and the table in all its forms. */
#include "support.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* --- Elo --- */

static void elo_comes_from_pairs(void **state)
{
    (void)state;
    MatchScore m = {0};
    match_elo((int[5]){0, 0, 10, 0, 0}, &m);
    assert_float_equal(m.elo, 0, 1e-9);
    assert_float_equal(m.error, 0, 1e-9);
    match_elo((int[5]){1, 2, 4, 6, 7}, &m); /* 28 of 40 points: 70 % is 147 Elo */
    assert_float_equal(m.elo, 147.19, 0.01);
    assert_true(m.error > 80 && m.error < 120);
    match_elo((int[5]){7, 6, 4, 2, 1}, &m);
    assert_float_equal(m.elo, -147.19, 0.01);
    match_elo((int[5]){0, 0, 0, 0, 25}, &m); /* at least: half a point less than all */
    assert_true(m.all_or_nothing);
    assert_float_equal(m.elo, 798.25, 0.01);
}

/* --- games --- */

static Move first_move(void *user, const Game *g)
{
    (void)user;
    MoveList moves;
    gen_legal(&g->pos, &moves);
    return moves.moves[0];
}

typedef struct Thinker {
    Runner *runner;
    Program program;
} Thinker;

static Move search_two_plies(void *user, const Game *g)
{
    Thinker *t = user;
    return program_play(t->runner, &t->program, &g->pos, g->keys, g->count, &(RunLimits){2, 0})
        .best;
}

static void a_search_beats_the_first_legal_move(void **state)
{
    Thinker thinker = {
        *state,
        program_with(PLAIN | TECHNIQUE(QUIESCENCE) | TECHNIQUE(PIECE_SQUARES), EVAL_MATERIAL)};
    MatchScore m, again;
    assert_true(match_play((Player){&thinker, search_two_plies}, (Player){NULL, first_move}, 6, 1,
                           &m, NULL));
    assert_int_equal(m.wins + m.draws + m.losses, 6);
    assert_true(m.wins >= 5);
    assert_true(match_play((Player){NULL, first_move}, (Player){&thinker, search_two_plies}, 6, 1,
                           &again, NULL));
    assert_int_equal(again.losses, m.wins); /* the same games seen from the other side */
    assert_true(again.elo < 0);
}

/* Black has a rook less, and goes back to a position that was there twice. */
static void in_a_game_a_repetition_is_a_draw(void **state)
{
    Game g;
    game_init(&g);
    const Position p = position_of("k7/8/8/8/8/8/8/KR6 w - - 0 1");
    game_reset(&g, &p);
    static const char *const moves[] = {"b1b2", "a8a7", "b2b1", "a7a8", "b1b2", "a8a7", "b2b1"};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        assert_true(game_play(&g, move_from_uci(&g.pos, str_from(moves[i])), NULL));
    /* Black draws by going back to a8. */
    const Program program = program_with(PLAIN, EVAL_MATERIAL);
    const RunResult played =
        program_play(*state, &program, &g.pos, g.keys, g.count, &(RunLimits){1, 0});
    assert_int_equal(played.score, 0);
    assert_best(played.best, "a7a8");
    assert_true(program_run(*state, &program, &g.pos, &(RunLimits){1, 0}).score < -300);
    game_free(&g);
}

/* --- the clock --- */

static void a_search_ends_in_time_with_the_last_finished_depth(void **state)
{
    const Position p = position_of(KIWIPETE);
    for (int rung = 0; rung < RUNG_COUNT; rung += 4) {
        const Program program = program_of_rung(rung, EVAL_MATERIAL);
        const RunResult result =
            program_run(*state, &program, &p, &(RunLimits){LADDER_MAX_DEPTH, 20000});
        assert_true(result.cpu_us < 60000);
        assert_true(result.depth >= 1 && result.depth < LADDER_MAX_DEPTH);
        const RunResult same = program_run(*state, &program, &p, &(RunLimits){result.depth, 0});
        if (rung > ITERATIVE_DEEPENING)
            assert_int_equal(same.best, result.best);
    }
}

/* --- the table --- */

static bool mock_engine(void *user, const char *fen, const char *const *moves, size_t count,
                        int depth, uint64_t nodes, LadderEngineResult *out)
{
    (void)fen;
    (void)moves;
    (void)count;
    (void)nodes;
    *out = (LadderEngineResult){.best = "", .depth = depth, .nodes = 100, .cpu_us = 50};
    ++*(int *)user;
    return true;
}

static LadderTable measure(LadderPlan plan)
{
    static LadderTable table;
    Error err;
    if (!ladder_measure(&plan, &table, &err))
        fail_msg("%s", err.text);
    return table;
}

static void the_table_has_rungs_engines_and_reports(void **state)
{
    (void)state;
    int calls = 0;
    const LadderEngine engines[] = {{"mock", &calls, mock_engine, true}, {0}};
    const LadderTable t = measure((LadderPlan){.depth = 2,
                                               .minimax_depth = 2,
                                               .passes = 2,
                                               .to = RUNG_COUNT - 1,
                                               .each = true,
                                               .reports = true,
                                               .engines = engines});
    assert_int_equal(t.rung_count, RUNG_COUNT);
    assert_int_equal(t.report_begin, RUNG_COUNT + 1);
    assert_int_equal(calls, 2 * ladder_position_count());
    for (int r = 0; r < t.row_count; r++)
        assert_true(t.rows[r].nodes > 0 && t.rows[r].seconds > 0);
    assert_string_equal(t.rows[RUNG_COUNT].name, "mock");
    assert_int_equal(t.rows[RUNG_COUNT].base, RUNG_COUNT - 1);
    assert_true(t.rows[CAPTURES_FIRST + 1].without > 0);
    assert_false(t.rows[0].counted);
}

static void minimax_beyond_its_depth_is_counted(void **state)
{
    (void)state;
    const LadderTable searched = measure((LadderPlan){.depth = 3, .minimax_depth = 3, .passes = 1}),
                      counted = measure((LadderPlan){.depth = 3, .minimax_depth = 2, .passes = 1});
    assert_true(counted.rows[0].counted);
    assert_int_equal(counted.rows[0].nodes, searched.rows[0].nodes);
    assert_true(counted.rows[0].seconds > 0);
}

static void rungs_play_each_other(void **state)
{
    (void)state;
    const LadderTable t = measure((LadderPlan){.depth = 1,
                                               .minimax_depth = 1,
                                               .passes = 1,
                                               .movetime_us = 1000,
                                               .games = 2,
                                               .from = NULL_MOVE,
                                               .to = NULL_MOVE + 1});
    const MatchScore *m = &t.rows[1].match;
    assert_int_equal(m->wins + m->draws + m->losses, 2);
    assert_true(t.rows[0].depth >= 1);
}

/* --- its forms --- */

static const LadderTable *sample(void)
{
    static LadderTable t;
    t = (LadderTable){.positions = 20, .row_count = 4, .rung_count = 2, .report_begin = 3};
    t.plan = (LadderPlan){.depth = 6, .minimax_depth = 4, .movetime_us = 100000, .games = 10};
    t.rows[0] = (LadderRow){
        .name = "minimax", .base = -1, .nodes = 1000, .seconds = 10, .counted = true, .depth = 3};
    t.rows[1] = (LadderRow){.name = "alpha-beta",
                            .rung = 1,
                            .nodes = 100,
                            .seconds = 2,
                            .claim_low = 1.3,
                            .claim_high = 1.5,
                            .depth = 4,
                            .match = {3, 2, 1, 120, 30, false}};
    t.rows[2] = (LadderRow){.name = "engine",
                            .rung = -1,
                            .base = 1,
                            .nodes = 10,
                            .seconds = 0.5,
                            .match = {10, 0, 0, 800, 0, true}};
    t.rows[3] = (LadderRow){.name = "report",
                            .rung = -1,
                            .base = 0,
                            .nodes = 10,
                            .seconds = 0.5,
                            .depth = 6,
                            .plies_low = 2,
                            .plies_high = 3,
                            .elo_low = 200,
                            .elo_high = 300,
                            .match = {1, 0, 0, 210, 9, false}};
    return &t;
}

static void assert_has(const Buffer *b, const char *text)
{
    if (!strstr(buffer_text(b), text))
        fail_msg("'%s' is missing in:\n%s", text, buffer_text(b));
}

static void the_text_shows_every_measurement(void **state)
{
    (void)state;
    Buffer b = {0};
    ladder_write_text(sample(), &b);
    assert_has(&b, "20 positions to depth 6, evaluation 'material'");
    assert_has(&b, "1000 *");
    assert_has(&b, "alpha-beta     100    2.000       5.00      5.00  1.3-1.5   4.00");
    assert_has(&b, "+120 +- 30");
    assert_has(&b, "over 800");
    assert_has(&b, "claimed 2 to 3 plies more in equal time, measured +3.00");
    assert_has(&b, "claimed 200 to 300 Elo, measured +210");
    assert_null(strstr(buffer_text(&b), "last without it")); /* nobody measured it */
    buffer_free(&b);
}

static void markdown_has_as_many_cells_in_each_row(void **state)
{
    (void)state;
    Buffer b = {0};
    ladder_write_markdown(sample(), &b);
    Str rest = {b.data, b.len};
    int rows = 0;
    while (rest.len > 0) {
        const Str line = str_line(&rest);
        if (line.len == 0 || line.ptr[0] != '|')
            continue;
        int cells = 0;
        for (size_t i = 0; i < line.len; i++)
            cells += line.ptr[i] == '|';
        assert_int_equal(cells, 10);
        rows++;
    }
    assert_int_equal(rows, 2 + 4);
    buffer_free(&b);
}

static void json_and_svg_name_every_row(void **state)
{
    (void)state;
    Buffer json = {0}, svg = {0};
    ladder_write_json(sample(), &json);
    ladder_write_svg(sample(), &svg);
    assert_has(&json, "\"name\":\"alpha-beta\",\"nodes\":100,\"seconds\":2.000000");
    assert_has(&json, "\"page\":\"src/ladder/alpha_beta.c\",\"exact\":true");
    assert_has(&json, "\"over_minimax\":5.0000");
    assert_has(&json, "\"claimed\":[1.3,1.5]");
    assert_has(&json, "\"wins\":3,\"draws\":2,\"losses\":1,\"elo\":120.0");
    assert_has(&svg, ">alpha-beta</text>");
    assert_has(&svg, ">engine</text>");
    assert_has(&svg, "</svg>");
    assert_null(
        strstr(buffer_text(&svg), ">report</text>")); /* programs of reports are not rungs */
    buffer_free(&json);
    buffer_free(&svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elo_comes_from_pairs),
        cmocka_unit_test(a_search_beats_the_first_legal_move),
        cmocka_unit_test(in_a_game_a_repetition_is_a_draw),
        cmocka_unit_test(a_search_ends_in_time_with_the_last_finished_depth),
        cmocka_unit_test(the_table_has_rungs_engines_and_reports),
        cmocka_unit_test(minimax_beyond_its_depth_is_counted),
        cmocka_unit_test(rungs_play_each_other),
        cmocka_unit_test(the_text_shows_every_measurement),
        cmocka_unit_test(markdown_has_as_many_cells_in_each_row),
        cmocka_unit_test(json_and_svg_name_every_row),
    };
    return cmocka_run_group_tests(tests, open_runner, close_runner);
}
