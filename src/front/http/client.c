// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/client.h"

#include "base/rng.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static Address from_four(const struct in_addr *four)
{
    Address a;
    memcpy(a.byte, mapped, sizeof mapped);
    memcpy(a.byte + sizeof mapped, four, 4);
    return a;
}

Address address_of(const struct sockaddr *from)
{
    Address a = {{0}};
    if (from->sa_family == AF_INET)
        a = from_four(&((const struct sockaddr_in *)from)->sin_addr);
    else if (from->sa_family == AF_INET6)
        memcpy(a.byte, &((const struct sockaddr_in6 *)from)->sin6_addr, sizeof a.byte);
    return a;
}

bool address_equal(Address a, Address b) { return memcmp(a.byte, b.byte, sizeof a.byte) == 0; }

static size_t find(Str s, char c)
{
    const char *at = s.len > 0 ? memchr(s.ptr, c, s.len) : NULL;
    return at ? (size_t)(at - s.ptr) : s.len;
}

/* ":8000" or nothing. Proxies may hide the port behind other letters; it is not looked at. */
static bool is_port(Str s) { return s.len == 0 || s.ptr[0] == ':'; }

/* IPv4 or IPv6, with or without a port, as proxies write them. */
bool address_parse(Str text, Address *out)
{
    Str host = text, port = {0};
    if (text.len == 0)
        return false;
    if (text.ptr[0] == '[') {
        const size_t end = find(text, ']');
        if (end == text.len)
            return false;
        host = (Str){text.ptr + 1, end - 1};
        port = (Str){text.ptr + end + 1, text.len - end - 1};
    } else {
        const size_t colon = find(text, ':');
        const Str rest = {text.ptr + colon, text.len - colon};
        if (rest.len > 0 && find((Str){rest.ptr + 1, rest.len - 1}, ':') == rest.len - 1) {
            host.len = colon; /* one colon: IPv4 and a port */
            port = rest;
        }
    }
    char copy[INET6_ADDRSTRLEN];
    struct in_addr four;
    struct in6_addr six;
    if (!is_port(port) || !str_copy(copy, sizeof copy, host))
        return false;
    if (inet_pton(AF_INET, copy, &four) == 1)
        *out = from_four(&four);
    else if (inet_pton(AF_INET6, copy, &six) == 1)
        memcpy(out->byte, &six, sizeof out->byte);
    else
        return false;
    return true;
}

ClientId client_of_address(Address address)
{
    const bool four = memcmp(address.byte, mapped, sizeof mapped) == 0;
    return hash_bytes(address.byte, four ? 16 : 8);
}

bool proxies_trust(const Proxies *proxies, Address peer)
{
    for (int i = 0; i < proxies->count; i++)
        if (address_equal(proxies->trusted[i], peer))
            return true;
    return false;
}

/* Splits off what is behind the last comma. */
static Str last_element(Str *list)
{
    size_t begin = list->len;
    while (begin > 0 && list->ptr[begin - 1] != ',')
        begin--;
    const Str element = str_trim((Str){list->ptr + begin, list->len - begin});
    list->len = begin > 0 ? begin - 1 : 0;
    return element;
}

/* 'proto=https;for="[2001:db8::1]:4711"' -> '[2001:db8::1]:4711' */
static Str forwarded_for(Str element)
{
    while (element.len > 0) {
        const size_t end = find(element, ';');
        const Str pair = str_trim((Str){element.ptr, end});
        element = end < element.len ? (Str){element.ptr + end + 1, element.len - end - 1}
                                    : (Str){element.ptr, 0};
        const size_t equals = find(pair, '=');
        if (!str_is_nocase((Str){pair.ptr, equals}, "for") || equals == pair.len)
            continue;
        Str node = {pair.ptr + equals + 1, pair.len - equals - 1};
        if (node.len >= 2 && node.ptr[0] == '"' && node.ptr[node.len - 1] == '"')
            node = (Str){node.ptr + 1, node.len - 2};
        return node;
    }
    return (Str){0};
}

/* Reads the list from its end: the last address that is not a trusted proxy is the client, whatever
 * the client itself wrote before it. */
bool proxies_client(const Proxies *proxies, const Head *head, Address *out)
{
    const bool standard = strcmp(proxies->header, "Forwarded") == 0;
    for (int i = head->count - 1; i >= 0; i--) {
        if (!str_is_nocase(head->field[i].name, proxies->header))
            continue;
        Str list = head->field[i].value;
        while (list.len > 0) {
            const Str element = last_element(&list);
            if (!address_parse(standard ? forwarded_for(element) : element, out))
                return false;
            if (!proxies_trust(proxies, *out))
                return true;
        }
    }
    return false;
}
