// SPDX-License-Identifier: GPL-3.0-or-later
/* bench.c -- a fixed piece of work: its node count names the behaviour of a build, its time the
 * speed. */
#include "classical/kbnk.h"
#include "engine/engine.h"
#include "nnue/speed.h"

#include <stddef.h>

enum { BENCH_DEPTH = 14, BENCH_HASH_MB = 16 };

/* Openings, middlegames of every character, endings, mates, and positions at the edge of the rules.
 */
static const char *const positions[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9",
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/2PP4/1PN1PN2/PB2BPPP/R2Q1RK1 w - - 2 10",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2r2rk1/1bqnbppp/pp1ppn2/8/2PNPP2/1PN3P1/PB4BP/R2Q1R1K w - - 4 16",
    "r2qkb1r/1b1n1ppp/p3pn2/1p6/3NP3/P1N1B3/1P2BPPP/R2Q1RK1 b kq - 1 12",
    "4r1k1/r4p1p/p3bRpQ/q2pP3/2pP4/Bpn1R3/6PP/1B4K1 w - - 0 1",
    "5r2/Rpp4p/3k2p1/3N4/2P1P1b1/1PQ3P1/1P5r/4KB1q w - - 0 1",
    "2RR1K2/1B3PPq/5Q2/4P3/7n/Ppp1b3/p5pp/3rk2N b - - 0 1",
    "6k1/3r2p1/R4p2/1p2qP1Q/4P3/1P1P3P/1Pr2BP1/6K1 w - - 0 1",
    "r1bq2nr/pp2k2p/3bB3/5pPP/1n1P4/4Q3/PBP1N1P1/R4RK1 w - - 1 20",
    "3qb2k/1p6/1P5p/p1P1pBrn/P1Nb2p1/B2Q4/7K/5R2 b - - 4 54",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1",
    "r1b2rk1/pp1nqppp/2p1pn2/3p4/2PP4/2NBPN2/PPQ2PPP/R3K2R w KQ - 2 9",
    "3r1rk1/pp2qppp/2n1b3/2p1P3/5P2/2PB1N2/PP2Q1PP/3R1RK1 w - - 1 18",
    "2rq1rk1/pp1bppbp/2np1np1/8/2BNP3/2N1BP2/PPPQ2PP/2KR3R w - - 9 11",
    "r4rk1/1pp1qppp/p1np1n2/4p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 1 10",
    "8/5pk1/4p1p1/1p1pP2p/1P1P1P1P/4K1P1/8/8 w - - 0 40",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/3k4/1p1p1p2/1P1P1P2/3K4/8/8 b - - 6 50",
    "8/1p3kp1/p4p2/2r4p/4P3/1P3PP1/1P2R2P/6K1 w - - 0 33",
    "8/5kpp/1R3p2/3pn3/8/4P1P1/r4P1P/3B2K1 b - - 3 35",
    "2b5/5k1p/3p1p2/1p1Pp3/1P2P1p1/4BpP1/5P1P/6K1 w - - 8 44",
    "8/8/1Q6/8/4k3/2q3p1/6K1/8 w - - 4 70",
    "8/3k4/8/3N4/2B5/8/8/4K3 w - - 10 80",
    "8/6pk/8/1R3P1p/1P5P/6K1/r7/8 b - - 0 45",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "r3r1k1/2q2ppp/p1n1bn2/1pp1p3/4P3/2P1BN1P/PPBQ1PP1/R2R2K1 w - - 90 60",
};

enum { POSITION_COUNT = sizeof positions / sizeof *positions };

/* Positions in a fixed order with one hash table: the node count depends on the build alone. What
 * is solved once per process does not count as time. */
static bool search_all(Samara *e, SamaraPosition *position, int depth,
                       bool (*progress)(void *, int, int), void *user, SamaraBench *out,
                       SamaraError *err)
{
    const SamaraRequest request = {.position = position,
                                   .limits.depth = depth > 0 ? depth : BENCH_DEPTH};
    kbnk_solve();
    for (int i = 0; i < POSITION_COUNT; i++) {
        SamaraResult result;
        if (!samara_position_set(position, positions[i], false, NULL, 0, err) ||
            !samara_search(e, &request, NULL, &result, err))
            return false;
        out->nodes += result.nodes;
        out->time_ms += result.time_ms;
        if (progress && !progress(user, i + 1, POSITION_COUNT))
            return engine_refuse(err, "STOPPED", "the bench was stopped");
    }
    return true;
}

/* An engine of its own with one thread and a fixed table, so that nothing a user has set changes
 * the count. */
bool samara_bench(int depth, bool (*progress)(void *user, int done, int total), void *user,
                  SamaraBench *out, SamaraError *err)
{
    *out = (SamaraBench){0};
    Samara *e = samara_new(&(SamaraConfig){.hash_mb = BENCH_HASH_MB}, err);
    SamaraPosition *position = e ? samara_position_new() : NULL;
    if (e && !position)
        engine_refuse(err, "NO_MEMORY", "not enough memory for a bench");
    const bool ok = position && search_all(e, position, depth, progress, user, out, err);
    samara_position_free(position);
    samara_free(e);
    return ok;
}

static bool time_network(const Net *net, SamaraNetworkBench *out, Error *err)
{
    enum { MILLISECONDS = 500 };
    NetSpeed speed;
    if (!net || !net_speed(net, MILLISECONDS, &speed, err))
        return false;
    *out = (SamaraNetworkBench){.step_ns = speed.step_ns, .fresh_ns = speed.fresh_ns};
    str_copy(out->architecture, sizeof out->architecture, str_from(net_architecture(net)));
    str_copy(out->instructions, sizeof out->instructions, str_from(net_vocabulary()));
    return true;
}

bool samara_bench_network(const char *path, SamaraNetworkBench *out, SamaraError *err)
{
    Error why;
    attacks_init();
    if (!path && !net_embedded())
        return engine_refuse(err, "NO_NETWORK", "this build carries no network");
    Net *loaded = path ? net_load(path, &why) : NULL;
    const bool ok = time_network(path ? loaded : net_embedded(), out, &why);
    net_free(loaded);
    return ok || engine_fail(err, &why);
}
