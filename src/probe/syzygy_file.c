// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/syzygy_file.h"

#include "base/memory.h"
#include "base/thread.h"
#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 4096,
    WAYS = 8,
    SETS = 1024, /* 32 megabytes */
    STRIPES = 64,
    HANDLES = 32, /* files that are open at the same time */
    NO_FILE = -1
};

typedef struct Way {
    uint64_t key;  /* file and page, plus one; 0: empty */
    uint64_t used; /* by the clock of its stripe */
} Way;

typedef struct Stripe {
    Mutex lock;
    uint64_t clock;
} Stripe;

/* An open file. Each file has one place among the handles, which another one may take while nobody
 * reads from it. */
typedef struct Handle {
    Mutex lock;
    int64_t id; /* or NO_FILE */
    int readers;
    File file;
} Handle;

struct TbPages {
    Stripe stripes[STRIPES];
    Handle handles[HANDLES];
    Way ways[SETS][WAYS];
    uint8_t *bytes; /* a page for each way */
};

/* The page cache: its memory is mapped at once and filled on use. Locks are striped so that threads
 * rarely meet. */
TbPages *tb_pages_create(void)
{
    TbPages *pages = calloc(1, sizeof *pages);
    if (!pages || !(pages->bytes = memory_map((size_t)SETS * WAYS * PAGE))) {
        free(pages);
        return NULL;
    }
    for (int i = 0; i < STRIPES; i++)
        mutex_init(&pages->stripes[i].lock);
    for (int i = 0; i < HANDLES; i++) {
        mutex_init(&pages->handles[i].lock);
        pages->handles[i].id = NO_FILE;
    }
    return pages;
}

/* No table that uses these pages may be left. */
void tb_pages_destroy(TbPages *pages)
{
    if (!pages)
        return;
    for (int i = 0; i < HANDLES; i++) {
        if (pages->handles[i].id != NO_FILE)
            file_close(&pages->handles[i].file);
        mutex_destroy(&pages->handles[i].lock);
    }
    for (int i = 0; i < STRIPES; i++)
        mutex_destroy(&pages->stripes[i].lock);
    memory_unmap(pages->bytes, (size_t)SETS * WAYS * PAGE);
    free(pages);
}

/* --- reading the file --- */

/* A file of another size or time is not the one whose structure was checked. */
static bool open_same(const TbFile *file, File *out)
{
    if (!file_open(out, file->path, NULL))
        return false;
    if (out->size == file->size && out->time == file->time)
        return true;
    file_close(out);
    return false;
}

/* The lock is held. False if the place is taken by a file that is being read. */
static bool claim_handle(Handle *handle, const TbFile *file)
{
    if (handle->id == file->id)
        return true;
    if (handle->readers > 0)
        return false;
    if (handle->id != NO_FILE)
        file_close(&handle->file);
    handle->id = NO_FILE;
    if (!open_same(file, &handle->file))
        return false;
    handle->id = file->id;
    return true;
}

static bool read_without_handle(const TbFile *file, uint64_t offset, uint8_t *out, size_t len)
{
    File own;
    if (!open_same(file, &own))
        return false;
    const bool ok = file_read(&own, offset, out, len) == len;
    file_close(&own);
    return ok;
}

/* No lock is held while the system reads. */
static bool read_file(const TbFile *file, uint64_t offset, uint8_t *out, size_t len)
{
    Handle *handle = &file->pages->handles[file->id % HANDLES];
    mutex_lock(&handle->lock);
    const bool claimed = claim_handle(handle, file);
    handle->readers += claimed;
    mutex_unlock(&handle->lock);
    if (!claimed)
        return read_without_handle(file, offset, out, len);
    const bool ok = file_read(&handle->file, offset, out, len) == len;
    mutex_lock(&handle->lock);
    handle->readers--;
    mutex_unlock(&handle->lock);
    return ok;
}

/* --- the cache --- */

static int find_way(const Way *set, uint64_t key)
{
    for (int i = 0; i < WAYS; i++)
        if (set[i].key == key)
            return i;
    return -1;
}

static int oldest_way(const Way *set)
{
    int oldest = 0;
    for (int i = 1; i < WAYS; i++)
        if (set[i].used < set[oldest].used)
            oldest = i;
    return oldest;
}

/* One set of the cache and what belongs to it. */
typedef struct Place {
    Stripe *stripe;
    Way *set;
    uint8_t *bytes;
    uint64_t key;
} Place;

static Place place_of(const TbFile *file, uint64_t page)
{
    TbPages *pages = file->pages;
    const uint64_t key = ((uint64_t)file->id << 40 | page) + 1;
    const size_t at = (size_t)(key * 0x9E3779B97F4A7C15 >> 54); /* 0 to SETS - 1 */
    _Static_assert(SETS == 1 << (64 - 54), "the shift chooses a set");
    return (Place){&pages->stripes[at % STRIPES], pages->ways[at], pages->bytes + at * WAYS * PAGE,
                   key};
}

static bool take_from_cache(const Place *place, size_t offset, size_t len, uint8_t *out)
{
    mutex_lock(&place->stripe->lock);
    const int way = find_way(place->set, place->key);
    if (way >= 0) {
        place->set[way].used = ++place->stripe->clock;
        memcpy(out, place->bytes + (size_t)way * PAGE + offset, len);
    }
    mutex_unlock(&place->stripe->lock);
    return way >= 0;
}

static void put_into_cache(const Place *place, const uint8_t page[PAGE])
{
    mutex_lock(&place->stripe->lock);
    int way = find_way(place->set, place->key);
    if (way < 0)
        way = oldest_way(place->set);
    place->set[way] = (Way){place->key, ++place->stripe->clock};
    memcpy(place->bytes + (size_t)way * PAGE, page, PAGE);
    mutex_unlock(&place->stripe->lock);
}

/* Within one page. */
static bool copy_from_page(const TbFile *file, uint64_t page, size_t offset, size_t len,
                           uint8_t *out)
{
    const Place place = place_of(file, page);
    if (take_from_cache(&place, offset, len, out))
        return true;
    uint8_t bytes[PAGE] = {0};
    const uint64_t left = file->size - page * PAGE;
    if (!read_file(file, page * PAGE, bytes, left < PAGE ? (size_t)left : PAGE))
        return false;
    put_into_cache(&place, bytes);
    memcpy(out, bytes + offset, len);
    return true;
}

/* Copies across page borders. */
bool tb_file_copy(const TbFile *file, uint64_t offset, size_t len, uint8_t *out)
{
    while (len > 0) {
        const size_t within = (size_t)(offset % PAGE);
        const size_t part = len < PAGE - within ? len : PAGE - within;
        if (!copy_from_page(file, offset / PAGE, within, part, out))
            return false;
        offset += part;
        out += part;
        len -= part;
    }
    return true;
}
