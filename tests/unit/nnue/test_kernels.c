// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bool always(void) { return true; }
static bool never(void) { return false; }

static const KernelSet *plain_c(void)
{
    int count;
    const KernelSet *const *sets = kernels_sets(&count);
    return sets[count - 1];
}

/* A set like plain C under another name. */
static KernelSet named(const char *name, const char *word, bool (*runs_here)(void))
{
    KernelSet set = *plain_c();
    set.name = name;
    set.word = word;
    set.runs_here = runs_here;
    return set;
}

static void wrong_change(int16_t *to, const int16_t *from, const int16_t *input,
                         const RowChange *rows)
{
    plain_c()->width[KERNEL_WIDTHS - 1].change(to, from, input, rows);
    if (rows->subs == 2)
        to[1023]++;
}

static int32_t wrong_output(const int16_t *own, const int16_t *enemy, const int16_t *weights,
                            int qa)
{
    return plain_c()->width[0].output(own, enemy, weights, qa) + 1;
}

static void every_set_of_this_processor_agrees_with_plain_c(void **state)
{
    (void)state;
    int count, tried = 0;
    const KernelSet *const *sets = kernels_sets(&count);
    for (int i = 0; i < count; i++)
        if (sets[i]->runs_here()) {
            assert_true(kernels_agree(sets[i], plain_c()));
            tried++;
        }
    assert_true(tried >= 1);
    assert_string_equal(plain_c()->word, "scalar");
}

static void one_wrong_number_at_one_width_is_noticed(void **state)
{
    (void)state;
    KernelSet set = named("Wrong", "wrong", always);
    assert_true(kernels_agree(&set, plain_c()));
    set.width[KERNEL_WIDTHS - 1].change = wrong_change;
    assert_false(kernels_agree(&set, plain_c()));
    set = named("Wrong", "wrong", always);
    set.width[0].output = wrong_output;
    assert_false(kernels_agree(&set, plain_c()));
}

static void the_best_set_that_runs_here_is_chosen(void **state)
{
    (void)state;
    const KernelSet wide = named("Wide", "wide", never), middle = named("Middle", "middle", always),
                    narrow = named("Narrow", "narrow", always);
    const KernelSet *const sets[] = {&wide, &middle, &narrow, plain_c()};
    const struct {
        const char *wish, *name, *note;
    } cases[] = {
        {NULL, "Middle", ""},
        {"", "Middle", ""},
        {"narrow", "Narrow", ""},
        {"scalar", "scalar", ""},
        {"wide", "Middle", "Wide is not what this processor has; Middle serves instead"},
        {"mmx", "Middle",
         "mmx is no instruction set that this program knows; Middle serves instead"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KernelChoice choice;
        kernels_choose(sets, 4, cases[i].wish, &choice);
        assert_string_equal(choice.set->name, cases[i].name);
        assert_string_equal(choice.note, cases[i].note);
    }
}

static void a_set_that_computes_wrong_numbers_is_passed_over_in_words(void **state)
{
    (void)state;
    KernelSet wide = named("Wide", "wide", always), narrow = named("Narrow", "narrow", always);
    wide.width[0].output = wrong_output;
    const KernelSet *const sets[] = {&wide, &narrow, plain_c()};
    KernelChoice choice;
    kernels_choose(sets, 3, NULL, &choice);
    assert_ptr_equal(choice.set, &narrow);
    assert_string_equal(choice.note, "Wide computes wrong numbers here; Narrow serves instead");
    narrow.width[0].output = wrong_output;
    kernels_choose(sets, 3, "wide", &choice);
    assert_ptr_equal(choice.set, plain_c());
    assert_string_equal(choice.note, "Wide computes wrong numbers here; Narrow computes wrong "
                                     "numbers here; scalar serves instead");
}

static void a_wish_of_any_length_fits(void **state)
{
    (void)state;
    char wish[1000];
    memset(wish, 'x', sizeof wish - 1);
    wish[sizeof wish - 1] = 0;
    const KernelSet *const sets[] = {plain_c()};
    KernelChoice choice;
    kernels_choose(sets, 1, wish, &choice);
    assert_ptr_equal(choice.set, plain_c());
    assert_non_null(strstr(choice.note, "; scalar serves instead"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_of_this_processor_agrees_with_plain_c),
        cmocka_unit_test(one_wrong_number_at_one_width_is_noticed),
        cmocka_unit_test(the_best_set_that_runs_here_is_chosen),
        cmocka_unit_test(a_set_that_computes_wrong_numbers_is_passed_over_in_words),
        cmocka_unit_test(a_wish_of_any_length_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
