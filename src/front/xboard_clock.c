// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/xboard_clock.h"

enum { MAX_MOVES_PER_CONTROL = 1000, MAX_PLIES = 1000, SPREAD = 30 };
static const double max_ms = 1e9;

void xclock_reset(XClock *c)
{
    *c = (XClock){.moves_per_control = 40, .base_ms = 300000, .own_ms = 300000, .other_ms = 300000};
}

/* Seconds, possibly with a fraction, as milliseconds. */
static bool read_seconds(Str word, double unit_ms, int64_t *out)
{
    double value;
    if (!str_double(word, &value) || value < 0 || value * unit_ms > max_ms)
        return false;
    *out = (int64_t)(value * unit_ms + 0.5);
    return true;
}

/* "5", "5:30", and whatever else stands behind the digits ("25+5") is not ours. */
static bool read_base(Str word, int64_t *out)
{
    int64_t part[2] = {0, 0};
    int at = 0;
    size_t digits = 0;
    for (size_t i = 0; i < word.len; i++) {
        const char ch = word.ptr[i];
        if (ch >= '0' && ch <= '9' && part[at] < 1000000) {
            part[at] = part[at] * 10 + (ch - '0');
            digits++;
        } else if (ch == ':' && at == 0) {
            at = 1;
        } else {
            break;
        }
    }
    *out = (part[0] * 60 + part[1]) * 1000;
    return digits > 0 && *out <= (int64_t)max_ms;
}

/* A new time control starts both clocks anew. */
bool xclock_level(XClock *c, Str words)
{
    int64_t moves, base, inc;
    if (!str_next_int(&words, 0, MAX_MOVES_PER_CONTROL, &moves) ||
        !read_base(str_token(&words), &base) || !read_seconds(str_token(&words), 1000, &inc))
        return false;
    c->moves_per_control = (int)moves;
    c->base_ms = c->own_ms = c->other_ms = base;
    c->inc_ms = inc;
    c->move_ms = 0;
    c->own_moves = 0;
    return true;
}

bool xclock_st(XClock *c, Str words)
{
    int64_t ms;
    if (!read_seconds(str_token(&words), 1000, &ms) || ms == 0)
        return false;
    c->move_ms = ms;
    return true;
}

bool xclock_sd(XClock *c, Str words)
{
    int64_t depth;
    if (!str_next_int(&words, 1, INT32_MAX, &depth))
        return false;
    c->depth = depth < MAX_PLIES ? (int)depth : MAX_PLIES;
    return true;
}

bool xclock_nps(XClock *c, Str words)
{
    return str_next_int(&words, 0, INT32_MAX, &c->nodes_per_second);
}

static bool read_clock(Str words, int64_t *ms)
{
    int64_t centiseconds;
    if (!str_next_int(&words, INT32_MIN, INT32_MAX, &centiseconds))
        return false;
    *ms = centiseconds * 10;
    return true;
}

bool xclock_time(XClock *c, Str words) { return read_clock(words, &c->own_ms); }

bool xclock_otim(XClock *c, Str words) { return read_clock(words, &c->other_ms); }

void xclock_moved(XClock *c, int64_t used_ms)
{
    c->own_ms += c->inc_ms - used_ms;
    c->own_moves++;
    if (c->moves_per_control > 0 && c->own_moves % c->moves_per_control == 0)
        c->own_ms += c->base_ms;
}

static int moves_to_go(const XClock *c)
{
    return c->moves_per_control > 0 ? c->moves_per_control - c->own_moves % c->moves_per_control
                                    : 0;
}

/* Time as nodes: what one move may use, at so many nodes a second. */
static uint64_t node_budget(const XClock *c)
{
    int64_t ms = c->move_ms;
    if (ms == 0) {
        const int left = moves_to_go(c);
        ms = (c->own_ms > 0 ? c->own_ms : 0) / (left > 0 && left < SPREAD ? left : SPREAD) +
             c->inc_ms;
    }
    const double nodes = (double)ms / 1000 * (double)c->nodes_per_second;
    return nodes < 1 ? 1 : (uint64_t)nodes;
}

/* `nps` counts time in nodes, `st` is an exact time, else there are clocks. */
void xclock_limits(const XClock *c, bool white, SamaraLimits *limits)
{
    *limits = (SamaraLimits){.depth = c->depth};
    if (c->nodes_per_second > 0) {
        limits->nodes = node_budget(c);
    } else if (c->move_ms > 0) {
        limits->movetime_ms = c->move_ms;
    } else {
        limits->has_clock = true;
        limits->wtime_ms = white ? c->own_ms : c->other_ms;
        limits->btime_ms = white ? c->other_ms : c->own_ms;
        limits->winc_ms = limits->binc_ms = c->inc_ms;
        limits->movestogo = moves_to_go(c);
    }
}
