// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "front/http/head.h"
#include <stdlib.h>
#include <string.h>

#define FIRST "GET / HTTP/1.1\r\n"

/* 0: fine; else the status; -1: not complete. */
static int judge(const char *bytes, size_t len, Head *head)
{
    size_t seen = 0;
    switch (head_scan(bytes, len, &seen)) {
    case HEAD_MORE:
        return -1;
    case HEAD_BAD:
        return 400;
    case HEAD_DONE:
        break;
    }
    return head_parse(head, bytes, seen);
}

static void a_plain_head_is_understood(void **state)
{
    (void)state;
    static const char text[] = "POST /move?a=b HTTP/1.1\r\nHost: "
                               "localhost:8000\r\nX-Empty:\r\nAccept:\t text/html \r\n\r\n{";
    Head head;
    size_t seen = 0;
    assert_int_equal(head_scan(text, sizeof text - 1, &seen), HEAD_DONE);
    assert_int_equal(seen, sizeof text - 2);
    assert_int_equal(head_parse(&head, text, seen), 0);
    assert_true(str_is(head.method, "POST") && str_is(head.target, "/move?a=b"));
    assert_int_equal(head.version, 11);
    assert_int_equal(head.count, 3);
    assert_true(str_is(head.field[0].name, "Host") &&
                str_is(head.field[0].value, "localhost:8000"));
    assert_true(str_is(head.field[1].name, "X-Empty") && head.field[1].value.len == 0);
    assert_true(str_is(head.field[2].value, "text/html"));
}

static void what_is_not_by_the_letter_is_refused(void **state)
{
    (void)state;
#define CASE(status, text)                                                                         \
    {                                                                                              \
        status, text, sizeof text - 1                                                              \
    }
    static const struct {
        int status;
        const char *text;
        size_t len;
    } cases[] = {
        CASE(0, FIRST "\r\n"),
        CASE(0, "GET / HTTP/1.0\r\n\r\n"),
        CASE(0, FIRST "Name: obs\xe9-text\r\n\r\n"),
        CASE(0, "BREW! / HTTP/1.1\r\n\r\n"),
        CASE(400, "\r\n"),
        CASE(400, FIRST "A: b\rc\r\n\r\n"),          /* bare CR */
        CASE(400, "GET /\r HTTP/1.1\r\n\r\n"),       /* bare CR in the target */
        CASE(400, "GET / HTTP/1.1\n\n"),             /* bare LF */
        CASE(400, FIRST "A: b\nHost: c\r\n\r\n"),    /* bare LF between fields */
        CASE(400, FIRST "A: b\r\r\n\r\n"),           /* two CR */
        CASE(400, "GET /\0x HTTP/1.1\r\n\r\n"),      /* NUL in the target */
        CASE(400, FIRST "A: b\0c\r\n\r\n"),          /* NUL in a value */
        CASE(400, FIRST "A\0: b\r\n\r\n"),           /* NUL in a name */
        CASE(400, FIRST "A: \x0b\r\n\r\n"),          /* vertical tab */
        CASE(400, FIRST "A: \x7f\r\n\r\n"),          /* delete */
        CASE(400, FIRST "A : b\r\n\r\n"),            /* blank before the colon */
        CASE(400, FIRST ": b\r\n\r\n"),              /* no name */
        CASE(400, FIRST "A b\r\n\r\n"),              /* no colon */
        CASE(400, FIRST "A: b\r\n c\r\n\r\n"),       /* folded */
        CASE(400, FIRST "A: b\r\n\tc\r\n\r\n"),      /* folded by a tab */
        CASE(400, FIRST " A: b\r\n\r\n"),            /* blank before the first field */
        CASE(400, FIRST "(A): b\r\n\r\n"),           /* no token */
        CASE(400, FIRST "\xc3\xa9: b\r\n\r\n"),      /* nor this */
        CASE(400, "GET  / HTTP/1.1\r\n\r\n"),        /* two blanks */
        CASE(400, "GET / index HTTP/1.1\r\n\r\n"),   /* a blank in the target */
        CASE(400, "GET / HTTP/1.1 \r\n\r\n"),        /* a blank behind */
        CASE(400, " GET / HTTP/1.1\r\n\r\n"),        /* and before */
        CASE(400, "GET\t/\tHTTP/1.1\r\n\r\n"),       /* tabs */
        CASE(400, "GET /\xc3\xa9 HTTP/1.1\r\n\r\n"), /* a letter beyond ASCII */
        CASE(400, "GET / http/1.1\r\n\r\n"),         /* lower case */
        CASE(400, "GET / HTTP/1\r\n\r\n"),           /* half a version */
        CASE(400, "GET / HTTP/1.10\r\n\r\n"),        /* longer */
        CASE(400, "GET /\r\n\r\n"),                  /* HTTP/0.9 */
        CASE(400, "GET\r\n\r\n"),                    //
        CASE(505, "GET / HTTP/2.0\r\n\r\n"),         //
        CASE(505, "GET / HTTP/0.9\r\n\r\n"),         //
        CASE(400, "\x16\x03\x01\x02"),               /* TLS */
        CASE(-1, "GET / HTTP/1.1\r\n"),              //
        CASE(-1, "GET / HTTP/1.1\r\nHost: a\r\n"),   //
        CASE(-1, ""),                                //
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Head head;
        const int status = judge(cases[i].text, cases[i].len, &head);
        if (status != cases[i].status)
            fail_msg("%d instead of %d for %s", status, cases[i].status, cases[i].text);
    }
}

/* However a head is cut into pieces, the same byte is the last, or the first bad one. */
static void pieces_make_no_difference(void **state)
{
    (void)state;
    static const char *const texts[] = {
        FIRST "Host: a\r\nB: c\r\n\r\nmore",
        FIRST "Host: a\r\nB: c\rd\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\n\r\n",
        "\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const size_t len = strlen(texts[i]);
        size_t whole = 0;
        const HeadState wanted = head_scan(texts[i], len, &whole);
        for (size_t step = 1; step < len; step++) {
            size_t seen = 0;
            HeadState got = HEAD_MORE;
            for (size_t have = step; got == HEAD_MORE; have += step)
                got = head_scan(texts[i], have < len ? have : len, &seen);
            assert_int_equal(got, wanted);
            assert_int_equal(seen, whole);
        }
    }
}

static void too_much_is_too_much(void **state)
{
    (void)state;
    Buffer text = {0};
    Head head;
    buffer_puts(&text, FIRST);
    for (int i = 0; i < HEAD_MAX_FIELDS; i++)
        buffer_puts(&text, "A: b\r\n");
    const size_t full = text.len;
    buffer_puts(&text, "\r\n");
    assert_int_equal(judge(text.data, text.len, &head), 0);
    assert_int_equal(head.count, HEAD_MAX_FIELDS);
    text.len = full;
    buffer_puts(&text, "A: b\r\n\r\n");
    assert_int_equal(judge(text.data, text.len, &head), 431);

    buffer_clear(&text);
    buffer_puts(&text, "GET /");
    for (int i = 0; i < HEAD_MAX_TARGET; i++)
        buffer_putc(&text, 'a');
    buffer_puts(&text, " HTTP/1.1\r\n\r\n");
    assert_int_equal(judge(text.data, text.len, &head), 414);
    buffer_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_head_is_understood),
        cmocka_unit_test(what_is_not_by_the_letter_is_refused),
        cmocka_unit_test(pieces_make_no_difference),
        cmocka_unit_test(too_much_is_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
