// SPDX-License-Identifier: GPL-3.0-or-later
/* pgn_support.h -- reading games from memory, and whether two games are the same. */
#ifndef SAMARA_TESTS_CHESS_PGN_SUPPORT_H
#define SAMARA_TESTS_CHESS_PGN_SUPPORT_H

#include "chess/pgn.h"
#include <string.h>

/* A text handed out in pieces of at most `step` bytes. */
typedef struct MemorySource {
    Str rest;
    size_t step;
} MemorySource;

static inline long read_memory(void *user, char *out, size_t size)
{
    MemorySource *source = user;
    size_t n = size < source->step ? size : source->step;
    if (n > source->rest.len)
        n = source->rest.len;
    if (n == 0)
        return 0;
    memcpy(out, source->rest.ptr, n);
    source->rest.ptr += n;
    source->rest.len -= n;
    return (long)n;
}

static inline bool same_text(const PgnGame *a, int x, const PgnGame *b, int y)
{
    if (x < 0 || y < 0)
        return x < 0 && y < 0;
    return strcmp(a->text + x, b->text + y) == 0;
}

static inline bool same_node(const PgnGame *a, int x, const PgnGame *b, int y)
{
    const PgnNode *m = &a->nodes[x], *n = &b->nodes[y];
    return m->move == n->move && m->nag_count == n->nag_count &&
           memcmp(m->nags, n->nags, m->nag_count) == 0 && same_text(a, m->comment, b, n->comment) &&
           same_text(a, m->comment_before, b, n->comment_before) &&
           (m->first_child < 0) == (n->first_child < 0) && (m->next < 0) == (n->next < 0);
}

/* Goes through both trees side by side, by the links that the nodes have: children first, then the
 * next alternative, then back up. The numbers of the nodes may differ. */
static inline bool same_tree(const PgnGame *a, const PgnGame *b)
{
    int x = 0, y = 0;
    if (a->node_count != b->node_count)
        return false;
    for (int seen = 1;; seen++) {
        if (!same_node(a, x, b, y))
            return false;
        if (a->nodes[x].first_child >= 0) {
            x = a->nodes[x].first_child;
            y = b->nodes[y].first_child;
            continue;
        }
        while (x > 0 && a->nodes[x].next < 0) {
            x = a->nodes[x].parent;
            y = b->nodes[y].parent;
        }
        if (x == 0)
            return y == 0 && seen == a->node_count;
        x = a->nodes[x].next;
        y = b->nodes[y].next;
    }
}

/* Every tag of a is one of b, in that order where a name occurs more than once. Result excepted:
 * the movetext is right where the two disagree. */
static inline bool has_tags_of(const PgnGame *b, const PgnGame *a)
{
    for (int i = 0; i < a->tag_count; i++) {
        const char *name = a->text + a->tags[i].name, *value = a->text + a->tags[i].value;
        int nth = 0, found = -1;
        for (int k = 0; k < i; k++)
            nth += strcmp(a->text + a->tags[k].name, name) == 0;
        for (int k = 0; k < b->tag_count && found < 0; k++)
            if (strcmp(b->text + b->tags[k].name, name) == 0 && nth-- == 0)
                found = k;
        if (found < 0)
            return false;
        if (strcmp(name, "Result") != 0 && strcmp(b->text + b->tags[found].value, value) != 0)
            return false;
    }
    return true;
}

static inline bool same_start(const PgnGame *a, const PgnGame *b)
{
    char x[FEN_SIZE], y[FEN_SIZE];
    fen_write(&a->start, x);
    fen_write(&b->start, y);
    return strcmp(x, y) == 0 && a->start.chess960 == b->start.chess960;
}

/* `copy` is what was read back after `game` was written. */
static inline bool same_game(const PgnGame *game, const PgnGame *copy)
{
    return same_tree(game, copy) && has_tags_of(copy, game) && same_start(game, copy) &&
           strcmp(game->result, copy->result) == 0;
}

#endif
