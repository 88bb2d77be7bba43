// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/analysis_json.h"

#include "base/json.h"

void analysis_count(AnalysisCounts *counts, const SamaraLine *line)
{
    counts->nodes = line->nodes;
    counts->nps = line->nps;
    counts->tbhits = line->tbhits;
    counts->time_ms = line->time_ms;
    counts->hashfull = line->hashfull;
}

/* One line: both notations, score and chances in White's view. */
static void put_line(JsonWriter *w, const SamaraLine *line, bool white)
{
    const SamaraScore *s = &line->score;
    jw_object(w, NULL);
    jw_int(w, "multipv", line->number);
    jw_int(w, "depth", line->depth);
    jw_int(w, "seldepth", line->seldepth);
    jw_object(w, "score");
    jw_int(w, s->is_mate ? "mate" : "cp", white ? s->value : -s->value);
    jw_end_object(w);
    jw_array(w, "wdl");
    jw_int(w, NULL, white ? s->win : s->loss);
    jw_int(w, NULL, s->draw);
    jw_int(w, NULL, white ? s->loss : s->win);
    jw_end_array(w);
    jw_array(w, "uci");
    for (int i = 0; i < line->length; i++)
        jw_text(w, NULL, line->moves[i].uci);
    jw_end_array(w);
    jw_array(w, "san");
    for (int i = 0; i < line->length; i++)
        jw_text(w, NULL, line->moves[i].san);
    jw_end_array(w);
    jw_end_object(w);
}

static void put_counts(JsonWriter *w, const AnalysisCounts *counts, const SamaraResult *result)
{
    jw_uint(w, "nodes", result ? result->nodes : counts->nodes);
    jw_uint(w, "nps", counts->nps);
    jw_int(w, "time_ms", result ? result->time_ms : counts->time_ms);
    jw_int(w, "hashfull", counts->hashfull);
    jw_uint(w, "tbhits", counts->tbhits);
}

static void put_result(JsonWriter *w, const AnalysisCounts *counts, const SamaraResult *result)
{
    jw_text(w, "bestmove", result->best.uci);
    jw_text(w, "san", result->best.san);
    if (result->ponder.code)
        jw_text(w, "ponder", result->ponder.uci);
    if (counts->capped)
        jw_bool(w, "capped", true);
}

void analysis_json(Buffer *out, const SamaraPosition *position, const SamaraLine *lines, int count,
                   const AnalysisCounts *counts, const SamaraResult *result)
{
    JsonWriter w = {.out = out};
    char fen[SAMARA_FEN_SIZE];
    const bool white = samara_position_white_to_move(position);
    samara_position_fen(position, fen);
    jw_object(&w, NULL);
    jw_text(&w, "status", "ok");
    jw_text(&w, "fen", fen);
    jw_text(&w, "turn", white ? "white" : "black");
    jw_text(&w, "pov", "white");
    jw_int(&w, "depth", count > 0 ? lines[0].depth : 0);
    jw_int(&w, "seldepth", count > 0 ? lines[0].seldepth : 0);
    put_counts(&w, counts, result);
    jw_array(&w, "lines");
    for (int i = 0; i < count; i++)
        put_line(&w, &lines[i], white);
    jw_end_array(&w);
    if (result)
        put_result(&w, counts, result);
    jw_end_object(&w);
}

bool game_over_json(Buffer *out, const SamaraPosition *position)
{
    const SamaraState state = samara_position_state(position);
    if (state == SAMARA_PLAYING)
        return false;
    const bool white = samara_position_white_to_move(position);
    JsonWriter w = {.out = out};
    char fen[SAMARA_FEN_SIZE];
    samara_position_fen(position, fen);
    jw_object(&w, NULL);
    jw_text(&w, "status", "game_over");
    jw_text(&w, "reason", samara_state_name(state));
    jw_text(&w, "result", state == SAMARA_CHECKMATE ? (white ? "0-1" : "1-0") : "1/2-1/2");
    jw_text(&w, "fen", fen);
    jw_end_object(&w);
    return true;
}
