// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/memory.h"

#ifdef _WIN32

#include <malloc.h>
#include <string.h>
#include <windows.h>

void *memory_alloc(size_t bytes, size_t alignment)
{
    void *block = _aligned_malloc(bytes ? bytes : 1, alignment);
    return block ? memset(block, 0, bytes) : NULL;
}

void memory_free(void *block) { _aligned_free(block); }

void *memory_map(size_t bytes)
{
    return bytes ? VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE) : NULL;
}

void memory_unmap(void *block, size_t bytes)
{
    (void)bytes;
    if (block)
        VirtualFree(block, 0, MEM_RELEASE);
}

void memory_fetch(void *block, size_t bytes)
{
    enum { PAGE = 4096 };
    for (size_t i = 0; i < bytes; i += PAGE) {
        volatile char *at = (char *)block + i;
        *at = *at;
    }
}

/* Pages could be given back and asked for again; but then there may be none. */
bool memory_drop(void *block, size_t bytes)
{
    (void)block;
    (void)bytes;
    return false;
}

#endif
