// SPDX-License-Identifier: GPL-3.0-or-later
/* records.c -- games, test positions and books as files and text, for clients that know no chess.
 */
#include "engine/position.h"

#include "base/text.h"
#include "chess/epd.h"
#include "chess/pgn.h"
#include "probe/book_build.h"
#include <stdlib.h>
#include <string.h>

/* --- games --- */

struct SamaraGame {
    PgnReader *reader; /* owns what `game` points to */
    const PgnGame *game;
    char fen[FEN_SIZE];
    size_t count;
    SamaraMove *moves;
};

static long read_slice(void *user, char *out, size_t size)
{
    Str *rest = user;
    const size_t n = rest->len < size ? rest->len : size;
    memcpy(out, rest->ptr, n);
    rest->ptr += n;
    rest->len -= n;
    return (long)n;
}

/* The main line, up to a null move: nobody plays one in a game, so that ends it like an illegal
 * move, with a problem in *why. */
static bool list_moves(SamaraGame *g, Error *why)
{
    const PgnNode *nodes = g->game->nodes;
    size_t count = 0;
    int next = nodes[0].first_child;
    for (; next >= 0 && nodes[next].move != MOVE_NULL; next = nodes[next].first_child)
        count++;
    if (next >= 0)
        error_code(why, "NULL_MOVE", 0, "ply %zu is a null move; the game ends before it",
                   count + 1);
    g->moves = malloc((count + 1) * sizeof *g->moves);
    if (!g->moves)
        return false;
    Position pos = g->game->start;
    for (int n = nodes[0].first_child; g->count < count; n = nodes[n].first_child) {
        Undo undo;
        move_export(&pos, nodes[n].move, &g->moves[g->count++]);
        pos_make(&pos, nodes[n].move, &undo, NULL);
    }
    return true;
}

/* One game of a text; *used tells where the next begins. A broken game is returned with its problem
 * in *err. */
SamaraGame *samara_game_read(const char *text, size_t len, size_t *used, SamaraError *err)
{
    attacks_init();
    Error why = {0};
    Str rest = {text, len};
    SamaraGame *g = calloc(1, sizeof *g);
    if (g && (g->reader = pgn_open(read_slice, &rest, &why)))
        g->game = pgn_next(g->reader);
    if (!g || !g->game || !list_moves(g, &why)) {
        if (g && g->reader && !g->game && !pgn_failed(g->reader, &why))
            error_code(&why, "NO_GAME", 0, "there is no game in this text");
        else if (!why.text[0])
            error_code(&why, "NO_MEMORY", 0, "not enough memory for the game");
        engine_fail(err, &why);
        samara_game_free(g);
        return NULL;
    }
    fen_write(&g->game->start, g->fen);
    if (used)
        *used = (size_t)pgn_bytes(g->reader);
    engine_fail(err, g->game->broken && !why.text[0] ? &g->game->problem : &why);
    return g;
}

void samara_game_free(SamaraGame *g)
{
    if (!g)
        return;
    pgn_close(g->reader);
    free(g->moves);
    free(g);
}

const char *samara_game_tag(const SamaraGame *g, const char *name)
{
    return pgn_tag(g->game, name);
}

bool samara_game_tag_at(const SamaraGame *g, size_t i, const char **name, const char **value)
{
    if (i >= (size_t)g->game->tag_count)
        return false;
    *name = g->game->text + g->game->tags[i].name;
    *value = g->game->text + g->game->tags[i].value;
    return true;
}

const char *samara_game_fen(const SamaraGame *g) { return g->fen; }

bool samara_game_chess960(const SamaraGame *g) { return g->game->start.chess960; }

const char *samara_game_result(const SamaraGame *g) { return g->game->result; }

size_t samara_game_length(const SamaraGame *g) { return g->count; }

const SamaraMove *samara_game_moves(const SamaraGame *g) { return g->moves; }

bool samara_game_position(const SamaraGame *g, size_t ply, SamaraPosition *out, SamaraError *err)
{
    if (ply > g->count)
        return engine_refuse(err, "OUT_OF_RANGE", "the game is shorter than that");
    return position_replay(out, &g->game->start, g->moves, ply, err);
}

/* --- test positions --- */

static size_t copy_moves(const Epd *epd, const char *opcode, SamaraMove *out, int *mate)
{
    Move moves[SAMARA_EPD_MOVES];
    const EpdOp *op = epd_find(epd, opcode);
    const int count = op ? epd_moves(epd, op, moves, SAMARA_EPD_MOVES, mate) : 0;
    for (int i = 0; i < count; i++)
        move_export(&epd->pos, moves[i], &out[i]);
    return count > 0 ? (size_t)count : 0;
}

/* Moves that the position does not allow are left out of the lists. "dm" and a mate in "bm" both
 * give the distance. */
bool samara_epd_read(const char *line, bool chess960, SamaraEpd *out, SamaraError *err)
{
    attacks_init();
    Error why = {0}, warning;
    Epd *epd = malloc(sizeof *epd);
    if (!epd)
        return engine_refuse(err, "NO_MEMORY", "not enough memory");
    memset(out, 0, sizeof *out);
    const bool ok =
        epd_parse(epd, str_from(line), chess960 ? FEN_960 : FEN_STANDARD, &why, &warning);
    if (ok) {
        int64_t distance;
        fen_write(&epd->pos, out->fen);
        str_copy(out->id, sizeof out->id, epd_string(epd_find(epd, "id")));
        out->best_count = copy_moves(epd, "bm", out->best, &out->mate);
        out->avoid_count = copy_moves(epd, "am", out->avoid, NULL);
        if (str_int(epd_string(epd_find(epd, "dm")), 1, 1000, &distance))
            out->mate = (int)distance;
    }
    free(epd);
    return ok || engine_fail(err, &why);
}

/* --- books --- */

bool samara_book_build(const char *pgn_path, const char *book_path, int max_plies, int min_games,
                       const char *player, SamaraBookStats *stats, SamaraError *err)
{
    attacks_init();
    Error why;
    BookStats made;
    const BookPlan plan = {max_plies, min_games, player};
    if (!book_build(pgn_path, book_path, &plan, &made, &why))
        return engine_fail(err, &why);
    *stats = (SamaraBookStats){made.games, made.skipped, made.positions, made.moves};
    return true;
}
