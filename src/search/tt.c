// SPDX-License-Identifier: GPL-3.0-or-later
/* A cluster is four words, half a cache line: three entries of one word each, and one word with the
 * 21 check bits of each entry. The check bits are those of the key, mixed with the entry's data. */
#include "search/tt.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/thread.h"
#include <stdlib.h>
#include <string.h>

enum {
    ENTRIES = 3,
    CHECK_BITS = 21,
    CLUSTER_BYTES = 32,
    GENERATIONS = 32,
    AGE_COST = 8,     /* plies of depth that an entry loses per search of age */
    DEPTH_OFFSET = 3, /* so that 0 means: empty */
    MAX_CLEAR_THREADS = 64,
    DROP_BYTES = 64 << 20,
    HASHFULL_CLUSTERS = 334, /* a thousand entries */
};
#define CHECK_MASK ((1ULL << CHECK_BITS) - 1)

typedef struct Cluster {
    AtomicU64 checks;
    AtomicU64 entries[ENTRIES];
} Cluster;
_Static_assert(sizeof(Cluster) == CLUSTER_BYTES, "two clusters fill a cache line");
_Static_assert(MAX_PLY + DEPTH_OFFSET < 256, "a depth fits its byte");

struct TTable {
    Cluster *clusters;
    uint64_t count;
    size_t bytes;
    unsigned generation;
    bool touched; /* since the memory was last known to be all zero */
};

/* --- the word of an entry: move 16, score 16, eval 16, depth 8, generation 5, pv 1, bound 2 --- */

ALWAYS_INLINE int entry_depth(uint64_t e) { return (int)(e >> 48 & 255) - DEPTH_OFFSET; }
ALWAYS_INLINE unsigned entry_generation(uint64_t e) { return (unsigned)(e >> 59); }
ALWAYS_INLINE Bound entry_bound(uint64_t e) { return (Bound)(e >> 56 & 3); }
ALWAYS_INLINE bool entry_empty(uint64_t e) { return (e >> 48 & 255) == 0; }

ALWAYS_INLINE uint64_t entry_pack(const TTData *d, Move move, unsigned generation)
{
    return (uint64_t)move | (uint64_t)(uint16_t)d->score << 16 | (uint64_t)(uint16_t)d->eval << 32 |
           (uint64_t)(d->depth + DEPTH_OFFSET) << 48 | (uint64_t)d->bound << 56 |
           (uint64_t)d->pv << 58 | (uint64_t)generation << 59;
}

ALWAYS_INLINE uint64_t check_of(Key key, uint64_t entry)
{
    return (key ^ entry ^ entry >> 21 ^ entry >> 42) & CHECK_MASK;
}

ALWAYS_INLINE Cluster *cluster_of(const TTable *tt, Key key)
{
    return &tt->clusters[mul_high(key, tt->count)];
}

/* --- life --- */

/* Small tables are fetched at once; large ones grow into memory as they are used. */
TTable *tt_create(size_t megabytes, Error *err)
{
    if (megabytes == 0 || megabytes > SIZE_MAX >> 20) {
        error_set(err, "a hash table of %zu MB cannot be had", megabytes);
        return NULL;
    }
    TTable *tt = calloc(1, sizeof *tt);
    if (tt) {
        tt->bytes = megabytes << 20;
        tt->count = tt->bytes / CLUSTER_BYTES;
        tt->clusters = memory_map(tt->bytes);
    }
    if (!tt || !tt->clusters) {
        free(tt);
        error_code(err, "NO_MEMORY", 0, "not enough memory for a hash table of %zu MB", megabytes);
        return NULL;
    }
    if (tt->bytes < DROP_BYTES)
        memory_fetch(tt->clusters, tt->bytes);
    return tt;
}

void tt_destroy(TTable *tt)
{
    if (!tt)
        return;
    memory_unmap(tt->clusters, tt->bytes);
    free(tt);
}

size_t tt_megabytes(const TTable *tt) { return tt->bytes >> 20; }

/* A table that several threads clear, each `step` bytes of it. */
typedef struct Clearing {
    char *begin;
    size_t bytes, step;
} Clearing;

static void clear_part(void *user, int part)
{
    const Clearing *c = user;
    const size_t from = c->step * (size_t)part;
    if (from < c->bytes)
        memset(c->begin + from, 0, c->step < c->bytes - from ? c->step : c->bytes - from);
}

static void clear_in_parallel(TTable *tt, int threads)
{
    const int most = threads < MAX_CLEAR_THREADS ? threads : MAX_CLEAR_THREADS;
    const int parts = most < 1 ? 1 : most;
    const size_t step = (tt->bytes / (size_t)parts / CLUSTER_BYTES + 1) * CLUSTER_BYTES;
    Clearing clearing = {(char *)tt->clusters, tt->bytes, step};
    parallel_for(parts, clear_part, &clearing);
}

/* A large table is given back to the system, which zeroes its pages when they are touched: writing
 * it whole would also fetch the memory that no search has used yet. Small ones are cheaper to keep.
 */
void tt_clear(TTable *tt, int threads)
{
    tt->generation = 0;
    if (!tt->touched)
        return;
    tt->touched = false;
    if (tt->bytes < DROP_BYTES || !memory_drop(tt->clusters, tt->bytes))
        clear_in_parallel(tt, threads);
}

void tt_new_search(TTable *tt)
{
    tt->generation = (tt->generation + 1) % GENERATIONS;
    tt->touched = true;
}

int tt_hashfull(const TTable *tt)
{
    const uint64_t sample = tt->count < HASHFULL_CLUSTERS ? tt->count : HASHFULL_CLUSTERS;
    uint64_t used = 0;
    for (uint64_t i = 0; i < sample; i++)
        for (int k = 0; k < ENTRIES; k++) {
            const uint64_t e = relaxed_load(&tt->clusters[i].entries[k]);
            used += !entry_empty(e) && entry_generation(e) == tt->generation;
        }
    return sample > 0 ? (int)(used * 1000 / (sample * ENTRIES)) : 0;
}

/* --- use --- */

void tt_prefetch(const TTable *tt, Key key) { PREFETCH(cluster_of(tt, key)); }

/* Check bits mix key and data, so an entry torn by two threads does not match. */
bool tt_probe(const TTable *tt, Key key, TTData *out)
{
    const Cluster *cluster = cluster_of(tt, key);
    uint64_t checks = relaxed_load(&cluster->checks);

    for (int i = 0; i < ENTRIES; i++, checks >>= CHECK_BITS) {
        const uint64_t e = relaxed_load(&cluster->entries[i]);
        if ((checks & CHECK_MASK) != check_of(key, e) || entry_empty(e))
            continue;
        out->move = (Move)e;
        out->score = (int16_t)(e >> 16);
        out->eval = (int16_t)(e >> 32);
        out->depth = entry_depth(e);
        out->bound = entry_bound(e);
        out->pv = e >> 58 & 1;
        return true;
    }
    return false;
}

ALWAYS_INLINE unsigned age_of(const TTable *tt, uint64_t e)
{
    return (tt->generation - entry_generation(e)) % GENERATIONS;
}

/* Worth of what a slot holds: deep and young is dear. */
ALWAYS_INLINE int entry_worth(const TTable *tt, uint64_t e)
{
    return entry_empty(e) ? -1000 : entry_depth(e) - AGE_COST * (int)age_of(tt, e);
}

/* Replaces the entry of this position, else the one that is worth least; a deeper entry of the same
 * search is kept, and only its move is updated. */
void tt_store(TTable *tt, Key key, const TTData *data)
{
    Cluster *cluster = cluster_of(tt, key);
    const uint64_t checks = relaxed_load(&cluster->checks);
    uint64_t old[ENTRIES];
    int slot = -1, cheapest = 0;
    for (int i = 0; i < ENTRIES && slot < 0; i++) {
        old[i] = relaxed_load(&cluster->entries[i]);
        if ((checks >> CHECK_BITS * i & CHECK_MASK) == check_of(key, old[i]) &&
            !entry_empty(old[i]))
            slot = i;
        else if (entry_worth(tt, old[i]) < entry_worth(tt, old[cheapest]))
            cheapest = i;
    }

    uint64_t e;
    if (slot < 0) {
        slot = cheapest;
        e = entry_pack(data, data->move, tt->generation);
    } else if (data->bound != BOUND_EXACT && age_of(tt, old[slot]) == 0 &&
               data->depth + 2 * data->pv <= entry_depth(old[slot]) - 4) {
        if (data->move == MOVE_NONE || data->move == (Move)old[slot])
            return;
        e = (old[slot] & ~(uint64_t)UINT16_MAX) | data->move;
    } else {
        e = entry_pack(data, data->move ? data->move : (Move)old[slot], tt->generation);
    }

    const int shift = CHECK_BITS * slot;
    relaxed_store(&cluster->entries[slot], e);
    relaxed_store(&cluster->checks, (checks & ~(CHECK_MASK << shift)) | check_of(key, e) << shift);
}

int16_t tt_score_in(Score score, int ply)
{
    if (score_is_win(score))
        return (int16_t)(score + ply);
    if (score_is_loss(score))
        return (int16_t)(score - ply);
    return (int16_t)score;
}

/* Plies until a decisive score (seen from its node) is a fact: the mate itself, or the way into the
 * tables. */
ALWAYS_INLINE int plies_to_fact(Score magnitude)
{
    return magnitude >= SCORE_MATE_MIN ? SCORE_MATE - magnitude : SCORE_TB_WIN - magnitude;
}

Score tt_score_out(int16_t score, int ply, int rule50)
{
    if (score == SCORE_NONE)
        return SCORE_NONE;
    if (score_is_win(score))
        return plies_to_fact(score) > 100 - rule50 ? SCORE_EVAL_MAX : score - ply;
    if (score_is_loss(score))
        return plies_to_fact(-score) > 100 - rule50 ? -SCORE_EVAL_MAX : score + ply;
    return score;
}
