// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/target.h"

static size_t index_of(Str s, char c)
{
    size_t i = 0;
    while (i < s.len && s.ptr[i] != c)
        i++;
    return i;
}

static Str skip(Str s, size_t count)
{
    return count < s.len ? (Str){s.ptr + count, s.len - count} : (Str){s.ptr + s.len, 0};
}

/* Proxies send a whole address, others a path. What does not begin with a slash is neither. */
bool target_split(Str text, Target *out)
{
    *out = (Target){0};
    const Str scheme = {text.ptr, text.len < 7 ? text.len : 7};
    if (str_is_nocase(scheme, "http://")) {
        text = skip(text, 7);
        out->authority = (Str){text.ptr, index_of(text, '/')};
        text = skip(text, out->authority.len);
        if (out->authority.len == 0)
            return false;
    }
    const size_t end = index_of(text, '?');
    out->path = (Str){text.ptr, end};
    out->query = skip(text, end + 1);
    return end > 0 && text.ptr[0] == '/';
}

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const char lower = (char)(c | 32);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* False where a byte is zero or an escape is broken: one text must have one meaning. */
bool target_decode(Str text, bool plus_is_blank, char *out, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < text.len; i++) {
        int c = (unsigned char)text.ptr[i];
        if (c == '%') {
            const int high = i + 2 < text.len ? hex(text.ptr[i + 1]) : -1;
            const int low = high >= 0 ? hex(text.ptr[i + 2]) : -1;
            if (low < 0)
                return false;
            c = 16 * high + low;
            i += 2;
        } else if (c == '+' && plus_is_blank) {
            c = ' ';
        }
        if (c == 0 || used + 1 >= size)
            return false;
        out[used++] = (char)c;
    }
    out[used] = '\0';
    return true;
}

/* The next pair of a query; a name without = has an empty value. */
bool target_next(Str *query, Str *name, Str *value)
{
    while (query->len > 0 && query->ptr[0] == '&')
        *query = skip(*query, 1);
    if (query->len == 0)
        return false;
    const Str pair = {query->ptr, index_of(*query, '&')};
    *query = skip(*query, pair.len + 1);
    const size_t equals = index_of(pair, '=');
    *name = (Str){pair.ptr, equals};
    *value = skip(pair, equals + 1);
    return true;
}
