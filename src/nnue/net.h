// SPDX-License-Identifier: GPL-3.0-or-later
/* net.h -- a network as the engine uses it: loaded from a file or embedded, checked, and constant
 * from then on.
 *
 * The file, all numbers little-endian:
 *   offset  0  8 bytes  "SAMARANN"
 *           8  u32      version, 1
 *          12  u32      bytes of this header, 64
 *          16  u64      FNV-1a of the architecture's name: "768hm-256x2-screlu-ob8"
 *          24  u16 x 6  king buckets K (1 or 4), hidden neurons, output buckets, QA, QB, SCALE
 *          36  u32      bytes of the weights
 *          40  u64      which data it was trained with (0: not said)
 *          48  16 bytes zero
 *          64           weights: i16 input[K][768][H], i16 bias[H], i16 output[buckets][2][H],
 *                       i32 output bias[buckets]
 *         end  u32      CRC-32C of all before */
#ifndef SAMARA_NNUE_NET_H
#define SAMARA_NNUE_NET_H

#include "base/error.h"
#include "base/text.h"

typedef struct Net Net;

/* NULL, and *err says why (unreadable, foreign, damaged, other architecture). */
Net *net_load(const char *path, Error *err);
Net *net_parse(const void *bytes, size_t size, Error *err);
const Net *net_embedded(void);        /* NULL if this build carries none; safe from any thread */
void net_free(Net *net);              /* not the embedded one; NULL is fine */
const char *net_name(const Net *net); /* e.g. "samara-4f0c12ab": from the checksum */
const char *net_architecture(const Net *net); /* "768hm-256x2-screlu-ob8" */
const char *net_vocabulary(void); /* the instruction set of the kernels in use: "AVX2" */

/* Writes the file of a network whose weights have been rounded already: what the trainer exports,
 * and what net_parse() reads back to the same numbers. Appends to *out; false if memory is short.
 */
bool net_write(const Net *net, Buffer *out);

#endif
