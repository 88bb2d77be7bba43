// SPDX-License-Identifier: GPL-3.0-or-later
/* memory_wasm.c -- the C library's heap knows nothing of threads here: the linker sends every call of
 * malloc() and its kin through these (--wrap), which let one thread in at a time. */
#ifdef SAMARA_WASM_THREADS

#include "base/thread.h"
#include <stddef.h>

static Mutex heap; /* all zero: free */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
int __real_posix_memalign(void **out, size_t alignment, size_t size);
void __real_free(void *block);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);
void __wrap_free(void *block);

void *__wrap_malloc(size_t size)
{
    mutex_lock(&heap);
    void *const block = __real_malloc(size);
    mutex_unlock(&heap);
    return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
    mutex_lock(&heap);
    void *const block = __real_calloc(count, size);
    mutex_unlock(&heap);
    return block;
}

void *__wrap_realloc(void *block, size_t size)
{
    mutex_lock(&heap);
    void *const moved = __real_realloc(block, size);
    mutex_unlock(&heap);
    return moved;
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
    mutex_lock(&heap);
    const int result = __real_posix_memalign(out, alignment, size);
    mutex_unlock(&heap);
    return result;
}

void __wrap_free(void *block)
{
    mutex_lock(&heap);
    __real_free(block);
    mutex_unlock(&heap);
}

#endif
