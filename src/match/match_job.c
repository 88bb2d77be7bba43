// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/match_job.h"

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 1000, MOST_PLIES = 20000, MOST_US = 1000 * 1000 * 1000 };
#define LONG_TIME ((int64_t)MOST_US * 1000)

/* --- the payload --- */

/* Name, limits, manner, options of one side. */
static void write_player(const EngineSpec *e, Buffer *out)
{
    const TimeControl *tc = &e->tc;
    buffer_printf(out, "player %s\nlimits %lld %lld %lld %lld %lld %lld %lld %lld\n", e->name,
                  (long long)tc->moves, (long long)tc->base, (long long)tc->increment,
                  (long long)tc->move_time, (long long)tc->depth, (long long)tc->nodes,
                  (long long)tc->margin, (long long)tc->patience);
    buffer_printf(out, "manner %d %d\n", e->restart, e->ponder);
    for (int i = 0; i < e->option_count; i++)
        buffer_printf(out, "option %s=%s\n", e->options[i].name, e->options[i].value);
}

/* One line for each thing, see the header. */
void match_job_write(const MatchJob *job, Buffer *payload)
{
    char fen[FEN_SIZE], move[UCI_MOVE_SIZE];
    const Adjudication *a = &job->rules;
    fen_write(&job->start, fen);
    buffer_printf(payload, "match 1 %llu %llu %llu\nstart %d %s\nbook",
                  (unsigned long long)job->seed, (unsigned long long)job->game,
                  (unsigned long long)job->run, job->start.chess960, fen);
    for (int i = 0; i < job->book_count; i++) {
        move_to_uci(job->book[i], true, move);
        buffer_printf(payload, " %s", move);
    }
    buffer_printf(payload, "\nrules %d %d %d %d %d %d %d\n", a->draw_from, a->draw_moves,
                  a->draw_score, a->resign_moves, a->resign_score, a->resign_two_sided,
                  a->max_moves);
    write_player(job->white, payload);
    write_player(job->black, payload);
}

/* Numbers behind a word, each from the least to the most. */
static bool read_numbers(Str line, const char *word, int64_t least, int64_t most, int64_t *out,
                         int count)
{
    if (!str_is(str_token(&line), word))
        return false;
    for (int i = 0; i < count; i++)
        if (!str_next_int(&line, least, most, &out[i]))
            return false;
    return str_token(&line).len == 0;
}

/* What follows a word on its line. */
static bool read_text(Str line, const char *word, Str *out)
{
    const bool ok = str_is(str_token(&line), word);
    *out = str_trim(line);
    return ok;
}

static bool read_start(Str line, Position *out, Error *err)
{
    int64_t chess960;
    return str_is(str_token(&line), "start") && str_next_int(&line, 0, 1, &chess960) &&
           fen_parse(out, line, chess960 ? FEN_960 : FEN_STANDARD, err, NULL);
}

/* Moves of the opening; each must be legal where it is played. */
static bool read_book(Str line, MatchJob *job)
{
    Position p = job->start;
    Undo undo;
    Str word;
    if (!str_is(str_token(&line), "book"))
        return false;
    while ((word = str_token(&line)).len > 0) {
        const Move move = job->book_count < MATCH_JOB_BOOK ? move_from_uci(&p, word) : MOVE_NONE;
        if (move == MOVE_NONE)
            return false;
        job->book[job->book_count++] = move;
        pos_make(&p, move, &undo, NULL);
    }
    return true;
}

static bool read_rules(Str line, Adjudication *a)
{
    int64_t n[7];
    if (!read_numbers(line, "rules", 0, INT32_MAX, n, 7))
        return false;
    *a = (Adjudication){.draw_from = (int)n[0],
                        .draw_moves = (int)n[1],
                        .draw_score = (int)n[2],
                        .resign_moves = (int)n[3],
                        .resign_score = (int)n[4],
                        .resign_two_sided = n[5] != 0,
                        .max_moves = (int)n[6]};
    return true;
}

/* NAME=VALUE of printable letters: what is not a number is checked again by the worker. */
static bool read_option(Str text, EngineSpec *e)
{
    const char *equals = text.len > 0 ? memchr(text.ptr, '=', text.len) : NULL;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < ' ' || text.ptr[i] > '~')
            return false;
    if (!equals || equals == text.ptr || e->option_count == MOST_OPTIONS)
        return false;
    const size_t len = (size_t)(equals - text.ptr);
    return engine_add_option(e, (Str){text.ptr, len}, (Str){equals + 1, text.len - len - 1});
}

/* A side; its options end where the next word is another one. */
static bool read_player(Str *rest, EngineSpec *e)
{
    int64_t n[8], manner[2];
    Str name, option;
    if (!read_text(str_line(rest), "player", &name) || name.len == 0 ||
        !engine_set(&e->name, name) ||
        !read_numbers(str_line(rest), "limits", -1, LONG_TIME, n, 8) ||
        !read_numbers(str_line(rest), "manner", 0, 1, manner, 2))
        return false;
    e->tc = (TimeControl){n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]};
    e->restart = manner[0] != 0;
    e->ponder = manner[1] != 0;
    for (int i = 0; i < 8; i++)
        if (n[i] < 0 && i != 6) /* only the margin has a default that is negative */
            return false;
    while (str_starts(*rest, "option "))
        if (!read_text(str_line(rest), "option", &option) || !read_option(option, e))
            return false;
    return time_control_given(&e->tc);
}

bool match_job_read(Str payload, MatchJob *out, Error *err)
{
    int64_t n[4];
    *out = (MatchJob){.white = &out->read[WHITE], .black = &out->read[BLACK]};
    if (!read_numbers(str_line(&payload), "match", 0, INT64_MAX, n, 4) || n[0] != 1)
        return error_set(err, "this is no game of a match");
    out->seed = (uint64_t)n[1];
    out->game = (uint64_t)n[2];
    out->run = (uint64_t)n[3];
    return (read_start(str_line(&payload), &out->start, err) &&
            read_book(str_line(&payload), out) && read_rules(str_line(&payload), &out->rules) &&
            read_player(&payload, &out->read[WHITE]) && read_player(&payload, &out->read[BLACK]) &&
            payload.len == 0) ||
           error_set(err, "this is no game of a match that can be played");
}

void match_job_free(MatchJob *job)
{
    engine_free(&job->read[WHITE]);
    engine_free(&job->read[BLACK]);
}

Opening match_job_opening(const MatchJob *job)
{
    return (Opening){.start = job->start, .moves = job->book, .count = job->book_count};
}

/* --- the result --- */

/* One line: a text from an engine may have anything in it. */
static void put_text(Buffer *out, const char *word, const char *text)
{
    buffer_printf(out, "%s ", word);
    for (; *text; text++)
        buffer_putc(out, (unsigned char)*text < ' ' ? ' ' : *text);
    buffer_putc(out, '\n');
}

static uint32_t checksum(Str payload, Str lines)
{
    return crc32c(crc32c(0, payload.ptr, payload.len), lines.ptr, lines.len);
}

/* All that pgn_of_record() and the score want to know. */
void match_result_write(Str payload, const GameRecord *r, Buffer *out)
{
    char move[UCI_MOVE_SIZE];
    buffer_printf(out, "result %d %d %d %lld %lld\nfaults", (int)r->result, (int)r->termination,
                  (int)r->fault, (long long)r->thinking, (long long)r->duration);
    for (Color side = WHITE; side <= BLACK; side++)
        for (Fault f = FAULT_NONE; f < FAULT_COUNT; f++)
            buffer_printf(out, " %d", r->faults[side][f]);
    buffer_putc(out, '\n');
    put_text(out, "reason", r->reason);
    put_text(out, "first", r->first_fault[WHITE].text);
    put_text(out, "first", r->first_fault[BLACK].text);
    for (int i = 0; i < r->game.count; i++) {
        const Thought *t = &r->notes[i].thought;
        if (r->notes[i].from_book)
            continue;
        move_to_uci(r->game.plies[i].move, true, move);
        buffer_printf(out, "ply %s %lld %d %d %lld %lld %lld\n", move, (long long)t->used,
                      t->has_score, t->is_mate, (long long)t->score, (long long)t->depth,
                      (long long)t->nodes);
    }
    const uint32_t sum = checksum(payload, (Str){buffer_text(out), out->len});
    buffer_printf(out, "sum %u\n", sum);
}

/* The last line, taken off, must fit the question and the lines before it. */
static bool check_sum(Str payload, Str *result)
{
    int64_t sum;
    size_t end = result->len;
    while (end > 1 && result->ptr[end - 2] != '\n')
        end--;
    if (end <= 1)
        return false;
    const Str lines = {result->ptr, end - 1}, last = {result->ptr + end - 1, result->len - end + 1};
    const bool ok = read_numbers(str_trim(last), "sum", 0, UINT32_MAX, &sum, 1) &&
                    (uint32_t)sum == checksum(payload, lines);
    *result = lines;
    return ok;
}

/* "ply MOVE ...": played on the record. */
static bool read_ply(Str line, GameRecord *r, Error *err)
{
    MoveNote note = {0};
    Thought *t = &note.thought;
    int64_t known, mate;
    if (!str_is(str_token(&line), "ply") || r->game.count >= MOST_PLIES)
        return false;
    t->move = move_from_uci(&r->game.pos, str_token(&line));
    if (t->move == MOVE_NONE || game_end(&r->game) != GAME_ON ||
        !str_next_int(&line, 0, LONG_TIME, &t->used) || !str_next_int(&line, 0, 1, &known) ||
        !str_next_int(&line, 0, 1, &mate) ||
        !str_next_int(&line, INT64_MIN, INT64_MAX, &t->score) ||
        !str_next_int(&line, INT64_MIN, INT64_MAX, &t->depth) ||
        !str_next_int(&line, INT64_MIN, INT64_MAX, &t->nodes))
        return false;
    t->has_score = known != 0;
    t->is_mate = mate != 0;
    return record_add(r, t->move, &note, err);
}

/* "faults ...": two for each kind. */
static bool read_faults(Str line, GameRecord *r)
{
    int64_t n[2 * FAULT_COUNT];
    if (!read_numbers(line, "faults", 0, UINT16_MAX, n, 2 * FAULT_COUNT))
        return false;
    for (int i = 0; i < 2 * FAULT_COUNT; i++)
        r->faults[i / FAULT_COUNT][i % FAULT_COUNT] = (int)n[i];
    return true;
}

static bool read_first(Str line, Error *out)
{
    Str text;
    if (!read_text(line, "first", &text))
        return false;
    str_copy(out->text, sizeof out->text, text);
    return true;
}

/* What the rules say about the last position must be what the worker says. */
static bool rules_agree(const GameRecord *r)
{
    const GameEnd end = game_end(&r->game);
    if (r->termination != TERMINATION_RULES)
        return true;
    const Result mate = r->game.pos.turn == WHITE ? RESULT_BLACK : RESULT_WHITE;
    return end != GAME_ON && r->result == (end == END_CHECKMATE ? mate : RESULT_DRAW);
}

/* Everything but the sum. */
static bool read_record(const MatchJob *job, Str result, GameRecord *r, Error *err)
{
    int64_t n[5];
    Str reason;
    const Opening opening = match_job_opening(job);
    if (!record_set_opening(r, &opening, err) ||
        !read_numbers(str_line(&result), "result", 0, LONG_TIME, n, 5) || n[0] < RESULT_WHITE ||
        n[0] > RESULT_DRAW || n[1] > TERMINATION_FAULT || n[2] >= FAULT_COUNT ||
        !read_faults(str_line(&result), r) || !read_text(str_line(&result), "reason", &reason) ||
        !read_first(str_line(&result), &r->first_fault[WHITE]) ||
        !read_first(str_line(&result), &r->first_fault[BLACK]))
        return false;
    r->result = (Result)n[0];
    r->termination = (Termination)n[1];
    r->fault = (Fault)n[2];
    r->thinking = n[3];
    r->duration = n[4];
    str_copy(r->reason, sizeof r->reason, reason);
    while (result.len > 0)
        if (!read_ply(str_line(&result), r, err))
            return false;
    return rules_agree(r);
}

bool match_result_read(Str payload, const MatchJob *job, Str result, GameRecord *out, Error *err)
{
    return (check_sum(payload, &result) && read_record(job, result, out, err)) ||
           error_set(err, "game %llu arrived damaged", (unsigned long long)job->game + 1);
}
