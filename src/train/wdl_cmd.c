// SPDX-License-Identifier: GPL-3.0-or-later
/* wdl_cmd.c -- samara-train wdl: reads games, prints the model as engine/wdl.c wants it. */
#include "chess/pgn.h"
#include "engine/wdl.h"
#include "train/words.h"
#include "train/record.h"
#include "train/wdl_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- games as samara-match writes them --- */

static int pgn_result(const PgnGame *game)
{
    static const char *const results[] = {"0-1", "1/2-1/2", "1-0"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(game->result, results[i]))
            return i;
    return -1;
}

/* A game lost by the clock or a crash says nothing about its positions. */
static bool ended_on_the_board(const PgnGame *game)
{
    const char *end = pgn_tag(game, "Termination");
    return !end || !strcmp(end, "normal") || !strcmp(end, "adjudication");
}

static bool was_played_by(const PgnGame *game, Color c, const char *player)
{
    const char *name = pgn_tag(game, c == WHITE ? "White" : "Black");
    return !player || (name && !strcmp(name, player));
}

/* The comments have centipawns of the model that is built in: they are turned back into the
 * search's own numbers. */
static void add_pgn_game(WdlCounts *counts, const PgnGame *game, const char *player)
{
    const int result = pgn_result(game);
    if (result < 0 || game->broken || !ended_on_the_board(game))
        return;
    Position p = game->start;
    for (int i = game->nodes[0].first_child; i >= 0; i = game->nodes[i].first_child) {
        const PgnNode *node = &game->nodes[i];
        PgnEval eval = {0};
        if (node->comment >= 0)
            pgn_comment_eval(game->text + node->comment, p.turn, &eval);
        if (eval.has_eval && !eval.is_mate && was_played_by(game, p.turn, player)) {
            const int centipawns = (int)lround(100 * (p.turn == WHITE ? eval.pawns : -eval.pawns));
            wdl_add(counts, wdl_score(wdl_model(&p), centipawns), wdl_material(&p),
                    p.turn == WHITE ? result : 2 - result);
        }
        Undo undo;
        pos_make(&p, node->move, &undo, NULL);
    }
}

static bool add_pgn(WdlCounts *counts, const char *path, const char *player, Error *err)
{
    PgnReader *reader = pgn_open_file(path, err);
    if (!reader)
        return false;
    for (const PgnGame *game; (game = pgn_next(reader));)
        add_pgn_game(counts, game, player);
    const bool ok = !pgn_failed(reader, err);
    pgn_close(reader);
    return ok;
}

static bool is_pgn(const char *path)
{
    const size_t len = strlen(path);
    return len > 4 && !strcmp(path + len - 4, ".pgn");
}

/* --- games of self-play --- */

/* Every position behind the opening counts with its score, its material and the result for the side
 * to move. */
static void add_game(WdlCounts *counts, const GameRecord *game)
{
    Position p;
    record_start(game, &p);
    for (int i = 0; i < game->count; i++) {
        if (i >= game->opening)
            wdl_add(counts, game->plies[i].score, wdl_material(&p),
                    p.turn == WHITE ? game->result : 2 - game->result);
        Undo undo;
        pos_make(&p, game->plies[i].move, &undo, NULL);
    }
}

/* Games of self-play. */
static bool add_records(WdlCounts *counts, const char *path, Error *err)
{
    GameRecord *game = malloc(sizeof *game);
    RecordReader *reader = game ? record_open(path, err) : NULL;
    if (!game)
        error_set(err, "not enough memory");
    while (reader && record_next(reader, game))
        add_game(counts, game);
    const bool ok = reader != NULL;
    record_close(reader);
    free(game);
    return ok;
}

static void print_row(const char *name, const double c[4])
{
    printf("static const double %s[4] = {%.3f, %.3f, %.3f, %.3f};\n", name, c[0], c[1], c[2], c[3]);
}

/* Prints the model as rows of C, to be pasted into src/engine/wdl.c. */
static int fit_files(WdlCounts *counts, int files, char **paths, const char *player)
{
    WdlFit fit;
    Error err;
    for (int i = 0; i < files; i++)
        if (!(is_pgn(paths[i]) ? add_pgn(counts, paths[i], player, &err)
                               : add_records(counts, paths[i], &err))) {
            fprintf(stderr, "samara-train wdl: %s\n", err.text);
            return 1;
        }
    if (!wdl_fit(counts, &fit)) {
        fprintf(stderr,
                "samara-train wdl: %llu positions are too few, or their scores too much alike\n",
                (unsigned long long)counts->total);
        return 1;
    }
    printf("/* %llu positions, mean log-likelihood %.4f */\n", (unsigned long long)counts->total,
           fit.likelihood);
    print_row("model_a", fit.a);
    print_row("model_b", fit.b);
    return 0;
}

/* PGN files of matches count too, for one player's scores. */
int wdl_main(int argc, char **argv)
{
    const char *player = NULL;
    const ArgSpec specs[] = {
        ARGS_TEXT("player", &player, "NAME", "of PGN files, take only this player's scores"),
    };
    const ArgCommand command = {
        .program = "samara-train",
        .name = "wdl",
        .operands = "FILE...",
        .least = 1,
        .summary = "Fits the chances of win, draw and loss to the scores and results of games, of "
                   "datagen or of samara-match (.pgn); prints the numbers for src/engine/wdl.c.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int files, code;
    if (!train_read(&command, argc, argv, &files, &code))
        return code;
    WdlCounts *counts = calloc(1, sizeof *counts);
    if (!counts) {
        fprintf(stderr, "samara-train wdl: not enough memory\n");
        return 1;
    }
    code = fit_files(counts, files, argv + 1, player);
    free(counts);
    return code;
}
