// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/score.h"
#include <stdlib.h>

/* The few numbers of a game that statistics need. */
GameResult game_result(const GameRecord *record)
{
    GameResult g = {.result = record->result,
                    .fault = record->fault,
                    .plies = (uint32_t)record->game.count,
                    .thinking = record->thinking,
                    .duration = record->duration};
    for (Color side = WHITE; side <= BLACK; side++)
        for (Fault f = 0; f < FAULT_COUNT; f++)
            g.faults[side][f] =
                (uint16_t)(record->faults[side][f] < UINT16_MAX ? record->faults[side][f]
                                                                : UINT16_MAX);
    return g;
}

/* One tally per pairing: pairs of games where openings are repeated, single games elsewhere. */
bool score_init(Score *s, const Schedule *schedule, Error *err)
{
    const int pairings = schedule_pairings(schedule);
    *s = (Score){.schedule = *schedule,
                 .pairings = calloc((size_t)pairings, sizeof *s->pairings),
                 .engines = calloc((size_t)schedule->engines, sizeof *s->engines)};
    if (!s->pairings || !s->engines) {
        score_free(s);
        return error_code(err, "NO_MEMORY", 0, "out of memory");
    }
    for (int i = 0; i < pairings; i++) {
        const Fixture f = schedule_fixture(schedule, (uint64_t)i * schedule->games);
        s->pairings[i] =
            (PairingScore){.first = f.first,
                           .second = f.second,
                           .tally.categories = schedule->repeat ? PENTANOMIAL : TRINOMIAL,
                           .open = -1};
    }
    return true;
}

void score_free(Score *s)
{
    free(s->pairings);
    free(s->engines);
    *s = (Score){0};
}

/* Half points of the engine that played `side`. */
static int half_points(Result result, Color side)
{
    return result == RESULT_DRAW ? 1 : (result == RESULT_WHITE) == (side == WHITE) ? 2 : 0;
}

static void count_game(uint64_t *wins, uint64_t *draws, uint64_t *losses, int points)
{
    ++*(points == 2 ? wins : points == 1 ? draws : losses);
}

static void add_to_engine(EngineScore *e, Color side, const GameResult *game)
{
    const int points = half_points(game->result, side);
    count_game(&e->wins, &e->draws, &e->losses, points);
    if (side == WHITE)
        count_game(&e->white_wins, &e->white_draws, &e->white_losses, points);
    for (Fault f = 0; f < FAULT_COUNT; f++)
        e->faults[f] += game->faults[side][f];
}

/* The first game of a pair waits for the second one; only whole pairs count. */
static void add_to_pairing(PairingScore *p, bool first_is_white, const GameResult *game)
{
    const int points = half_points(game->result, first_is_white ? WHITE : BLACK);
    count_game(&p->wins, &p->draws, &p->losses, points);
    if (p->tally.categories == TRINOMIAL) {
        p->tally.count[points]++;
    } else if (p->open < 0) {
        p->open = points;
    } else {
        p->tally.count[p->open + points]++;
        p->open = -1;
    }
}

void score_add(Score *s, const Fixture *f, const GameResult *game)
{
    s->games++;
    s->plies += game->plies;
    s->thinking += game->thinking;
    s->playing += game->duration;
    add_to_engine(&s->engines[f->white], WHITE, game);
    add_to_engine(&s->engines[f->black], BLACK, game);
    add_to_pairing(&s->pairings[f->pairing], f->white == f->first, game);
}

Tally score_engine_tally(const Score *s, int engine)
{
    const EngineScore *e = &s->engines[engine];
    return (Tally){.categories = TRINOMIAL, .count = {e->losses, e->draws, e->wins}};
}
