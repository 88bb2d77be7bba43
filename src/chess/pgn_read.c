// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/pgn.h"

#include "base/file.h"
#include "chess/notation.h"
#include "chess/pgn_build.h"
#include "chess/pgn_bytes.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_KEPT = 1 << 16,   /* bytes of unreadable text kept as a comment */
    MAX_PENDING = 1 << 26 /* bytes of one comment */
};

/* A variation that is open: where its main line stands. */
typedef struct Level {
    int node, depth;
    size_t pending_start;
} Level;

struct PgnReader {
    PgnBytes in;
    FILE *file; /* NULL unless opened by name */
    bool out_of_memory;

    /* The game so far. */
    PgnBuilder b;
    Position start, pos; /* the standard start; the position after `node` */
    Undo *path;          /* path[i] takes back move i of the line that leads to `node` */
    int path_capacity, depth;
    Level *levels;
    int level_capacity, level_count;
    int node;
    bool fresh; /* no move yet in this line */
    bool over;  /* the header already met the next game */

    /* Comments of the line that stands still, each with a blank behind it; outer lines below. */
    Buffer pending;
    size_t pending_start;
    const char *result, *late_result; /* in the main line; inside a variation */
};

/* Nothing more is read, and the game that was being read is lost. */
static bool no_memory(PgnReader *r)
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

/* The word that begins here. Promotions may be written e8(Q). */
static Str peek_word(const PgnReader *r)
{
    const char *s = r->in.at;
    while (!ends_word(*s))
        s++;
    if (*s == '(' && s > r->in.at && (s[-1] == '8' || s[-1] == '1') && s[1] && s[2] == ')')
        s += 3;
    return (Str){r->in.at, (size_t)(s - r->in.at)};
}

/* --- problems --- */

/* The first one counts. The line is that where reading stands. */
static PRINTF_LIKE(3, 4) void problem(PgnReader *r, const char *code, const char *format, ...)
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

/* Lets a message quote a word, however long it is: "%.*s" with QUOTE(word). */
#define QUOTE(s) (int)((s).len < 40 ? (s).len : 40), (s).ptr

/* --- comments --- */

static void add_text(PgnReader *r, Str s)
{
    if (r->pending.len - r->pending_start < MAX_PENDING)
        pgn_append_collapsed(&r->pending, r->pending_start, s);
    else
        problem(r, "TOO_LARGE", "a comment is too large");
}

static void end_text(PgnReader *r) { add_text(r, STR(" ")); }

/* In the middle of anything a line with a new Event is where reading can go on. */
static bool at_event(const PgnReader *r) { return strncmp(r->in.at, "[Event ", 7) == 0; }

static void read_brace_comment(PgnReader *r)
{
    r->in.at++;
    for (pgn_look_ahead(&r->in); !pgn_at_end(&r->in); pgn_look_ahead(&r->in)) {
        char *stop = r->in.at + strcspn(r->in.at, "}\n"); /* a NUL ends what was read */
        const bool brace = *stop == '}', newline = *stop == '\n';
        stop += newline;
        add_text(r, (Str){r->in.at, (size_t)(stop - r->in.at)});
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
    problem(r, "COMMENT", "a comment is not closed");
    end_text(r);
}

static void read_line_comment(PgnReader *r)
{
    r->in.at++;
    for (pgn_look_ahead(&r->in); !pgn_at_end(&r->in); pgn_look_ahead(&r->in)) {
        char *newline = memchr(r->in.at, '\n', (size_t)(r->in.end - r->in.at));
        char *stop = newline ? newline : r->in.end;
        add_text(r, (Str){r->in.at, (size_t)(stop - r->in.at)});
        r->in.at = stop;
        if (newline)
            break;
    }
    end_text(r);
}

/* Gives the comments of this line to a node. */
static void flush_comment(PgnReader *r, bool before)
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

static const char *past_spaces(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

/* [Name "...: its name, or nothing if this is no tag. */
static Str peek_tag(const PgnReader *r)
{
    const char *name = past_spaces(r->in.at + 1), *end = name;
    while (is_name_char(*end))
        end++;
    const bool is_tag = *r->in.at == '[' && end > name && *past_spaces(end) == '"';
    return (Str){name, is_tag ? (size_t)(end - name) : 0};
}

/* Many writers do not escape quotes: one ends the value only if the bracket or the line ends behind
 * it. */
static bool quote_closes(const char *behind)
{
    const char next = *past_spaces(behind);
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
        } else if (c == '"' && quote_closes(r->in.at + 1)) {
            r->in.at++;
            return;
        } else if (c == '"' || c == '\\') {
            buffer_putc(out, c);
            r->in.at++;
        } /* else the run was cut by the end of the chunk */
    }
    problem(r, "TAG", "the value of a tag is not closed");
}

static void read_tag(PgnReader *r, Str name)
{
    const int name_at = pgn_build_text(&r->b, name);
    r->in.at = (char *)past_spaces(name.ptr + name.len) + 1;

    const size_t value_at = r->b.text.len;
    read_tag_value(r, &r->b.text);
    buffer_putc(&r->b.text, '\0');
    if (r->b.text.len > PGN_MAX_TEXT)
        problem(r, "TOO_LARGE", "the tags are too large");
    else
        pgn_build_add_tag(&r->b, name_at, (int)value_at);

    r->in.at = (char *)past_spaces(r->in.at);
    if (*r->in.at == ']')
        r->in.at++;
    r->in.line_start = false;
}

/* --- the board and the tree --- */

static bool make_room(PgnReader *r)
{
    if (r->depth < r->path_capacity)
        return true;
    const int capacity = r->path_capacity ? 2 * r->path_capacity : 256;
    Undo *path = realloc(r->path, (size_t)capacity * sizeof *path);
    if (!path)
        return no_memory(r);
    r->path = path;
    r->path_capacity = capacity;
    return true;
}

static void make(PgnReader *r, Move m)
{
    if (m == MOVE_NULL)
        pos_make_null(&r->pos, &r->path[r->depth]);
    else
        pos_make(&r->pos, m, &r->path[r->depth], NULL);
    r->depth++;
}

static void unmake(PgnReader *r)
{
    const PgnNode *node = &r->b.game.nodes[r->node];
    r->depth--;
    if (node->move == MOVE_NULL)
        pos_unmake_null(&r->pos, &r->path[r->depth]);
    else
        pos_unmake(&r->pos, node->move, &r->path[r->depth]);
    r->node = node->parent;
}

/* False if there is no room for it. */
static bool play(PgnReader *r, Move m)
{
    const bool first_of_variation = r->fresh && r->level_count > 0;
    if (!first_of_variation)
        flush_comment(r, false);
    const int n = pgn_build_add_node(&r->b, r->node, m);
    if (n < 0 || !make_room(r))
        return false;
    make(r, m);
    r->node = n;
    if (first_of_variation)
        flush_comment(r, true);
    r->fresh = false;
    return true;
}

static bool push_level(PgnReader *r)
{
    if (r->level_count == r->level_capacity) {
        const int capacity = r->level_capacity ? 2 * r->level_capacity : 64;
        Level *levels = realloc(r->levels, (size_t)capacity * sizeof *levels);
        if (!levels)
            return no_memory(r);
        r->levels = levels;
        r->level_capacity = capacity;
    }
    r->levels[r->level_count++] = (Level){r->node, r->depth, r->pending_start};
    return true;
}

/* The move just played is taken back: the variation replaces it. */
static void open_variation(PgnReader *r)
{
    if (!push_level(r))
        return;
    unmake(r);
    r->pending_start = r->pending.len;
    r->fresh = true;
}

/* Back to where the main line stood. The comment of a variation without moves goes to that line. */
static void close_variation(PgnReader *r)
{
    const Level level = r->levels[--r->level_count];
    if (!r->fresh)
        flush_comment(r, false);
    while (r->depth >= level.depth)
        unmake(r);
    make(r, r->b.game.nodes[level.node].move);
    r->node = level.node;
    r->pending_start = level.pending_start;
    r->fresh = false;
}

/* --- movetext --- */

static const struct {
    const char *written, *result;
} results[] = {
    {"1-0", "1-0"},     {"0-1", "0-1"},         {"1/2-1/2", "1/2-1/2"},
    {"1/2", "1/2-1/2"}, {"0.5-0.5", "1/2-1/2"}, {"\xC2\xBD-\xC2\xBD", "1/2-1/2"},
    {"*", "*"},
};

static const char *find_result(Str word)
{
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (str_is(word, results[i].written))
            return results[i].result;
    return NULL;
}

/* clang-format off */
static const struct {
    const char *text;
    int nag;
} glyphs[] = {
    {"!", 1}, {"?", 2}, {"!!", 3}, {"??", 4}, {"!?", 5}, {"?!", 6},
    {"=", 10}, {"~", 13}, {"+=", 14}, {"=+", 15}, {"+/=", 14}, {"=/+", 15},
    {"+/-", 16}, {"-/+", 17}, {"+-", 18}, {"-+", 19}, {"N", 146},
    /* in UTF-8: unclear, slight edge, clear edge */
    {"\xE2\x88\x9E", 13}, {"\xE2\xA9\xB2", 14}, {"\xE2\xA9\xB1", 15}, {"\xC2\xB1", 16}, {"\xE2\x88\x93", 17},
};
/* clang-format on */

/* NAG of a judgement that is written out, 0 if it is none. */
static int find_glyph(Str text)
{
    for (size_t i = 0; i < sizeof glyphs / sizeof glyphs[0]; i++)
        if (str_is(text, glyphs[i].text))
            return glyphs[i].nag;
    return 0;
}

static void add_nag(PgnReader *r, int nag)
{
    if (!r->fresh && nag >= 0)
        pgn_build_add_nag(&r->b.game.nodes[r->node], nag);
}

static bool is_glyph_char(char c)
{
    return c == '+' || c == '-' || c == '=' || c == '/' || c == '~';
}

/* "Bb5+-": a check mark cannot be told from a judgement unless it is longer. */
static void read_glyph_of_move(PgnReader *r, Str word)
{
    size_t tail = word.len;
    while (tail > 0 && is_glyph_char(word.ptr[tail - 1]))
        tail--;
    if (word.len - tail < 2)
        return;
    const int nag = find_glyph((Str){word.ptr + tail, word.len - tail});
    if (nag)
        add_nag(r, nag);
}

/* $n, or ! and ? in any number. */
static void read_nag(PgnReader *r)
{
    const char *s = r->in.at + 1;
    if (*r->in.at == '$') {
        int nag = *s >= '0' && *s <= '9' ? 0 : -1;
        for (; *s >= '0' && *s <= '9'; s++)
            nag = nag > 255 ? nag : nag * 10 + *s - '0';
        add_nag(r, nag > 255 ? -1 : nag);
    } else {
        while (*s == '!' || *s == '?')
            s++;
        const size_t len = (size_t)(s - r->in.at);
        add_nag(r, find_glyph((Str){r->in.at, len < 2 ? len : 2}));
    }
    r->in.at = (char *)s;
}

static bool is_tag_here(const PgnReader *r)
{
    return *r->in.at == '[' && r->in.line_start && peek_tag(r).len > 0;
}

static void keep(PgnReader *r, Str s)
{
    if (r->pending.len - r->pending_start < MAX_KEPT)
        add_text(r, s);
}

/* Text that cannot be played is kept as a comment: up to the end of the line of moves if `open` is
 * 0, up to the bracket that closes a variation if it is 1. */
static void keep_text(PgnReader *r, int open)
{
    const bool whole_line = open == 0;
    for (;;) {
        pgn_skip_blanks(&r->in);
        const char c = *r->in.at;
        if (pgn_at_end(&r->in) || is_tag_here(r) || (c == ')' && open == 0 && r->level_count > 0))
            return;
        r->in.line_start = false;
        if (c == '{') {
            read_brace_comment(r);
            continue;
        }
        if (c == ';') {
            read_line_comment(r);
            continue;
        }
        const Str word = peek_word(r);
        if (open == 0 && r->level_count == 0 && find_result(c == '*' ? STR("*") : word))
            return;
        const Str piece = {r->in.at, word.len > 0 ? word.len : 1};
        open += c == '(';
        open -= c == ')' && open > 0;
        keep(r, piece);
        r->in.at += piece.len;
        if (pgn_is_blank(*r->in.at) || c == ')')
            keep(r, STR(" "));
        if (!whole_line && open == 0)
            return;
    }
}

/* Does it have a target square, or is it castling? Then it was meant as a move. */
static bool looks_like_a_move(Str word)
{
    if (str_starts(word, "O-O") || str_starts(word, "0-0") || str_starts(word, "o-o"))
        return true;
    for (size_t i = 0; i + 1 < word.len; i++)
        if (word.ptr[i] >= 'a' && word.ptr[i] <= 'h' && word.ptr[i + 1] >= '1' &&
            word.ptr[i + 1] <= '8')
            return true;
    return false;
}

static bool is_harmless(Str word)
{
    if (str_is(word, "e.p.") || str_is(word, "ep") || str_is(word, "D"))
        return true; /* en passant, as a word of its own; "a diagram belongs here" */
    for (size_t i = 0; i < word.len; i++)
        if ((word.ptr[i] >= '0' && word.ptr[i] <= '9') ||
            ((word.ptr[i] & 0xDF) >= 'A' && (word.ptr[i] & 0xDF) <= 'Z'))
            return false;
    return true;
}

/* No legal move, no result: a judgement, an illegal move or just something. */
static void read_odd_word(PgnReader *r, Str word)
{
    const int nag = find_glyph(word);
    if (!nag && looks_like_a_move(word)) {
        problem(r, "ILLEGAL_MOVE", "'%.*s' at ply %d is not a legal move", QUOTE(word),
                r->depth + 1);
        keep_text(r, 0);
        return;
    }
    if (nag)
        add_nag(r, nag);
    else if (!is_harmless(word))
        problem(r, "TEXT", "'%.*s' after ply %d means nothing", QUOTE(word), r->depth);
    r->in.at += word.len;
}

/* Inside a variation a result says something about that line only, unless nothing else comes. */
static void take_result(PgnReader *r, const char *result)
{
    if (r->level_count > 0)
        r->late_result = result;
    else
        r->result = result;
}

static void read_word(PgnReader *r)
{
    const Str word = peek_word(r);
    const Move m = move_from_san(&r->pos, word);
    if (LIKELY(m != MOVE_NONE) && !(m == MOVE_NULL && pos_in_check(&r->pos))) {
        if (!play(r, m)) {
            problem(r, "TOO_LARGE", "the game is too large");
            keep_text(r, 0);
            return;
        }
        read_glyph_of_move(r, word);
        r->in.at += word.len;
        return;
    }
    const char *result = find_result(word);
    if (!result) {
        read_odd_word(r, word);
        return;
    }
    take_result(r, result);
    r->in.at += word.len;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const char *past_dots(const char *s)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    for (;;)
        if (*s == '.')
            s++;
        else if (strncmp(s, ellipsis, 3) == 0)
            s += 3;
        else
            return s;
}

/* Move numbers mean nothing to us: "12.", "12...", "12" and the 12 of "12e4" are skipped. */
static void read_number(PgnReader *r)
{
    const char *s = r->in.at;
    const bool zero_move = s[0] == '0' && (s[1] == '-' || s[1] == '0'); /* 0-0, 0000 */
    const bool half = s[0] == '0' && s[1] == '.';                       /* 0.5-0.5 */
    while (is_digit(*s))
        s++;
    if (zero_move || *s == '-' || *s == '/' || (half && find_result(peek_word(r))))
        read_word(r);
    else
        r->in.at = (char *)past_dots(s);
}

static void read_bracket(PgnReader *r)
{
    const bool opens = *r->in.at == '(';
    r->in.at++;
    if (!opens && r->level_count > 0)
        close_variation(r);
    else if (opens && !r->fresh)
        open_variation(r);
    else if (opens) {
        problem(r, "VARIATION", "a variation replaces no move");
        keep_text(r, 1);
    } else
        problem(r, "VARIATION", "a bracket closes nothing");
}

static void skip_stray_bracket(PgnReader *r)
{
    problem(r, "TEXT", "a square bracket after ply %d means nothing", r->depth);
    const size_t len = strcspn(r->in.at, "]\n");
    r->in.at += len;
    if (*r->in.at == ']')
        r->in.at++;
}

/* Some writers put a last comment behind the result. */
static void read_last_comment(PgnReader *r)
{
    pgn_look_ahead(&r->in);
    r->in.at = (char *)past_spaces(r->in.at);
    if (*r->in.at == '{')
        read_brace_comment(r);
}

static void read_movetext(PgnReader *r)
{
    while (!r->result) {
        pgn_skip_blanks(&r->in);
        if (pgn_at_end(&r->in) || is_tag_here(r))
            return;
        r->in.line_start = false;
        switch (*r->in.at) {
        case '{':
            read_brace_comment(r);
            break;
        case ';':
            read_line_comment(r);
            break;
        case '(':
        case ')':
            read_bracket(r);
            break;
        case '$':
        case '!':
        case '?':
            read_nag(r);
            break;
        case '*':
            take_result(r, "*");
            r->in.at++;
            break;
        case '[':
            skip_stray_bracket(r);
            break;
        case ']':
        case '}':
        case '"':
            r->in.at++;
            break;
        case '.':
            r->in.at = (char *)past_dots(r->in.at);
            break;
        default:
            if (is_digit(*r->in.at))
                read_number(r);
            else
                read_word(r);
        }
    }
    read_last_comment(r);
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

/* Text between games is common: only a move number or a move begins a game that has no tags. */
static bool starts_movetext(const PgnReader *r)
{
    const Str word = peek_word(r);
    size_t digits = 0;
    while (digits < word.len && is_digit(word.ptr[digits]))
        digits++;
    if (digits > 0)
        return digits < word.len && word.ptr[digits] == '.';
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
            read_brace_comment(r);
        else if (*r->in.at == ';')
            read_line_comment(r);
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

/* Shredder letters speak for Chess960 even where the tag is missing. */
static bool has_file_letters(Str fen)
{
    str_token(&fen);
    str_token(&fen);
    const Str castling = str_token(&fen);
    for (size_t i = 0; i < castling.len; i++)
        if (!strchr("KQkq-", castling.ptr[i]))
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
        if (ok && !is_960 && str_is(str_from(warning.code), "CASTLING") && has_file_letters(text))
            ok = fen_parse(&r->pos, text, FEN_960, &err, NULL);
        if (!ok)
            problem(r, err.code, "FEN tag: %s", err.text);
    }
    r->b.game.start = r->pos;
    return ok;
}

static void set_result(PgnReader *r)
{
    const char *tag = pgn_build_find_tag(&r->b, "Result");
    const char *result = r->result ? r->result : r->late_result;
    if (!result && tag)
        result = find_result(str_from(tag));
    str_copy(r->b.game.result, sizeof r->b.game.result, str_from(result ? result : "*"));
}

static const PgnGame *finish_game(PgnReader *r)
{
    if (r->b.failed || r->b.text.failed || r->pending.failed)
        no_memory(r);
    if (r->out_of_memory)
        return NULL;
    if (r->in.failed)
        problem(r, "READ", "the source of the games failed");
    if (r->level_count > 0)
        problem(r, "VARIATION", "%d variations are not closed", r->level_count);
    while (r->level_count > 0)
        close_variation(r);
    flush_comment(r, false);
    set_result(r);
    pgn_build_finish(&r->b);
    return &r->b.game;
}

const PgnGame *pgn_next(PgnReader *r)
{
    begin_game(r);
    if (r->b.failed)
        no_memory(r);
    if (r->out_of_memory || !read_header(r))
        return NULL;
    if (!set_up(r) && !r->over)
        keep_text(r, 0);
    if (!r->over)
        read_movetext(r);
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
