// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/pgn_build.h"

#include "chess/pgn_bytes.h"
#include <stdlib.h>
#include <string.h>

/* --- growing --- */

/* Twice the room, or NULL: then nothing has changed. */
static void *grown(void *items, int *capacity, size_t size)
{
    const int wanted = *capacity ? 2 * *capacity : 64;
    void *more = realloc(items, (size_t)wanted * size);
    if (more)
        *capacity = wanted;
    return more;
}

static bool room_for_tag(PgnBuilder *b)
{
    if (b->game.tag_count < b->tag_capacity)
        return true;
    PgnTag *tags = grown(b->game.tags, &b->tag_capacity, sizeof *tags);
    if (!tags)
        return false;
    b->game.tags = tags;
    return true;
}

static bool room_for_node(PgnBuilder *b)
{
    if (b->game.node_count < b->node_capacity)
        return true;
    PgnNode *nodes = grown(b->game.nodes, &b->node_capacity, sizeof *nodes);
    if (!nodes)
        return false;
    b->game.nodes = nodes;
    return true;
}

/* Node 0 is the start position: it has no move and carries the comment before the first one. */
void pgn_build_reset(PgnBuilder *b, const Position *start)
{
    PgnGame *g = &b->game;
    g->start = *start;
    g->tag_count = g->node_count = 0;
    g->text = "";
    memcpy(g->result, "*", 2);
    g->broken = false;
    g->problem = (Error){0};
    g->line = 0;
    b->failed = false;
    buffer_clear(&b->text);
    pgn_build_add_node(b, -1, MOVE_NONE);
}

void pgn_build_release(PgnBuilder *b)
{
    free(b->game.tags);
    free(b->game.nodes);
    buffer_free(&b->text);
    *b = (PgnBuilder){0};
}

/* Strings live one behind the other in one buffer and are named by offset, since the buffer moves
 * when it grows. */
int pgn_build_text(PgnBuilder *b, Str s)
{
    const size_t offset = b->text.len;
    if (offset > PGN_MAX_TEXT || s.len > PGN_MAX_TEXT - offset)
        return -1;
    if (!buffer_reserve(&b->text, s.len + 1)) {
        b->failed = true;
        return -1;
    }
    buffer_append(&b->text, s.ptr, s.len);
    buffer_putc(&b->text, '\0');
    return (int)offset;
}

void pgn_build_add_tag(PgnBuilder *b, int name, int value)
{
    if (name < 0 || value < 0)
        return;
    if (room_for_tag(b))
        b->game.tags[b->game.tag_count++] = (PgnTag){name, value};
    else
        b->failed = true;
}

/* Children are a linked list with a known end: adding one takes constant time in games with
 * thousands of variations. */
int pgn_build_add_node(PgnBuilder *b, int parent, Move m)
{
    PgnGame *g = &b->game;
    const int n = g->node_count;
    if (n == PGN_MAX_NODES)
        return -1;
    if (!room_for_node(b)) {
        b->failed = true;
        return -1;
    }
    g->nodes[n] = (PgnNode){.move = m,
                            .parent = parent,
                            .first_child = -1,
                            .last_child = -1,
                            .next = -1,
                            .comment = -1,
                            .comment_before = -1};
    g->node_count++;
    if (parent < 0)
        return n;

    PgnNode *above = &g->nodes[parent];
    if (above->first_child < 0)
        above->first_child = n;
    else
        g->nodes[above->last_child].next = n;
    above->last_child = n;
    return n;
}

void pgn_build_add_nag(PgnNode *node, int nag)
{
    for (int i = 0; i < node->nag_count; i++)
        if (node->nags[i] == nag)
            return;
    if (node->nag_count < PGN_MAX_NAGS)
        node->nags[node->nag_count++] = (uint8_t)nag;
}

static PgnTag *find_tag(const PgnGame *g, const char *text, const char *name)
{
    for (int i = 0; i < g->tag_count; i++)
        if (strcmp(text + g->tags[i].name, name) == 0)
            return &g->tags[i];
    return NULL;
}

const char *pgn_build_find_tag(const PgnBuilder *b, const char *name)
{
    const PgnTag *tag = find_tag(&b->game, buffer_text(&b->text), name);
    return tag ? b->text.data + tag->value : NULL;
}

const char *pgn_tag(const PgnGame *game, const char *name)
{
    const PgnTag *tag = find_tag(game, game->text, name);
    return tag ? game->text + tag->value : NULL;
}

void pgn_build_finish(PgnBuilder *b) { b->game.text = buffer_text(&b->text); }

/* Works in place behind what is there, in one pass: comments may have megabytes. */
void pgn_append_collapsed(Buffer *b, size_t start, Str s)
{
    if (s.len == 0 || !buffer_reserve(b, s.len))
        return;
    char *out = b->data + b->len;
    bool blank = b->len == start || out[-1] == ' ';
    for (size_t i = 0; i < s.len; i++) {
        const bool is_blank = pgn_is_blank(s.ptr[i]);
        if (!is_blank)
            *out++ = s.ptr[i];
        else if (!blank)
            *out++ = ' ';
        blank = is_blank;
    }
    *out = '\0';
    b->len = (size_t)(out - b->data);
}

/* --- for programs --- */

PgnBuilder *pgn_builder_new(const Position *start, Error *err)
{
    PgnBuilder *b = calloc(1, sizeof *b);
    if (b)
        pgn_build_reset(b, start);
    if (b && !b->failed)
        return b;
    pgn_builder_free(b);
    error_code(err, "NO_MEMORY", 0, "no memory for a game");
    return NULL;
}

void pgn_builder_free(PgnBuilder *b)
{
    if (b)
        pgn_build_release(b);
    free(b);
}

/* A name that exists gets the new value; the old text stays in the buffer until the game is
 * written. */
void pgn_builder_tag(PgnBuilder *b, const char *name, const char *value)
{
    /* A tag is one line. */
    const int at = pgn_build_text(b, str_from(value));
    if (at < 0)
        return;
    for (char *c = b->text.data + at; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    PgnTag *old = find_tag(&b->game, b->text.data, name);
    if (old)
        old->value = at;
    else
        pgn_build_add_tag(b, pgn_build_text(b, str_from(name)), at);
}

int pgn_builder_move(PgnBuilder *b, int parent, Move m)
{
    const int n = parent < 0 ? -1 : pgn_build_add_node(b, parent, m);
    b->failed |= n < 0;
    return n;
}

void pgn_builder_comment(PgnBuilder *b, int node, const char *text)
{
    Buffer collapsed = {0};
    pgn_append_collapsed(&collapsed, 0, str_from(text));
    const Str s = str_trim((Str){buffer_text(&collapsed), collapsed.len});
    b->failed |= collapsed.failed;
    if (node >= 0)
        b->game.nodes[node].comment = s.len > 0 ? pgn_build_text(b, s) : -1;
    buffer_free(&collapsed);
}

void pgn_builder_nag(PgnBuilder *b, int node, int nag)
{
    if (node >= 0)
        pgn_build_add_nag(&b->game.nodes[node], nag);
}

void pgn_builder_result(PgnBuilder *b, const char *result)
{
    str_copy(b->game.result, sizeof b->game.result, str_from(result));
}

const PgnGame *pgn_builder_game(PgnBuilder *b, Error *err)
{
    if (b->failed || b->text.failed) {
        error_code(err, "NO_MEMORY", 0, "no memory for a game");
        return NULL;
    }
    pgn_build_finish(b);
    return &b->game;
}
