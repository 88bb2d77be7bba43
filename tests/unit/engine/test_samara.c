// SPDX-License-Identifier: GPL-3.0-or-later
/* Searches and engines as a client sees them. */
#include "samara.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define KIWIPETE "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

static Samara *new_engine(void)
{
    Samara *engine = samara_new(NULL, NULL);
    assert_non_null(engine);
    return engine;
}

static SamaraPosition *position_at(const char *fen, bool chess960)
{
    SamaraPosition *p = samara_position_new();
    assert_non_null(p);
    assert_true(samara_position_set(p, fen, chess960, NULL, 0, NULL));
    return p;
}

static void assert_option(const Samara *engine, const char *name, const char *wanted)
{
    char value[16];
    assert_true(samara_get_option(engine, name, value, sizeof value));
    assert_string_equal(value, wanted);
}

static SamaraResult search(Samara *engine, const SamaraRequest *request)
{
    SamaraResult result;
    SamaraError err;
    assert_true(samara_search(engine, request, NULL, &result, &err));
    return result;
}

static const SamaraRequest endless = {.limits.infinite = true};

/* --- a request is all there is --- */

static void forgetting_brings_back_the_first_search(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    const SamaraRequest request = {.limits.depth = 8};
    const SamaraResult first = search(engine, &request);
    const SamaraResult warm = search(engine, &request);
    samara_forget(engine);
    const SamaraResult again = search(engine, &request);
    assert_int_equal(first.nodes, again.nodes);
    assert_int_equal(first.best.code, again.best.code);
    assert_int_not_equal(warm.nodes, first.nodes);
    samara_free(engine);
}

static void assert_same_answer(const SamaraResult *a, const SamaraResult *b)
{
    assert_int_equal(a->best.code, b->best.code);
    assert_int_equal(a->ponder.code, b->ponder.code);
    assert_int_equal(a->score.raw, b->score.raw);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->line_count, b->line_count);
}

/* Each of these is as unlike the usual request as it can be. */
static void a_fresh_request_knows_nothing_of_those_before(void **state)
{
    (void)state;
    SamaraPosition *kiwipete = position_at(KIWIPETE, false);
    SamaraPosition *array =
        position_at("1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 b GBgb - 4 12", true);
    SamaraMove castling;
    assert_true(samara_position_read_move(kiwipete, "O-O", &castling, NULL));
    const SamaraRequest before[] = {
        {.position = kiwipete, .limits.depth = 7},
        {.position = kiwipete, .limits.depth = 5, .lines = 7},
        {.position = kiwipete, .limits.depth = 9, .elo = 600, .seed = 5},
        {.position = kiwipete, .limits.depth = 6, .evaluation = SAMARA_CLASSICAL},
        {.position = kiwipete, .limits.depth = 6, .moves = &castling, .move_count = 1},
        {.position = array, .limits = {.nodes = 3000, .plain = true}, .lines = 3},
        {.position = kiwipete,
         .limits = {.has_clock = true, .wtime_ms = 300, .btime_ms = 9000, .overhead_ms = 50}},
        {.limits.mate = 2, .limits.nodes = 4000},
        {.limits.depth = 3, .tables_men = -1, .tables_no_rule50 = true, .book = SAMARA_BOOK_BEST},
    };
    const SamaraRequest request = {
        .position = kiwipete, .limits.depth = 7, .lines = 2, .fresh = true};
    Samara *unused = new_engine(), *used = new_engine();
    const SamaraResult expected = search(unused, &request);
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        search(used, &before[i]);
        const SamaraResult found = search(used, &request);
        assert_same_answer(&found, &expected);
        for (int k = 0; k < found.line_count; k++) {
            assert_int_equal(found.lines[k].length, expected.lines[k].length);
            assert_string_equal(found.lines[k].moves[0].uci, expected.lines[k].moves[0].uci);
        }
    }
    samara_free(unused);
    samara_free(used);
    samara_position_free(kiwipete);
    samara_position_free(array);
}

/* The options belong to those who speak a protocol: they change no request. */
static void options_do_not_reach_into_a_request(void **state)
{
    (void)state;
    static const char *const options[][2] = {
        {"MultiPV", "5"},       {"UCI_LimitStrength", "true"}, {"UCI_Elo", "700"},
        {"Level Seed", "9"},    {"Evaluation", "classical"},   {"UCI_Chess960", "true"},
        {"Move Overhead", "0"}, {"SyzygyProbeLimit", "0"}};
    const SamaraRequest request = {.limits.depth = 7, .lines = 1, .fresh = true};
    Samara *engine = new_engine();
    const SamaraResult expected = search(engine, &request);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        assert_true(samara_set_option(engine, options[i][0], options[i][1], NULL));
        const SamaraResult found = search(engine, &request);
        assert_same_answer(&found, &expected);
        assert_string_equal(found.best.uci, expected.best.uci);
    }
    SamaraRequest asked;
    samara_request(engine, &asked);
    assert_true(asked.lines == 5 && asked.elo == 700 && asked.seed == 9 && !asked.position);
    assert_true(asked.evaluation == SAMARA_CLASSICAL && asked.tables_men == -1);
    assert_true(asked.limits.overhead_ms == 0 && asked.book == SAMARA_BOOK_UNUSED);
    assert_true(samara_set_option(engine, "UCI_AnalyseMode", "true", NULL));
    samara_request(engine, &asked);
    assert_int_equal(asked.elo, 0);
    samara_free(engine);
}

/* What one evaluation wrote into the table would mislead the other. */
static void another_evaluation_starts_afresh(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    const SamaraRequest network = {.limits.depth = 7},
                        classical = {.limits.depth = 7, .evaluation = SAMARA_CLASSICAL};
    const SamaraResult expected = search(engine, &classical);
    search(engine, &network);
    const SamaraResult found = search(engine, &classical);
    assert_same_answer(&found, &expected);
    samara_free(engine);
}

static void the_position_may_change_while_a_search_runs(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraPosition *p = samara_position_new();
    const SamaraRequest request = {.position = p, .limits.infinite = true};
    assert_true(samara_go(engine, &request, NULL, NULL));
    assert_true(samara_position_play_text(p, "e4", NULL));
    assert_true(samara_is_searching(engine));
    samara_position_free(p);
    samara_free(engine);
}

/* The only move asked for repeats a position for the third time, if the game is known. */
static void the_game_before_a_position_counts(void **state)
{
    (void)state;
    static const char *const moves[] = {"Kf8", "Qb2", "Kg8", "Qc2", "Kf8", "Qb2", "Kg8"};
    SamaraPosition *p = samara_position_new();
    assert_true(samara_position_set(p, "6k1/8/8/8/8/8/2Q5/K7 b - - 0 1", false, moves, 7, NULL));
    char fen[SAMARA_FEN_SIZE];
    samara_position_fen(p, fen);
    SamaraPosition *without = position_at(fen, false);
    SamaraMove again;
    assert_true(samara_position_read_move(p, "Qc2", &again, NULL));
    SamaraRequest request = {
        .position = p, .limits.depth = 6, .lines = 1, .moves = &again, .move_count = 1};
    Samara *engine = new_engine();
    const SamaraResult drawn = search(engine, &request);
    assert_in_range(drawn.score.raw + 2, 0, 4);
    assert_int_equal(drawn.lines[0].length, 1);
    request.position = without;
    assert_true(search(engine, &request).score.raw > 300);
    samara_free(engine);
    samara_position_free(p);
    samara_position_free(without);
}

static void what_is_out_of_range_is_refused(void **state)
{
    (void)state;
    static const SamaraRequest wrong[] = {{.lines = -1},
                                          {.lines = SAMARA_MAX_LINES + 1},
                                          {.elo = 1},
                                          {.elo = 9999},
                                          {.evaluation = (SamaraEvaluation)7}};
    Samara *engine = new_engine();
    SamaraError err;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(samara_search(engine, &wrong[i], NULL, NULL, &err));
        assert_string_equal(err.code, "OUT_OF_RANGE");
        assert_false(samara_go(engine, &wrong[i], NULL, NULL));
    }
    samara_free(engine);
}

static void nodes_are_exact(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    for (uint64_t nodes = 1; nodes < 20000; nodes = nodes * 3 + 1) {
        const SamaraRequest request = {.limits.nodes = nodes, .fresh = true};
        assert_int_equal(search(engine, &request).nodes, nodes);
    }
    samara_free(engine);
}

static void only_the_moves_asked_for_are_searched(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraPosition *p = samara_position_new();
    SamaraMove moves[4];
    assert_true(samara_position_read_move(p, "a2a3", &moves[0], NULL));
    moves[1] = moves[3] = moves[0];
    moves[2] = (SamaraMove){.code = 12345}; /* no move of this position */
    const SamaraRequest request = {
        .position = p, .limits.depth = 4, .lines = 3, .moves = moves, .move_count = 4};
    const SamaraResult found = search(engine, &request);
    assert_string_equal(found.best.uci, "a2a3");
    assert_int_equal(found.line_count, 1);
    samara_position_free(p);
    samara_free(engine);
}

/* --- lines --- */

static void lines_are_typed_and_in_order(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraPosition *p = position_at(KIWIPETE, false);
    const SamaraRequest request = {.position = p, .limits.depth = 6, .lines = 4};
    const SamaraResult r = search(engine, &request);
    assert_int_equal(r.line_count, 4);
    assert_int_equal(r.lines[0].moves[0].code, r.best.code);
    for (int i = 0; i < 4; i++) {
        const SamaraLine *line = &r.lines[i];
        SamaraPosition *ahead = samara_position_copy(p);
        assert_true(line->number == i + 1 && line->depth == 6 && line->length > 0);
        assert_int_equal(line->score.bound, SAMARA_EXACT);
        assert_true(i == 0 || line->score.raw <= r.lines[i - 1].score.raw);
        for (int k = 0; k < line->length; k++) {
            SamaraMove move;
            assert_true(samara_position_read_move(ahead, line->moves[k].san, &move, NULL));
            assert_memory_equal(&move, &line->moves[k], sizeof move);
            assert_true(samara_position_play(ahead, &move, NULL));
        }
        samara_position_free(ahead);
    }
    samara_position_free(p);
    samara_free(engine);
}

/* More lines than moves: as many as there are moves. None asked for: none kept. */
static void there_are_as_many_lines_as_moves(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraPosition *p = position_at("7k/8/8/8/8/8/8/K6R b - - 0 1", false);
    SamaraRequest request = {.position = p, .limits.depth = 3, .lines = SAMARA_MAX_LINES};
    assert_int_equal(search(engine, &request).line_count, samara_position_moves(p, NULL, 0));
    request.lines = 0;
    const SamaraResult bare = search(engine, &request);
    assert_true(bare.line_count == 0 && !bare.lines && bare.best.code);
    assert_true(samara_position_set(p, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false, NULL, 0, NULL));
    request.lines = 2;
    const SamaraResult stalemate = search(engine, &request);
    assert_true(stalemate.best.code == 0 && stalemate.score.raw == 0);
    assert_true(stalemate.line_count == 1 && stalemate.lines[0].length == 0);
    samara_position_free(p);
    samara_free(engine);
}

typedef struct Stopper {
    Samara *engine;
    uint64_t stop_at; /* nodes */
    int lines, whole; /* heard; the most that were known at once */
} Stopper;

static void stop_early(void *user, const SamaraLine *line)
{
    Stopper *s = user;
    int count;
    const SamaraLine *known = samara_lines(s->engine, &count);
    s->lines++;
    s->whole = count > s->whole ? count : s->whole;
    for (int i = 0; i < count; i++)
        assert_true(known[i].number == i + 1 && known[i].length > 0);
    if (line->nodes >= s->stop_at)
        samara_stop(s->engine);
}

/* Whenever it is stopped, once all lines were known they stay so, each move once. */
static void a_stopped_search_keeps_its_lines(void **state)
{
    (void)state;
    enum { LINES = 6 };
    Samara *engine = new_engine();
    SamaraPosition *p = position_at(KIWIPETE, false);
    for (uint64_t nodes = 500; nodes < 40000; nodes += 1700) {
        Stopper s = {.engine = engine, .stop_at = nodes};
        const SamaraEvents events = {.user = &s, .line = stop_early};
        const SamaraRequest request = {.position = p, .lines = LINES, .fresh = true};
        SamaraResult r;
        assert_true(samara_search(engine, &request, &events, &r, NULL));
        assert_true(s.lines > 0);
        assert_int_equal(r.line_count, s.whole);
        assert_int_equal(r.lines[0].moves[0].code, r.best.code);
        for (int i = 0; i < r.line_count; i++)
            for (int k = 0; k < i; k++)
                assert_int_not_equal(r.lines[i].moves[0].code, r.lines[k].moves[0].code);
    }
    samara_position_free(p);
    samara_free(engine);
}

/* --- engines --- */

static void several_engines_do_not_disturb_each_other(void **state)
{
    (void)state;
    SamaraError err;
    Samara *a = new_engine(), *b = samara_new(&(SamaraConfig){.hash_mb = 1, .threads = 2}, &err);
    assert_non_null(b);
    assert_option(a, "hash", "16");
    assert_option(b, "Hash", "1");
    assert_option(b, "Threads", "2");
    const SamaraRequest request = {.limits.depth = 6, .fresh = true};
    const SamaraResult alone = search(a, &request);
    assert_true(samara_go(b, &endless, NULL, &err));
    const SamaraResult together = search(a, &request);
    samara_stop(b);
    samara_wait(b);
    assert_same_answer(&alone, &together);
    samara_free(a);
    samara_free(b);
}

static void an_engine_that_cannot_be_had_says_why(void **state)
{
    (void)state;
    static const SamaraConfig wrong[] = {{.hash_mb = -1},
                                         {.threads = 100000},
                                         {.network = "/nowhere/net"},
                                         {.book = "/nowhere/book"},
                                         {.tables = "/nowhere/tables"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        SamaraError err = {0};
        assert_null(samara_new(&wrong[i], &err));
        assert_true(err.text[0]);
    }
}

typedef struct Heard {
    int lines, dones;
    SamaraResult result;
    uint16_t last_move; /* of the last line */
} Heard;

static void hear_line(void *user, const SamaraLine *line)
{
    Heard *heard = user;
    heard->lines++;
    heard->last_move = line->length > 0 ? line->moves[0].code : 0;
}

static void hear_done(void *user, const SamaraResult *result)
{
    Heard *heard = user;
    heard->dones++;
    heard->result = *result;
}

static void done_comes_exactly_once(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraError err;
    for (int i = 0; i < 50; i++) {
        Heard heard = {0};
        const SamaraEvents events = {.user = &heard, .line = hear_line, .done = hear_done};
        assert_true(samara_go(engine, &endless, &events, &err));
        if (i % 2)
            usleep(1000);
        samara_stop(engine);
        samara_stop(engine);
        samara_wait(engine);
        assert_int_equal(heard.dones, 1);
        assert_int_not_equal(heard.result.best.code, 0);
        assert_false(samara_is_searching(engine));
    }
    samara_free(engine);
}

static void freeing_or_changing_an_engine_ends_its_search(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraError err;
    Heard heard = {0};
    const SamaraEvents events = {.user = &heard, .done = hear_done};
    assert_true(samara_go(engine, &endless, &events, &err));
    assert_true(samara_set_option(engine, "Hash", "2", &err));
    assert_int_equal(heard.dones, 1);
    assert_true(samara_go(engine, &endless, &events, &err));
    samara_forget(engine);
    assert_int_equal(heard.dones, 2);
    assert_true(samara_go(engine, &endless, &events, &err));
    assert_true(samara_go(engine, &endless, &events, &err));
    assert_int_equal(heard.dones, 3);
    samara_free(engine);
    assert_int_equal(heard.dones, 4);
}

static void a_table_that_cannot_be_had_leaves_the_old_one(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraError err;
    assert_false(samara_set_option(engine, "Hash", "4194304", &err));
    assert_true(err.text[0]);
    assert_option(engine, "Hash", "16");
    assert_int_not_equal(search(engine, &(SamaraRequest){.limits.depth = 3}).best.code, 0);
    samara_free(engine);
}

/* --- levels --- */

static void a_seed_repeats_the_errors_of_a_level(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    uint16_t first[8];
    int different = 0;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 8; i++) {
            const SamaraRequest request = {
                .limits.nodes = 20000, .elo = 600, .seed = i + 1, .fresh = true};
            const SamaraResult r = search(engine, &request);
            if (round == 0)
                first[i] = r.best.code;
            else
                assert_int_equal(r.best.code, first[i]);
            different += r.best.code != first[0];
        }
    assert_true(different > 0);
    samara_free(engine);
}

/* Also where a lesser move mates, or is mated: three ways to do it at once, and some slower ones.
 */
static void the_last_line_of_a_level_is_about_its_move(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraPosition *p = position_at("k7/8/1K6/8/3Q4/8/7R/8 w - - 0 1", false);
    int different = 0;
    uint16_t first = 0;
    for (int seed = 1; seed <= 30; seed++) {
        const SamaraRequest request = {
            .position = p, .limits.depth = 4, .elo = 500, .seed = seed, .lines = 1};
        Heard heard = {0};
        const SamaraEvents events = {.user = &heard, .line = hear_line, .done = hear_done};
        assert_true(samara_go(engine, &request, &events, NULL));
        samara_wait(engine);
        assert_int_equal(heard.last_move, heard.result.best.code);
        assert_int_equal(heard.result.lines[0].moves[0].code, heard.result.best.code);
        if (seed == 1)
            first = heard.result.best.code;
        different += first != heard.result.best.code;
    }
    assert_true(different > 0);
    samara_position_free(p);
    samara_free(engine);
}

/* --- looking --- */

static void the_static_evaluation_is_the_same_for_both_colours(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraError err;
    SamaraEval white, black;
    SamaraPosition *p =
        position_at("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", false);
    SamaraPosition *q =
        position_at("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 2 3", false);
    SamaraPosition *check = position_at("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", false);
    assert_true(samara_eval(engine, p, SAMARA_NETWORK, &white, &err));
    assert_true(samara_eval(engine, q, SAMARA_NETWORK, &black, &err));
    assert_int_equal(white.classical, black.classical);
    assert_int_equal(white.score.raw, black.score.raw);
    SamaraScore score;
    assert_true(samara_static_score(engine, q, SAMARA_NETWORK, &score));
    assert_int_equal(score.is_mate, black.score.is_mate);
    assert_int_equal(score.value, black.score.value);
    assert_int_equal(score.raw, black.score.raw);
    assert_int_equal(score.win, black.score.win);
    assert_int_equal(score.draw, black.score.draw);
    assert_int_equal(score.loss, black.score.loss);
    assert_false(samara_static_score(engine, check, SAMARA_NETWORK, &score));
    assert_false(samara_eval(engine, check, SAMARA_NETWORK, &white, &err));
    assert_string_equal(err.code, "IN_CHECK");
    samara_position_free(p);
    samara_position_free(q);
    samara_position_free(check);
    samara_free(engine);
}

/* Whatever judges: no network may doubt what is certain, in the static evaluation and in a search.
 */
static void known_endings_are_not_a_matter_of_opinion(void **state)
{
    (void)state;
    SamaraPosition *drawn = position_at("4k3/8/4P3/4K3/8/8/8/8 w - - 0 1", false),
                   *won = position_at("8/8/8/4k3/8/8/8/R3K3 w - - 0 1", false),
                   *open = position_at("8/8/4p3/4k3/8/8/8/R3K3 w - - 0 1", false);
    for (SamaraEvaluation by = SAMARA_NETWORK; by <= SAMARA_CLASSICAL; by++) {
        Samara *engine = new_engine();
        SamaraEval eval;
        assert_true(samara_eval(engine, drawn, by, &eval, NULL));
        assert_true(eval.known);
        assert_int_equal(eval.score.raw, 0);
        const SamaraRequest request = {.position = drawn, .limits.depth = 6, .evaluation = by};
        assert_in_range(search(engine, &request).score.raw + 30, 0, 60); /* it learns corrections */
        assert_true(samara_eval(engine, won, by, &eval, NULL));
        assert_true(eval.known && eval.score.raw > 3000);
        assert_true(samara_eval(engine, open, by, &eval, NULL));
        assert_false(eval.known);
        samara_free(engine);
    }
    samara_position_free(drawn);
    samara_position_free(won);
    samara_position_free(open);
}

/* What a person says about a position steers the search, until that is forgotten. */
static void a_score_can_be_set(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraPosition *p = samara_position_new();
    const SamaraRequest request = {.position = p, .limits.depth = 5};
    const SamaraResult untold = search(engine, &request);
    samara_forget(engine);
    assert_true(samara_position_play_text(p, "a3", NULL));
    samara_set_score(engine, p, -900, 30); /* Black is lost */
    assert_true(samara_position_undo(p));
    const SamaraResult told = search(engine, &request);
    assert_int_not_equal(told.nodes, untold.nodes);
    samara_forget(engine);
    const SamaraResult again = search(engine, &request);
    assert_same_answer(&again, &untold);
    samara_position_free(p);
    samara_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forgetting_brings_back_the_first_search),
        cmocka_unit_test(a_fresh_request_knows_nothing_of_those_before),
        cmocka_unit_test(options_do_not_reach_into_a_request),
        cmocka_unit_test(another_evaluation_starts_afresh),
        cmocka_unit_test(the_position_may_change_while_a_search_runs),
        cmocka_unit_test(the_game_before_a_position_counts),
        cmocka_unit_test(what_is_out_of_range_is_refused),
        cmocka_unit_test(nodes_are_exact),
        cmocka_unit_test(only_the_moves_asked_for_are_searched),
        cmocka_unit_test(lines_are_typed_and_in_order),
        cmocka_unit_test(there_are_as_many_lines_as_moves),
        cmocka_unit_test(a_stopped_search_keeps_its_lines),
        cmocka_unit_test(several_engines_do_not_disturb_each_other),
        cmocka_unit_test(an_engine_that_cannot_be_had_says_why),
        cmocka_unit_test(done_comes_exactly_once),
        cmocka_unit_test(freeing_or_changing_an_engine_ends_its_search),
        cmocka_unit_test(a_table_that_cannot_be_had_leaves_the_old_one),
        cmocka_unit_test(a_seed_repeats_the_errors_of_a_level),
        cmocka_unit_test(the_last_line_of_a_level_is_about_its_move),
        cmocka_unit_test(the_static_evaluation_is_the_same_for_both_colours),
        cmocka_unit_test(known_endings_are_not_a_matter_of_opinion),
        cmocka_unit_test(a_score_can_be_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
