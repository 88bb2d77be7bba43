// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/annotate.h"

#include "chess/pgn.h"
#include "review/summary.h"
#include <stdio.h>
#include <string.h>

enum { PGN_WIDTH = 79 };

typedef struct Writer {
    Buffer *out;
    size_t column;
} Writer;

/* --- words and tags --- */

/* Lines are wrapped, so that other programs and mail can carry the text. */
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

/* The seven of the standard in their order, then the game's others, then who annotated it. */
static void put_tags(const Review *v, Buffer *out)
{
    static const char *const seven[] = {"Event", "Site",  "Date",  "Round",
                                        "White", "Black", "Result"};
    enum { SEVEN = sizeof seven / sizeof *seven };
    for (int i = 0; i < SEVEN; i++) {
        const char *value = samara_game_tag(v->game, seven[i]);
        const char *otherwise = i == 2 ? "????.??.??" : i == 6 ? samara_game_result(v->game) : "?";
        pgn_write_tag(out, seven[i], value ? value : otherwise);
    }
    const char *name, *value;
    bool annotator = false;
    for (size_t i = 0; samara_game_tag_at(v->game, i, &name, &value); i++) {
        bool known = false;
        for (int k = 0; k < SEVEN; k++)
            known |= strcmp(name, seven[k]) == 0;
        annotator |= strcmp(name, "Annotator") == 0;
        if (!known)
            pgn_write_tag(out, name, value);
    }
    if (!annotator)
        pgn_write_tag(out, "Annotator", "Samara");
    buffer_putc(out, '\n');
}

/* --- moves --- */

static void put_number(const Review *v, Writer *w, size_t ply, bool always)
{
    const bool white = review_white_moves(v, ply);
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
    const Worth whites = p->white ? p->worth : -p->worth;
    const int mate = worth_mate_in(whites);
    if (mate != 0)
        snprintf(out, 32, "[%%eval #%d]", mate);
    else
        snprintf(out, 32, "[%%eval %.2f]", whites / 100.0);
    return true;
}

static int nag_of(const Verdict *v)
{
    if (v->judgement != JUDGED_FINE)
        return judge_nag(v->judgement);
    return v->brilliant ? 3 : v->great ? 1 : 0;
}

static void put_variation(const Verdict *v, Writer *w)
{
    Buffer line = {0};
    buffer_putc(&line, '(');
    line_text(&v->best_line, v->best_line.length, v->move_number, v->white, &line);
    buffer_putc(&line, ')');
    put_words(w, buffer_text(&line));
    buffer_free(&line);
}

/* Returns whether something stands between this move and the next. */
static bool put_notes(const Review *v, const Speech *speech, Writer *w, size_t ply)
{
    const Verdict *verdict = &v->verdicts[ply];
    char eval[32];
    Buffer text = {0};
    const bool evaluated = eval_command(&v->positions[ply + 1], eval);
    if (verdict->known)
        say_move(verdict, speech, &text);
    if (evaluated || text.len > 0) {
        put_word(w, "{");
        if (evaluated)
            put_word(w, eval);
        put_words(w, buffer_text(&text));
        put_word(w, "}");
    }
    const bool better = verdict->known && verdict->judgement != JUDGED_FINE;
    if (better)
        put_variation(verdict, w);
    const bool spoken = evaluated || text.len > 0 || better;
    buffer_free(&text);
    return spoken;
}

/* Only when every move is judged: a summary of half a game would mislead. */
static void put_summary(const Review *v, const Speech *speech, Writer *w)
{
    Summary summary;
    Buffer text = {0};
    if (v->judged == v->plies && summary_make(v, &summary))
        say_game(v, &summary, speech, &text);
    if (text.len > 0) {
        put_word(w, "{");
        put_words(w, buffer_text(&text));
        put_word(w, "}");
    }
    buffer_free(&text);
}

/* The game with a mark, a sentence and the better line at each fault, readable by any PGN program.
 * */
void annotate_pgn(const Review *v, const Speech *speech, Buffer *out)
{
    put_tags(v, out);
    Writer w = {out, 0};
    put_summary(v, speech, &w);
    bool interrupted = true;
    for (size_t i = 0; i < v->plies; i++) {
        put_number(v, &w, i, interrupted);
        put_word(&w, samara_game_moves(v->game)[i].san);
        const int nag = v->verdicts[i].known ? nag_of(&v->verdicts[i]) : 0;
        if (nag != 0) {
            char text[8];
            snprintf(text, sizeof text, "$%d", nag);
            put_word(&w, text);
        }
        interrupted = put_notes(v, speech, &w, i);
    }
    put_word(&w, samara_game_result(v->game));
    buffer_putc(out, '\n');
}
