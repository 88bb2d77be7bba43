// SPDX-License-Identifier: GPL-3.0-or-later
/* xboard_game.c -- the commands of a game: moves, positions, who plays, clocks. */
#include "front/xboard_impl.h"

#include "base/clock.h"
#include <string.h>

/* --- moves and positions --- */

static void position_changed(XBoard *x)
{
    x->excluded_count = 0;
    x->guess[0] = '\0';
}

/* The opponent's move: a hit of our pondering, or a new position to think about. */
void xboard_usermove(XBoard *x, Str rest)
{
    char move[32] = "";
    const Str word = str_token(&rest);
    if (x->work == WORK_THINK) {
        xboard_error(x, "command not legal now", word);
        return;
    }
    const bool fits = str_copy(move, sizeof move, word);
    if (x->work == WORK_PONDER && strcmp(move, x->guess) == 0) {
        x->work = WORK_THINK;
        x->think_start_ms = clock_ms();
        position_changed(x);
        samara_ponderhit(x->engine);
        return;
    }
    xboard_abandon(x);
    if (x->bad_position || !fits || !samara_position_play_text(x->position, move, NULL)) {
        for (char *c = move; *c; c++)
            *c = *c < ' ' || *c > '~' ? '?' : *c;
        console_printf(x->console, "Illegal move: %s", move);
    } else {
        position_changed(x);
        if (x->mode == MODE_PLAY)
            xboard_claim_result(x);
    }
    xboard_think_if_ours(x);
    xboard_analyse_again(x);
}

static void do_usermove(void *user, Str rest) { xboard_usermove(user, rest); }

/* All that belongs to the last game goes; analysis stays on, as the protocol wants. */
static void do_new(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    xboard_abandon(x);
    x->settings.chess960 = false;
    samara_forget(x->engine);
    lag_reset(&x->lag);
    samara_position_set(x->position, NULL, false, NULL, 0, NULL);
    xclock_reset(&x->clock);
    position_changed(x);
    x->bad_position = x->engine_white = false;
    x->trend = (Trend){0};
    if (x->mode != MODE_ANALYSE)
        x->mode = MODE_PLAY;
    xboard_analyse_again(x);
}

/* Comes right after `new`: the start position is set up again with the right castling rules. */
static void do_variant(void *user, Str rest)
{
    XBoard *x = user;
    const Str name = str_token(&rest);
    if (!str_is(name, "fischerandom") && !str_is(name, "normal")) {
        xboard_error(x, "unsupported variant", name);
        return;
    }
    xboard_abandon(x);
    x->settings.chess960 = str_is(name, "fischerandom");
    samara_position_set(x->position, NULL, x->settings.chess960, NULL, 0, NULL);
    position_changed(x);
    xboard_analyse_again(x);
}

/* Another board stands there now, unless err says why not. */
static void board_was_set(XBoard *x, bool ok, const SamaraError *err)
{
    x->bad_position = !ok;
    if (x->bad_position)
        console_printf(x->console, "tellusererror Illegal position: %s", err->text);
    position_changed(x);
    xboard_think_if_ours(x);
    xboard_analyse_again(x);
}

static void do_setboard(void *user, Str rest)
{
    XBoard *x = user;
    char fen[1024];
    SamaraError err;
    xboard_abandon(x);
    const bool fits = str_copy(fen, sizeof fen, str_trim(rest));
    const bool ok = samara_position_set(x->position, fits ? fen : "too long", x->settings.chess960,
                                        NULL, 0, &err);
    board_was_set(x, ok, &err);
}

static void set_fields(XBoard *x, const SamaraFields *fields)
{
    SamaraError err;
    xboard_abandon(x);
    const bool ok = samara_position_set_fields(x->position, fields, &err);
    board_was_set(x, ok, &err);
}

static void do_edit(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    xboard_abandon(x);
    editor_begin(&x->editor, x->position);
    x->editing = true;
}

static void take_back(XBoard *x, int plies)
{
    xboard_abandon(x);
    for (int i = 0; i < plies; i++)
        samara_position_undo(x->position);
    position_changed(x);
    xboard_analyse_again(x);
}

static void do_undo(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    take_back(x, 1);
}

static void do_remove(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    take_back(x, 2);
}

/* --- who plays --- */

static void do_force(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    xboard_abandon(x);
    x->mode = MODE_FORCE;
}

/* The engine takes the side to move. */
static void do_go(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    if (x->work == WORK_THINK)
        return;
    xboard_abandon(x);
    x->mode = MODE_PLAY;
    x->engine_white = samara_position_white_to_move(x->position);
    xboard_claim_result(x);
    xboard_think_if_ours(x);
}

static void do_playother(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    xboard_abandon(x);
    x->mode = MODE_PLAY;
    x->engine_white = !samara_position_white_to_move(x->position);
}

/* Obsolete: this side is to move and the engine plays the other one. */
static void set_turn(XBoard *x, bool white)
{
    SamaraFields fields;
    xboard_abandon(x);
    x->engine_white = !white;
    samara_position_fields(x->position, &fields);
    if (fields.white_to_move == white)
        return;
    fields.white_to_move = white;
    fields.ep = -1;
    set_fields(x, &fields);
}

static void do_white(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    set_turn(x, true);
}

static void do_black(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    set_turn(x, false);
}

static void do_move_now(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    if (x->work == WORK_THINK)
        samara_stop(x->engine);
}

static void do_analyze(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    xboard_abandon(x);
    x->mode = MODE_ANALYSE;
    xboard_analyse_again(x);
}

static void do_exit(void *user, Str rest)
{
    XBoard *x = user;
    if (x->mode == MODE_ANALYSE)
        do_force(x, rest);
}

/* The clock stands still while paused: what was used of it is taken off here. */
static void do_pause(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    if (x->work == WORK_NONE)
        return;
    const Work work = x->work;
    if (work == WORK_THINK)
        x->clock.own_ms -= clock_ms() - x->think_start_ms;
    xboard_abandon(x);
    x->paused = work;
}

static void do_resume(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    const Work work = x->paused;
    x->paused = WORK_NONE;
    if (work == WORK_THINK)
        xboard_think_if_ours(x);
    if (work == WORK_ANALYSE)
        xboard_analyse_again(x);
}

/* --- clocks --- */

static void check_words(XBoard *x, bool understood, Str words)
{
    if (!understood)
        xboard_error(x, "bad parameters", words);
}

static void do_level(void *user, Str rest)
{
    XBoard *x = user;
    check_words(x, xclock_level(&x->clock, rest), rest);
}

static void do_st(void *user, Str rest)
{
    XBoard *x = user;
    check_words(x, xclock_st(&x->clock, rest), rest);
}

static void do_sd(void *user, Str rest)
{
    XBoard *x = user;
    check_words(x, xclock_sd(&x->clock, rest), rest);
}

static void do_nps(void *user, Str rest)
{
    XBoard *x = user;
    check_words(x, xclock_nps(&x->clock, rest), rest);
}

static void do_time(void *user, Str rest)
{
    XBoard *x = user;
    check_words(x, xclock_time(&x->clock, rest), rest);
}

static void do_otim(void *user, Str rest)
{
    XBoard *x = user;
    check_words(x, xclock_otim(&x->clock, rest), rest);
}

void xboard_edit_line(XBoard *x, Str line)
{
    SamaraFields fields;
    if (editor_line(&x->editor, line))
        return;
    x->editing = false;
    editor_end(&x->editor, &fields);
    set_fields(x, &fields);
}

const Command xboard_game_commands[] = {
    {"new", ANY_TIME, do_new, NULL},
    {"variant", ANY_TIME, do_variant, NULL},
    {"force", ANY_TIME, do_force, NULL},
    {"go", ANY_TIME, do_go, NULL},
    {"playother", ANY_TIME, do_playother, NULL},
    {"white", ANY_TIME, do_white, NULL},
    {"black", ANY_TIME, do_black, NULL},
    {"level", ANY_TIME, do_level, NULL},
    {"st", ANY_TIME, do_st, NULL},
    {"sd", ANY_TIME, do_sd, NULL},
    {"nps", ANY_TIME, do_nps, NULL},
    {"time", ANY_TIME, do_time, NULL},
    {"otim", ANY_TIME, do_otim, NULL},
    {"usermove", ANY_TIME, do_usermove, NULL},
    {"?", ANY_TIME, do_move_now, NULL},
    {"result", ANY_TIME, do_force, NULL},
    {"setboard", ANY_TIME, do_setboard, NULL},
    {"edit", ANY_TIME, do_edit, NULL},
    {"undo", ANY_TIME, do_undo, NULL},
    {"remove", ANY_TIME, do_remove, NULL},
    {"analyze", ANY_TIME, do_analyze, NULL},
    {"exit", ANY_TIME, do_exit, NULL},
    {"pause", ANY_TIME, do_pause, NULL},
    {"resume", ANY_TIME, do_resume, NULL},
    {0},
};
