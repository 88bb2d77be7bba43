// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/selfplay.h"

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
};

typedef struct Match {
    Samara *engine;
    const SelfplayRules *rules;
    GameRecord *game;
    Rng rng;
    Position p;
    int keys;
    Key key[RECORD_MAX_PLIES]; /* of the positions before p */
    int ahead, level;          /* plies in a row: White (+) or Black (-) winning; drawn */
} Match;

static bool report(Error *err, const SamaraError *from)
{
    return error_code(err, from->code, from->column, "%s", from->text);
}

/* --- the engine --- */

static bool set_option(Samara *engine, const char *name, const char *value, Error *err)
{
    SamaraError why;
    return samara_set_option(engine, name, value, &why) || report(err, &why);
}

static bool set_up(Samara *engine, const char *net_path, int hash_mb, Error *err)
{
    char megabytes[16];
    snprintf(megabytes, sizeof megabytes, "%d", hash_mb);
    if (!set_option(engine, "Hash", megabytes, err))
        return false;
    if (net_path && *net_path && !set_option(engine, "EvalFile", net_path, err))
        return false;
    return set_option(engine, "Evaluation", net_path && !*net_path ? "classical" : "both", err);
}

Samara *selfplay_engine(const char *net_path, int hash_mb, Error *err)
{
    SamaraError why;
    Samara *engine = samara_new(&why);
    if (!engine) {
        report(err, &why);
        return NULL;
    }
    if (!set_up(engine, net_path, hash_mb, err)) {
        samara_free(engine);
        return NULL;
    }
    return engine;
}

/* Puts the game's start on the engine's board. */
static bool engine_start(Samara *engine, const GameRecord *game, Error *err)
{
    Position start;
    char fen[FEN_SIZE];
    record_start(game, &start);
    fen_write(&start, fen);
    if (!set_option(engine, "UCI_Chess960", game->chess960 ? "true" : "false", err))
        return false;
    SamaraError why;
    samara_new_game(engine);
    return samara_set_position(engine, game->chess960 ? fen : NULL, NULL, 0, &why) ||
           report(err, &why);
}

static bool engine_play(Samara *engine, const Position *p, Move m, Error *err)
{
    char text[UCI_MOVE_SIZE];
    SamaraError why;
    move_to_uci(m, p->chess960, text);
    return samara_play(engine, text, &why) || report(err, &why);
}

static bool engine_search(Samara *engine, uint32_t soft_nodes, uint32_t hard_nodes,
                          SamaraResult *result, Error *err)
{
    const SamaraLimits limits = {.soft_nodes = soft_nodes, .nodes = hard_nodes};
    SamaraError why;
    return samara_search(engine, &limits, NULL, result, &why) || report(err, &why);
}

static int16_t clip_score(int raw)
{
    return (int16_t)(raw > RECORD_MAX_SCORE    ? RECORD_MAX_SCORE
                     : raw < -RECORD_MAX_SCORE ? -RECORD_MAX_SCORE
                                               : raw);
}

/* --- the opening --- */

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
    record_start(game, &m->p);
    m->keys = 0;
}

static void play(Match *m, Move move, int16_t score)
{
    m->game->plies[m->game->count++] = (RecordPly){move, score};
    m->key[m->keys++] = m->p.st.key;
    Undo undo;
    pos_make(&m->p, move, &undo, NULL);
}

/* The result by the rules of chess in half points of White, or -1. */
static int result_by_rules(const Match *m)
{
    if (!pos_has_legal_move(&m->p))
        return !pos_in_check(&m->p) ? 1 : m->p.turn == WHITE ? 0 : 2;
    const bool draw = pos_insufficient_material(&m->p) || pos_fifty_moves(&m->p) ||
                      pos_repetitions(&m->p, m->key, m->keys) >= 2;
    return draw ? 1 : -1;
}

/* False if the random moves ended the game. */
static bool draw_opening(Match *m)
{
    draw_start(m);
    const int plies = m->rules->random_plies + (int)rng_below(&m->rng, 2);
    for (int i = 0; i < plies; i++) {
        MoveList list;
        gen_legal(&m->p, &list);
        play(m, list.moves[rng_below(&m->rng, (uint64_t)list.count)], 0);
        if (result_by_rules(m) >= 0)
            return false;
    }
    m->game->opening = plies;
    return true;
}

static bool show_opening(const Match *m, Error *err)
{
    if (!engine_start(m->engine, m->game, err))
        return false;
    Position p;
    record_start(m->game, &p);
    for (int i = 0; i < m->game->count; i++) {
        if (!engine_play(m->engine, &p, m->game->plies[i].move, err))
            return false;
        Undo undo;
        pos_make(&p, m->game->plies[i].move, &undo, NULL);
    }
    return true;
}

/* Draws openings until one is playable and balanced; *first is what the engine says about it. */
static bool find_opening(Match *m, SamaraResult *first, Error *err)
{
    for (;;) {
        if (!draw_opening(m))
            continue;
        if (!show_opening(m, err) ||
            !engine_search(m->engine, m->rules->soft_nodes, m->rules->hard_nodes, first, err))
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
    const int white = m->p.turn == WHITE ? score->raw : -score->raw;
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
        const Move move = move_from_uci(&m->p, str_from(found->best));
        if (move == MOVE_NONE)
            return error_set(err, "the engine played '%s', which is not legal", found->best);
        if (!engine_play(m->engine, &m->p, move, err))
            return false;
        play(m, move, clip_score(found->score.raw));
        result = result_by_rules(m);
        if (result >= 0) {
            m->game->result = (uint8_t)result;
            return true;
        }
        if (!engine_search(m->engine, m->rules->soft_nodes, m->rules->hard_nodes, found, err))
            return false;
    }
}

bool selfplay_game(Samara *engine, const SelfplayRules *rules, uint64_t number, GameRecord *game,
                   Error *err)
{
    Match *m = calloc(1, sizeof *m);
    if (!m)
        return error_set(err, "there is not enough memory for a game");
    *m = (Match){.engine = engine, .rules = rules, .game = game};
    const uint64_t name[2] = {rules->seed, number};
    rng_seed(&m->rng, hash_bytes(name, sizeof name));
    SamaraResult found;
    const bool ok = find_opening(m, &found, err) && play_out(m, &found, err);
    free(m);
    return ok;
}

bool selfplay_rescore(Samara *engine, uint32_t soft_nodes, uint32_t hard_nodes, GameRecord *game,
                      Error *err)
{
    if (!engine_start(engine, game, err))
        return false;
    Position p;
    record_start(game, &p);
    for (int i = 0; i < game->count; i++) {
        if (i >= game->opening) {
            SamaraResult found;
            if (!engine_search(engine, soft_nodes, hard_nodes, &found, err))
                return false;
            game->plies[i].score = clip_score(found.score.raw);
        }
        if (!engine_play(engine, &p, game->plies[i].move, err))
            return false;
        Undo undo;
        pos_make(&p, game->plies[i].move, &undo, NULL);
    }
    return true;
}
