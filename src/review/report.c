// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/report.h"

#include "review/summary.h"

void report_worth(JsonWriter *w, const char *key, Worth worth, bool white)
{
    const Worth whites = white ? worth : -worth;
    const int mate = worth_mate_in(whites);
    jw_object(w, key);
    jw_int(w, mate != 0 ? "mate" : "cp", mate != 0 ? mate : whites);
    jw_end_object(w);
}

void report_line(JsonWriter *w, const char *key, const ReviewLine *line, bool san)
{
    jw_array(w, key);
    for (int i = 0; i < line->length; i++)
        jw_text(w, NULL, san ? line->steps[i].san : line->steps[i].uci);
    jw_end_array(w);
}

/* A claim with everything that a client needs to draw it. */
static void put_claim(JsonWriter *w, const Claim *c)
{
    jw_object(w, NULL);
    jw_text(w, "kind", claim_kind_name(c->kind));
    jw_text(w, "role", claim_role_name(c->role));
    jw_text(w, "certainty", certainty_name(c->certainty));
    jw_array(w, "squares");
    for (int i = 0; i < c->count; i++) {
        const char name[3] = {(char)('a' + square_file(c->squares[i])),
                              (char)('1' + square_rank(c->squares[i])), '\0'};
        jw_text(w, NULL, name);
    }
    jw_end_array(w);
    jw_array(w, "pieces");
    for (int i = 0; i < c->count; i++) {
        const char name[2] = {c->pieces[i], '\0'};
        jw_text(w, NULL, name);
    }
    jw_end_array(w);
    if (c->lost[0] || c->won[0]) {
        jw_text(w, "lost", c->lost);
        jw_text(w, "won", c->won);
    }
    jw_int(w, "gain", c->gain);
    if (c->mate != 0)
        jw_int(w, "mate", c->mate);
    jw_real(w, "share", c->share, 2);
    jw_text(w, "line_from", c->from_before ? "before" : "after");
    jw_int(w, "line_ply", c->ply);
    report_line(w, "line", &c->line, false);
    report_line(w, "line_san", &c->line, true);
    jw_end_object(w);
}

void report_claims(JsonWriter *w, const char *key, const ClaimList *claims)
{
    jw_array(w, key);
    for (int i = 0; i < claims->count; i++)
        put_claim(w, &claims->claims[i]);
    jw_end_array(w);
}

static void put_flag(JsonWriter *w, const char *key, bool value)
{
    if (value)
        jw_bool(w, key, true);
}

/* What is the same for a move of a game and for a single question. */
void report_verdict(JsonWriter *w, const Verdict *v, const Speech *speech)
{
    const bool fault = v->judgement != JUDGED_FINE;
    jw_real(w, "accuracy", v->accuracy, 1);
    jw_real(w, "loss", v->loss, 1);
    if (fault)
        jw_text(w, "judgement", judge_name(v->judgement));
    put_flag(w, "book", v->book);
    put_flag(w, "forced", v->forced);
    put_flag(w, "only", v->only);
    put_flag(w, "great", v->great);
    put_flag(w, "brilliant", v->brilliant);
    put_flag(w, "missed_win", v->missed_win);
    if (fault)
        report_line(w, "line", &v->best_line, false);
    if (fault || v->claims.count > 0)
        report_line(w, "played_line", &v->played_line, false);
    if (v->claims.count > 0)
        report_claims(w, "claims", &v->claims);
    Buffer text = {0};
    say_move(v, speech, &text);
    if (text.len > 0)
        jw_text(w, "text", buffer_text(&text));
    buffer_free(&text);
}

void report_move(JsonWriter *w, const Verdict *v, const Speech *speech)
{
    jw_text(w, "best", v->best_line.steps[0].uci);
    jw_text(w, "best_san", v->best_line.steps[0].san);
    report_verdict(w, v, speech);
}

/* The answer about one move. */
void report_explanation(const SamaraPosition *position, const Verdict *v, const Speech *speech,
                        Buffer *out)
{
    JsonWriter w = {.out = out};
    char fen[SAMARA_FEN_SIZE];
    samara_position_fen(position, fen);
    jw_object(&w, NULL);
    jw_text(&w, "status", "ok");
    jw_text(&w, "fen", fen);
    jw_text(&w, "move", v->move.uci);
    jw_text(&w, "san", v->move.san);
    jw_text(&w, "pov", "white");
    jw_int(&w, "rules", REVIEW_RULES);
    report_worth(&w, "score", v->played, v->white);
    report_worth(&w, "best_score", v->best, v->white);
    report_move(&w, v, speech);
    Buffer why = {0};
    say_what_happens(v, speech, &why);
    if (why.len > 0)
        jw_text(&w, "effect", buffer_text(&why));
    buffer_free(&why);
    jw_end_object(&w);
}

/* The position before a move that something is said about: the claims' lines begin there. */
static void put_fen(JsonWriter *w, const Review *v, size_t ply)
{
    char fen[SAMARA_FEN_SIZE];
    SamaraPosition *position = samara_position_new();
    if (position && samara_game_position(v->game, ply, position, NULL)) {
        samara_position_fen(position, fen);
        jw_text(w, "fen", fen);
    }
    samara_position_free(position);
}

/* A move of the game with its score and, where it is judged, its verdict. */
static void put_move(JsonWriter *w, const Review *v, size_t ply, const Speech *speech)
{
    const ReviewPosition *before = &v->positions[ply], *after = &v->positions[ply + 1];
    const SamaraMove *move = &samara_game_moves(v->game)[ply];
    jw_object(w, NULL);
    jw_int(w, "ply", (int64_t)ply + 1);
    jw_text(w, "san", move->san);
    jw_text(w, "uci", move->uci);
    if (v->verdicts[ply].judgement != JUDGED_FINE || v->verdicts[ply].claims.count > 0)
        put_fen(w, v, ply);
    if (after->known && !after->over)
        report_worth(w, "score", after->worth, after->white);
    if (v->verdicts[ply].known) {
        report_move(w, &v->verdicts[ply], speech);
    } else if (before->known && before->line.length > 0) {
        jw_text(w, "best", before->line.steps[0].uci);
        jw_text(w, "best_san", before->line.steps[0].san);
    }
    jw_end_object(w);
}

static void put_percent(JsonWriter *w, const char *key, double value)
{
    if (value < 0)
        jw_null(w, key);
    else
        jw_real(w, key, value, 1);
}

/* The summary of one player. */
static void put_side(JsonWriter *w, const char *key, const SideSummary *s)
{
    jw_object(w, key);
    put_percent(w, "accuracy", s->accuracy);
    put_percent(w, "average_loss", s->average_loss);
    jw_int(w, "inaccuracies", s->faults[JUDGED_INACCURACY]);
    jw_int(w, "mistakes", s->faults[JUDGED_MISTAKE]);
    jw_int(w, "blunders", s->faults[JUDGED_BLUNDER]);
    jw_int(w, "missed_wins", s->missed_wins);
    jw_object(w, "phases");
    for (int i = 0; i < PHASE_COUNT; i++)
        put_percent(w, phase_name((Phase)i), s->phase_accuracy[i]);
    jw_end_object(w);
    jw_end_object(w);
}

/* The whole review; may be called while it still runs. */
void report_write(Review *v, const Speech *speech, Buffer *out)
{
    JsonWriter w = {.out = out};
    Summary summary;
    mutex_lock(&v->lock);
    jw_object(&w, NULL);
    jw_text(&w, "pov", "white");
    jw_int(&w, "rules", REVIEW_RULES);
    jw_text(&w, "engine", samara_version());
    jw_int(&w, "nodes", (int64_t)v->nodes);
    jw_text(&w, "language", speech_language_code(speech));
    jw_text(&w, "level", speech_level_name(speech->level));
    if (summary_make(v, &summary)) {
        put_side(&w, "white", &summary.white);
        put_side(&w, "black", &summary.black);
        jw_array(&w, "turning_points");
        for (int i = 0; i < summary.turning_count; i++)
            jw_int(&w, NULL, (int64_t)summary.turning[i] + 1);
        jw_end_array(&w);
        jw_int(&w, "book_plies", (int64_t)summary.book_plies);
        Buffer text = {0};
        if (v->judged == v->plies)
            say_game(v, &summary, speech, &text);
        if (text.len > 0)
            jw_text(&w, "summary", buffer_text(&text));
        buffer_free(&text);
    }
    jw_array(&w, "moves");
    for (size_t i = 0; i < v->plies; i++)
        put_move(&w, v, i, speech);
    jw_end_array(&w);
    jw_end_object(&w);
    mutex_unlock(&v->lock);
}
