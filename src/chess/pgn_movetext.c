// SPDX-License-Identifier: GPL-3.0-or-later
/* pgn_movetext.c -- moves, variations, glyphs and results; what is none of these becomes a comment or
 * a problem, and reading goes on. */
#include "chess/notation.h"
#include "chess/pgn_read_impl.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_KEPT = 1 << 16 }; /* bytes of unreadable text kept as a comment */

/* Lets a message quote a word, however long it is: "%.*s" with QUOTE(word). */
#define QUOTE(s) (int)((s).len < 40 ? (s).len : 40), (s).ptr

/* --- the board and the tree --- */

/* The path doubles, so a long game costs few reallocations. */
static bool make_room(PgnReader *r)
{
    if (r->depth < r->path_capacity)
        return true;
    const int capacity = r->path_capacity ? 2 * r->path_capacity : 256;
    Undo *path = realloc(r->path, (size_t)capacity * sizeof *path);
    if (!path)
        return pgn_no_memory(r);
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
        pgn_flush_comment(r, false);
    const int n = pgn_build_add_node(&r->b, r->node, m);
    if (n < 0 || !make_room(r))
        return false;
    make(r, m);
    r->node = n;
    if (first_of_variation)
        pgn_flush_comment(r, true);
    r->fresh = false;
    return true;
}

/* Remembers where the main line stands while a variation is read; there is no limit to nesting but
 * memory. */
static bool push_level(PgnReader *r)
{
    if (r->level_count == r->level_capacity) {
        const int capacity = r->level_capacity ? 2 * r->level_capacity : 64;
        Level *levels = realloc(r->levels, (size_t)capacity * sizeof *levels);
        if (!levels)
            return pgn_no_memory(r);
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
void pgn_close_variation(PgnReader *r)
{
    const Level level = r->levels[--r->level_count];
    if (!r->fresh)
        pgn_flush_comment(r, false);
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

const char *pgn_find_result(Str word)
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

/* NAG of an assessment that is written out, 0 if it is none. */
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

/* "Bb5+-": a check mark cannot be told from an assessment unless it is longer. */
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

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_mark(char c) { return c == '!' || c == '?'; }

/* $n, or ! and ? in any number. */
static void read_nag(PgnReader *r)
{
    const char *s = r->in.at + 1;
    if (*r->in.at == '$') {
        int nag = is_digit(*s) ? 0 : -1;
        for (; is_digit(*s) && nag <= 255; s++)
            nag = nag * 10 + *s - '0';
        add_nag(r, nag > 255 ? -1 : nag);
        r->in.at++;
        pgn_skip_while(&r->in, is_digit);
    } else {
        add_nag(r, find_glyph((Str){r->in.at, is_mark(*s) ? 2 : 1}));
        pgn_skip_while(&r->in, is_mark);
    }
}

static void keep(PgnReader *r, Str s)
{
    if (r->pending.len - r->pending_start < MAX_KEPT)
        pgn_add_text(r, s);
}

/* Comments inside are read as such; a result ends the text in the main line, a closing bracket in a
 * variation. */
void pgn_keep_text(PgnReader *r, int open)
{
    const bool whole_line = open == 0;
    for (;;) {
        pgn_skip_blanks(&r->in);
        const char c = *r->in.at;
        if (pgn_at_end(&r->in) || pgn_is_tag_here(r) ||
            (c == ')' && open == 0 && r->level_count > 0))
            return;
        r->in.line_start = false;
        if (c == '{') {
            pgn_read_brace_comment(r);
            continue;
        }
        if (c == ';') {
            pgn_read_line_comment(r);
            continue;
        }
        const Str word = pgn_peek_word(r);
        if (open == 0 && r->level_count == 0 && pgn_find_result(c == '*' ? STR("*") : word))
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

/* No legal move, no result: an assessment, an illegal move or just something. */
static void read_odd_word(PgnReader *r, Str word)
{
    const int nag = find_glyph(word);
    if (!nag && looks_like_a_move(word)) {
        pgn_problem(r, "ILLEGAL_MOVE", "'%.*s' at ply %d is not a legal move", QUOTE(word),
                    r->depth + 1);
        pgn_keep_text(r, 0);
        return;
    }
    if (nag)
        add_nag(r, nag);
    else if (!is_harmless(word))
        pgn_problem(r, "TEXT", "'%.*s' after ply %d means nothing", QUOTE(word), r->depth);
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

/* A move if it can be played, else a result, else something odd. Moves come first because nearly
 * all words are moves. */
static void read_word(PgnReader *r)
{
    const Str word = pgn_peek_word(r);
    if (UNLIKELY(word.len >= PGN_LONGEST)) {
        pgn_problem(r, "TEXT", "'%.*s...' after ply %d means nothing", QUOTE(word), r->depth);
        pgn_skip_word(r);
        return;
    }
    const Move m = move_from_san(&r->pos, word);
    if (LIKELY(m != MOVE_NONE) && !(m == MOVE_NULL && pos_in_check(&r->pos))) {
        if (!play(r, m)) {
            pgn_problem(r, "TOO_LARGE", "the game is too large");
            pgn_keep_text(r, 0);
            return;
        }
        read_glyph_of_move(r, word);
        r->in.at += word.len;
        return;
    }
    const char *result = pgn_find_result(word);
    if (!result) {
        read_odd_word(r, word);
        return;
    }
    take_result(r, result);
    r->in.at += word.len;
}

static void skip_dots(PgnReader *r)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    for (;;) {
        pgn_look_ahead(&r->in);
        if (*r->in.at == '.')
            r->in.at++;
        else if (strncmp(r->in.at, ellipsis, 3) == 0)
            r->in.at += 3;
        else
            return;
    }
}

/* Move numbers mean nothing to us: "12.", "12...", "12" and the 12 of "12e4" are skipped. */
static void read_number(PgnReader *r)
{
    const char *s = r->in.at, *const limit = s + PGN_LONGEST;
    const bool zero_move = s[0] == '0' && (s[1] == '-' || s[1] == '0'); /* 0-0, 0000 */
    const bool half = s[0] == '0' && s[1] == '.';                       /* 0.5-0.5 */
    while (s < limit && is_digit(*s))
        s++;
    if (zero_move || *s == '-' || *s == '/' || (half && pgn_find_result(pgn_peek_word(r)))) {
        read_word(r);
        return;
    }
    pgn_skip_while(&r->in, is_digit);
    skip_dots(r);
}

/* A variation replaces the move before it; without one there is nothing to replace. */
static void read_bracket(PgnReader *r)
{
    const bool opens = *r->in.at == '(';
    r->in.at++;
    if (!opens && r->level_count > 0)
        pgn_close_variation(r);
    else if (opens && !r->fresh)
        open_variation(r);
    else if (opens) {
        pgn_problem(r, "VARIATION", "a variation replaces no move");
        pgn_keep_text(r, 1);
    } else
        pgn_problem(r, "VARIATION", "a bracket closes nothing");
}

/* What it encloses may be longer than the window, which is refilled as often as it takes. */
static void skip_stray_bracket(PgnReader *r)
{
    pgn_problem(r, "TEXT", "a square bracket after ply %d means nothing", r->depth);
    do {
        pgn_look_ahead(&r->in);
        r->in.at += strcspn(r->in.at, "]\n");
    } while (pgn_at_end(&r->in) && !r->in.eof);
    if (*r->in.at == ']')
        r->in.at++;
}

/* Some writers put a last comment behind the result. */
static void read_last_comment(PgnReader *r)
{
    pgn_skip_spaces(r);
    if (*r->in.at == '{')
        pgn_read_brace_comment(r);
}

/* One token at a time, told apart by its first byte. */
void pgn_read_movetext(PgnReader *r)
{
    while (!r->result) {
        pgn_skip_blanks(&r->in);
        if (pgn_at_end(&r->in) || pgn_is_tag_here(r))
            return;
        r->in.line_start = false;
        switch (*r->in.at) {
        case '{':
            pgn_read_brace_comment(r);
            break;
        case ';':
            pgn_read_line_comment(r);
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
            skip_dots(r);
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
