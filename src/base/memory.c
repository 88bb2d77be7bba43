// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32 /* else see memory_windows.c */

void *memory_alloc(size_t bytes, size_t alignment)
{
    void *block;
    if (posix_memalign(&block, alignment, bytes ? bytes : 1) != 0)
        return NULL;
    return memset(block, 0, bytes);
}

void memory_free(void *block) { free(block); }

#ifdef __wasm__ /* no pages to map: blocks like others */

enum { LARGE_ALIGNMENT = 4096 };

void *memory_map(size_t bytes) { return bytes ? memory_alloc(bytes, LARGE_ALIGNMENT) : NULL; }

void memory_unmap(void *block, size_t bytes)
{
    (void)bytes;
    free(block);
}

void memory_fetch(void *block, size_t bytes)
{
    (void)block;
    (void)bytes;
}

bool memory_drop(void *block, size_t bytes)
{
    (void)block;
    (void)bytes;
    return false;
}

#else

#include <sys/mman.h>

enum { PAGE = 4096, HUGE_PAGE = 2 << 20 };

/* What a block takes: whole pages, huge ones as soon as one is filled. 0 if that overflows. */
static size_t mapped_size(size_t bytes, size_t *page)
{
    *page = bytes < HUGE_PAGE ? PAGE : HUGE_PAGE;
    if (bytes == 0 || bytes > SIZE_MAX - 2 * *page)
        return 0;
    return (bytes + *page - 1) / *page * *page;
}

/* The system aligns to small pages only: ask for a page more than needed, give the ends back. */
void *memory_map(size_t bytes)
{
    size_t page;
    const size_t size = mapped_size(bytes, &page);
    if (size == 0)
        return NULL;

    char *raw = mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED)
        return NULL;

    const size_t head = (page - (uintptr_t)raw % page) % page;
    char *const block = raw + head;
    if (head > 0)
        munmap(raw, head);
    munmap(block + size, page - head);
#ifdef MADV_HUGEPAGE
    if (page == HUGE_PAGE)
        madvise(block, size, MADV_HUGEPAGE); /* a wish: without it the table is only slower */
#endif
    return block;
}

void memory_unmap(void *block, size_t bytes)
{
    size_t page;
    if (block)
        munmap(block, mapped_size(bytes, &page));
}

/* Asks the system for all pages at once where it can; else touches each page. */
void memory_fetch(void *block, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    size_t page;
    if (madvise(block, mapped_size(bytes, &page), MADV_POPULATE_WRITE) == 0)
        return;
#endif
    for (size_t i = 0; i < bytes; i += PAGE) {
        volatile char *at = (char *)block + i;
        *at = *at;
    }
}

bool memory_drop(void *block, size_t bytes)
{
#ifdef __linux__ /* elsewhere the advice may be taken without zeroing anything */
    size_t page;
    return madvise(block, mapped_size(bytes, &page), MADV_DONTNEED) == 0;
#else
    (void)block;
    (void)bytes;
    return false;
#endif
}

#endif

#endif
