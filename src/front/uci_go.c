// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/uci_go.h"

#include <string.h>

enum { MAX_DEPTH = 1000, MAX_MS = 1 << 30 };

typedef struct Parse {
    GoRequest *go;
    Error *complaint;
    bool has_time[2]; /* White's, Black's */
} Parse;

static void complain(Parse *p, const char *word, Str value)
{
    const int shown = value.len > 40 ? 40 : (int)value.len;
    error_code(p->complaint, "GO_VALUE", 0, "go %s: '%.*s' is not a number", word, shown,
               value.ptr);
}

static bool is_number(Str s)
{
    size_t i = s.len > 0 && (s.ptr[0] == '-' || s.ptr[0] == '+') ? 1 : 0;
    if (i == s.len)
        return false;
    for (; i < s.len; i++)
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
    return true;
}

/* Numbers beyond the range are taken for its end. False if it is none; then the word stays unread.
 */
static bool next_number(Parse *p, const char *word, Str *rest, int64_t min, int64_t max,
                        int64_t *out)
{
    Str ahead = *rest;
    const Str value = str_token(&ahead);
    if (!is_number(value)) {
        complain(p, word, value);
        return false;
    }
    *rest = ahead;
    if (!str_int(value, INT64_MIN, INT64_MAX, out))
        *out = value.ptr[0] == '-' ? INT64_MIN : INT64_MAX;
    *out = *out < min ? min : *out > max ? max : *out;
    return true;
}

/* Negative times are allowed: clients send them when a flag has fallen. */
static bool read_clock(Parse *p, Str word, Str *rest)
{
    SamaraLimits *l = &p->go->limits;
    static const char *const names[] = {"wtime", "btime", "winc", "binc"};
    int64_t *const fields[] = {&l->wtime_ms, &l->btime_ms, &l->winc_ms, &l->binc_ms};
    for (int i = 0; i < 4; i++) {
        if (!str_is(word, names[i]))
            continue;
        if (next_number(p, names[i], rest, i < 2 ? -MAX_MS : 0, MAX_MS, fields[i])) {
            l->has_clock = true;
            if (i < 2)
                p->has_time[i] = true;
        }
        return true;
    }
    return false;
}

/* One limit and its number; false if the word is no limit. */
static bool read_limit(Parse *p, Str word, Str *rest)
{
    GoRequest *go = p->go;
    int64_t n;
    if (str_is(word, "depth")) {
        if (next_number(p, "depth", rest, 1, MAX_DEPTH, &n))
            go->limits.depth = (int)n;
    } else if (str_is(word, "nodes")) {
        if (next_number(p, "nodes", rest, 1, INT64_MAX, &n))
            go->limits.nodes = (uint64_t)n;
    } else if (str_is(word, "mate")) {
        if (next_number(p, "mate", rest, 1, MAX_DEPTH, &n))
            go->limits.mate = (int)n;
    } else if (str_is(word, "movetime")) {
        if (next_number(p, "movetime", rest, 1, MAX_MS, &n))
            go->limits.movetime_ms = n;
    } else if (str_is(word, "movestogo")) {
        if (next_number(p, "movestogo", rest, 0, MAX_DEPTH, &n))
            go->limits.movestogo = (int)n;
    } else if (str_is(word, "perft")) {
        if (next_number(p, "perft", rest, 1, 100, &n))
            go->perft = (int)n;
    } else {
        return false;
    }
    return true;
}

static bool read_word(Parse *p, Str word, Str *rest)
{
    if (str_is(word, "infinite"))
        p->go->limits.infinite = true;
    else if (str_is(word, "ponder"))
        p->go->limits.ponder = true;
    else
        return read_clock(p, word, rest) || read_limit(p, word, rest);
    return true;
}

static void add_search_move(GoRequest *go, Str word, const SamaraPosition *position)
{
    char text[SAMARA_UCI_SIZE];
    if (go->move_count < SAMARA_MAX_MOVES && str_copy(text, sizeof text, word) &&
        samara_position_read_move(position, text, &go->moves[go->move_count], NULL))
        go->move_count++;
}

/* One clock for both: a client that sends only the other one still gets a timed move. */
static void fill_clock(Parse *p, bool white_to_move)
{
    SamaraLimits *l = &p->go->limits;
    if (white_to_move && !p->has_time[0] && p->has_time[1])
        l->wtime_ms = l->btime_ms;
    if (!white_to_move && !p->has_time[1] && p->has_time[0])
        l->btime_ms = l->wtime_ms;
}

/* Words may come in any order; a list of moves ends at the next word that means something else. */
void go_parse(GoRequest *go, Str words, const SamaraPosition *position, Error *complaint)
{
    Parse p = {.go = go, .complaint = complaint};
    bool in_moves = false;
    *complaint = (Error){0};
    memset(go, 0, sizeof *go);
    for (Str word = str_token(&words); word.len > 0; word = str_token(&words)) {
        if (str_is(word, "searchmoves"))
            in_moves = true;
        else if (read_word(&p, word, &words))
            in_moves = false;
        else if (in_moves)
            add_search_move(go, word, position);
    }
    fill_clock(&p, samara_position_white_to_move(position));
    const SamaraLimits *l = &go->limits;
    go->endless = l->infinite || l->ponder;
    go->patient = go->perft > 0 || (!go->endless && !l->has_clock && l->movetime_ms == 0 &&
                                    (l->depth > 0 || l->nodes > 0 || l->mate > 0));
}
