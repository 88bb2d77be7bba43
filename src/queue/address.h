// SPDX-License-Identifier: GPL-3.0-or-later
/* address.h -- where the broker is: redis://[[user]:password@]host[:port][/db] or
 * unix:/path/of/socket[?db=N]. A password is better kept out of the list of processes: in a file,
 * or in $SAMARA_BROKER_PASSWORD. */
#ifndef SAMARA_QUEUE_ADDRESS_H
#define SAMARA_QUEUE_ADDRESS_H

#include "base/error.h"
#include "base/text.h"

typedef struct BrokerAddress {
    char host[256]; /* a name, or the path of a socket */
    int port;       /* 0: a socket */
    int db;
    char user[64], password[256]; /* "": none */
} BrokerAddress;

/* False: *err says what is wrong with it. */
bool broker_address(BrokerAddress *out, const char *url, Error *err);
/* The first line of the file (NULL: none), or the environment's word, if the URL had no password. */
bool broker_password(BrokerAddress *address, const char *file, Error *err);
/* Whether strangers could reach it: neither this machine's own address nor behind a password. */
bool broker_exposed(const BrokerAddress *address);

#endif
