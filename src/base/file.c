// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include <errno.h>
#include <string.h>

#ifdef _WIN32

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <windows.h>

/* The caller frees it. NULL if the path is no UTF-8 or memory is short. */
static wchar_t *wide_path(const char *path)
{
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t *wide = length > 0 ? malloc((size_t)length * sizeof *wide) : NULL;
    if (wide)
        MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, length);
    return wide;
}

static HANDLE open_handle(const char *path, DWORD access, DWORD creation)
{
    wchar_t *wide = wide_path(path);
    if (!wide)
        return INVALID_HANDLE_VALUE;
    const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const HANDLE handle =
        CreateFileW(wide, access, share, NULL, creation, FILE_ATTRIBUTE_NORMAL, NULL);
    free(wide);
    return handle;
}

bool file_open(File *file, const char *path, Error *err)
{
    const HANDLE handle = open_handle(path, GENERIC_READ, OPEN_EXISTING);
    if (handle == INVALID_HANDLE_VALUE) {
        const DWORD reason = GetLastError();
        const bool absent = reason == ERROR_FILE_NOT_FOUND || reason == ERROR_PATH_NOT_FOUND;
        return error_code(err, absent ? "NO_FILE" : "FILE", 0,
                          "cannot open '%.128s': system error %lu", path, (unsigned long)reason);
    }
    BY_HANDLE_FILE_INFORMATION about;
    if (GetFileType(handle) != FILE_TYPE_DISK || !GetFileInformationByHandle(handle, &about)) {
        CloseHandle(handle);
        return error_code(err, "FILE", 0, "'%.128s' is not a regular file", path);
    }
    file->handle = (intptr_t)handle;
    file->size = (uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow;
    file->time = (int64_t)((uint64_t)about.ftLastWriteTime.dwHighDateTime << 32 |
                           about.ftLastWriteTime.dwLowDateTime);
    return true;
}

void file_close(File *file) { CloseHandle((HANDLE)file->handle); }

size_t file_read(const File *file, uint64_t offset, void *out, size_t len)
{
    enum { LARGEST = 1 << 30 };
    size_t done = 0;
    while (done < len) {
        const uint64_t at = offset + done;
        const DWORD wanted = len - done < LARGEST ? (DWORD)(len - done) : LARGEST;
        OVERLAPPED place = {.Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32)};
        DWORD got = 0;
        if (!ReadFile((HANDLE)file->handle, (char *)out + done, wanted, &got, &place) || got == 0)
            break;
        done += got;
    }
    return done;
}

FILE *file_append(const char *path, Error *err)
{
    const HANDLE handle = open_handle(path, FILE_APPEND_DATA, OPEN_ALWAYS);
    const DWORD type = handle == INVALID_HANDLE_VALUE ? FILE_TYPE_UNKNOWN : GetFileType(handle);
    const int fd = type == FILE_TYPE_DISK || type == FILE_TYPE_CHAR
                       ? _open_osfhandle((intptr_t)handle, _O_APPEND | _O_TEXT)
                       : -1;
    FILE *file = fd >= 0 ? _fdopen(fd, "a") : NULL;
    if (!file && handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
    if (!file)
        error_code(err, "FILE", 0, "cannot write '%.128s'", path);
    return file;
}

void file_hold_standard(void) {}

#else

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

void file_hold_standard(void)
{
    int fd;
    while ((fd = open("/dev/null", O_RDONLY)) >= 0 && fd <= STDERR_FILENO)
        ;
    if (fd >= 0)
        close(fd);
}

#endif

bool file_flush_output(Error *err)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return error_code(err, "FILE", 0, "cannot write to standard output%s%s", errno ? ": " : "",
                      errno ? strerror(errno) : "");
}

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
