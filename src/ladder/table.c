// SPDX-License-Identifier: GPL-3.0-or-later
/* table.c -- different orders of the same moves lead to the same position, and each deeper
 * iteration comes back to all of them. A table of what was found (key, depth, score, bound, best
 * move, static value) answers where an earlier search was deep enough, and where it was not, its
 * best move is by far the best guess for the order.
 *
 * A score is exact, or a bound: at least this much (the search was cut) or at most this much (no
 * move reached alpha). A bound answers only if it lies outside the window.
 *
 * The trap: mate scores count plies from the root, but the position may come up again at another
 * distance from it. In the table they count from the node. */
#include "ladder/search.h"

#include "base/memory.h"

typedef enum Bound { BOUND_NONE, BOUND_EXACT, BOUND_LOWER, BOUND_UPPER } Bound;

/* 16 bytes: 2^23 of them are the first report's 128 MB. */
typedef struct TableEntry {
    Key key;
    int16_t score, eval;
    Move move;
    uint8_t depth;
    uint8_t bound_and_age; /* bound in the two lowest bits */
} TableEntry;

enum { AGES = 64 };

struct Table {
    TableEntry *entries;
    size_t bytes;
    Key mask;
    int age; /* entries of another age count as empty */
};

/* Pages are fetched now, so that the first search does not pay for them. */
Table *table_create(int log2_entries)
{
    Table *t = memory_alloc(sizeof *t, CACHE_LINE);
    if (!t)
        return NULL;
    const size_t count = (size_t)1 << log2_entries;
    *t = (Table){memory_map(count * sizeof(TableEntry)), count * sizeof(TableEntry), count - 1, 1};
    if (!t->entries) {
        memory_free(t);
        return NULL;
    }
    memory_fetch(t->entries, t->bytes);
    return t;
}

void table_destroy(Table *t)
{
    if (!t)
        return;
    memory_unmap(t->entries, t->bytes);
    memory_free(t);
}

/* A new age hides what is there; only when the numbers run out is the memory wiped. */
void table_forget(Table *t)
{
    t->age = (t->age + 1) % AGES;
    if (t->age == 0) {
        for (Key i = 0; i <= t->mask; i++)
            t->entries[i] = (TableEntry){0};
        t->age = 1;
    }
}

static TableEntry *slot(const Table *t, Key key) { return &t->entries[key & t->mask]; }

static const TableEntry *find(const Search *s)
{
    if (!s->table)
        return NULL;
    const TableEntry *e = slot(s->table, s->pos.st.key);
    return e->key == s->pos.st.key && e->bound_and_age >> 2 == s->table->age ? e : NULL;
}

static int to_table(int score, int ply)
{
    return score >= MATE_BOUND ? score + ply : score <= -MATE_BOUND ? score - ply : score;
}

static int from_table(int score, int ply)
{
    return score >= MATE_BOUND ? score - ply : score <= -MATE_BOUND ? score + ply : score;
}

/* The stored move helps the order at any depth; the score counts only if it was searched deeply
 * enough and its bound fits. */
bool try_table(const Search *s, Node *n, int *score)
{
    const TableEntry *e = find(s);
    if (!e)
        return false;
    n->table_move = e->move;
    if (n->ply == 0 || (s->values->equal_depth_only ? e->depth != n->depth : e->depth < n->depth))
        return false;
    *score = from_table(e->score, n->ply);
    const Bound bound = e->bound_and_age & 3;
    return bound == BOUND_EXACT || (bound == BOUND_LOWER && *score >= n->beta) ||
           (bound == BOUND_UPPER && *score <= n->alpha);
}

bool table_has_eval(const Search *s, int *eval)
{
    const TableEntry *e = find(s);
    if (e)
        *eval = e->eval;
    return e != NULL;
}

/* `alpha` is the one that the node began with. A deeper result of the same search stays. */
void table_keep(Search *s, const Node *n, int alpha, int best, Move move)
{
    if (!s->table)
        return;
    TableEntry *e = slot(s->table, s->pos.st.key);
    if (e->bound_and_age >> 2 == s->table->age && e->depth > n->depth && e->key != s->pos.st.key)
        return;
    const Bound bound = best >= n->beta ? BOUND_LOWER : best > alpha ? BOUND_EXACT : BOUND_UPPER;
    *e = (TableEntry){.key = s->pos.st.key,
                      .score = (int16_t)to_table(best, n->ply),
                      .eval = (int16_t)n->eval,
                      .move = move,
                      .depth = (uint8_t)n->depth,
                      .bound_and_age = (uint8_t)(bound | s->table->age << 2)};
}
