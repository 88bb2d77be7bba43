// SPDX-License-Identifier: GPL-3.0-or-later
/* syzygy_checksum.h -- the checksum at the end of every table file.
 *
 * A file is a multiple of 64 bytes, and 16 bytes of checksum behind it. It is cut into chunks of 16
 * megabytes; each gives four words by CityHashCrc256, and these words together give the checksum by
 * CityHashCrc128, both of CityHash 1.0. */
#ifndef SAMARA_PROBE_SYZYGY_CHECKSUM_H
#define SAMARA_PROBE_SYZYGY_CHECKSUM_H

#include "base/file.h"

enum { TB_CHECKSUM_SIZE = 16, TB_CHUNK = 16 << 20 };

/* Of what lies in memory, the checksum not included; false if it is more than a chunk. */
bool tb_checksum(const void *bytes, uint64_t len, uint8_t sum[TB_CHECKSUM_SIZE]);
/* Of a file that lies in memory, checksum included. */
bool tb_checksum_matches(const uint8_t *bytes, uint64_t size);
/* Of a file of any size; false, with a sentence, if it differs or cannot be read. */
bool tb_checksum_file(const File *file, Error *err);

#endif
