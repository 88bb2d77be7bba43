// SPDX-License-Identifier: GPL-3.0-or-later
#include "net_maker.h"
#include "nnue/accumulator.h"
#include "nnue/speed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void assert_refused(const void *bytes, size_t size, const char *code)
{
    Error err = {0};
    assert_null(net_parse(bytes, size, &err));
    assert_string_equal(err.code, code);
    assert_true(strlen(err.text) > 10);
}

static void refresh_crc(Buffer *file)
{
    const uint32_t crc = crc32c(0, file->data, file->len - 4);
    for (int i = 0; i < 4; i++)
        file->data[file->len - 4 + (size_t)i] = (char)(crc >> 8 * i);
}

static void a_written_net_reads_back_to_the_same_bytes(void **state)
{
    (void)state;
    static const NetShape shapes[] = {{1, 128, 1}, {1, 256, 8}, {4, 128, 2}, {4, 512, 8}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Buffer file = {0}, again = {0};
        random_net_file(&file, shapes[i], 90, i);
        Net *net = net_parse(file.data, file.len, NULL);
        assert_non_null(net);
        assert_memory_equal(&net->shape, &shapes[i], sizeof net->shape);
        assert_true(net_write(net, &again));
        assert_int_equal(file.len, again.len);
        assert_memory_equal(file.data, again.data, file.len);
        net_free(net);
        buffer_free(&file);
        buffer_free(&again);
    }
}

static void a_net_says_its_name_and_shape(void **state)
{
    (void)state;
    Net *net = random_net(256, 8, 1), *other = random_net(256, 8, 2);
    assert_string_equal(net_architecture(net), "768hm-256x2-screlu-ob8");
    Net *kings = random_net_of((NetShape){4, 512, 8}, 1);
    assert_string_equal(net_architecture(kings), "768x4hm-512x2-screlu-ob8");
    net_free(kings);
    assert_int_equal(strncmp(net_name(net), "samara-", 7), 0);
    assert_int_equal(strlen(net_name(net)), 15);
    assert_string_not_equal(net_name(net), net_name(other));
    net_free(net);
    net_free(other);
}

static void foreign_files_are_refused(void **state)
{
    (void)state;
    assert_refused("", 0, "NET_FOREIGN");
    assert_refused("NNUE", 4, "NET_FOREIGN");
    char zeros[4096] = {0};
    assert_refused(zeros, sizeof zeros, "NET_FOREIGN");
}

static void a_cut_file_is_refused_wherever_the_cut_is(void **state)
{
    (void)state;
    Buffer file = {0};
    random_net_file(&file, (NetShape){1, 128, 1}, 90, 3);
    for (size_t size = 8; size < file.len; size += size < 200 ? 1 : 997)
        assert_refused(file.data, size, "NET_DAMAGED");
    buffer_putc(&file, 0);
    assert_refused(file.data, file.len, "NET_DAMAGED");
    buffer_free(&file);
}

static void a_single_wrong_bit_is_noticed(void **state)
{
    (void)state;
    Buffer file = {0};
    random_net_file(&file, (NetShape){1, 128, 1}, 90, 4);
    for (size_t at = 0; at < file.len; at += at < 64 ? 1 : 2003) {
        file.data[at] ^= 4;
        assert_null(net_parse(file.data, file.len, NULL));
        file.data[at] ^= 4;
    }
    buffer_free(&file);
}

static void other_versions_and_architectures_are_refused(void **state)
{
    (void)state;
    static const struct {
        int offset, value;
        const char *code;
    } cases[] = {
        {8, 2, "NET_VERSION"},       {12, 65, "NET_VERSION"},      {16, 1, "NET_ARCHITECTURE"},
        {24, 4, "NET_ARCHITECTURE"}, {26, 64, "NET_ARCHITECTURE"}, {28, 0, "NET_ARCHITECTURE"},
        {28, 9, "NET_ARCHITECTURE"}, {30, 0, "NET_DAMAGED"},       {32, 0, "NET_DAMAGED"},
        {36, 0, "NET_DAMAGED"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Buffer file = {0};
        random_net_file(&file, (NetShape){1, 128, 1}, 90, 5);
        file.data[cases[i].offset] = (char)cases[i].value;
        if (cases[i].offset >= 24 && cases[i].offset < 36)
            file.data[cases[i].offset + 1] = 0;
        refresh_crc(&file);
        assert_refused(file.data, file.len, cases[i].code);
        buffer_free(&file);
    }
}

static void weights_that_could_overflow_are_refused(void **state)
{
    (void)state;
    Buffer file = {0};
    random_net_file(&file, (NetShape){1, 128, 1}, 2000, 6); /* 64 men of up to 2000: over 32767 */
    assert_refused(file.data, file.len, "NET_DAMAGED");
    buffer_free(&file);
}

static void a_missing_file_is_an_error_with_its_name(void **state)
{
    (void)state;
    Error err;
    assert_null(net_load("/nonexistent/x.nnue", &err));
    assert_non_null(strstr(err.text, "/nonexistent/x.nnue"));
}

static void a_file_loads_like_its_bytes(void **state)
{
    (void)state;
    char path[] = "/tmp/samara-net-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    Buffer bytes = {0};
    random_net_file(&bytes, (NetShape){1, 128, 2}, 90, 7);
    assert_int_equal(write(fd, bytes.data, bytes.len), bytes.len);
    close(fd);
    Net *loaded = net_load(path, NULL), *parsed = net_parse(bytes.data, bytes.len, NULL);
    assert_non_null(loaded);
    assert_string_equal(net_name(loaded), net_name(parsed));
    net_free(loaded);
    net_free(parsed);
    buffer_free(&bytes);
    unlink(path);
}

static void the_embedded_net_is_sound_if_there_is_one(void **state)
{
    (void)state;
    const Net *net = net_embedded();
    if (!net)
        skip();
    Position p;
    pos_start(&p);
    assert_in_range(net_evaluate(net, &p) + 200, 0, 400); /* the start position is about level */
    assert_ptr_equal(net, net_embedded());
}

static void the_time_of_an_evaluation_is_measured(void **state)
{
    (void)state;
    Buffer file = {0};
    random_net_file(&file, (NetShape){1, 256, 8}, 90, 8);
    Net *net = net_parse(file.data, file.len, NULL);
    NetSpeed speed = {0};
    assert_true(net_speed(net, 20, &speed, NULL));
    assert_true(speed.step_ns > 1 && speed.fresh_ns > speed.step_ns);
    net_free(net);
    buffer_free(&file);
}

int main(void)
{
    attacks_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_net_reads_back_to_the_same_bytes),
        cmocka_unit_test(a_net_says_its_name_and_shape),
        cmocka_unit_test(foreign_files_are_refused),
        cmocka_unit_test(a_cut_file_is_refused_wherever_the_cut_is),
        cmocka_unit_test(a_single_wrong_bit_is_noticed),
        cmocka_unit_test(other_versions_and_architectures_are_refused),
        cmocka_unit_test(weights_that_could_overflow_are_refused),
        cmocka_unit_test(a_missing_file_is_an_error_with_its_name),
        cmocka_unit_test(a_file_loads_like_its_bytes),
        cmocka_unit_test(the_embedded_net_is_sound_if_there_is_one),
        cmocka_unit_test(the_time_of_an_evaluation_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
