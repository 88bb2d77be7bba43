// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/review.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TURNING_POINTS = 5, PGN_WIDTH = 79 };

/* What one move did, once the positions around it are known. */
typedef struct Verdict {
    bool known;
    Judgement judgement;
    double accuracy, loss; /* percent; loss of winning chances */
    double loss_cp;
} Verdict;

static bool is_white(const Review *v, size_t ply) { return (ply % 2 == 0) != v->black_first; }

/* --- making --- */

bool review_init(Review *v, SamaraGame *game)
{
    *v =
        (Review){.game = game, .plies = samara_game_length(game), .moves = samara_game_moves(game)};
    v->position = calloc(v->plies + 1, sizeof *v->position);
    SamaraPosition *start = samara_position_new();
    SamaraFields fields;
    const bool ok = v->position && start && samara_game_position(game, 0, start, NULL);
    if (ok) {
        samara_position_fields(start, &fields);
        v->black_first = !fields.white_to_move;
        v->first_number = fields.move_number;
    } else {
        review_free(v);
    }
    samara_position_free(start);
    return ok;
}

void review_free(Review *v)
{
    free(v->position);
    samara_game_free(v->game);
    *v = (Review){0};
}

void review_keep(Review *v, size_t ply, const SamaraPosition *position, const SamaraResult *found)
{
    ReviewPosition *p = &v->position[ply];
    const SamaraScore *score = &found->score;
    const int sign = is_white(v, ply) ? 1 : -1;
    p->known = true;
    p->over = found->best.code == 0;
    p->cp = score->is_mate ? 0 : sign * score->value;
    p->mate = score->is_mate ? sign * score->value : 0;
    if (p->over)
        return;
    p->best = p->line[0] = found->best;
    p->length = 1;
    if (found->line_count > 0 && found->lines[0].length > 0) {
        const SamaraLine *best = &found->lines[0];
        p->length = best->length < REVIEW_LINE ? best->length : REVIEW_LINE;
        memcpy(p->line, best->moves, (size_t)p->length * sizeof *p->line);
    }
    samara_position_line_text(position, p->line, (size_t)p->length, p->line_text,
                              sizeof p->line_text);
}

/* --- judging --- */

static double win_percent(const ReviewPosition *p, bool white)
{
    const double percent = judge_win_percent(p->cp, p->mate);
    return white ? percent : 100 - percent;
}

static int clamped_cp(const ReviewPosition *p)
{
    if (p->mate != 0)
        return p->mate > 0 ? 1000 : -1000;
    return p->cp > 1000 ? 1000 : p->cp < -1000 ? -1000 : p->cp;
}

static Verdict verdict_of(const Review *v, size_t ply)
{
    const ReviewPosition *before = &v->position[ply], *after = &v->position[ply + 1];
    Verdict verdict = {.known = before->known && after->known};
    if (!verdict.known)
        return verdict;
    const bool white = is_white(v, ply);
    const double was = win_percent(before, white);
    double is = win_percent(after, white);
    double loss_cp = (white ? 1 : -1) * (clamped_cp(before) - clamped_cp(after));
    if (before->best.code == v->moves[ply].code) {
        is = fmax(is, was); /* the best move is never a mistake, whatever a deeper look says */
        loss_cp = 0;
    }
    verdict.judgement = judge_move(was, is);
    verdict.accuracy = judge_accuracy(was, is);
    verdict.loss = was - is;
    verdict.loss_cp = fmax(0, loss_cp);
    return verdict;
}

/* --- the report --- */

static json_t *score_json(const ReviewPosition *p)
{
    return json_pack("{s:i}", p->mate != 0 ? "mate" : "cp", p->mate != 0 ? p->mate : p->cp);
}

static json_t *line_json(const ReviewPosition *p)
{
    json_t *list = json_array();
    for (int i = 0; i < p->length; i++)
        json_array_append_new(list, json_string(p->line[i].uci));
    return list;
}

static json_t *move_json(const Review *v, size_t ply)
{
    const ReviewPosition *before = &v->position[ply], *after = &v->position[ply + 1];
    json_t *move = json_pack("{s:I, s:s, s:s}", "ply", (json_int_t)ply + 1, "san",
                             v->moves[ply].san, "uci", v->moves[ply].uci);
    if (after->known && !after->over)
        json_object_set_new(move, "score", score_json(after));
    if (before->known && before->best.code) {
        json_object_set_new(move, "best", json_string(before->best.uci));
        json_object_set_new(move, "best_san", json_string(before->line[0].san));
    }
    const Verdict verdict = verdict_of(v, ply);
    if (!verdict.known)
        return move;
    json_object_set_new(move, "accuracy", json_real(round(verdict.accuracy * 10) / 10));
    if (verdict.judgement != JUDGED_FINE) {
        json_object_set_new(move, "judgement", json_string(judge_name(verdict.judgement)));
        json_object_set_new(move, "line", line_json(before));
    }
    return move;
}

static json_t *side_json(const Review *v, bool white)
{
    double *accuracies = calloc(v->plies + 1, sizeof *accuracies);
    int faults[4] = {0};
    size_t count = 0;
    double lost = 0;
    for (size_t i = 0; accuracies && i < v->plies; i++) {
        const Verdict verdict = verdict_of(v, i);
        if (is_white(v, i) != white || !verdict.known)
            continue;
        accuracies[count++] = verdict.accuracy;
        lost += verdict.loss_cp;
        faults[verdict.judgement]++;
    }
    json_t *none = json_null();
    json_t *side = json_pack(
        "{s:o, s:o, s:i, s:i, s:i}", "accuracy",
        count > 0 ? json_real(round(judge_game_accuracy(accuracies, count) * 10) / 10) : none,
        "average_loss", count > 0 ? json_real(round(lost / (double)count * 10) / 10) : none,
        "inaccuracies", faults[JUDGED_INACCURACY], "mistakes", faults[JUDGED_MISTAKE], "blunders",
        faults[JUDGED_BLUNDER]);
    free(accuracies);
    return side;
}

/* The moves that cost most, in the order of the game. */
static json_t *turning_points(const Review *v)
{
    bool *chosen = calloc(v->plies + 1, sizeof *chosen);
    for (int n = 0; chosen && n < MAX_TURNING_POINTS; n++) {
        size_t worst = v->plies;
        double most = 10; /* percent: less is no turning point */
        for (size_t i = 0; i < v->plies; i++) {
            const Verdict verdict = verdict_of(v, i);
            if (!chosen[i] && verdict.known && verdict.loss >= most) {
                most = verdict.loss;
                worst = i;
            }
        }
        chosen[worst] = true;
    }
    json_t *plies = json_array();
    for (size_t i = 0; chosen && i < v->plies; i++)
        if (chosen[i])
            json_array_append_new(plies, json_integer((json_int_t)i + 1));
    free(chosen);
    return plies;
}

json_t *review_report(const Review *v)
{
    json_t *moves = json_array();
    for (size_t i = 0; i < v->plies; i++)
        json_array_append_new(moves, move_json(v, i));
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "pov", "white", "white", side_json(v, true),
                     "black", side_json(v, false), "moves", moves, "turning_points",
                     turning_points(v));
}

/* --- annotated PGN --- */

typedef struct Writer {
    Buffer *out;
    size_t column;
} Writer;

static void put_word(Writer *w, const char *word)
{
    const size_t len = strlen(word);
    if (w->column > 0 && w->column + 1 + len > PGN_WIDTH) {
        buffer_putc(w->out, '\n');
        w->column = 0;
    } else if (w->column > 0) {
        buffer_putc(w->out, ' ');
        w->column++;
    }
    buffer_append(w->out, word, len);
    w->column += len;
}

static void put_words(Writer *w, const char *text)
{
    Str rest = str_from(text);
    for (Str s = str_token(&rest); s.len > 0; s = str_token(&rest)) {
        char word[128];
        str_copy(word, sizeof word, s);
        put_word(w, word);
    }
}

static void put_tag(Buffer *out, const char *name, const char *value)
{
    buffer_printf(out, "[%s \"", name);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            buffer_putc(out, '\\');
        buffer_putc(out, *value);
    }
    buffer_puts(out, "\"]\n");
}

static void put_tags(const Review *v, Buffer *out)
{
    static const char *const seven[] = {"Event", "Site",  "Date",  "Round",
                                        "White", "Black", "Result"};
    enum { SEVEN = sizeof seven / sizeof *seven };
    for (int i = 0; i < SEVEN; i++) {
        const char *value = samara_game_tag(v->game, seven[i]);
        const char *otherwise = i == 2 ? "????.??.??" : i == 6 ? samara_game_result(v->game) : "?";
        put_tag(out, seven[i], value ? value : otherwise);
    }
    const char *name, *value;
    bool annotator = false;
    for (size_t i = 0; samara_game_tag_at(v->game, i, &name, &value); i++) {
        bool known = false;
        for (int k = 0; k < SEVEN; k++)
            known |= strcmp(name, seven[k]) == 0;
        annotator |= strcmp(name, "Annotator") == 0;
        if (!known)
            put_tag(out, name, value);
    }
    if (!annotator)
        put_tag(out, "Annotator", "Samara");
    buffer_putc(out, '\n');
}

static void put_number(const Review *v, Writer *w, size_t ply, bool always)
{
    const bool white = is_white(v, ply);
    if (!white && !always)
        return;
    char text[32];
    const size_t half = ply + (v->black_first ? 1 : 0);
    snprintf(text, sizeof text, "%zu%s", (size_t)v->first_number + half / 2, white ? "." : "...");
    put_word(w, text);
}

/* "[%eval 0.31]", one word for the line breaker: readers look for it on one line. False: unknown.
 */
static bool eval_command(const ReviewPosition *p, char out[32])
{
    if (!p->known || p->over)
        return false;
    if (p->mate != 0)
        snprintf(out, 32, "[%%eval #%d]", p->mate);
    else
        snprintf(out, 32, "[%%eval %.2f]", p->cp / 100.0);
    return true;
}

static void put_judgement(const ReviewPosition *before, Judgement judgement, Writer *w)
{
    char text[64];
    const char *name = judge_name(judgement);
    snprintf(text, sizeof text, "%c%s. %s was best.", name[0] - 'a' + 'A', name + 1,
             before->line[0].san);
    put_words(w, text);
}

/* Returns whether something stands between this move and the next. */
static bool put_notes(const Review *v, Writer *w, size_t ply)
{
    const ReviewPosition *before = &v->position[ply], *after = &v->position[ply + 1];
    const Verdict verdict = verdict_of(v, ply);
    const bool judged = verdict.known && verdict.judgement != JUDGED_FINE;
    char eval[32];
    const bool evaluated = eval_command(after, eval);
    if (!evaluated && !judged)
        return false;
    put_word(w, "{");
    if (evaluated)
        put_word(w, eval);
    if (judged)
        put_judgement(before, verdict.judgement, w);
    put_word(w, "}");
    if (judged && before->length > 0) {
        char line[REVIEW_LINE_TEXT + 2];
        snprintf(line, sizeof line, "(%s)", before->line_text);
        put_words(w, line);
    }
    return true;
}

void review_pgn(const Review *v, Buffer *out)
{
    put_tags(v, out);
    Writer w = {out, 0};
    bool interrupted = true;
    for (size_t i = 0; i < v->plies; i++) {
        put_number(v, &w, i, interrupted);
        put_word(&w, v->moves[i].san);
        const Verdict verdict = verdict_of(v, i);
        if (verdict.known && verdict.judgement != JUDGED_FINE) {
            char nag[8];
            snprintf(nag, sizeof nag, "$%d", judge_nag(verdict.judgement));
            put_word(&w, nag);
        }
        interrupted = put_notes(v, &w, i);
    }
    put_word(&w, samara_game_result(v->game));
    buffer_putc(out, '\n');
}
