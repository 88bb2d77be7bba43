// SPDX-License-Identifier: GPL-3.0-or-later
/* The head of a request is judged the same however its bytes are cut, and what is accepted reads
 * back: written out again by the letter it is the same head. */
#include "fuzz.h"

#include "front/http/client.h"
#include "front/http/target.h"
#include <string.h>

static HeadState scan_in_steps(const char *bytes, size_t size, size_t step, size_t *seen)
{
    HeadState state = HEAD_MORE;
    *seen = 0;
    for (size_t have = step; state == HEAD_MORE; have += step) {
        state = head_scan(bytes, have < size ? have : size, seen);
        if (have >= size)
            break;
    }
    return state;
}

static void put(Buffer *out, Str s) { buffer_append(out, s.ptr, s.len); }

static void check_same(const Head *a, const Head *b)
{
    DEMAND(str_equal(a->method, b->method) && str_equal(a->target, b->target));
    DEMAND(a->version == b->version && a->count == b->count);
    for (int i = 0; i < a->count; i++)
        DEMAND(str_equal(a->field[i].name, b->field[i].name) &&
               str_equal(a->field[i].value, b->field[i].value));
}

static void check_target(const Head *head)
{
    static char text[HEAD_MAX_TARGET + 1];
    Target target;
    if (!target_split(head->target, &target))
        return;
    DEMAND(target.path.len > 0 && target.path.ptr[0] == '/');
    if (target_decode(target.path, false, text, sizeof text))
        DEMAND(strlen(text) <= target.path.len);
    Str query = target.query, name, value;
    while (target_next(&query, &name, &value)) {
        DEMAND(name.len + value.len <= target.query.len);
        if (target_decode(value, true, text, sizeof text))
            DEMAND(strlen(text) <= value.len);
    }
}

static void check_proxies(const Head *head)
{
    static const char *const headers[] = {"Forwarded", "X-Forwarded-For"};
    Address found;
    for (int i = 0; i < 2; i++) {
        const Proxies proxies = {.header = headers[i]};
        proxies_client(&proxies, head, &found);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Head head, again;
    const char *bytes = (const char *)data;
    size_t seen = 0, other;
    const HeadState state = head_scan(bytes, size, &seen);
    DEMAND(seen <= size);
    for (size_t step = 1; step < 8; step++) {
        DEMAND(scan_in_steps(bytes, size, step, &other) == state || size == 0);
        DEMAND(other == seen);
    }
    if (state != HEAD_DONE || head_parse(&head, bytes, seen) != 0)
        return 0;

    Buffer out = {0};
    put(&out, head.method);
    buffer_putc(&out, ' ');
    put(&out, head.target);
    buffer_printf(&out, " HTTP/%d.%d\r\n", head.version / 10, head.version % 10);
    for (int i = 0; i < head.count; i++) {
        put(&out, head.field[i].name);
        buffer_puts(&out, ": ");
        put(&out, head.field[i].value);
        buffer_puts(&out, "\r\n");
    }
    buffer_puts(&out, "\r\n");
    other = 0;
    DEMAND(head_scan(out.data, out.len, &other) == HEAD_DONE && other == out.len);
    DEMAND(head_parse(&again, out.data, out.len) == 0);
    check_same(&head, &again);
    check_target(&head);
    check_proxies(&head);
    buffer_free(&out);
    return 0;
}
