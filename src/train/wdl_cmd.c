// SPDX-License-Identifier: GPL-3.0-or-later
/* wdl_cmd.c -- samara-train wdl: reads games, prints the model as engine/wdl.c wants it. */
#include "train/args.h"
#include "train/record.h"
#include "train/wdl_fit.h"

#include <stdio.h>
#include <stdlib.h>

static int material_of(const Position *p)
{
    return bb_count(pos_type(p, PAWN)) + 3 * bb_count(pos_type(p, KNIGHT) | pos_type(p, BISHOP)) +
           5 * bb_count(pos_type(p, ROOK)) + 9 * bb_count(pos_type(p, QUEEN));
}

static void add_game(WdlCounts *counts, const GameRecord *game)
{
    Position p;
    record_start(game, &p);
    for (int i = 0; i < game->count; i++) {
        if (i >= game->opening)
            wdl_add(counts, game->plies[i].score, material_of(&p),
                    p.turn == WHITE ? game->result : 2 - game->result);
        Undo undo;
        pos_make(&p, game->plies[i].move, &undo, NULL);
    }
}

static bool add_file(WdlCounts *counts, const char *path, Error *err)
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

static int fit_files(WdlCounts *counts, int files, char **paths)
{
    WdlFit fit;
    Error err;
    for (int i = 0; i < files; i++)
        if (!add_file(counts, paths[i], &err)) {
            fprintf(stderr, "samara-train wdl: %s\n", err.text);
            return 1;
        }
    if (!wdl_fit(counts, &fit)) {
        fprintf(stderr, "samara-train wdl: %llu positions are too few\n",
                (unsigned long long)counts->total);
        return 1;
    }
    printf("/* %llu positions, mean log-likelihood %.4f */\n", (unsigned long long)counts->total,
           fit.likelihood);
    print_row("model_a", fit.a);
    print_row("model_b", fit.b);
    return 0;
}

int wdl_main(int argc, char **argv)
{
    static const Command command = {
        .usage = "wdl FILE...",
        .summary = "Fits the chances of win, draw and loss to the scores and results of "
                   "games; prints the numbers for src/engine/wdl.c.",
        .takes_files = true};
    int files;
    const ArgsOutcome outcome = args_parse(&command, argc, argv, &files);
    if (outcome != ARGS_RUN)
        return outcome == ARGS_HELP ? 0 : 2;
    WdlCounts *counts = calloc(1, sizeof *counts);
    if (!counts) {
        fprintf(stderr, "samara-train wdl: not enough memory\n");
        return 1;
    }
    const int code = fit_files(counts, files, argv + 1);
    free(counts);
    return code;
}
