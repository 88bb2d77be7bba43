// SPDX-License-Identifier: GPL-3.0-or-later
/* net.h -- a network as the engine uses it: loaded from a file or embedded, checked, and constant from then on. */
#ifndef SAMARA_NNUE_NET_H
#define SAMARA_NNUE_NET_H

#include "base/error.h"
#include "base/text.h"

typedef struct Net Net;

/* NULL, and *err says why (unreadable, foreign, damaged, other architecture). */
Net *net_load(const char *path, Error *err);
Net *net_parse(const void *bytes, size_t size, Error *err);
const Net *net_embedded(void); /* NULL if this build carries none */
void net_free(Net *net);       /* not the embedded one; NULL is fine */
const char *net_name(const Net *net); /* e.g. "samara-4f0c12ab": from the checksum */
const char *net_architecture(const Net *net); /* "768hm-256x2-screlu-ob8" */

#endif
