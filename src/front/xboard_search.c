// SPDX-License-Identifier: GPL-3.0-or-later
/* xboard_search.c -- searches for an XBoard client, and what becomes of their results.
 *
 * A search is either finished (on_done() signals and the move is made) or abandoned: stopped and
 * waited for at once, its signal counted as stale. */
#include "front/xboard_impl.h"

#include "base/clock.h"
#include <stdlib.h>
#include <string.h>

enum {
    RESIGN_SCORE = 1000, /* centipawns behind, */
    RESIGN_MOVES = 4,    /* that many moves in a row */
    DRAW_SCORE = 5,      /* centipawns from level, */
    DRAW_MOVES = 8,      /* that many moves in a row */
};

/* Keeps the progress for `.`, and prints the line as thinking output if the client wants it. */
static void on_line(void *user, const SamaraLine *info)
{
    XBoard *x = user;
    mutex_lock(&x->lock);
    x->progress.depth = info->depth;
    x->progress.nodes = info->nodes;
    x->progress.time_ms = info->time_ms;
    mutex_unlock(&x->lock);
    if (!relaxed_load(&x->settings.post))
        return;
    static const char *const marks[] = {"", "!", "?"};
    const SamaraScore *s = &info->score;
    const int score = !s->is_mate    ? s->value
                      : s->value > 0 ? XBOARD_MATE_SCORE + s->value
                                     : -XBOARD_MATE_SCORE + s->value;
    Buffer line = {0};
    buffer_printf(&line, "%d %d %lld %llu %d %llu %llu\t", info->depth, score,
                  (long long)(info->time_ms / 10), (unsigned long long)info->nodes, info->seldepth,
                  (unsigned long long)info->nps, (unsigned long long)info->tbhits);
    for (int i = 0; i < info->length; i++)
        buffer_printf(&line, "%s%s", i > 0 ? " " : "", info->moves[i].uci);
    buffer_puts(&line, marks[s->bound]);
    if (!line.failed)
        console_put_droppable(x->console, (Str){line.data, line.len});
    buffer_free(&line);
}

static void on_current_move(void *user, int depth, const SamaraMove *move, int number)
{
    XBoard *x = user;
    (void)depth;
    mutex_lock(&x->lock);
    x->progress.number = number;
    str_copy(x->progress.move, sizeof x->progress.move, str_from(move->uci));
    mutex_unlock(&x->lock);
}

static void on_done(void *user, const SamaraResult *result)
{
    XBoard *x = user;
    lag_end(&x->lag, clock_ms());
    x->result = *result;
    console_signal(x->console);
}

static bool our_turn(const XBoard *x)
{
    return samara_position_white_to_move(x->position) == x->engine_white;
}

bool xboard_is_excluded(const XBoard *x, uint16_t code)
{
    for (size_t i = 0; i < x->excluded_count; i++)
        if (x->excluded[i] == code)
            return true;
    return false;
}

/* All legal moves but the excluded ones; none at all means no restriction. */
static size_t allowed_moves(const XBoard *x, SamaraMove *list)
{
    size_t count = 0;
    if (x->excluded_count == 0)
        return 0;
    const size_t legal = samara_position_moves(x->position, list, SAMARA_MAX_MOVES);
    for (size_t i = 0; i < legal; i++)
        if (!xboard_is_excluded(x, list[i].code))
            list[count++] = list[i];
    return count;
}

/* One request from clocks, excluded moves and what the search is for. */
static void begin(XBoard *x, Work work)
{
    const SamaraEvents events = {x, on_line, on_current_move, NULL, on_done};
    SamaraMove allowed[SAMARA_MAX_MOVES];
    SamaraRequest request;
    SamaraError err;
    samara_request(x->engine, &request);
    const int64_t overhead = request.limits.overhead_ms;
    x->think_start_ms = clock_ms();
    request.position = x->position;
    xclock_limits(&x->clock, x->engine_white, &request.limits);
    if (work == WORK_ANALYSE)
        request.limits = (SamaraLimits){.infinite = true};
    request.limits.ponder = work == WORK_PONDER;
    request.limits.overhead_ms =
        overhead + lag_begin(&x->lag, x->position, &request.limits, x->think_start_ms);
    request.moves = allowed;
    request.move_count = allowed_moves(x, allowed);
    x->progress = (Progress){0};
    if (samara_go(x->engine, &request, &events, &err))
        x->work = work;
    else
        console_printf(x->console, "tellusererror %s", err.text);
}

/* Ends a search whose result nobody wants any more. */
void xboard_abandon(XBoard *x)
{
    if (x->work == WORK_NONE)
        return;
    samara_stop(x->engine);
    samara_wait(x->engine);
    x->stale++;
    if (x->work == WORK_PONDER)
        samara_position_undo(x->position);
    x->work = WORK_NONE;
    loop_run_deferred(&x->loop);
}

void xboard_analyse_again(XBoard *x)
{
    if (x->mode == MODE_ANALYSE && x->work == WORK_NONE && !x->bad_position)
        begin(x, WORK_ANALYSE);
}

void xboard_think_if_ours(XBoard *x)
{
    if (x->mode == MODE_PLAY && x->work == WORK_NONE && !x->bad_position && our_turn(x) &&
        samara_position_state(x->position) == SAMARA_PLAYING)
        begin(x, WORK_THINK);
}

/* A move as XBoard wants it: coordinates, but castling in Chess960 is O-O. */
const char *xboard_move_text(const XBoard *x, const SamaraMove *move)
{
    if (!x->settings.chess960 || !move->castling)
        return move->uci;
    return str_starts(str_from(move->san), "O-O-O") ? "O-O-O" : "O-O";
}

/* By the rules only; what engines believe is no claim. */
void xboard_claim_result(XBoard *x)
{
    const SamaraState state = samara_position_state(x->position);
    if (state == SAMARA_PLAYING)
        return;
    if (state == SAMARA_CHECKMATE)
        console_put(x->console, samara_position_white_to_move(x->position)
                                    ? STR("0-1 {Black mates}")
                                    : STR("1-0 {White mates}"));
    else
        console_printf(x->console, "1/2-1/2 {Draw: %s}", samara_state_name(state));
}

/* Searches behind the move that we expect; the board stays one move ahead until the search ends. */
static void start_pondering(XBoard *x, const SamaraMove *guess)
{
    x->guess[0] = '\0';
    if (!guess->code || samara_position_state(x->position) != SAMARA_PLAYING)
        return;
    str_copy(x->guess, sizeof x->guess, str_from(xboard_move_text(x, guess)));
    if (!x->settings.ponder || !samara_position_play(x->position, guess, NULL))
        return;
    if (samara_position_state(x->position) == SAMARA_PLAYING) {
        console_printf(x->console, "Hint: %s", x->guess);
        begin(x, WORK_PONDER);
    }
    if (x->work != WORK_PONDER)
        samara_position_undo(x->position);
}

/* Hopeless, or level for a long time? Counts over moves so that one odd score decides nothing. */
static void note_score(XBoard *x, const SamaraScore *s)
{
    const bool lost = s->is_mate ? s->value < 0 : s->value <= -RESIGN_SCORE;
    const bool level = !s->is_mate && abs(s->value) <= DRAW_SCORE;
    x->trend.lost_moves = lost ? x->trend.lost_moves + 1 : 0;
    x->trend.level_moves = level ? x->trend.level_moves + 1 : 0;
    x->trend.last_score =
        s->is_mate ? (s->value > 0 ? XBOARD_MATE_SCORE : -XBOARD_MATE_SCORE) : s->value;
    x->trend.has_score = true;
}

static bool offers_draw(const XBoard *x)
{
    return x->trend.level_moves >= DRAW_MOVES && x->trend.moves_made >= XBOARD_DRAW_AFTER;
}

/* The search has ended by itself: resign, or play its move and say so. */
static void make_move(XBoard *x)
{
    const SamaraResult r = x->result;
    x->work = WORK_NONE;
    note_score(x, &r.score);
    if (!r.best.code)
        return;
    if (x->settings.resigns && x->trend.lost_moves >= RESIGN_MOVES) {
        console_put(x->console, STR("resign"));
        x->mode = MODE_FORCE;
        return;
    }
    samara_position_play(x->position, &r.best, NULL);
    const SamaraState state = samara_position_state(x->position);
    if (state == SAMARA_REPETITION || state == SAMARA_FIFTY_MOVES || offers_draw(x))
        console_put(x->console, STR("offer draw"));
    console_printf(x->console, "move %s", xboard_move_text(x, &r.best));
    xclock_moved(&x->clock, clock_ms() - x->think_start_ms);
    x->trend.moves_made++;
    x->excluded_count = 0;
    xboard_claim_result(x);
    start_pondering(x, &r.ponder);
}

void xboard_search_ended(XBoard *x)
{
    if (x->stale > 0) {
        x->stale--;
        return;
    }
    if (x->work == WORK_THINK)
        make_move(x);
    loop_run_deferred(&x->loop);
}
