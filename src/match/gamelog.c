// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/gamelog.h"
#include "base/clock.h"
#include "base/file.h"
#include "chess/fen.h"
#include "chess/pgn.h"
#include "chess/notation.h"
#include "match/info.h"
#include <errno.h>
#include <string.h>

/* --- PGN --- */

static const char *termination_word(const GameRecord *r)
{
    if (r->termination == TERMINATION_ADJUDICATION)
        return "adjudication";
    if (r->termination != TERMINATION_FAULT)
        return r->result ? "normal" : "unterminated";
    return r->fault == FAULT_TIME                              ? "time forfeit"
           : r->fault == FAULT_CRASH || r->fault == FAULT_HANG ? "abandoned"
                                                               : "rules infraction";
}

static void put_limit_tag(Buffer *out, const char *name, const TimeControl *tc)
{
    Buffer text = {0};
    time_control_write(tc, &text);
    pgn_write_tag(out, name, buffer_text(&text));
    buffer_free(&text);
}

static bool same_limit(const TimeControl *a, const TimeControl *b)
{
    return a->moves == b->moves && a->base == b->base && a->increment == b->increment;
}

/* The roster in its order, then the others by name, as the standard wants. Different limits get a
 * tag per colour. */
static void put_tags(const PgnHeader *h, const GameRecord *r, Buffer *out)
{
    char date[16], round[48], plies[16], fen[FEN_SIZE];
    clock_date(date, sizeof date, "%Y.%m.%d");
    snprintf(round, sizeof round, "%llu.%llu", (unsigned long long)h->round,
             (unsigned long long)h->game);
    snprintf(plies, sizeof plies, "%d", r->game.count);
    fen_write(&r->game.start, fen);

    pgn_write_tag(out, "Event", h->event);
    pgn_write_tag(out, "Site", "?");
    pgn_write_tag(out, "Date", date);
    pgn_write_tag(out, "Round", round);
    pgn_write_tag(out, "White", h->white);
    pgn_write_tag(out, "Black", h->black);
    pgn_write_tag(out, "Result", result_text(r->result));
    const bool same = same_limit(h->limit[WHITE], h->limit[BLACK]);
    if (!same)
        put_limit_tag(out, "BlackTimeControl", h->limit[BLACK]);
    if (strcmp(fen, FEN_START) != 0)
        pgn_write_tag(out, "FEN", fen);
    pgn_write_tag(out, "PlyCount", plies);
    if (strcmp(fen, FEN_START) != 0)
        pgn_write_tag(out, "SetUp", "1");
    pgn_write_tag(out, "Termination", termination_word(r));
    if (same)
        put_limit_tag(out, "TimeControl", h->limit[WHITE]);
    if (r->game.start.chess960)
        pgn_write_tag(out, "Variant", "Chess960");
    if (!same)
        put_limit_tag(out, "WhiteTimeControl", h->limit[WHITE]);
}

enum { PGN_COLUMNS = 79 };

/* A word of movetext, on the next line if this one is full. */
static void put_word(Buffer *out, size_t *column, const char *word)
{
    const size_t len = strlen(word);
    const bool fits = *column + 1 + len <= PGN_COLUMNS;
    if (*column > 0)
        buffer_putc(out, fits ? ' ' : '\n');
    *column = (*column > 0 && fits ? *column + 1 : 0) + len;
    buffer_puts(out, word);
}

/* A comment is one or more words: broken between them like everything else. */
static void put_comment(Buffer *out, size_t *column, const MoveNote *note)
{
    const Thought *t = &note->thought;
    char score[48], seconds[32];
    if (note->from_book) {
        put_word(out, column, "{book}");
        return;
    }
    if (!t->has_score)
        snprintf(score, sizeof score, "{/%lld", (long long)t->depth);
    else if (t->is_mate)
        snprintf(score, sizeof score, "{%cM%lld/%lld", t->score > 0 ? '+' : '-',
                 (long long)mate_plies(t->score), (long long)t->depth);
    else
        snprintf(score, sizeof score, "{%+.2f/%lld", (double)t->score / 100, (long long)t->depth);
    snprintf(seconds, sizeof seconds, "%.3fs}", (double)t->used / 1e6);
    put_word(out, column, score);
    put_word(out, column, seconds);
}

/* Why the game ended, wrapped into lines of a comment. */
static void put_reason(Buffer *out, size_t *column, const char *reason)
{
    Buffer text = {0};
    buffer_printf(&text, "{%s}", reason);
    Str rest = {buffer_text(&text), text.len}, word;
    while ((word = str_token(&rest)).len) {
        char copy[ERROR_TEXT_SIZE + 3];
        str_copy(copy, sizeof copy, word);
        for (char *c = copy + 1; *c && c[1]; c++)
            if (*c == '{' || *c == '}')
                *c = '|'; /* comments do not nest */
        put_word(out, column, copy);
    }
    buffer_free(&text);
}

/* Each move carries its score, depth and time in the form that other tools read. */
void pgn_of_record(const PgnHeader *header, const GameRecord *r, Buffer *out)
{
    put_tags(header, r, out);
    buffer_putc(out, '\n');
    Position pos = r->game.start;
    size_t column = 0;
    for (int i = 0; i < r->game.count; i++) {
        char number[24], san[SAN_SIZE];
        snprintf(number, sizeof number, "%u%s", pos.ply / 2 + 1, pos.turn == WHITE ? "." : "...");
        put_word(out, &column, number); /* for Black, too: a comment always comes between */
        move_to_san(&pos, r->game.plies[i].move, san);
        put_word(out, &column, san);
        put_comment(out, &column, &r->notes[i]);
        Undo undo;
        pos_make(&pos, r->game.plies[i].move, &undo, NULL);
    }
    if (r->reason[0])
        put_reason(out, &column, r->reason);
    put_word(out, &column, result_text(r->result));
    buffer_puts(out, "\n\n");
}

/* --- journal --- */

/* "game result fault plies thinking duration pgn-length | white faults | black faults" */
static void put_journal_line(Buffer *out, uint64_t game, const GameResult *g, long pgn_length)
{
    buffer_printf(out, "%llu %d %d %u %lld %lld %ld", (unsigned long long)game, (int)g->result,
                  (int)g->fault, g->plies, (long long)g->thinking, (long long)g->duration,
                  pgn_length);
    for (Color side = WHITE; side <= BLACK; side++)
        for (Fault f = FAULT_NONE + 1; f < FAULT_COUNT; f++)
            buffer_printf(out, " %u", g->faults[side][f]);
    buffer_putc(out, '\n');
}

/* Every field has a range: a damaged journal is refused and not half believed. */
static bool read_journal_line(Str line, uint64_t expected, GameResult *g, int64_t *pgn_length)
{
    int64_t game, result, fault, plies;
    *g = (GameResult){0};
    bool ok = str_next_int(&line, (int64_t)expected, (int64_t)expected, &game) &&
              str_next_int(&line, RESULT_WHITE, RESULT_DRAW, &result) &&
              str_next_int(&line, 0, FAULT_COUNT - 1, &fault) &&
              str_next_int(&line, 0, UINT32_MAX, &plies) &&
              str_next_int(&line, 0, INT64_MAX, &g->thinking) &&
              str_next_int(&line, 0, INT64_MAX, &g->duration) &&
              str_next_int(&line, 0, INT64_MAX, pgn_length);
    for (Color side = WHITE; ok && side <= BLACK; side++)
        for (Fault f = FAULT_NONE + 1; ok && f < FAULT_COUNT; f++) {
            int64_t count;
            ok = str_next_int(&line, 0, UINT16_MAX, &count);
            g->faults[side][f] = ok ? (uint16_t)count : 0;
        }
    if (!ok)
        return false;
    g->result = (Result)result;
    g->fault = (Fault)fault;
    g->plies = (uint32_t)plies;
    return true;
}

/* Where a replayed journal goes. */
typedef struct Replay {
    Score *score;
    int64_t pgn_length; /* of the games read; -1: none */
} Replay;

static bool replay_line(void *user, Str line)
{
    Replay *r = user;
    GameResult game;
    if (!read_journal_line(line, r->score->games, &game, &r->pgn_length))
        return false;
    const Fixture fixture = schedule_fixture(&r->score->schedule, r->score->games);
    score_add(r->score, &fixture, &game);
    return true;
}

/* Resuming cuts the PGN file back to what the journal vouches for: a game that was half written is
 * played again. */
bool gamelog_open(GameLog *log, const char *pgn_path, const char *journal_path,
                  uint64_t fingerprint, Score *score, Error *err)
{
    Replay replay = {score, -1};
    *log = (GameLog){0};
    if (!journal_open(&log->journal, journal_path, "samara-match-journal 1", fingerprint,
                      replay_line, &replay, err))
        return false;
    if (!pgn_path)
        return true;
    if (replay.pgn_length >= 0 && !shorten_file(pgn_path, replay.pgn_length, err))
        return false;
    log->pgn = file_stream(pgn_path, "ab");
    return log->pgn || error_set(err, "cannot write '%s': %s", pgn_path, strerror(errno));
}

/* The PGN comes first and the journal second: after a crash in between, the game is not counted and
 * its text is cut off. */
bool gamelog_add(GameLog *log, uint64_t game, const GameResult *result, Str pgn, Error *err)
{
    long pgn_length = 0;
    if (log->pgn) {
        if (fwrite(pgn.ptr, 1, pgn.len, log->pgn) != pgn.len || fflush(log->pgn) != 0)
            return error_set(err, "cannot write the games: %s", strerror(errno));
        pgn_length = ftell(log->pgn);
    }
    Buffer line = {0};
    put_journal_line(&line, game, result, pgn_length);
    const bool ok = !line.failed && journal_add(&log->journal, (Str){line.data, line.len}, err);
    buffer_free(&line);
    return ok;
}

bool gamelog_close(GameLog *log, Error *err)
{
    const bool pgn_ok = !log->pgn || fclose(log->pgn) == 0;
    log->pgn = NULL;
    const bool journal_ok = journal_close(&log->journal, err);
    return pgn_ok ? journal_ok : error_set(err, "cannot write the games: %s", strerror(errno));
}
