// SPDX-License-Identifier: GPL-3.0-or-later
#include "ladder/games.h"

#include "base/rng.h"
#include "chess/movegen.h"
#include "classical/classical.h"
#include "ladder/search.h"

#include <math.h>
#include <stdlib.h>

enum {
    OPENING_PLIES = 8,
    OPENING_BALANCE = 60, /* units of the classical evaluation */
    DECIDED = 1000,       /* the same: hardly ever lost again */
    DECIDED_PLIES = 12,   /* for so long the game must be decided to be over */
    LONGEST_GAME = 300,   /* plies; then it is a draw */
};

/* --- openings --- */

/* The side to move is not in check and wins nothing by taking. */
static bool is_level(const Position *p)
{
    if (pos_in_check(p) || !pos_has_legal_move(p) ||
        abs(classical_evaluate(p, NULL)) > OPENING_BALANCE)
        return false;
    MoveList captures = {0};
    gen_noisy(p, &captures);
    for (int i = 0; i < captures.count; i++)
        if (exchange_value(p, captures.moves[i]) > 0)
            return false;
    return true;
}

/* Random moves until some of them leave a level game. */
static void random_opening(Rng *rng, Position *p)
{
    do {
        pos_start(p);
        for (int ply = 0; ply < OPENING_PLIES; ply++) {
            MoveList moves;
            Undo undo;
            gen_legal(p, &moves);
            if (moves.count == 0)
                break;
            pos_make(p, moves.moves[rng_below(rng, (uint64_t)moves.count)], &undo, NULL);
        }
    } while (!is_level(p));
}

/* --- one game --- */

/* Points of White: 2, 1 or 0; negative if memory is short. A game that has been decided for a while
 * is ended by the classical evaluation, which neither player knows. */
static int play_game(Game *g, const Position *start, Player white, Player black)
{
    int decided = 0; /* plies in a row for which one side has been winning; negative: Black */
    game_reset(g, start);
    while (g->count < LONGEST_GAME) {
        const GameEnd end = game_end(g);
        if (end != GAME_ON)
            return end != END_CHECKMATE ? 1 : g->pos.turn == BLACK ? 2 : 0;
        if (!pos_in_check(&g->pos)) {
            const int value = classical_evaluate(&g->pos, NULL);
            const int winner = g->pos.turn == WHITE ? value : -value;
            decided = winner > DECIDED    ? (decided > 0 ? decided : 0) + 1
                      : winner < -DECIDED ? (decided < 0 ? decided : 0) - 1
                                          : 0;
            if (abs(decided) >= DECIDED_PLIES)
                return decided > 0 ? 2 : 0;
        }
        const Player *mover = g->pos.turn == WHITE ? &white : &black;
        if (!game_play(g, mover->choose(mover->user, g), NULL))
            return -1;
    }
    return 1;
}

/* --- the match --- */

static double elo_of(double score) { return -400 * log10(1 / score - 1); }

/* Counts pairs of games and not single ones: both games of an opening share its bias, so their
 * errors are not independent. */
void match_elo(const int pairs[5], MatchScore *out)
{
    int count = 0;
    double sum = 0, squares = 0;
    for (int i = 0; i < 5; i++) {
        count += pairs[i];
        sum += pairs[i] * i / 4.0;
        squares += pairs[i] * (i / 4.0) * (i / 4.0);
    }
    out->elo = out->error = 0;
    out->all_or_nothing = count > 0 && (pairs[0] == count || pairs[4] == count);
    if (count == 0)
        return;
    const double edge = 0.25 / count; /* half a point more or less than all or nothing */
    double mean = sum / count;
    const double deviation = sqrt(fmax(squares / count - mean * mean, 0) / count) * 1.96;
    mean = fmin(fmax(mean, edge), 1 - edge);
    out->elo = elo_of(mean);
    if (!out->all_or_nothing)
        out->error =
            (elo_of(fmin(mean + deviation, 1 - edge)) - elo_of(fmax(mean - deviation, edge))) / 2;
}

static void count_game(MatchScore *score, int points)
{
    score->wins += points == 2;
    score->draws += points == 1;
    score->losses += points == 0;
}

/* Each random opening is played twice, with colours exchanged. */
bool match_play(Player first, Player second, int games, uint64_t seed, MatchScore *out, Error *err)
{
    Game g;
    Rng rng;
    int pairs[5] = {0};
    game_init(&g);
    rng_seed(&rng, seed);
    *out = (MatchScore){0};
    for (int i = 0; i < games / 2; i++) {
        Position start;
        random_opening(&rng, &start);
        const int as_white = play_game(&g, &start, first, second);
        const int against_white = play_game(&g, &start, second, first);
        if (as_white < 0 || against_white < 0) {
            game_free(&g);
            return error_code(err, "NO_MEMORY", 0, "no memory for a game");
        }
        count_game(out, as_white);
        count_game(out, 2 - against_white);
        pairs[as_white + 2 - against_white]++;
    }
    game_free(&g);
    match_elo(pairs, out);
    return true;
}
