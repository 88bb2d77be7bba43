// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/variation.h"
#include "chess/notation.h"

#include <stddef.h>

/* A repetition or fifty quiet moves end the game as surely as mate. Too little material does, too,
 * but engines are not expected to know every such case and are not blamed for it. */
static Fault walk(Game *game, Str moves, int *plies, Error *why)
{
    Str word;
    for (*plies = 0; (word = str_token(&moves)).len; ++*plies) {
        const GameEnd end = game_end(game);
        if (end != GAME_ON && end != END_MATERIAL) {
            error_set(why, "the variation goes on with %.*s after %s",
                      word.len > 8 ? 8 : (int)word.len, word.ptr, game_end_name(end));
            return FAULT_PV_PAST_END;
        }
        const Move move = move_from_uci(&game->pos, word);
        if (move == MOVE_NONE) {
            error_set(why, "the variation has the illegal move '%.*s' (number %d)",
                      word.len > 8 ? 8 : (int)word.len, word.ptr, *plies + 1);
            return FAULT_PV_ILLEGAL;
        }
        if (!game_play(game, move, NULL))
            return FAULT_NONE; /* no memory: not the engine's fault */
    }
    return FAULT_NONE;
}

/* Plays the variation on the game and takes it back; a mate score must come with a variation that
 * mates in exactly that many moves. */
Fault variation_fault(Game *game, const Info *info, Error *why)
{
    int plies = 0;
    const int before = game->count;
    Fault fault = walk(game, info->pv, &plies, why);
    if (!fault && info->has_score && info->is_mate && !info->is_bound &&
        (plies != mate_plies(info->score) || game_end(game) != END_CHECKMATE)) {
        error_set(why, "mate in %lld, but the variation %s after %d plies", (long long)info->score,
                  game_end(game) == END_CHECKMATE ? "mates" : "ends without mate", plies);
        fault = FAULT_PV_MATE;
    }
    while (game->count > before)
        game_undo(game);
    return fault;
}

/* All variations of one search, and whether the move that was played begins the last of them. */
void variations_check(Game *game, Str lines, Move played, bool found[FAULT_COUNT], Error *why)
{
    bool judged = false, agrees = false;
    Error reason;
    for (Fault f = 0; f < FAULT_COUNT; f++)
        found[f] = false;
    bool any = false;
    while (lines.len) {
        const Info info = info_from_uci(str_line(&lines));
        const Fault fault = variation_fault(game, &info, &reason);
        if (fault && !any)
            error_set(why, "%s", reason.text);
        any = any || fault;
        found[fault] = true;

        /* An interrupted iteration may end in bounds: any move since the last exact line will do.
         */
        if (info.multipv > 1)
            continue;
        Str rest = info.pv;
        const bool same = move_from_uci(&game->pos, str_token(&rest)) == played;
        agrees = info.is_bound ? agrees || same : same;
        judged = true;
    }
    found[FAULT_NONE] = false;
    if (judged && !agrees && played != MOVE_NONE) {
        found[FAULT_PV_BESTMOVE] = true;
        if (!any)
            error_set(why, "the move played does not begin the last variation");
    }
}
