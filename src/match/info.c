// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/info.h"

#include <stddef.h>

static void number(Str *rest, int64_t *out, bool *has, Info *info)
{
    const Str token = str_token(rest);
    const bool ok = str_int(token, INT64_MIN, INT64_MAX, out);
    if (has)
        *has = ok;
    if (!ok && !info->wrong.len)
        info->wrong = token.len ? token : STR("(end of line)");
}

static void score(Str *rest, Info *info)
{
    const Str kind = str_token(rest);
    info->is_mate = str_is(kind, "mate");
    if (!info->is_mate && !str_is(kind, "cp") && !info->wrong.len)
        info->wrong = kind;
    number(rest, &info->score, &info->has_score, info);
}

/* Unknown words are skipped; a number that is none is remembered as a fault of the line. */
Info info_from_uci(Str line)
{
    Info info = {0};
    Str rest = line, token;
    str_token(&rest); /* "info" */
    while ((token = str_token(&rest)).len) {
        if (str_is(token, "depth"))
            number(&rest, &info.depth, &info.has_depth, &info);
        else if (str_is(token, "seldepth"))
            number(&rest, &info.seldepth, NULL, &info);
        else if (str_is(token, "time"))
            number(&rest, &info.time_ms, &info.has_time, &info);
        else if (str_is(token, "nodes"))
            number(&rest, &info.nodes, &info.has_nodes, &info);
        else if (str_is(token, "nps"))
            number(&rest, &info.nps, &info.has_nps, &info);
        else if (str_is(token, "hashfull"))
            number(&rest, &info.hashfull, NULL, &info);
        else if (str_is(token, "multipv"))
            number(&rest, &info.multipv, NULL, &info);
        else if (str_is(token, "score"))
            score(&rest, &info);
        else if (str_is(token, "lowerbound") || str_is(token, "upperbound"))
            info.is_bound = true;
        else if (str_is(token, "pv") || str_is(token, "string")) {
            *(str_is(token, "pv") ? &info.pv : &info.text) = str_trim(rest);
            break; /* both run to the end of the line */
        }
    }
    return info;
}

/* Mates are 100000 + N here; some engines count down from 32767 or 1000000 instead, which no reader
 * can know. */
enum { XBOARD_MATE = 100000, XBOARD_MATE_MAX = 1000 };

/* Four numbers and text; anything else is no thinking output and gives an empty Info. */
Info info_from_xboard(Str line)
{
    Info info = {0};
    Str rest = line;
    Str ply = str_token(&rest);
    while (ply.len && (ply.ptr[ply.len - 1] < '0' || ply.ptr[ply.len - 1] > '9'))
        ply.len--; /* "12." and "12&" are old habits */
    int64_t depth, value, centiseconds, nodes;
    if (!str_int(ply, 0, 1000, &depth) || !str_next_int(&rest, INT32_MIN, INT32_MAX, &value) ||
        !str_next_int(&rest, 0, INT64_MAX / 10, &centiseconds) ||
        !str_next_int(&rest, 0, INT64_MAX, &nodes))
        return info;

    info.depth = depth;
    info.has_depth = info.has_time = info.has_nodes = info.has_score = true;
    info.time_ms = centiseconds * 10;
    info.nodes = nodes;
    const int64_t beyond = (value < 0 ? -value : value) - XBOARD_MATE;
    info.is_mate = beyond >= 0 && beyond <= XBOARD_MATE_MAX;
    info.score = !info.is_mate ? value : value < 0 ? -beyond : beyond;
    return info; /* the variation is free text: not kept */
}

int64_t mate_plies(int64_t moves) { return moves > 0 ? 2 * moves - 1 : -2 * moves; }
