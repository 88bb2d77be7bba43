// SPDX-License-Identifier: GPL-3.0-or-later
/* syzygy_file.h -- the bytes of a table file, every access checked against its size.
 *
 * Small files lie in memory. Of large ones only pages are kept, in a cache that the files of one
 * set share. No file is mapped: one that shrinks or fails while in use makes a read fail, and
 * nothing else happens. Reading is possible from any thread. */
#ifndef SAMARA_PROBE_SYZYGY_FILE_H
#define SAMARA_PROBE_SYZYGY_FILE_H

#include "base/file.h"

typedef struct TbPages TbPages;

typedef struct TbFile {
    const uint8_t *whole; /* the bytes, if they are in memory */
    uint64_t size;
    int64_t time; /* of the last change; another one later means another file */
    uint32_t id;  /* distinct among the files that share the pages */
    TbPages *pages;
    const char *path;
} TbFile;

TbPages *tb_pages_create(void);        /* NULL if memory is short */
void tb_pages_destroy(TbPages *pages); /* NULL is fine */

/* For a file that is not in memory. */
bool tb_file_copy(const TbFile *file, uint64_t offset, size_t len, uint8_t *out);

/* `len` bytes at `offset`: in memory, or copied to `copy`, which has room for them. NULL if they
 * are not within the file or cannot be read. */
ALWAYS_INLINE const uint8_t *tb_file_view(const TbFile *file, uint64_t offset, size_t len,
                                          uint8_t *copy)
{
    if (UNLIKELY(offset > file->size || len > file->size - offset))
        return NULL;
    if (LIKELY(file->whole != NULL))
        return file->whole + offset;
    return tb_file_copy(file, offset, len, copy) ? copy : NULL;
}

ALWAYS_INLINE unsigned load_le16(const uint8_t *at) { return at[0] | (unsigned)at[1] << 8; }
ALWAYS_INLINE uint32_t load_le32(const uint8_t *at)
{
    return load_le16(at) | (uint32_t)load_le16(at + 2) << 16;
}
ALWAYS_INLINE uint32_t load_be32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

#endif
