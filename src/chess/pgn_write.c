// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/pgn.h"

#include "chess/notation.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_LENGTH = 79 };

typedef struct Writer {
    const PgnGame *game;
    Buffer *out;
    size_t column;
    char prefix[3];  /* brackets that open right before the next word */
    bool number_due; /* something interrupted the moves: Black's next one needs its number */
    Position pos;
    Undo *path; /* one for each move from the start to pos */
    int depth, capacity;
} Writer;

/* --- tags --- */

static const char *const roster[7] = {"Event", "Site", "Date", "Round", "White", "Black", "Result"};

typedef struct TagLine {
    const char *name, *value;
    int order; /* of the roster or of appearance: sorting must be stable */
    bool in_roster;
} TagLine;

static int compare_tags(const void *left, const void *right)
{
    const TagLine *a = left, *b = right;
    if (a->in_roster != b->in_roster)
        return a->in_roster ? -1 : 1;
    const int by_name = a->in_roster ? 0 : strcmp(a->name, b->name);
    return by_name ? by_name : a->order - b->order;
}

void pgn_write_tag(Buffer *out, const char *name, const char *value)
{
    buffer_printf(out, "[%s ", name);
    buffer_put_quoted(out, value);
    buffer_puts(out, "]\n");
}

/* The first tag of each roster name takes its place there; Result is what the game says. */
static int collect_tags(const PgnGame *g, TagLine *lines)
{
    int count = 0;
    for (; count < 7; count++)
        lines[count] = (TagLine){roster[count], "?", count, true};
    lines[2].value = "????.??.??";

    bool seen[7] = {false};
    for (int i = 0; i < g->tag_count; i++) {
        const char *name = g->text + g->tags[i].name, *value = g->text + g->tags[i].value;
        int place = 0;
        while (place < 7 && (seen[place] || strcmp(roster[place], name) != 0))
            place++;
        if (place == 7) {
            lines[count] = (TagLine){name, value, count, false};
            count++;
        } else {
            lines[place].value = value;
            seen[place] = true;
        }
    }
    lines[6].value = g->result;
    return count;
}

/* The seven tags of the roster first, the others by name; what the start position needs is added.
 * */
static void write_tags(const PgnGame *g, Buffer *out)
{
    enum { ADDED = 3 };
    TagLine *lines = malloc((size_t)(7 + g->tag_count + ADDED) * sizeof *lines);
    if (!lines) {
        out->failed = true;
        return;
    }
    int count = collect_tags(g, lines);
    char fen[FEN_SIZE];
    fen_write(&g->start, fen);
    const bool has_fen = pgn_tag(g, "FEN") || strcmp(fen, FEN_START) != 0;
    if (has_fen && !pgn_tag(g, "FEN"))
        lines[count] = (TagLine){"FEN", fen, count, false}, count++;
    if (has_fen && !pgn_tag(g, "SetUp"))
        lines[count] = (TagLine){"SetUp", "1", count, false}, count++;
    if (g->start.chess960 && !pgn_tag(g, "Variant"))
        lines[count] = (TagLine){"Variant", "Chess960", count, false}, count++;

    qsort(lines, (size_t)count, sizeof *lines, compare_tags);
    for (int i = 0; i < count; i++)
        pgn_write_tag(out, lines[i].name, lines[i].value);
    free(lines);
}

/* --- words --- */

static void new_line(Writer *w)
{
    buffer_putc(w->out, '\n');
    w->column = 0;
}

static void put(Writer *w, Str s)
{
    buffer_append(w->out, s.ptr, s.len);
    w->column += s.len;
}

static void open_bracket(Writer *w, char bracket) { w->prefix[w->prefix[0] != '\0'] = bracket; }

/* At the start of a line '[' begins a tag and '%' an escape: such a word stays where it is. */
static void put_word(Writer *w, Str word)
{
    const Str prefix = str_from(w->prefix);
    const bool may_break = prefix.len > 0 || (word.ptr[0] != '[' && word.ptr[0] != '%');
    if (w->column > 0 && may_break && w->column + 1 + prefix.len + word.len > LINE_LENGTH)
        new_line(w);
    else if (w->column > 0)
        put(w, STR(" "));
    put(w, prefix);
    put(w, word);
    memset(w->prefix, 0, sizeof w->prefix);
}

static void put_end(Writer *w, Str s)
{
    if (w->column + s.len > LINE_LENGTH)
        new_line(w);
    put(w, s);
}

/* A closing brace cannot stand in {}, but it can behind a semicolon. */
static void write_comment(Writer *w, int offset)
{
    if (offset < 0)
        return;
    Str rest = str_from(w->game->text + offset);
    if (memchr(rest.ptr, '}', rest.len)) {
        put_word(w, STR(";"));
        put(w, STR(" "));
        put(w, rest);
        new_line(w);
    } else {
        open_bracket(w, '{');
        while (rest.len > 0)
            put_word(w, str_token(&rest));
        put_end(w, STR("}"));
    }
    w->number_due = true;
}

/* --- moves --- */

/* Moves are made on a board of the writer's own, since SAN depends on the position. */
static bool play(Writer *w, Move m)
{
    if (w->depth == w->capacity) {
        const int capacity = w->capacity ? 2 * w->capacity : 256;
        Undo *path = realloc(w->path, (size_t)capacity * sizeof *path);
        if (!path) {
            w->out->failed = true;
            return false;
        }
        w->path = path;
        w->capacity = capacity;
    }
    if (m == MOVE_NULL)
        pos_make_null(&w->pos, &w->path[w->depth]);
    else
        pos_make(&w->pos, m, &w->path[w->depth], NULL);
    w->depth++;
    return true;
}

static void take_back(Writer *w, Move m)
{
    w->depth--;
    if (m == MOVE_NULL)
        pos_unmake_null(&w->pos, &w->path[w->depth]);
    else
        pos_unmake(&w->pos, m, &w->path[w->depth]);
}

static void write_number(Writer *w)
{
    if (w->pos.turn == BLACK && !w->number_due)
        return;
    char number[16];
    snprintf(number, sizeof number, "%u%s", w->pos.ply / 2 + 1, w->pos.turn == WHITE ? "." : "...");
    put_word(w, str_from(number));
}

/* Comment before, number if due, move, glyphs, comment behind. */
static void write_node(Writer *w, const PgnNode *node)
{
    write_comment(w, node->comment_before);
    write_number(w);
    char san[SAN_SIZE];
    move_to_san(&w->pos, node->move, san);
    put_word(w, str_from(san));
    w->number_due = false;
    for (int i = 0; i < node->nag_count; i++) {
        char nag[8];
        snprintf(nag, sizeof nag, "$%d", node->nags[i]);
        put_word(w, str_from(nag));
    }
    write_comment(w, node->comment);
}

static void open_variation(Writer *w)
{
    open_bracket(w, '(');
    w->number_due = true;
}

static void close_variation(Writer *w)
{
    put_end(w, STR(")"));
    w->number_due = true;
}

static bool is_main(const PgnNode *nodes, int n) { return nodes[nodes[n].parent].first_child == n; }

/* What comes behind node n, which has been written and played, and its variations, too: its
 * continuation, the next variation of the line it ends, or that line itself. 0: nothing. */
static int next_node(Writer *w, int n)
{
    const PgnNode *nodes = w->game->nodes;
    while (nodes[n].first_child < 0) {
        for (; n > 0 && is_main(nodes, n); n = nodes[n].parent)
            take_back(w, nodes[n].move);
        if (n == 0)
            return 0;
        close_variation(w);
        take_back(w, nodes[n].move);
        if (nodes[n].next >= 0) {
            open_variation(w);
            return nodes[n].next;
        }
        n = nodes[nodes[n].parent].first_child;
        if (!play(w, nodes[n].move))
            return 0;
    }
    return nodes[n].first_child;
}

/* Without recursion: variations may be nested as deeply as a file likes. */
static void write_moves(Writer *w)
{
    const PgnNode *nodes = w->game->nodes;
    write_comment(w, nodes[0].comment);
    w->number_due = true;
    for (int n = nodes[0].first_child; n > 0;) {
        write_node(w, &nodes[n]);
        if (is_main(nodes, n) && nodes[n].next >= 0) {
            open_variation(w);
            n = nodes[n].next;
        } else
            n = play(w, nodes[n].move) ? next_node(w, n) : 0;
    }
}

void pgn_write(const PgnGame *game, Buffer *out)
{
    Writer w = {.game = game, .out = out, .pos = game->start};
    write_tags(game, out);
    buffer_putc(out, '\n');
    write_moves(&w);
    put_word(&w, str_from(game->result));
    buffer_puts(out, "\n\n");
    free(w.path);
}
