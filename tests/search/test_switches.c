// SPDX-License-Identifier: GPL-3.0-or-later
/* Every switch of params.def is on, and its idea takes part in the search: without it the tree is
 * another one, and where the idea saves work, a larger one. Links a search whose parameters can be set. */
#include "../unit/search/support.h"
#include "search/params.h"

#include <string.h>

/* Ideas that save work: what the tree must at least grow to without them, in percent. */
static const struct {
    const char *name;
    int least;
} savers[] = {
    {"use_late_move_reduction", 150}, {"use_reverse_futility", 150}, {"use_table_cut", 140},
    {"use_internal_reduction", 115},  {"use_futility", 110},         {"use_late_move_pruning", 105},
    {"use_null_move", 102},           {"use_capture_see", 115},      {"use_qs_see", 115},
    {"use_qs_futility", 110},         {"use_continuation", 115},
};

/* Ideas that need more depth, or another kind of position, than the samples have; the tests named
 * ideas_* ask them directly. */
static bool is_rare(const char *name)
{
    static const char *const rare[] = {"use_null_verification"};
    for (size_t i = 0; i < sizeof rare / sizeof *rare; i++)
        if (strcmp(name, rare[i]) == 0)
            return true;
    return false;
}

static const char *const positions[] = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1bqk2r/pp1n1ppp/2pbpn2/3p4/2PP4/2NBPN2/PP3PPP/R1BQK2R b KQkq - 12 17",
    "6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 32", /* perpetual check */
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1",
};

static uint64_t tree(Bench *b)
{
    uint64_t nodes = 0;
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        const Position pos = position_of(positions[i]);
        nodes += search_fresh(b, &pos, (Limits){.depth = 10}).nodes;
    }
    return nodes;
}

static void every_switch_is_on_and_matters(void **state)
{
    Bench *b = *state;
    const uint64_t whole = tree(b);
    int faults = 0, count = 0;
    for (int i = 0; param_at(i); i++) {
        const char *name = param_at(i)->name;
        if (strncmp(name, "use_", 4) != 0)
            continue;
        count++;
        if (param_at(i)->value != 1) {
            print_error("%s: off by default\n", name);
            faults++;
        }
        assert_true(param_set(name, 0));
        const uint64_t without = tree(b);
        assert_true(param_set(name, 1));
        if (without == whole && !is_rare(name)) {
            print_error("%s: the tree is the same without it\n", name);
            faults++;
        }
        for (size_t k = 0; k < sizeof savers / sizeof *savers; k++)
            if (strcmp(savers[k].name, name) == 0 && without * 100 < whole * savers[k].least) {
                print_error("%s: %d nodes without it, %d with it\n", name, (int)without,
                            (int)whole);
                faults++;
            }
    }
    assert_true(count >= 40);
    assert_int_equal(faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_switch_is_on_and_matters)};
    return cmocka_run_group_tests(tests, bench_open, bench_close);
}
