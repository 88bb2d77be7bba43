// SPDX-License-Identifier: GPL-3.0-or-later
/* xboard.c -- one thread, one state, one event at a time; the mirror of uci.c for a protocol in
 * which the engine knows whose turn it is.
 *
 * A search is either finished (its done() signals and the move is made) or abandoned: stopped and
 * waited for at once, its signal counted as stale. Lines that want an idle engine while it thinks
 * on its own move wait for that move. */
#include "front/xboard.h"

#include "base/clock.h"
#include "base/thread.h"
#include "front/lag.h"
#include "front/xboard_clock.h"
#include "front/xboard_edit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MATE_SCORE = 100000,
    HINT_NODES = 20000,
    RESIGN_SCORE = 1000, /* centipawns behind, */
    RESIGN_MOVES = 4,    /* that many moves in a row */
    DRAW_SCORE = 5,      /* centipawns from level, */
    DRAW_MOVES = 8,      /* that many moves in a row, */
    DRAW_AFTER = 40,     /* not before this move */
    REFUSE_ABOVE = -30,  /* centipawns: a draw offered early is welcome only below */
};

typedef enum Mode { MODE_FORCE, MODE_PLAY, MODE_ANALYSE } Mode;
typedef enum Work { WORK_NONE, WORK_THINK, WORK_PONDER, WORK_ANALYSE } Work;

/* Written by the search, read for `.`. */
typedef struct Progress {
    int depth, number;
    uint64_t nodes;
    int64_t time_ms;
    char move[SAMARA_UCI_SIZE];
} Progress;

typedef struct XBoard {
    Console *console;
    Samara *engine;
    SamaraPosition *position;
    Lag lag;
    Mode mode;
    Work work, paused;
    int stale; /* signals of abandoned searches that are still to come */
    bool engine_white, chess960, ponder, bad_position, editing, resigns, quit;
    AtomicFlag post;
    XClock clock;
    Editor editor;
    int64_t think_start_ms;
    SamaraResult result; /* of the last search that ended */
    int moves_made, lost_moves, level_moves, last_score;
    bool has_score;
    char guess[16]; /* what we expect the opponent to play, as XBoard would write it; "" if nothing
                     */
    uint16_t excluded[SAMARA_MAX_MOVES]; /* codes */
    size_t excluded_count;
    Mutex lock;
    Progress progress;
    Event *deferred, **deferred_end;
} XBoard;

/* --- talking --- */

static void error_line(XBoard *x, const char *why, Str line)
{
    char shown[64];
    size_t n = 0;
    for (; n < line.len && n < sizeof shown - 1; n++)
        shown[n] = (char)(line.ptr[n] < ' ' || line.ptr[n] > '~' ? '?' : line.ptr[n]);
    shown[n] = '\0';
    console_printf(x->console, "Error (%s): %s", why, shown);
}

static void on_line(void *user, const SamaraLine *info)
{
    XBoard *x = user;
    mutex_lock(&x->lock);
    x->progress.depth = info->depth;
    x->progress.nodes = info->nodes;
    x->progress.time_ms = info->time_ms;
    mutex_unlock(&x->lock);
    if (!relaxed_load(&x->post))
        return;
    static const char *const marks[] = {"", "!", "?"};
    const SamaraScore *s = &info->score;
    const int score = !s->is_mate    ? s->value
                      : s->value > 0 ? MATE_SCORE + s->value
                                     : -MATE_SCORE + s->value;
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

/* --- searching --- */

static bool our_turn(const XBoard *x)
{
    return samara_position_white_to_move(x->position) == x->engine_white;
}

static bool is_excluded(const XBoard *x, uint16_t code)
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
        if (!is_excluded(x, list[i].code))
            list[count++] = list[i];
    return count;
}

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

static void run_deferred(XBoard *x);

/* Ends a search whose result nobody wants any more. */
static void abandon(XBoard *x)
{
    if (x->work == WORK_NONE)
        return;
    samara_stop(x->engine);
    samara_wait(x->engine);
    x->stale++;
    if (x->work == WORK_PONDER)
        samara_position_undo(x->position);
    x->work = WORK_NONE;
    run_deferred(x);
}

static void analyse_again(XBoard *x)
{
    if (x->mode == MODE_ANALYSE && x->work == WORK_NONE && !x->bad_position)
        begin(x, WORK_ANALYSE);
}

static void think_if_ours(XBoard *x)
{
    if (x->mode == MODE_PLAY && x->work == WORK_NONE && !x->bad_position && our_turn(x) &&
        samara_position_state(x->position) == SAMARA_PLAYING)
        begin(x, WORK_THINK);
}

/* A move as XBoard wants it: coordinates, but castling in Chess960 is O-O. */
static const char *move_text(const XBoard *x, const SamaraMove *move)
{
    if (!x->chess960 || !move->castling)
        return move->uci;
    return str_starts(str_from(move->san), "O-O-O") ? "O-O-O" : "O-O";
}

static void claim_result(XBoard *x)
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

static void start_pondering(XBoard *x, const SamaraMove *guess)
{
    x->guess[0] = '\0';
    if (!guess->code || samara_position_state(x->position) != SAMARA_PLAYING)
        return;
    str_copy(x->guess, sizeof x->guess, str_from(move_text(x, guess)));
    if (!x->ponder || !samara_position_play(x->position, guess, NULL))
        return;
    if (samara_position_state(x->position) == SAMARA_PLAYING) {
        console_printf(x->console, "Hint: %s", x->guess);
        begin(x, WORK_PONDER);
    }
    if (x->work != WORK_PONDER)
        samara_position_undo(x->position);
}

/* Hopeless, or level for a long time? Counts over moves so that one odd score decides nothing. */
static void judge_score(XBoard *x, const SamaraScore *s)
{
    const bool lost = s->is_mate ? s->value < 0 : s->value <= -RESIGN_SCORE;
    const bool level = !s->is_mate && abs(s->value) <= DRAW_SCORE;
    x->lost_moves = lost ? x->lost_moves + 1 : 0;
    x->level_moves = level ? x->level_moves + 1 : 0;
    x->last_score = s->is_mate ? (s->value > 0 ? MATE_SCORE : -MATE_SCORE) : s->value;
    x->has_score = true;
}

static bool offers_draw(const XBoard *x)
{
    return x->level_moves >= DRAW_MOVES && x->moves_made >= DRAW_AFTER;
}

static void make_move(XBoard *x)
{
    const SamaraResult r = x->result;
    x->work = WORK_NONE;
    judge_score(x, &r.score);
    if (!r.best.code)
        return;
    if (x->resigns && x->lost_moves >= RESIGN_MOVES) {
        console_put(x->console, STR("resign"));
        x->mode = MODE_FORCE;
        return;
    }
    samara_position_play(x->position, &r.best, NULL);
    const SamaraState state = samara_position_state(x->position);
    if (state == SAMARA_REPETITION || state == SAMARA_FIFTY_MOVES || offers_draw(x))
        console_put(x->console, STR("offer draw"));
    console_printf(x->console, "move %s", move_text(x, &r.best));
    xclock_moved(&x->clock, clock_ms() - x->think_start_ms);
    x->moves_made++;
    x->excluded_count = 0;
    claim_result(x);
    start_pondering(x, &r.ponder);
}

static void handle_signal(XBoard *x)
{
    if (x->stale > 0) {
        x->stale--;
        return;
    }
    if (x->work == WORK_THINK)
        make_move(x);
    run_deferred(x);
}

/* --- moves and positions --- */

static void position_changed(XBoard *x)
{
    x->excluded_count = 0;
    x->guess[0] = '\0';
}

static void do_usermove(XBoard *x, Str rest)
{
    char move[32] = "";
    const Str word = str_token(&rest);
    if (x->work == WORK_THINK) {
        error_line(x, "command not legal now", word);
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
    abandon(x);
    if (x->bad_position || !fits || !samara_position_play_text(x->position, move, NULL)) {
        for (char *c = move; *c; c++)
            *c = *c < ' ' || *c > '~' ? '?' : *c;
        console_printf(x->console, "Illegal move: %s", move);
    } else {
        position_changed(x);
        if (x->mode == MODE_PLAY)
            claim_result(x);
    }
    think_if_ours(x);
    analyse_again(x);
}

static void do_new(XBoard *x, Str rest)
{
    (void)rest;
    abandon(x);
    x->chess960 = false;
    samara_forget(x->engine);
    lag_reset(&x->lag);
    samara_position_set(x->position, NULL, false, NULL, 0, NULL);
    xclock_reset(&x->clock);
    position_changed(x);
    x->bad_position = x->engine_white = x->has_score = false;
    x->moves_made = x->lost_moves = x->level_moves = 0;
    if (x->mode != MODE_ANALYSE)
        x->mode = MODE_PLAY;
    analyse_again(x);
}

static void do_variant(XBoard *x, Str rest)
{
    const Str name = str_token(&rest);
    if (!str_is(name, "fischerandom") && !str_is(name, "normal")) {
        error_line(x, "unsupported variant", name);
        return;
    }
    abandon(x);
    x->chess960 = str_is(name, "fischerandom");
    samara_position_set(x->position, NULL, x->chess960, NULL, 0, NULL);
    position_changed(x);
    analyse_again(x);
}

/* Another board stands there now, unless err says why not. */
static void board_was_set(XBoard *x, bool ok, const SamaraError *err)
{
    x->bad_position = !ok;
    if (x->bad_position)
        console_printf(x->console, "tellusererror Illegal position: %s", err->text);
    position_changed(x);
    think_if_ours(x);
    analyse_again(x);
}

static void do_setboard(XBoard *x, Str rest)
{
    char fen[1024];
    SamaraError err;
    abandon(x);
    const bool fits = str_copy(fen, sizeof fen, str_trim(rest));
    const bool ok =
        samara_position_set(x->position, fits ? fen : "too long", x->chess960, NULL, 0, &err);
    board_was_set(x, ok, &err);
}

static void set_fields(XBoard *x, const SamaraFields *fields)
{
    SamaraError err;
    abandon(x);
    const bool ok = samara_position_set_fields(x->position, fields, &err);
    board_was_set(x, ok, &err);
}

static void do_edit(XBoard *x, Str rest)
{
    (void)rest;
    abandon(x);
    editor_begin(&x->editor, x->position);
    x->editing = true;
}

static void edit_line(XBoard *x, Str line)
{
    SamaraFields fields;
    if (editor_line(&x->editor, line))
        return;
    x->editing = false;
    editor_end(&x->editor, &fields);
    set_fields(x, &fields);
}

static void take_back(XBoard *x, int plies)
{
    abandon(x);
    for (int i = 0; i < plies; i++)
        samara_position_undo(x->position);
    position_changed(x);
    analyse_again(x);
}

static void do_undo(XBoard *x, Str rest)
{
    (void)rest;
    take_back(x, 1);
}

static void do_remove(XBoard *x, Str rest)
{
    (void)rest;
    take_back(x, 2);
}

/* --- who plays --- */

static void do_force(XBoard *x, Str rest)
{
    (void)rest;
    abandon(x);
    x->mode = MODE_FORCE;
}

static void do_go(XBoard *x, Str rest)
{
    (void)rest;
    if (x->work == WORK_THINK)
        return;
    abandon(x);
    x->mode = MODE_PLAY;
    x->engine_white = samara_position_white_to_move(x->position);
    claim_result(x);
    think_if_ours(x);
}

static void do_playother(XBoard *x, Str rest)
{
    (void)rest;
    abandon(x);
    x->mode = MODE_PLAY;
    x->engine_white = !samara_position_white_to_move(x->position);
}

/* Obsolete: this side is to move and the engine plays the other one. */
static void set_turn(XBoard *x, bool white)
{
    SamaraFields fields;
    abandon(x);
    x->engine_white = !white;
    samara_position_fields(x->position, &fields);
    if (fields.white_to_move == white)
        return;
    fields.white_to_move = white;
    fields.ep = -1;
    set_fields(x, &fields);
}

static void do_white(XBoard *x, Str rest)
{
    (void)rest;
    set_turn(x, true);
}

static void do_black(XBoard *x, Str rest)
{
    (void)rest;
    set_turn(x, false);
}

static void do_move_now(XBoard *x, Str rest)
{
    (void)rest;
    if (x->work == WORK_THINK)
        samara_stop(x->engine);
}

static void do_result(XBoard *x, Str rest) { do_force(x, rest); }

static void do_analyze(XBoard *x, Str rest)
{
    (void)rest;
    abandon(x);
    x->mode = MODE_ANALYSE;
    analyse_again(x);
}

static void do_exit(XBoard *x, Str rest)
{
    if (x->mode == MODE_ANALYSE)
        do_force(x, rest);
}

static void do_pause(XBoard *x, Str rest)
{
    (void)rest;
    if (x->work == WORK_NONE)
        return;
    const Work work = x->work;
    if (work == WORK_THINK)
        x->clock.own_ms -= clock_ms() - x->think_start_ms;
    abandon(x);
    x->paused = work;
}

static void do_resume(XBoard *x, Str rest)
{
    (void)rest;
    const Work work = x->paused;
    x->paused = WORK_NONE;
    if (work == WORK_THINK)
        think_if_ours(x);
    if (work == WORK_ANALYSE)
        analyse_again(x);
}

/* --- clocks --- */

static void check_words(XBoard *x, bool understood, Str words)
{
    if (!understood)
        error_line(x, "bad parameters", words);
}

static void do_level(XBoard *x, Str rest) { check_words(x, xclock_level(&x->clock, rest), rest); }

static void do_st(XBoard *x, Str rest) { check_words(x, xclock_st(&x->clock, rest), rest); }

static void do_sd(XBoard *x, Str rest) { check_words(x, xclock_sd(&x->clock, rest), rest); }

static void do_nps(XBoard *x, Str rest) { check_words(x, xclock_nps(&x->clock, rest), rest); }

static void do_time(XBoard *x, Str rest) { check_words(x, xclock_time(&x->clock, rest), rest); }

static void do_otim(XBoard *x, Str rest) { check_words(x, xclock_otim(&x->clock, rest), rest); }

/* --- questions --- */

static void do_ping(XBoard *x, Str rest)
{
    const Str number = str_token(&rest);
    int64_t n;
    if (str_int(number, INT64_MIN, INT64_MAX, &n))
        console_printf(x->console, "pong %lld", (long long)n);
    else
        error_line(x, "bad parameters", STR("ping"));
}

static void do_status(XBoard *x, Str rest)
{
    (void)rest;
    if (x->work != WORK_ANALYSE)
        return;
    const int total = (int)samara_position_moves(x->position, NULL, 0);
    mutex_lock(&x->lock);
    const Progress p = x->progress;
    mutex_unlock(&x->lock);
    console_printf(x->console, "stat01: %lld %llu %d %d %d %s", (long long)(p.time_ms / 10),
                   (unsigned long long)p.nodes, p.depth, p.number > 0 ? total - p.number : total,
                   total, p.move);
}

/* What we would play in the opponent's place: our own guess, the book, or a short look. */
static void do_hint(XBoard *x, Str rest)
{
    (void)rest;
    SamaraBookMove book;
    SamaraResult result = {0};
    SamaraRequest request;
    if (x->guess[0]) {
        console_printf(x->console, "Hint: %s", x->guess);
        return;
    }
    if (x->work != WORK_NONE || x->bad_position)
        return;
    samara_request(x->engine, &request);
    request.position = x->position;
    request.limits.nodes = HINT_NODES;
    if (samara_book_moves(x->engine, x->position, &book, 1) > 0)
        result.best = book.move;
    else
        samara_search(x->engine, &request, NULL, &result, NULL);
    if (result.best.code)
        console_printf(x->console, "Hint: %s", move_text(x, &result.best));
}

static void do_bk(XBoard *x, Str rest)
{
    (void)rest;
    SamaraBookMove moves[SAMARA_MAX_MOVES];
    const size_t count =
        x->bad_position ? 0 : samara_book_moves(x->engine, x->position, moves, SAMARA_MAX_MOVES);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += moves[i].weight;
    for (size_t i = 0; i < count; i++)
        console_printf(x->console, "\t%-7s %5.1f%%", move_text(x, &moves[i].move),
                       sum > 0 ? 100 * moves[i].weight / sum : 0);
    if (count == 0)
        console_put(x->console, STR("\tno book move"));
    console_put(x->console, STR(""));
}

static void do_draw(XBoard *x, Str rest)
{
    (void)rest;
    const int limit = x->moves_made >= DRAW_AFTER ? 0 : REFUSE_ABOVE;
    if (x->mode == MODE_PLAY && x->has_score && x->last_score <= limit)
        console_put(x->console, STR("offer draw"));
}

/* --- settings --- */

static void set_option(XBoard *x, const char *name, const char *value)
{
    SamaraError err;
    if (!samara_set_option(x->engine, name, value, &err))
        console_printf(x->console, "telluser %s", err.text);
}

static void set_number(XBoard *x, const char *option, int64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)number);
    set_option(x, option, text);
}

static void do_memory(XBoard *x, Str rest)
{
    int64_t mb;
    if (!str_next_int(&rest, 1, 1 << 22, &mb))
        return;
    abandon(x);
    set_number(x, "Hash",
               mb - mb / 8 > 0 ? mb - mb / 8 : 1); /* the rest is for threads and network */
    analyse_again(x);
}

static void do_cores(XBoard *x, Str rest)
{
    int64_t cores;
    if (!str_next_int(&rest, 1, 1024, &cores))
        return;
    abandon(x);
    set_number(x, "Threads", cores);
    analyse_again(x);
}

static void do_egtpath(XBoard *x, Str rest)
{
    char path[4096];
    if (!str_is(str_token(&rest), "syzygy") || !str_copy(path, sizeof path, str_trim(rest)))
        return;
    SamaraError err;
    abandon(x);
    /* Clients announce paths that nobody set: an empty folder is no news for a person. */
    if (!samara_set_option(x->engine, "SyzygyPath", path, &err) || err.text[0])
        console_printf(x->console, "# %s", err.text);
    analyse_again(x);
}

/* Names are announced with underscores for blanks, because some clients split at blanks. */
static void wide_name(char *name)
{
    const SamaraOption *o;
    for (int i = 0; (o = samara_option(i)); i++) {
        size_t k = 0;
        while (name[k] && (name[k] == o->name[k] || (name[k] == '_' && o->name[k] == ' ')))
            k++;
        if (!name[k] && !o->name[k]) {
            memcpy(name, o->name, k);
            return;
        }
    }
}

static void do_option(XBoard *x, Str rest)
{
    char name[64], value[4096] = "";
    const char *equals = memchr(rest.ptr, '=', rest.len);
    const size_t name_len = equals ? (size_t)(equals - rest.ptr) : rest.len;
    const Str after = equals ? (Str){equals + 1, rest.len - name_len - 1} : STR("");
    if (!str_copy(name, sizeof name, str_trim((Str){rest.ptr, name_len})) ||
        !str_copy(value, sizeof value, str_trim(after))) {
        error_line(x, "bad parameters", rest);
        return;
    }
    if (strcmp(name, "Resign") == 0) {
        x->resigns = strcmp(value, "1") == 0;
        return;
    }
    abandon(x);
    wide_name(name);
    set_option(x, name, value);
    Error why;
    if (strcmp(name, "Debug Log File") == 0 && !console_log(x->console, value, &why))
        console_printf(x->console, "telluser %s", why.text);
    analyse_again(x);
}

static void exclude_all(XBoard *x)
{
    SamaraMove moves[SAMARA_MAX_MOVES];
    x->excluded_count = samara_position_moves(x->position, moves, SAMARA_MAX_MOVES);
    for (size_t i = 0; i < x->excluded_count; i++)
        x->excluded[i] = moves[i].code;
}

/* The move that a word names, in either spelling of castling; 0 if there is none. */
static uint16_t read_code(const XBoard *x, Str word)
{
    char text[16];
    SamaraMove move;
    return str_copy(text, sizeof text, word) &&
                   samara_position_read_move(x->position, text, &move, NULL)
               ? move.code
               : 0;
}

static void drop_excluded(XBoard *x, uint16_t code)
{
    size_t kept = 0;
    for (size_t i = 0; i < x->excluded_count; i++)
        if (x->excluded[i] != code)
            x->excluded[kept++] = x->excluded[i];
    x->excluded_count = kept;
}

static void do_exclude(XBoard *x, Str rest)
{
    const Str word = str_token(&rest);
    abandon(x);
    const uint16_t code = read_code(x, word);
    if (str_is(word, "all"))
        exclude_all(x);
    else if (code && !is_excluded(x, code))
        x->excluded[x->excluded_count++] = code;
    analyse_again(x);
}

static void do_include(XBoard *x, Str rest)
{
    const Str word = str_token(&rest);
    abandon(x);
    if (str_is(word, "all"))
        x->excluded_count = 0;
    else
        drop_excluded(x, read_code(x, word));
    analyse_again(x);
}

static void do_setscore(XBoard *x, Str rest)
{
    int64_t centipawns, depth;
    if (!str_next_int(&rest, -MATE_SCORE, MATE_SCORE, &centipawns) ||
        !str_next_int(&rest, 1, 200, &depth)) {
        error_line(x, "bad parameters", STR("setscore"));
        return;
    }
    abandon(x);
    samara_set_score(x->engine, x->position, (int)centipawns, (int)depth);
    analyse_again(x);
}

static void do_hard(XBoard *x, Str rest)
{
    (void)rest;
    x->ponder = true;
}

static void do_easy(XBoard *x, Str rest)
{
    (void)rest;
    x->ponder = false;
    if (x->work == WORK_PONDER)
        abandon(x);
}

static void do_post(XBoard *x, Str rest)
{
    (void)rest;
    relaxed_store(&x->post, true);
}

static void do_nopost(XBoard *x, Str rest)
{
    (void)rest;
    relaxed_store(&x->post, false);
}

static void do_quit(XBoard *x, Str rest)
{
    (void)rest;
    x->quit = true;
}

static void do_nothing(XBoard *x, Str rest)
{
    (void)x;
    (void)rest;
}

static void do_xboard(XBoard *x, Str rest)
{
    (void)rest;
    console_put(x->console, STR(""));
}

/* --- features --- */

/* These have commands of their own. */
static bool has_command(const char *option)
{
    static const char *const names[] = {"Hash",         "Threads",         "Ponder",
                                        "SyzygyPath",   "UCI_Chess960",    "UCI_AnalyseMode",
                                        "UCI_Opponent", "UCI_EngineAbout", "UCI_ShowWDL"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(option, names[i]) == 0)
            return true;
    return false;
}

static void put_choices(Buffer *line, const SamaraOption *o)
{
    bool first = true;
    for (Str rest = str_from(o->choices); rest.len > 0; first = false) {
        const char *bar = memchr(rest.ptr, '|', rest.len);
        const Str word = {rest.ptr, bar ? (size_t)(bar - rest.ptr) : rest.len};
        buffer_printf(line, "%s%s%.*s", first ? "" : " /// ",
                      str_is(word, o->default_value) ? "*" : "", (int)word.len, word.ptr);
        rest.ptr += word.len + (bar ? 1 : 0);
        rest.len -= word.len + (bar ? 1 : 0);
    }
}

static void put_option(XBoard *x, const SamaraOption *o)
{
    Buffer line = {0};
    buffer_puts(&line, "feature option=\"");
    for (const char *c = o->name; *c; c++)
        buffer_putc(&line, *c == ' ' ? '_' : *c);
    switch (o->type) {
    case SAMARA_BUTTON:
        buffer_puts(&line, " -button");
        break;
    case SAMARA_CHECK:
        buffer_printf(&line, " -check %d", strcmp(o->default_value, "true") == 0);
        break;
    case SAMARA_SPIN:
        buffer_printf(&line, " -spin %s %lld %lld", o->default_value, (long long)o->min,
                      (long long)o->max);
        break;
    case SAMARA_COMBO:
        buffer_puts(&line, " -combo ");
        put_choices(&line, o);
        break;
    case SAMARA_STRING: /* all of those that remain are files */
        buffer_printf(&line, " -file %s", o->default_value);
        break;
    }
    buffer_putc(&line, '"');
    console_put(x->console, (Str){buffer_text(&line), line.len});
    buffer_free(&line);
}

static void do_protover(XBoard *x, Str rest)
{
    int64_t version;
    if (!str_next_int(&rest, INT32_MIN, INT32_MAX, &version) || version < 2)
        return;
    console_printf(x->console,
                   "feature myname=\"Samara %s\" ping=1 setboard=1 playother=1 usermove=1 san=0 "
                   "time=1 draw=1 sigint=0 "
                   "sigterm=0 reuse=1 analyze=1 colors=0 ics=1 name=1 pause=1 nps=1 debug=1 "
                   "memory=1 smp=1 exclude=1 "
                   "setscore=1 egt=\"syzygy\" variants=\"normal,fischerandom\"",
                   samara_version());
    console_put(x->console, STR("feature option=\"Resign -check 1\""));
    const SamaraOption *o;
    for (int i = 0; (o = samara_option(i)); i++)
        if (!has_command(o->name))
            put_option(x, o);
    console_put(x->console, STR("feature done=1"));
}

/* --- lines --- */

/* What happens to a line that arrives while the engine thinks on its own move. */
typedef enum When { AT_ONCE, AFTER_MOVE } When;

typedef struct Command {
    const char *name;
    When when;
    void (*run)(XBoard *x, Str rest);
} Command;

static const Command commands[] = {
    {"xboard", AT_ONCE, do_xboard},
    {"protover", AT_ONCE, do_protover},
    {"accepted", AT_ONCE, do_nothing},
    {"rejected", AT_ONCE, do_nothing},
    {"new", AT_ONCE, do_new},
    {"variant", AT_ONCE, do_variant},
    {"quit", AT_ONCE, do_quit},
    {"random", AT_ONCE, do_nothing},
    {"force", AT_ONCE, do_force},
    {"go", AT_ONCE, do_go},
    {"playother", AT_ONCE, do_playother},
    {"white", AT_ONCE, do_white},
    {"black", AT_ONCE, do_black},
    {"level", AT_ONCE, do_level},
    {"st", AT_ONCE, do_st},
    {"sd", AT_ONCE, do_sd},
    {"nps", AT_ONCE, do_nps},
    {"time", AT_ONCE, do_time},
    {"otim", AT_ONCE, do_otim},
    {"usermove", AT_ONCE, do_usermove},
    {"?", AT_ONCE, do_move_now},
    {"ping", AFTER_MOVE, do_ping},
    {"draw", AT_ONCE, do_draw},
    {"result", AT_ONCE, do_result},
    {"setboard", AT_ONCE, do_setboard},
    {"edit", AT_ONCE, do_edit},
    {"hint", AT_ONCE, do_hint},
    {"bk", AT_ONCE, do_bk},
    {"undo", AT_ONCE, do_undo},
    {"remove", AT_ONCE, do_remove},
    {"hard", AT_ONCE, do_hard},
    {"easy", AT_ONCE, do_easy},
    {"post", AT_ONCE, do_post},
    {"nopost", AT_ONCE, do_nopost},
    {"analyze", AT_ONCE, do_analyze},
    {"exit", AT_ONCE, do_exit},
    {"name", AT_ONCE, do_nothing},
    {"rating", AT_ONCE, do_nothing},
    {"ics", AT_ONCE, do_nothing},
    {"computer", AT_ONCE, do_nothing},
    {"pause", AT_ONCE, do_pause},
    {"resume", AT_ONCE, do_resume},
    {"memory", AFTER_MOVE, do_memory},
    {"cores", AFTER_MOVE, do_cores},
    {"egtpath", AFTER_MOVE, do_egtpath},
    {"option", AFTER_MOVE, do_option},
    {"exclude", AFTER_MOVE, do_exclude},
    {"include", AFTER_MOVE, do_include},
    {"setscore", AFTER_MOVE, do_setscore},
    {".", AT_ONCE, do_status},
    {"fritz", AT_ONCE, do_nothing},
    {"reset", AT_ONCE, do_nothing},
    {"ponder", AT_ONCE, do_nothing},
    {"castle", AT_ONCE, do_nothing},
    {"ep", AT_ONCE, do_nothing},
    {"lift", AT_ONCE, do_nothing},
    {"put", AT_ONCE, do_nothing},
    {"hover", AT_ONCE, do_nothing},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static const Command *find_command(Str word)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (str_is(word, commands[i].name))
            return &commands[i];
    return NULL;
}

static bool looks_like_move(Str word)
{
    return (word.len == 4 || word.len == 5) && word.ptr[0] >= 'a' && word.ptr[0] <= 'h' &&
           word.ptr[1] >= '1' && word.ptr[1] <= '8' && word.ptr[2] >= 'a' && word.ptr[2] <= 'h';
}

static void handle_line(XBoard *x, Event *event)
{
    const Str line = event_line(event);
    Str rest = line;
    const Str word = str_token(&rest);
    const Command *command = find_command(word);
    if (x->editing) {
        edit_line(x, line);
    } else if (command && command->when == AFTER_MOVE && x->work == WORK_THINK) {
        *x->deferred_end = event;
        x->deferred_end = &event->next;
        return;
    } else if (command) {
        command->run(x, rest);
    } else if (looks_like_move(word) || str_starts(word, "O-O")) {
        do_usermove(x, line); /* a client that does not know `usermove` */
    } else if (word.len > 0) {
        error_line(x, "unknown command", line);
    }
    event_free(event);
}

static void run_deferred(XBoard *x)
{
    Event *list = x->deferred;
    x->deferred = NULL;
    x->deferred_end = &x->deferred;
    while (list) {
        Event *event = list;
        list = event->next;
        event->next = NULL;
        handle_line(x, event);
    }
}

static void handle_event(XBoard *x, Event *event)
{
    switch (event->kind) {
    case CONSOLE_LINE:
        handle_line(x, event);
        break;
    case CONSOLE_SIGNAL:
        handle_signal(x);
        break;
    case CONSOLE_TOO_LONG:
        error_line(x, "line too long", STR(""));
        break;
    case CONSOLE_NO_MEMORY:
        error_line(x, "no memory", STR(""));
        break;
    case CONSOLE_LOG_LOST:
        error_line(x, "the log cannot be written", STR(""));
        break;
    case CONSOLE_END:
        x->quit = true;
        break;
    }
}

void xboard_run(Console *console, Samara *engine, SamaraPosition *position)
{
    XBoard *x = calloc(1, sizeof *x);
    if (!x)
        return;
    x->console = console;
    x->engine = engine;
    x->position = position;
    x->deferred_end = &x->deferred;
    x->mode = MODE_PLAY;
    x->resigns = true;
    mutex_init(&x->lock);
    xclock_reset(&x->clock);
    while (!x->quit)
        handle_event(x, console_next(console));
    abandon(x);
    mutex_destroy(&x->lock);
    free(x);
}
