// SPDX-License-Identifier: GPL-3.0-or-later
/* memory.h -- aligned blocks, and large ones on huge pages. */
#ifndef SAMARA_BASE_MEMORY_H
#define SAMARA_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed; aligned to a power of two of at least sizeof(void *). NULL if memory is short. */
void *memory_alloc(size_t bytes, size_t alignment);
void memory_free(void *block); /* of memory_alloc; NULL is fine */

/* For tables of megabytes and more: zeroed lazily by the system, on huge pages where it has them.
 * NULL if it cannot be had. */
void *memory_map(size_t bytes);
void memory_unmap(void *block, size_t bytes);
/* Fetches all pages of a map now: the first use does not wait for them. */
void memory_fetch(void *block, size_t bytes);
/* Gives the pages of a whole map back: it stays, and is zero again, lazily as at first. False, and
 * nothing is changed, where the system cannot. */
bool memory_drop(void *block, size_t bytes);

#endif
