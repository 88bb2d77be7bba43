// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/selfplay.h"

#include "base/rng.h"
#include "chess/movegen.h"
#include "engine/position.h"
#include "train/sample.h"

#include <stdlib.h>

const SelfplayRules selfplay_defaults = {
    .seed = 1,
    .soft_nodes = 1000,
    .hard_nodes = 1500,
    .chess960_percent = 5,
    .double_percent = 5,
    .random_plies = 8,
    .max_opening_score = 400,
    .win_score = 1200,
    .win_plies = 5,
    .draw_score = 10,
    .draw_plies = 12,
    .draw_from_ply = 60,
    .max_plies = 500,
    .plain = true,
};

struct Player {
    Samara *engine;
    SamaraPosition *position;
    SamaraEvaluation evaluation;
};

typedef struct Match {
    Player *player;   /* its position is the game's; it judges the opening */
    Player *mover[2]; /* who searches for each colour */
    const SelfplayRules *rules;
    GameRecord *game;
    Rng rng;
    int ahead, level; /* plies in a row: White (+) or Black (-) winning; drawn */
} Match;

static bool report(Error *err, const SamaraError *from)
{
    return error_code(err, from->code, from->column, "%s", from->text);
}

/* --- the player --- */

/* An empty path means the classical evaluation, NULL the network that is built in. */
Player *player_create(const char *net_path, int hash_mb, Error *err)
{
    SamaraError why = {.text = "there is not enough memory for a player"};
    const SamaraConfig config = {.hash_mb = hash_mb, .network = net_path};
    Player *player = calloc(1, sizeof *player);
    if (player && (player->position = samara_position_new()))
        player->engine = samara_new(&config, &why);
    if (!player || !player->engine) {
        report(err, &why);
        player_free(player);
        return NULL;
    }
    player->evaluation = net_path && !*net_path ? SAMARA_CLASSICAL : SAMARA_NETWORK;
    return player;
}

void player_free(Player *player)
{
    if (!player)
        return;
    samara_free(player->engine);
    samara_position_free(player->position);
    free(player);
}

/* Sets up the start of the game. */
static bool player_start(Player *player, const GameRecord *game, Error *err)
{
    Position start;
    SamaraError why;
    record_start(game, &start);
    return position_replay(player->position, &start, NULL, 0, &why) || report(err, &why);
}

static bool player_play(Player *player, Move m, Error *err)
{
    SamaraError why;
    return samara_position_play(player->position, &(SamaraMove){.code = m}, &why) ||
           report(err, &why);
}

static bool player_search(const Player *player, const SamaraPosition *position,
                          const SamaraLimits *limits, SamaraResult *result, Error *err)
{
    const SamaraRequest request = {
        .position = position, .limits = *limits, .evaluation = player->evaluation};
    SamaraError why;
    return samara_search(player->engine, &request, NULL, result, &why) || report(err, &why);
}

static int16_t clip_score(int raw)
{
    return (int16_t)(raw > RECORD_MAX_SCORE    ? RECORD_MAX_SCORE
                     : raw < -RECORD_MAX_SCORE ? -RECORD_MAX_SCORE
                                               : raw);
}

static bool match_search(const Match *m, const Player *player, SamaraResult *result, Error *err)
{
    const SamaraLimits limits = {.soft_nodes = m->rules->soft_nodes,
                                 .nodes = m->rules->hard_nodes,
                                 .plain = m->rules->plain};
    return player_search(player, m->player->position, &limits, result, err);
}

static Player *to_move(const Match *m)
{
    return m->mover[samara_position_white_to_move(m->player->position) ? WHITE : BLACK];
}

/* --- the opening --- */

/* Standard, Chess960, or different arrays for both sides, by the shares of the rules. */
static void draw_start(Match *m)
{
    GameRecord *game = m->game;
    const int lot = (int)rng_below(&m->rng, 100);
    const bool twice = lot < m->rules->double_percent;
    game->chess960 = lot < m->rules->double_percent + m->rules->chess960_percent;
    game->white_start = game->black_start = RECORD_STANDARD;
    if (game->chess960) {
        game->white_start = game->black_start = (uint16_t)rng_below(&m->rng, 960);
        if (twice)
            game->black_start = (uint16_t)rng_below(&m->rng, 960);
    }
    game->count = 0;
}

static bool play(Match *m, Move move, int16_t score, Error *err)
{
    if (!player_play(m->player, move, err))
        return false;
    m->game->plies[m->game->count++] = (RecordPly){move, score};
    return true;
}

/* The result by the rules of chess in half points of White, or -1. */
static int result_by_rules(const Match *m)
{
    const SamaraPosition *position = m->player->position;
    switch (samara_position_state(position)) {
    case SAMARA_PLAYING:
        return -1;
    case SAMARA_CHECKMATE:
        return samara_position_white_to_move(position) ? 0 : 2;
    default:
        return 1;
    }
}

/* A start and random moves. *playable: they did not end the game. */
static bool draw_opening(Match *m, bool *playable, Error *err)
{
    draw_start(m);
    if (!player_start(m->player, m->game, err))
        return false;
    *playable = true;
    const int plies = m->rules->random_plies + (int)rng_below(&m->rng, 2);
    for (int i = 0; i < plies && *playable; i++) {
        MoveList list;
        gen_legal(position_board(m->player->position), &list);
        if (!play(m, list.moves[rng_below(&m->rng, (uint64_t)list.count)], 0, err))
            return false;
        *playable = result_by_rules(m) < 0;
    }
    m->game->opening = plies;
    return true;
}

/* Draws openings until one is playable and balanced; *first is what the engine says about it. */
static bool find_opening(Match *m, SamaraResult *first, Error *err)
{
    for (;;) {
        bool playable;
        if (!draw_opening(m, &playable, err))
            return false;
        if (!playable)
            continue;
        samara_forget(m->player->engine);
        if (!match_search(m, m->player, first, err))
            return false;
        if (!first->score.is_mate && abs(first->score.raw) <= m->rules->max_opening_score)
            return true;
    }
}

/* --- the game --- */

/* The result that the scores agree on, or -1. */
static int result_by_scores(Match *m, const SamaraScore *score)
{
    const SelfplayRules *rules = m->rules;
    const int white = samara_position_white_to_move(m->player->position) ? score->raw : -score->raw;
    if (score->is_mate)
        return white > 0 ? 2 : 0;
    m->ahead = white >= rules->win_score    ? (m->ahead > 0 ? m->ahead + 1 : 1)
               : white <= -rules->win_score ? (m->ahead < 0 ? m->ahead - 1 : -1)
                                            : 0;
    m->level =
        abs(white) < rules->draw_score && m->game->count >= rules->draw_from_ply ? m->level + 1 : 0;
    if (abs(m->ahead) >= rules->win_plies)
        return m->ahead > 0 ? 2 : 0;
    if (m->level >= rules->draw_plies || m->game->count >= rules->max_plies)
        return 1;
    return -1;
}

/* Plays from the searched position on; each turn: judge, play, look at the rules, search. */
static bool play_out(Match *m, SamaraResult *found, Error *err)
{
    for (;;) {
        int result = result_by_scores(m, &found->score);
        if (result >= 0) {
            m->game->result = (uint8_t)result;
            return true;
        }
        if (!play(m, found->best.code, clip_score(found->score.raw), err))
            return false;
        result = result_by_rules(m);
        if (result >= 0) {
            m->game->result = (uint8_t)result;
            return true;
        }
        if (!match_search(m, to_move(m), found, err))
            return false;
    }
}

bool selfplay_game(Player *player, const SelfplayRules *rules, uint64_t number, GameRecord *game,
                   Error *err)
{
    Match m = {.player = player, .mover = {player, player}, .rules = rules, .game = game};
    const uint64_t name[2] = {rules->seed, number};
    rng_seed(&m.rng, hash_bytes(name, sizeof name));
    SamaraResult found;
    return find_opening(&m, &found, err) && play_out(&m, &found, err);
}

/* The game depends on the seed and its number alone: an unfinished file can be continued anywhere.
 * */
bool selfplay_duel(Player *white, Player *black, Player *judge, const SelfplayRules *rules,
                   uint64_t number, GameRecord *game, Error *err)
{
    Match m = {.player = judge, .mover = {white, black}, .rules = rules, .game = game};
    const uint64_t name[2] = {rules->seed, number};
    rng_seed(&m.rng, hash_bytes(name, sizeof name));
    SamaraResult found;
    if (!find_opening(&m, &found, err))
        return false;
    samara_forget(white->engine);
    samara_forget(black->engine);
    return match_search(&m, to_move(&m), &found, err) && play_out(&m, &found, err);
}

/* Only positions that training keeps are searched. */
bool selfplay_rescore(Player *player, uint32_t soft_nodes, uint32_t hard_nodes, GameRecord *game,
                      Error *err)
{
    if (!player_start(player, game, err))
        return false;
    const SamaraLimits limits = {.soft_nodes = soft_nodes, .nodes = hard_nodes, .plain = true};
    samara_forget(player->engine);
    for (int i = 0; i < game->count; i++) {
        const Position *p = position_board(player->position);
        if (sample_judge(&sample_filter_defaults, game, i, p) == SAMPLE_WANTED) {
            SamaraResult found;
            if (!player_search(player, player->position, &limits, &found, err))
                return false;
            game->plies[i].score = clip_score(found.score.raw);
        }
        if (!player_play(player, game->plies[i].move, err))
            return false;
    }
    return true;
}

/* With an empty hash table, so that the score does not depend on what was searched before. */
bool selfplay_score(Player *player, const Position *p, uint32_t nodes, int *score, Error *err)
{
    SamaraError why;
    SamaraResult found;
    if (!position_replay(player->position, p, NULL, 0, &why))
        return report(err, &why);
    samara_forget(player->engine);
    const SamaraLimits limits = {.nodes = nodes, .plain = true};
    if (!player_search(player, player->position, &limits, &found, err))
        return false;
    *score = clip_score(found.score.raw);
    return true;
}
