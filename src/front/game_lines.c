// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/game_lines.h"

#include "review/say.h"
#include "review/summary.h"
#include <stdio.h>

static void score_text(const ReviewPosition *p, char *out, size_t size)
{
    const Worth whites = p->white ? p->worth : -p->worth;
    const int mate = worth_mate_in(whites);
    if (p->over)
        snprintf(out, size, p->worth ? "mate" : "draw");
    else if (mate != 0)
        snprintf(out, size, "#%d", mate);
    else
        snprintf(out, size, "%+.2f", whites / 100.0);
}

static const char *sign_of(const Verdict *v)
{
    static const char *const signs[] = {"", "?!", "?", "??"};
    return v->judgement != JUDGED_FINE ? signs[v->judgement]
           : v->brilliant              ? "!!"
           : v->great                  ? "!"
                                       : "";
}

/* One line per move, then the figures of both players. */
void game_lines_write(const Review *v, const Speech *speech, Buffer *out)
{
    Summary summary;
    for (size_t i = 0; i < v->plies; i++) {
        const Verdict *verdict = &v->verdicts[i];
        char score[32], move[40];
        score_text(&v->positions[i + 1], score, sizeof score);
        snprintf(move, sizeof move, "%d%s %s%s", verdict->move_number, verdict->white ? "." : "...",
                 verdict->move.san, sign_of(verdict));
        buffer_printf(out, "%-16s %8s  ", move, score);
        say_move(verdict, speech, out);
        while (out->len > 0 && out->data[out->len - 1] == ' ')
            out->data[--out->len] = '\0';
        buffer_putc(out, '\n');
    }
    if (!summary_make(v, &summary))
        return;
    for (int white = 1; white >= 0; white--) {
        const SideSummary *s = white ? &summary.white : &summary.black;
        if (s->moves > 0)
            buffer_printf(out, "%s: accuracy %.1f%%, %d inaccuracies, %d mistakes, %d blunders\n",
                          white ? "White" : "Black", s->accuracy, s->faults[JUDGED_INACCURACY],
                          s->faults[JUDGED_MISTAKE], s->faults[JUDGED_BLUNDER]);
    }
    say_game(v, &summary, speech, out);
}
