// SPDX-License-Identifier: GPL-3.0-or-later
/* client.h -- who a client is, as far as shares go: its address, or the one that a proxy names. */
#ifndef SAMARA_FRONT_HTTP_CLIENT_H
#define SAMARA_FRONT_HTTP_CLIENT_H

#include "front/http/head.h"
#include <sys/socket.h>

typedef uint64_t ClientId;

/* An IPv6 address; IPv4 is written as ::ffff:a.b.c.d. */
typedef struct Address {
    uint8_t byte[16];
} Address;

Address address_of(const struct sockaddr *from);
bool address_equal(Address a, Address b);
/* "192.0.2.1", "[2001:db8::1]", each with or without a port; "2001:db8::1". */
bool address_parse(Str text, Address *out);

/* A network of IPv6 (/64) is one client: whoever has one address of it has all of them. */
ClientId client_of_address(Address address);

enum { CLIENT_MAX_PROXIES = 16 };

/* Proxies whose word is taken for who asks. */
typedef struct Proxies {
    Address trusted[CLIENT_MAX_PROXIES];
    int count;
    const char *header; /* the one that they write: "Forwarded" or "X-Forwarded-For" */
} Proxies;

bool proxies_trust(const Proxies *proxies, Address peer);
/* For whom a trusted proxy asks: the last address in its header that is no trusted proxy, since
 * everything before was written by somebody else. False: it does not say. */
bool proxies_client(const Proxies *proxies, const Head *head, Address *out);

#endif
