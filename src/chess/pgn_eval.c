// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/pgn.h"

#include <string.h>

static Str cut_until(Str *rest, char end)
{
    const char *found = rest->len > 0 ? memchr(rest->ptr, end, rest->len) : NULL;
    const size_t n = found ? (size_t)(found - rest->ptr) : rest->len;
    const Str head = {rest->ptr, n};
    const size_t used = found ? n + 1 : n;
    *rest = (Str){rest->ptr + used, rest->len - used};
    return head;
}

/* "0.35", "-1.2,18", "#-3": White's view. */
static void read_eval(Str value, PgnEval *out)
{
    int64_t mate, depth;
    const Str score = cut_until(&value, ',');
    if (score.len > 0 && score.ptr[0] == '#') {
        if (!str_int((Str){score.ptr + 1, score.len - 1}, -1000, 1000, &mate))
            return;
        out->is_mate = true;
        out->mate = (int)mate;
    } else if (!str_double(score, &out->pawns))
        return;
    out->has_eval = true;
    if (str_int(str_trim(value), 0, 1000, &depth))
        out->depth = (int)depth;
}

/* "1:02:03", "2:03", "3.5" in seconds. */
static bool read_clock(Str value, double *seconds)
{
    double total = 0;
    while (value.len > 0) {
        double part;
        if (!str_double(cut_until(&value, ':'), &part) || part < 0)
            return false;
        total = total * 60 + part;
    }
    *seconds = total;
    return true;
}

/* Commands that we do not know are skipped: there are many of them. */
static void read_command(Str command, PgnEval *out)
{
    const Str name = str_token(&command), value = str_trim(command);
    if (value.len == 0)
        return;
    if (str_is(name, "%eval"))
        read_eval(value, out);
    else if (str_is(name, "%clk"))
        out->has_clock = read_clock(value, &out->clock);
    else if (str_is(name, "%emt"))
        out->has_elapsed = read_clock(value, &out->elapsed);
}

/* "+0.31" or "-M4" from the mover's side. */
static bool read_own_score(Str score, Color mover, PgnEval *out)
{
    const double sign = mover == WHITE ? 1 : -1;
    const bool negative = score.len > 0 && score.ptr[0] == '-';
    const size_t skip = negative || (score.len > 0 && score.ptr[0] == '+');
    const Str number = {score.ptr + skip, score.len - skip};
    int64_t plies;
    if (number.len > 1 && number.ptr[0] == 'M' &&
        str_int((Str){number.ptr + 1, number.len - 1}, 0, 1000, &plies)) {
        const int moves = (int)(plies + 1) / 2;
        out->is_mate = true;
        out->mate = (negative ? -moves : moves) * (int)sign;
        return true;
    }
    if (!str_double(score, &out->pawns))
        return false;
    out->pawns *= sign;
    return true;
}

/* "+0.31/18 1.2s": all of the first word, or it is just prose. */
static void read_own_words(Str comment, Color mover, PgnEval *out)
{
    Str word = str_token(&comment), time = str_token(&comment);
    PgnEval own = *out;
    int64_t depth;
    const Str score = cut_until(&word, '/');
    if (!str_int(word, 0, 1000, &depth) || !read_own_score(score, mover, &own))
        return;
    own.has_eval = true;
    own.depth = (int)depth;
    while (time.len > 0 && (time.ptr[time.len - 1] == 's' || time.ptr[time.len - 1] == ','))
        time.len--;
    if (str_double(time, &own.elapsed))
        own.has_elapsed = true;
    *out = own;
}

/* Reads both forms in use: [%eval ...] commands, and the words that engine matches write. */
void pgn_comment_eval(const char *comment, Color mover, PgnEval *out)
{
    enum { LONGEST = 80 }; /* of a command */
    *out = (PgnEval){0};
    if (!comment)
        return;
    read_own_words(str_from(comment), mover, out);
    for (Str rest = str_from(comment); rest.len > 0;) {
        cut_until(&rest, '[');
        Str look = {rest.ptr, rest.len < LONGEST ? rest.len : LONGEST};
        const Str command = cut_until(&look, ']');
        if (command.len > 0 && command.ptr[0] == '%')
            read_command(command, out);
    }
}
