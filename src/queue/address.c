// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool wrong(Error *err, const char *why)
{
    return error_set(err, "the broker is redis://host:port/db or unix:/path?db=N: %s", why);
}

/* "user:password", each part as it is; ':' and '@' in a password belong in a file. */
static bool read_login(BrokerAddress *out, Str login)
{
    const char *colon = memchr(login.ptr, ':', login.len);
    const Str user = {login.ptr, colon ? (size_t)(colon - login.ptr) : 0};
    const Str password =
        colon ? (Str){colon + 1, login.len - user.len - 1} : login; /* redis://secret@host */
    return str_copy(out->user, sizeof out->user, user) &&
           str_copy(out->password, sizeof out->password, password);
}

static bool read_db(BrokerAddress *out, Str text)
{
    int64_t db = 0;
    if (!str_int(text, 0, 1023, &db))
        return false;
    out->db = (int)db;
    return true;
}

/* Behind "redis://". An IPv6 address stands in brackets. */
static bool read_network(BrokerAddress *out, Str rest, Error *err)
{
    const char *at = memchr(rest.ptr, '@', rest.len);
    if (at) {
        if (!read_login(out, (Str){rest.ptr, (size_t)(at - rest.ptr)}))
            return wrong(err, "user or password is too long");
        rest = (Str){at + 1, rest.len - (size_t)(at + 1 - rest.ptr)};
    }
    Str host = str_until(&rest, '/');
    if (rest.len > 0 && !read_db(out, rest))
        return wrong(err, "a database is a number");
    Str port = {0};
    const char *bracket =
        host.len > 0 && host.ptr[0] == '[' ? memchr(host.ptr, ']', host.len) : NULL;
    const char *from = bracket ? bracket : host.ptr;
    const char *colon =
        host.len > 0 ? memchr(from, ':', host.len - (size_t)(from - host.ptr)) : NULL;
    if (colon) {
        port = (Str){colon + 1, host.len - (size_t)(colon + 1 - host.ptr)};
        host.len = (size_t)(colon - host.ptr);
    }
    if (!bracket && host.len > 0 && host.ptr[0] == '[')
        return wrong(err, "a bracket is missing");
    if (bracket)
        host = (Str){host.ptr + 1, (size_t)(bracket - host.ptr - 1)};
    int64_t number = 6379;
    if (colon && !str_int(port, 1, 65535, &number))
        return wrong(err, "a port is a number from 1 to 65535");
    out->port = (int)number;
    if (host.len == 0 || !str_copy(out->host, sizeof out->host, host))
        return wrong(err, "the host is missing or too long");
    return true;
}

/* Behind "unix:". */
static bool read_socket(BrokerAddress *out, Str rest, Error *err)
{
    const Str path = str_until(&rest, '?');
    if (path.len == 0 || path.len > 100 || !str_copy(out->host, sizeof out->host, path))
        return wrong(err, "the path of the socket is missing or too long");
    if (rest.len > 0 &&
        (!str_starts(rest, "db=") || !read_db(out, (Str){rest.ptr + 3, rest.len - 3})))
        return wrong(err, "behind the path stands ?db=N");
    return true;
}

/* The scheme decides how the rest is read. */
bool broker_address(BrokerAddress *out, const char *url, Error *err)
{
    const Str text = str_from(url);
    *out = (BrokerAddress){0};
    if (str_starts(text, "rediss://"))
        return wrong(err, "TLS goes through stunnel, see docs/SCALE.md");
    if (str_starts(text, "redis://"))
        return read_network(out, (Str){text.ptr + 8, text.len - 8}, err);
    if (str_starts(text, "unix:"))
        return read_socket(out, (Str){text.ptr + 5, text.len - 5}, err);
    return wrong(err, "it begins with neither");
}

/* A file is read once, at the start; the environment is the fallback. */
bool broker_password(BrokerAddress *address, const char *file, Error *err)
{
    const char *word = getenv("SAMARA_BROKER_PASSWORD");
    char line[sizeof address->password + 2];
    if (address->password[0])
        return true;
    if (file) {
        FILE *stream = fopen(file, "r");
        const bool read = stream && fgets(line, sizeof line, stream);
        if (stream)
            fclose(stream);
        if (!read)
            return error_set(err, "the broker's password cannot be read from '%.160s'", file);
        word = line;
    }
    return !word ||
           str_copy(address->password, sizeof address->password, str_trim(str_from(word))) ||
           error_set(err, "the broker's password is too long");
}

/* 127.0.0.1 and its like, and no name that only begins so. */
static bool is_loopback(Str host)
{
    return str_is(host, "localhost") || str_is(host, "::1") ||
           (str_starts(host, "127.") && strspn(host.ptr, "0123456789.") == host.len);
}

bool broker_exposed(const BrokerAddress *address)
{
    return address->port != 0 && !address->password[0] && !is_loopback(str_from(address->host));
}
