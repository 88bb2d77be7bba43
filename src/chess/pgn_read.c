// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/pgn_read_impl.h"

#include "base/file.h"
#include "chess/notation.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_PENDING = 1 << 26, /* bytes of one comment */
    MAX_NUMBER = 10        /* digits of a move number */
};

/* Nothing more is read, and the game that was being read is lost. */
bool pgn_no_memory(PgnReader *r)
{
    r->out_of_memory = true;
    pgn_bytes_stop(&r->in);
    return false;
}

/* --- words --- */

/* Words end at blanks and at what has a meaning of its own. */
static bool ends_word(char c)
{
    static const bool table[256] = {
        ['\0'] = true, [' '] = true, ['\n'] = true, ['\t'] = true, ['\v'] = true, ['\f'] = true,
        ['{'] = true,  ['}'] = true, ['('] = true,  [')'] = true,  [';'] = true,  ['$'] = true,
        ['!'] = true,  ['?'] = true, ['*'] = true,  ['['] = true,  [']'] = true,  ['"'] = true,
    };
    return table[(unsigned char)c];
}

/* The word that begins here, or its first PGN_LONGEST bytes. Promotions may be written e8(Q). */
Str pgn_peek_word(const PgnReader *r)
{
    const char *s = r->in.at, *const limit = s + PGN_LONGEST;
    while (s < limit && !ends_word(*s))
        s++;
    if (*s == '(' && s > r->in.at && (s[-1] == '8' || s[-1] == '1') && s[1] && s[2] == ')')
        s += 3;
    return (Str){r->in.at, (size_t)(s - r->in.at)};
}

static bool in_word(char c) { return !ends_word(c); }

void pgn_skip_word(PgnReader *r) { pgn_skip_while(&r->in, in_word); }

/* --- problems --- */

/* The first one counts. The line is that where reading stands. */
void pgn_problem(PgnReader *r, const char *code, const char *format, ...)
{
    PgnGame *g = &r->b.game;
    if (g->broken)
        return;
    char text[ERROR_TEXT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    error_code(&g->problem, code, 0, "line %llu: %s", (unsigned long long)r->in.line, text);
    g->broken = true;
}

/* --- comments --- */

void pgn_add_text(PgnReader *r, Str s)
{
    if (r->pending.len - r->pending_start < MAX_PENDING)
        pgn_append_collapsed(&r->pending, r->pending_start, s);
    else
        pgn_problem(r, "TOO_LARGE", "a comment is too large");
}

static void end_text(PgnReader *r) { pgn_add_text(r, STR(" ")); }

/* In the middle of anything a line with a new Event is where reading can go on. */
static bool at_event(const PgnReader *r) { return strncmp(r->in.at, "[Event ", 7) == 0; }

/* A comment that is not closed would swallow the rest of the file: it ends where the next game
 * begins. */
void pgn_read_brace_comment(PgnReader *r)
{
    r->in.at++;
    for (pgn_look_ahead(&r->in); !pgn_at_end(&r->in); pgn_look_ahead(&r->in)) {
        char *stop = r->in.at + strcspn(r->in.at, "}\n"); /* a NUL ends what was read */
        const bool brace = *stop == '}', newline = *stop == '\n';
        stop += newline;
        pgn_add_text(r, (Str){r->in.at, (size_t)(stop - r->in.at)});
        r->in.at = stop;
        if (brace) {
            r->in.at++;
            end_text(r);
            return;
        }
        if (newline) {
            r->in.line++;
            pgn_look_ahead(&r->in);
            if (at_event(r)) {
                r->in.line_start = true;
                break;
            }
        }
    }
    pgn_problem(r, "COMMENT", "a comment is not closed");
    end_text(r);
}

/* From a semicolon to the end of the line. */
void pgn_read_line_comment(PgnReader *r)
{
    r->in.at++;
    for (pgn_look_ahead(&r->in); !pgn_at_end(&r->in); pgn_look_ahead(&r->in)) {
        char *newline = memchr(r->in.at, '\n', (size_t)(r->in.end - r->in.at));
        char *stop = newline ? newline : r->in.end;
        pgn_add_text(r, (Str){r->in.at, (size_t)(stop - r->in.at)});
        r->in.at = stop;
        if (newline)
            break;
    }
    end_text(r);
}

/* Gives the comments of this line to a node. */
void pgn_flush_comment(PgnReader *r, bool before)
{
    if (r->pending.len == r->pending_start)
        return;
    const Str s =
        str_trim((Str){r->pending.data + r->pending_start, r->pending.len - r->pending_start});
    PgnNode *node = &r->b.game.nodes[r->node];
    if (s.len > 0)
        *(before ? &node->comment_before : &node->comment) = pgn_build_text(&r->b, s);
    r->pending.len = r->pending_start;
}

/* --- tags --- */

static bool is_name_char(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           (c && strchr("_+#=:-", c));
}

static bool is_space(char c) { return c == ' ' || c == '\t'; }

void pgn_skip_spaces(PgnReader *r) { pgn_skip_while(&r->in, is_space); }

static const char *past_spaces(const char *s, const char *limit)
{
    while (s < limit && is_space(*s))
        s++;
    return s;
}

/* [Name "...: its name, or nothing if this is no tag. */
static Str peek_tag(const PgnReader *r)
{
    const char *const limit = r->in.at + PGN_LONGEST;
    if (*r->in.at != '[')
        return (Str){r->in.at, 0};
    const char *name = past_spaces(r->in.at + 1, limit), *end = name;
    while (end < limit && is_name_char(*end))
        end++;
    const bool is_tag = end > name && *past_spaces(end, limit) == '"';
    return (Str){name, is_tag ? (size_t)(end - name) : 0};
}

/* Many writers do not escape quotes: the one that is next ends the value only if the bracket or the
 * line ends behind it. */
static bool quote_closes(const PgnReader *r)
{
    const char next = *past_spaces(r->in.at + 1, r->in.at + PGN_LONGEST);
    return next == ']' || next == '\n' || next == '\0';
}

/* From behind the opening quote to behind the closing one, or to the line end. */
static void read_tag_value(PgnReader *r, Buffer *out)
{
    for (pgn_look_ahead(&r->in); !pgn_at_end(&r->in); pgn_look_ahead(&r->in)) {
        const size_t run = strcspn(r->in.at, "\"\\\n");
        if (out->len < PGN_MAX_TEXT)
            buffer_append(out, r->in.at, run);
        r->in.at += run;
        pgn_look_ahead(&r->in);
        const char c = *r->in.at;
        if (c == '\n' || pgn_at_end(&r->in))
            break;
        if (c == '\\' && (r->in.at[1] == '"' || r->in.at[1] == '\\')) {
            buffer_putc(out, r->in.at[1]);
            r->in.at += 2;
        } else if (c == '"' && quote_closes(r)) {
            r->in.at++;
            return;
        } else if (c == '"' || c == '\\') {
            buffer_putc(out, c);
            r->in.at++;
        } /* else the run was cut by the end of the chunk */
    }
    pgn_problem(r, "TAG", "the value of a tag is not closed");
}

/* Name and value are copied into the game's text; a bracket that is missing at the end does no
 * harm. */
static void read_tag(PgnReader *r, Str name)
{
    const int name_at = pgn_build_text(&r->b, name);
    r->in.at = (char *)past_spaces(name.ptr + name.len, r->in.at + PGN_LONGEST) + 1;

    const size_t value_at = r->b.text.len;
    read_tag_value(r, &r->b.text);
    buffer_putc(&r->b.text, '\0');
    if (r->b.text.len > PGN_MAX_TEXT)
        pgn_problem(r, "TOO_LARGE", "the tags are too large");
    else
        pgn_build_add_tag(&r->b, name_at, (int)value_at);

    pgn_skip_spaces(r);
    if (*r->in.at == ']')
        r->in.at++;
    r->in.line_start = false;
}

bool pgn_is_tag_here(const PgnReader *r)
{
    return *r->in.at == '[' && r->in.line_start && peek_tag(r).len > 0;
}

/* --- games --- */

static void begin_game(PgnReader *r)
{
    pgn_build_reset(&r->b, &r->start);
    buffer_clear(&r->pending);
    r->pending_start = 0;
    r->node = r->depth = r->level_count = 0;
    r->fresh = true;
    r->over = false;
    r->result = r->late_result = NULL;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Text between games is common: only a move number or a move begins a game that has no tags. */
static bool starts_movetext(const PgnReader *r)
{
    const Str word = pgn_peek_word(r);
    size_t digits = 0;
    while (digits < word.len && is_digit(word.ptr[digits]))
        digits++;
    if (digits > 0) /* a number that may not fit into the window is none of a move */
        return digits < MAX_NUMBER && digits < word.len && word.ptr[digits] == '.';
    const Move m = move_from_san(&r->start, word);
    return m != MOVE_NONE && m != MOVE_NULL;
}

/* Tags and what stands before them. False at the end of the input. */
static bool read_header(PgnReader *r)
{
    for (;;) {
        pgn_skip_blanks(&r->in);
        const bool begun = r->b.game.tag_count > 0 || r->pending.len > 0;
        if (!begun)
            r->b.game.line = r->in.line;
        if (pgn_at_end(&r->in))
            return begun;

        const Str tag = peek_tag(r);
        if (tag.len > 0) {
            r->over = str_is(tag, "Event") && pgn_build_find_tag(&r->b, "Event");
            if (r->over)
                return true;
            read_tag(r, tag);
        } else if (*r->in.at == '{')
            pgn_read_brace_comment(r);
        else if (*r->in.at == ';')
            pgn_read_line_comment(r);
        else if (*r->in.at != '[' && (begun || starts_movetext(r)))
            return true;
        else
            pgn_skip_line(&r->in);
    }
}

static bool is_960_name(const char *variant)
{
    static const char *const names[] = {"chess960",      "chess 960",      "960", "fischerandom",
                                        "fischerrandom", "fischer random", "frc", "dfrc"};
    for (size_t i = 0; variant && i < sizeof names / sizeof names[0]; i++)
        if (str_is_nocase(str_from(variant), names[i]))
            return true;
    return false;
}

/* The start position, from the tags. False if it cannot be had. */
static bool set_up(PgnReader *r)
{
    const char *fen = pgn_build_find_tag(&r->b, "FEN");
    const bool is_960 = is_960_name(pgn_build_find_tag(&r->b, "Variant"));
    bool ok = true;
    r->pos = r->start;
    r->pos.chess960 = is_960;
    if (fen) {
        Error err, warning;
        const Str text = str_from(fen);
        ok = fen_parse(&r->pos, text, is_960 ? FEN_960 : FEN_STANDARD, &err, &warning);
        if (ok && !is_960 && str_is(str_from(warning.code), "CASTLING") &&
            fen_speaks_chess960(text))
            ok = fen_parse(&r->pos, text, FEN_960, &err, NULL);
        if (!ok)
            pgn_problem(r, err.code, "FEN tag: %s", err.text);
    }
    r->b.game.start = r->pos;
    return ok;
}

static void set_result(PgnReader *r)
{
    const char *tag = pgn_build_find_tag(&r->b, "Result");
    const char *result = r->result ? r->result : r->late_result;
    if (!result && tag)
        result = pgn_find_result(str_from(tag));
    str_copy(r->b.game.result, sizeof r->b.game.result, str_from(result ? result : "*"));
}

/* Closes what is open, so that a broken game is still a tree; its problem is reported with it. */
static const PgnGame *finish_game(PgnReader *r)
{
    if (r->b.failed || r->b.text.failed || r->pending.failed)
        pgn_no_memory(r);
    if (r->out_of_memory)
        return NULL;
    if (r->in.failed)
        pgn_problem(r, "READ", "the source of the games failed");
    if (r->level_count > 0)
        pgn_problem(r, "VARIATION", "%d variations are not closed", r->level_count);
    while (r->level_count > 0)
        pgn_close_variation(r);
    pgn_flush_comment(r, false);
    set_result(r);
    pgn_build_finish(&r->b);
    return &r->b.game;
}

/* One game, broken or not. After an unusable start position its moves are kept as text. */
const PgnGame *pgn_next(PgnReader *r)
{
    begin_game(r);
    if (r->b.failed)
        pgn_no_memory(r);
    if (r->out_of_memory || !read_header(r))
        return NULL;
    if (!set_up(r) && !r->over)
        pgn_keep_text(r, 0);
    if (!r->over)
        pgn_read_movetext(r);
    return finish_game(r);
}

/* --- opening and closing --- */

PgnReader *pgn_open(PgnSource source, void *user, Error *err)
{
    PgnReader *r = calloc(1, sizeof *r);
    if (!r || !pgn_bytes_open(&r->in, source, user)) {
        free(r);
        error_code(err, "NO_MEMORY", 0, "no memory for reading games");
        return NULL;
    }
    pos_start(&r->start);
    return r;
}

static long read_file(void *user, char *out, size_t size)
{
    FILE *file = user;
    const size_t n = fread(out, 1, size, file);
    return n == 0 && ferror(file) ? -1 : (long)n;
}

/* "-" is standard input, which stays open at the end. */
PgnReader *pgn_open_file(const char *path, Error *err)
{
    const bool standard_input = strcmp(path, "-") == 0;
    FILE *file = standard_input ? stdin : file_stream(path, "rb");
    if (!file) {
        error_code(err, "OPEN", 0, "cannot open '%s': %s", path, strerror(errno));
        return NULL;
    }
    PgnReader *r = pgn_open(read_file, file, err);
    if (r && !standard_input)
        r->file = file;
    else if (!standard_input)
        fclose(file);
    return r;
}

/* A file opened by pgn_open_file() is closed too. */
void pgn_close(PgnReader *r)
{
    if (!r)
        return;
    if (r->file)
        fclose(r->file);
    pgn_build_release(&r->b);
    buffer_free(&r->pending);
    free(r->path);
    free(r->levels);
    pgn_bytes_close(&r->in);
    free(r);
}

bool pgn_failed(const PgnReader *r, Error *err)
{
    if (r->out_of_memory)
        error_code(err, "NO_MEMORY", 0, "no memory for a game");
    else if (r->in.failed)
        error_code(err, "READ", 0, "the source of the games failed");
    return r->out_of_memory || r->in.failed;
}

uint64_t pgn_bytes(const PgnReader *r) { return pgn_bytes_consumed(&r->in); }
