// SPDX-License-Identifier: GPL-3.0-or-later
/* Positions whose mate distance was proved by exhaustive search: nothing shorter may ever be
 * claimed. */
#include "chess/epd.h"
#include "support.h"
#include <stdio.h>

typedef struct MateCase {
    Position pos;
    int moves;
} MateCase;

static bool next_case(FILE *file, MateCase *c)
{
    char line[512];
    while (fgets(line, sizeof line, file)) {
        Epd epd;
        int64_t moves = 0;
        if (line[0] == '#')
            continue;
        if (!epd_parse(&epd, str_trim(str_from(line)), FEN_STANDARD, NULL, NULL) ||
            !epd_find(&epd, "dm") || !str_int(epd_find(&epd, "dm")->operand, 1, 20, &moves))
            fail_msg("cannot read: %s", line);
        c->pos = epd.pos;
        c->moves = (int)moves;
        return true;
    }
    return false;
}

static FILE *open_cases(void)
{
    FILE *file = fopen(SAMARA_TEST_DATA_DIR "/mates_proved.epd", "r");
    assert_non_null(file);
    return file;
}

static void no_mate_is_shorter_than_the_truth(void **state)
{
    Bench *b = *state;
    FILE *file = open_cases();
    MateCase c;
    int solved = 0, total = 0;
    while (next_case(file, &c)) {
        const SearchResult r = search_fresh(b, &c.pos, (Limits){.nodes = 15000});
        assert_true(b->record.shortest_mate >= c.moves);
        solved += r.score == score_mate(2 * c.moves - 1);
        total++;
    }
    fclose(file);
    assert_true(total >= 200);
    assert_true(solved * 100 >= total * 80);
}

static void asking_for_a_mate_finds_it(void **state)
{
    Bench *b = *state;
    FILE *file = open_cases();
    MateCase c;
    while (next_case(file, &c))
        if (c.moves <= 3) {
            const SearchResult r = search_fresh(b, &c.pos, (Limits){.mate = c.moves});
            assert_int_equal(r.score, score_mate(2 * c.moves - 1));
        }
    fclose(file);
}

/* One move less than needed: the search must come to an end by itself and claim nothing. */
static void asking_for_too_short_a_mate_ends_with_none(void **state)
{
    Bench *b = *state;
    FILE *file = open_cases();
    MateCase c;
    while (next_case(file, &c))
        if (c.moves == 2 || c.moves == 3) {
            const SearchResult r = search_fresh(b, &c.pos, (Limits){.mate = c.moves - 1});
            assert_true(r.best != MOVE_NONE);
            assert_true(r.score <= score_mate(2 * c.moves - 1));
        }
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_mate_is_shorter_than_the_truth),
        cmocka_unit_test(asking_for_a_mate_finds_it),
        cmocka_unit_test(asking_for_too_short_a_mate_ends_with_none),
    };
    return cmocka_run_group_tests(tests, bench_open, bench_close);
}
