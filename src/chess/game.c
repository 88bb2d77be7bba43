// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/game.h"

#include "chess/movegen.h"
#include <stdlib.h>

void game_init(Game *g)
{
    *g = (Game){0};
    pos_start(&g->start);
    g->pos = g->start;
}

void game_reset(Game *g, const Position *start)
{
    g->start = g->pos = *start;
    g->count = 0;
}

void game_free(Game *g)
{
    free(g->plies);
    free(g->keys);
    *g = (Game){0};
}

/* Each array may have grown alone if memory ran out between the two; capacity is that of both. */
static bool grow(Game *g)
{
    const int capacity = g->capacity ? 2 * g->capacity : 256;
    GamePly *plies = realloc(g->plies, (size_t)capacity * sizeof *plies);
    if (!plies)
        return false;
    g->plies = plies;
    Key *keys = realloc(g->keys, (size_t)capacity * sizeof *keys);
    if (!keys)
        return false;
    g->keys = keys;
    g->capacity = capacity;
    return true;
}

bool game_play(Game *g, Move m, Error *err)
{
    if (g->count == g->capacity && !grow(g))
        return error_code(err, "NO_MEMORY", 0, "no memory for move %d of the game", g->count + 1);
    GamePly *ply = &g->plies[g->count];
    g->keys[g->count] = g->pos.st.key;
    ply->move = m;
    pos_make(&g->pos, m, &ply->undo, NULL);
    g->count++;
    return true;
}

bool game_undo(Game *g)
{
    if (g->count == 0)
        return false;
    const GamePly *ply = &g->plies[--g->count];
    pos_unmake(&g->pos, ply->move, &ply->undo);
    return true;
}

/* Mate and stalemate come first: they end a game that a repetition or the fifty-move rule would
 * only draw. */
GameEnd game_end(const Game *g)
{
    const Position *p = &g->pos;
    if (!pos_has_legal_move(p))
        return pos_in_check(p) ? END_CHECKMATE : END_STALEMATE;
    if (pos_repetitions(p, g->keys, g->count) >= 2)
        return END_REPETITION;
    if (pos_fifty_moves(p))
        return END_FIFTY_MOVES;
    if (pos_insufficient_material(p))
        return END_MATERIAL;
    return GAME_ON;
}

const char *game_end_name(GameEnd end)
{
    static const char *const names[] = {
        "game goes on",         "checkmate",       "stalemate",
        "threefold repetition", "fifty-move rule", "insufficient material",
    };
    return names[end];
}
