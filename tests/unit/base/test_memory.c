// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

static bool is_zero(const unsigned char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (bytes[i])
            return false;
    return true;
}

static void blocks_are_aligned_and_zeroed(void **state)
{
    (void)state;
    for (size_t alignment = sizeof(void *); alignment <= 4096; alignment *= 2)
        for (size_t bytes = 1; bytes < 3000; bytes = bytes * 3 + 1) {
            unsigned char *block = memory_alloc(bytes, alignment);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % alignment, 0);
            assert_true(is_zero(block, bytes));
            memset(block, 0xAA, bytes); /* so that a block used again would show it */
            memory_free(block);
        }
    memory_free(NULL);
}

static void an_empty_block_is_still_a_block(void **state)
{
    (void)state;
    void *block = memory_alloc(0, 64);
    assert_non_null(block);
    memory_free(block);
}

static void maps_of_any_size_are_zeroed_and_writable(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 4096, 4097, (2 << 20) - 1, 2 << 20, (2 << 20) + 1, 33 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned char *block = memory_map(sizes[i]);
        assert_non_null(block);
        assert_true(is_zero(block, sizes[i]));
        block[0] = block[sizes[i] - 1] = 1;
        memory_unmap(block, sizes[i]);
    }
    memory_unmap(NULL, 100);
}

static void large_maps_begin_on_a_huge_page(void **state)
{
    (void)state;
    enum { BLOCKS = 5, BYTES = 5 << 20 };
    void *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = memory_map(BYTES);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % (2 << 20), 0);
    }
    for (int i = 0; i < BLOCKS; i++)
        memory_unmap(blocks[i], BYTES);
}

static void a_dropped_map_is_zero_and_writable_again(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 4097, 2 << 20, (5 << 20) + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned char *block = memory_map(sizes[i]);
        assert_non_null(block);
        for (int round = 0; round < 2; round++) {
            memset(block, 0xAA, sizes[i]);
            if (memory_drop(block, sizes[i]))
                assert_true(is_zero(block, sizes[i]));
            else
                assert_int_equal(block[sizes[i] - 1], 0xAA); /* untouched, if the system cannot */
        }
        memory_unmap(block, sizes[i]);
    }
}

/* Also what was written before stays; the kernel's count of pages says that they are there. */
static void a_fetched_map_is_in_memory_and_unchanged(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 4097, 2 << 20, (5 << 20) + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned char present[(6 << 20) / 4096];
        unsigned char *block = memory_map(sizes[i]);
        assert_non_null(block);
        block[sizes[i] - 1] = 0xAA;
        memory_fetch(block, sizes[i]);
        const size_t pages = (sizes[i] + 4095) / 4096;
        assert_int_equal(mincore(block, sizes[i], present), 0);
        for (size_t page = 0; page < pages; page++)
            assert_true(present[page] & 1);
        assert_int_equal(block[sizes[i] - 1], 0xAA);
        assert_true(is_zero(block, sizes[i] - 1));
        memory_unmap(block, sizes[i]);
    }
}

static void what_cannot_be_had_is_null(void **state)
{
    (void)state;
    assert_null(memory_map(0));
    assert_null(memory_map(SIZE_MAX));
    assert_null(memory_map(SIZE_MAX / 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_and_zeroed),
        cmocka_unit_test(an_empty_block_is_still_a_block),
        cmocka_unit_test(a_fetched_map_is_in_memory_and_unchanged),
        cmocka_unit_test(maps_of_any_size_are_zeroed_and_writable),
        cmocka_unit_test(large_maps_begin_on_a_huge_page),
        cmocka_unit_test(a_dropped_map_is_zero_and_writable_again),
        cmocka_unit_test(what_cannot_be_had_is_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
