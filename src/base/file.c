// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include <errno.h>
#include <string.h>

#ifndef _WIN32 /* else see file_windows.c */

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Without O_NONBLOCK, opening a pipe waits for its other end. */
bool file_open(File *file, const char *path, Error *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return error_code(err, errno == ENOENT || errno == ENOTDIR ? "NO_FILE" : "FILE", 0,
                          "cannot open '%.128s': %s", path, strerror(errno));
    struct stat about;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
        close(fd);
        return error_code(err, "FILE", 0, "'%.128s' is not a regular file", path);
    }
    file->handle = fd;
    file->size = (uint64_t)about.st_size;
    file->time = (int64_t)about.st_mtim.tv_sec * 1000000000 + about.st_mtim.tv_nsec;
    return true;
}

void file_close(File *file) { close((int)file->handle); }

/* Again where a signal comes between; fewer bytes mean the end of the file or a fault. */
size_t file_read(const File *file, uint64_t offset, void *out, size_t len)
{
    size_t done = 0;
    while (done < len) {
        const ssize_t got =
            pread((int)file->handle, (char *)out + done, len - done, (off_t)(offset + done));
        if (got > 0)
            done += (size_t)got;
        else if (got == 0 || errno != EINTR)
            break;
    }
    return done;
}

/* The system would wait with a pipe for its reader; without O_NONBLOCK even to open it. */
FILE *file_append(const char *path, Error *err)
{
    const int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    struct stat about;
    if (fd >= 0 && fstat(fd, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISCHR(about.st_mode)) {
        close(fd);
        error_code(err, "FILE", 0, "cannot write '%.128s': it is not a file", path);
        return NULL;
    }
    if (fd >= 0)
        fcntl(fd, F_SETFL, O_APPEND);
    FILE *file = fd >= 0 ? fdopen(fd, "a") : NULL;
    if (!file) {
        error_code(err, "FILE", 0, "cannot write '%.128s': %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
    }
    return file;
}

FILE *file_stream(const char *path, const char *mode) { return fopen(path, mode); }
bool file_exists(const char *path) { return access(path, F_OK) == 0; }
bool file_remove(const char *path) { return unlink(path) == 0; }

bool file_make_folder(const char *path)
{
    struct stat about;
    return mkdir(path, 0777) == 0 || (stat(path, &about) == 0 && S_ISDIR(about.st_mode));
}

bool file_shorten(const char *path, uint64_t length)
{
    return truncate(path, (off_t)length) == 0 || errno == ENOENT;
}

bool file_cut(FILE *file, uint64_t length)
{
    return fseeko(file, (off_t)length, SEEK_SET) == 0 &&
           ftruncate(fileno(file), (off_t)length) == 0;
}

bool file_sync(FILE *file) { return fflush(file) == 0 && fsync(fileno(file)) == 0; }
bool file_replace(const char *from, const char *to) { return rename(from, to) == 0; }

#endif

bool file_flush_output(Error *err)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return error_code(err, "FILE", 0, "cannot write to standard output%s%s", errno ? ": " : "",
                      errno ? strerror(errno) : "");
}

/* Memory is taken once. A file that shrinks meanwhile is an error, not a shorter text. */
bool file_read_all(const char *path, size_t max, Buffer *out, Error *err)
{
    File file;
    if (!file_open(&file, path, err))
        return false;
    bool ok = true;
    if (file.size > max)
        ok = error_code(err, "FILE", 0, "'%.128s' is too large: more than %zu bytes", path, max);
    else if (!buffer_reserve(out, (size_t)file.size))
        ok = error_code(err, "NO_MEMORY", 0, "not enough memory for '%.128s'", path);
    char chunk[1 << 14];
    for (uint64_t at = 0; ok && at < file.size;) {
        const uint64_t left = file.size - at;
        const size_t wanted = left < sizeof chunk ? (size_t)left : sizeof chunk;
        if (file_read(&file, at, chunk, wanted) != wanted)
            ok = error_code(err, "FILE", 0, "cannot read '%.128s' to its end", path);
        buffer_append(out, chunk, wanted);
        at += wanted;
    }
    file_close(&file);
    return ok;
}

/* Beside the old file first, and on the disk before it takes the name: a reader finds the old or
 * the new one, whole, whatever happens meanwhile. */
bool file_save(const char *path, const void *bytes, size_t len, Error *err)
{
    Buffer beside = {0};
    buffer_printf(&beside, "%s.new", path);
    FILE *file = beside.failed ? NULL : file_stream(beside.data, "wb");
    bool ok = file && fwrite(bytes, 1, len, file) == len && file_sync(file);
    if (file && fclose(file) != 0)
        ok = false;
    ok = ok && file_replace(beside.data, path);
    if (!ok) {
        error_code(err, "FILE", 0, "cannot write '%.128s': %s", path, strerror(errno));
        if (file)
            file_remove(beside.data);
    }
    buffer_free(&beside);
    return ok;
}
