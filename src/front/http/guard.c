// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/guard.h"

/* Letters of ASCII alone: host names have no others. */
static bool same_nocase(Str a, Str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++) {
        const char x = a.ptr[i], y = b.ptr[i];
        const bool letters = (x | 32) >= 'a' && (x | 32) <= 'z';
        if (x != y && !(letters && (x | 32) == (y | 32)))
            return false;
    }
    return true;
}

/* "[::1]:8000" -> "[::1]". False if what follows the name is no port. */
static bool split_port(Str host, Str *name)
{
    size_t end = 0;
    if (host.len > 0 && host.ptr[0] == '[')
        while (end < host.len && host.ptr[end] != ']')
            end++;
    while (end < host.len && host.ptr[end] != ':')
        end++;
    *name = (Str){host.ptr, end};
    if (end == host.len)
        return true;
    int64_t port;
    return str_int((Str){host.ptr + end + 1, host.len - end - 1}, 1, 65535, &port) &&
           host.ptr[end + 1] != '+';
}

bool guard_is_loopback(Str address)
{
    return str_is_nocase(address, "localhost") || str_is(address, "127.0.0.1") ||
           str_is(address, "::1") || str_is(address, "[::1]");
}

bool guard_host(const Guard *guard, Str host)
{
    Str name;
    if (!split_port(host, &name))
        return false;
    if (guard_is_loopback(name) && !str_is(name, "::1"))
        return true;
    for (int i = 0; i < guard->host_count; i++)
        if (same_nocase(name, guard->hosts[i]))
            return true;
    return false;
}

bool guard_is_origin(Str text)
{
    if (str_is(text, "*") || str_is(text, "null"))
        return true;
    size_t at = 0;
    while (at < text.len && text.ptr[at] != ':')
        at++;
    const bool scheme =
        at > 0 && at + 3 < text.len && text.ptr[at + 1] == '/' && text.ptr[at + 2] == '/';
    Str name;
    if (!scheme || !split_port((Str){text.ptr + at + 3, text.len - at - 3}, &name) || name.len == 0)
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] == '/' || name.ptr[i] <= ' ')
            return false;
    return true;
}

bool guard_any_origin(const Guard *guard)
{
    for (int i = 0; i < guard->origin_count; i++)
        if (str_is(guard->origins[i], "*"))
            return true;
    return false;
}

bool guard_origin(const Guard *guard, Str origin, Str host)
{
    if (guard_any_origin(guard))
        return true;
    for (int i = 0; i < guard->origin_count; i++)
        if (same_nocase(origin, guard->origins[i]))
            return true;
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (str_starts(origin, schemes[i])) {
            const size_t skip = str_from(schemes[i]).len;
            return same_nocase((Str){origin.ptr + skip, origin.len - skip}, host);
        }
    return false;
}

static bool same_secret(Str given, Str wanted)
{
    unsigned difference = given.len != wanted.len;
    for (size_t i = 0; i < given.len; i++)
        difference |= (unsigned char)given.ptr[i] ^ (unsigned char)wanted.ptr[i % wanted.len];
    return difference == 0;
}

int guard_token(const Guard *guard, Str authorization)
{
    if (guard->token_count == 0)
        return 0;
    const Str scheme = {authorization.ptr, authorization.len < 7 ? authorization.len : 7};
    if (!str_is_nocase(scheme, "Bearer "))
        return -1;
    const Str given = {authorization.ptr + 7, authorization.len - 7};
    int found = -1;
    for (int i = 0; i < guard->token_count; i++)
        if (same_secret(given, guard->tokens[i]))
            found = i;
    return found;
}
