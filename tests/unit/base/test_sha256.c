// SPDX-License-Identifier: GPL-3.0-or-later
/* The examples of FIPS 180-4, and texts around the length of a block. */
#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void hex(const char *text, size_t times, size_t step, char out[65])
{
    uint8_t hash[SHA256_SIZE];
    Sha256 sha;
    sha256_begin(&sha);
    for (size_t i = 0; i < times; i++)
        for (size_t at = 0, len = strlen(text); at < len; at += step)
            sha256_add(&sha, text + at, len - at < step ? len - at : step);
    sha256_end(&sha, hash);
    for (int i = 0; i < SHA256_SIZE; i++)
        snprintf(out + 2 * i, 3, "%02x", hash[i]);
}

static void known_answers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t times;
        const char *hash;
    } cases[] = {
        {"", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char found[65];
        hex(cases[i].text, cases[i].times, 64, found);
        assert_string_equal(found, cases[i].hash);
    }
}

static void pieces_do_not_matter(void **state)
{
    (void)state;
    char text[200] = "", whole[65], parts[65];
    for (size_t len = 0; len < sizeof text - 1; len++) {
        hex(text, 1, sizeof text, whole);
        for (size_t step = 1; step < 70; step += 13) {
            hex(text, 1, step, parts);
            assert_string_equal(whole, parts);
        }
        text[len] = (char)('a' + len % 26);
        text[len + 1] = '\0';
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(pieces_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
