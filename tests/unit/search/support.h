// SPDX-License-Identifier: GPL-3.0-or-later
/* support.h -- a small engine for the tests of the search: pool, table, and a recorder that judges
 * every line. */
#ifndef SAMARA_TESTS_SEARCH_SUPPORT_H
#define SAMARA_TESTS_SEARCH_SUPPORT_H

#include "chess/fen.h"
#include "chess/movegen.h"
#include "classical/classical.h"
#include "search/pool.h"
#include "search/tt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MAX_LINES = 4096 };

/* What a search said. */
typedef struct Record {
    Position root;
    int lines;
    int illegal;     /* lines with a move that cannot be played */
    int past_end;    /* lines that go on after the game has ended */
    int false_mates; /* mates claimed without a complete line that ends in mate */
    int shortest_mate;
    int done;
    SearchInfo last[64]; /* newest line of each multipv index */
    SearchInfo all[MAX_LINES];
    SearchResult result;
} Record;

typedef struct Bench {
    Pool *pool;
    TTable *tt;
    Record record;
} Bench;

static inline void judge_line(Record *r, const SearchInfo *info)
{
    Position pos = r->root;
    bool over = false;
    for (int i = 0; i < info->pv_length; i++) {
        MoveList list;
        Undo undo;
        gen_legal(&pos, &list);
        if (!list_has(&list, info->pv[i])) {
            r->illegal++;
            return;
        }
        if (over)
            r->past_end++;
        pos_make(&pos, info->pv[i], &undo, NULL);
        over = pos_fifty_moves(&pos) || pos_insufficient_material(&pos);
    }
    if (!score_is_mate(info->score))
        return;
    const bool mated = pos_in_check(&pos) && !pos_has_legal_move(&pos);
    if (!mated || info->pv_length != score_mate_plies(info->score))
        r->false_mates++;
    if (info->score > 0 && score_mate_moves(info->score) < r->shortest_mate)
        r->shortest_mate = score_mate_moves(info->score);
}

static inline void record_info(void *user, const SearchInfo *info)
{
    Record *r = user;
    judge_line(r, info);
    if (info->multipv <= 64)
        r->last[info->multipv - 1] = *info;
    if (r->lines < MAX_LINES)
        r->all[r->lines++] = *info;
}

static inline void record_done(void *user, const SearchResult *result)
{
    Record *r = user;
    r->done++;
    r->result = *result;
}

static inline int bench_open(void **state)
{
    static Bench bench;
    attacks_init();
    classical_init();
    bench.tt = tt_create(8, NULL);
    bench.pool = pool_create(1, NULL);
    *state = &bench;
    return bench.tt && bench.pool ? 0 : -1;
}

static inline int bench_close(void **state)
{
    Bench *b = *state;
    pool_destroy(b->pool);
    tt_destroy(b->tt);
    return 0;
}

static inline void bench_forget(Bench *b)
{
    pool_clear(b->pool);
    tt_clear(b->tt, 1);
}

static inline Position position_of(const char *fen)
{
    Position pos;
    Error err;
    if (!fen_parse(&pos, str_from(fen), FEN_STANDARD, &err, NULL))
        fail_msg("%s: %s", fen, err.text);
    return pos;
}

static inline SearchSetup bench_setup(Bench *b, const Position *root)
{
    b->record = (Record){.root = *root, .shortest_mate = 1000};
    return (SearchSetup){
        .root = root,
        .multipv = 1,
        .events = {.user = &b->record, .info = record_info, .done = record_done},
    };
}

static inline void assert_lines_hold(const Bench *b)
{
    assert_int_equal(b->record.illegal, 0);
    assert_int_equal(b->record.past_end, 0);
    assert_int_equal(b->record.false_mates, 0);
    assert_int_equal(b->record.done, 1);
}

/* Searches with these limits from a clean slate. */
static inline SearchResult search_fresh(Bench *b, const Position *root, Limits limits)
{
    SearchSetup setup = bench_setup(b, root);
    SearchResult result;
    setup.limits = limits;
    bench_forget(b);
    pool_run(b->pool, b->tt, &setup, &result);
    assert_lines_hold(b);
    return result;
}

static const char *const sample_fens[] = {
    FEN_START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/8/1p1k4/p1pPpP2/P1P1K3/8/8/8 w - - 0 1",
    "4k2r/8/8/8/8/8/8/R3K3 b Qk - 10 30",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1",
    "8/8/8/8/8/6k1/4Q3/K7 w - - 90 100",
    "r1bqk2r/pp1n1ppp/2pbpn2/3p4/2PP4/2NBPN2/PP3PPP/R1BQK2R b KQkq - 2 7",
};
enum { SAMPLES = sizeof sample_fens / sizeof *sample_fens };

#endif
