// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/quick.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void everybody_gets_another_engine_until_none_is_left(void **state)
{
    (void)state;
    SamaraError err = {0};
    Quick *quick = quick_create(2, 1, &err);
    assert_non_null(quick);
    Slot *a = quick_borrow(quick), *b = quick_borrow(quick);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    assert_ptr_not_equal(a->engine, b->engine);
    assert_null(quick_borrow(quick));
    quick_return(quick, b);
    assert_ptr_equal(quick_borrow(quick), b);
    quick_return(quick, a);
    quick_return(quick, b);
    quick_destroy(quick);
}

static void *borrow_once(void *arg)
{
    Quick *quick = arg;
    Slot *slot = quick_borrow(quick);
    quick_return(quick, slot);
    return slot;
}

static void a_thread_meets_its_own_engine_again(void **state)
{
    (void)state;
    SamaraError err = {0};
    Quick *quick = quick_create(2, 1, &err);
    assert_non_null(quick);
    Slot *mine = borrow_once(quick);
    Thread other;
    void *theirs = NULL;
    assert_true(thread_start(&other, borrow_once, quick));
    pthread_join(other, &theirs);
    assert_ptr_not_equal(mine, theirs);
    for (int i = 0; i < 3; i++)
        assert_ptr_equal(borrow_once(quick), mine);
    quick_destroy(quick);
}

static void too_much_memory_is_an_error(void **state)
{
    (void)state;
    SamaraError err = {0};
    assert_null(quick_create(2, 1 << 30, &err));
    assert_string_not_equal(err.text, "");
    quick_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_gets_another_engine_until_none_is_left),
        cmocka_unit_test(a_thread_meets_its_own_engine_again),
        cmocka_unit_test(too_much_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
