// SPDX-License-Identifier: GPL-3.0-or-later
/* file.h -- regular files, read by position.
 * Opening never waits: a pipe, a device or a folder is refused in words. A file that shrinks or
 * fails while in use gives fewer bytes than asked for, and never more than that. */
#ifndef SAMARA_BASE_FILE_H
#define SAMARA_BASE_FILE_H

#include "base/error.h"
#include "base/text.h"
#include <stdio.h>

/* Between the folders of a list, as the system's own PATH has it. */
#ifdef _WIN32
#define FILE_LIST_SEPARATOR ';'
#else
#define FILE_LIST_SEPARATOR ':'
#endif

typedef struct File {
    intptr_t handle;
    uint64_t size; /* when it was opened */
    int64_t time;  /* of the last change, in units of the system */
} File;

/* Paths are UTF-8 on every system. *err has the code NO_FILE if there is none, else FILE. */
bool file_open(File *file, const char *path, Error *err);
void file_close(File *file);
/* Up to `len` bytes from `offset` on; returns how many. From any thread. */
size_t file_read(const File *file, uint64_t offset, void *out, size_t len);

/* Appends the whole file to *out; refuses one of more than `max` bytes. */
bool file_read_all(const char *path, size_t max, Buffer *out, Error *err);
/* Opens a file or device for appending text; the file is made if it is not there. Pipes and sockets
 * are refused: they may have nobody who reads. NULL, and *err set, if it cannot be had. */
FILE *file_append(const char *path, Error *err);

/* fopen() for a path in UTF-8. A file is bytes on every system: no line end is translated. */
FILE *file_stream(const char *path, const char *mode);
bool file_exists(const char *path);
bool file_remove(const char *path);                   /* errno says why not */
bool file_make_folder(const char *path);              /* true if it is there already */
bool file_shorten(const char *path, uint64_t length); /* true if there is no such file */
bool file_cut(FILE *file, uint64_t length);           /* and goes on writing there */
bool file_sync(FILE *file);                           /* to the disk */
bool file_replace(const char *from, const char *to);  /* whether there is a file `to` or not */
/* Writes a whole file, or leaves the old one as it was. */
bool file_save(const char *path, const void *bytes, size_t len, Error *err);

/* Last thing in main: false if something written to standard output was lost. */
bool file_flush_output(Error *err);

#endif
