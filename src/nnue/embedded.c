// SPDX-License-Identifier: GPL-3.0-or-later
/* embedded.c -- the network inside the program. SAMARA_NET_FILE names the file to include, if any.
 */
#include "nnue/net.h"

#include "base/compiler.h"
#include "base/thread.h"

#include <stddef.h>

#ifdef SAMARA_NET_FILE

EMBED_FILE(samara_net, SAMARA_NET_FILE);

/* Written once, before anyone can see it: a constant that takes a moment to compute. */
static const Net *embedded;
static Once once = ONCE_INIT;

static void parse_embedded(void)
{
    embedded = net_parse(samara_net, (size_t)(samara_net_end - samara_net), NULL);
}

const Net *net_embedded(void)
{
    thread_once(&once, parse_embedded);
    return embedded;
}

#else

const Net *net_embedded(void) { return NULL; }

#endif
