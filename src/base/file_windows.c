// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#ifdef _WIN32

#include "base/windows_text.h"
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static HANDLE open_handle(const char *path, DWORD access, DWORD creation)
{
    wchar_t *wide = windows_wide(path);
    if (!wide)
        return INVALID_HANDLE_VALUE;
    const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const HANDLE handle =
        CreateFileW(wide, access, share, NULL, creation, FILE_ATTRIBUTE_NORMAL, NULL);
    free(wide);
    return handle;
}

/* Devices and pipes have names like files there: the type is asked for. */
bool file_open(File *file, const char *path, Error *err)
{
    const HANDLE handle = open_handle(path, GENERIC_READ, OPEN_EXISTING);
    if (handle == INVALID_HANDLE_VALUE) {
        const DWORD reason = GetLastError();
        const bool absent = reason == ERROR_FILE_NOT_FOUND || reason == ERROR_PATH_NOT_FOUND;
        windows_set_errno();
        return error_code(err, absent ? "NO_FILE" : "FILE", 0, "cannot open '%.128s': %s", path,
                          strerror(errno));
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

/* In pieces, since one call takes 32 bits; at a place, so that threads do not disturb each
 * other. */
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

/* Opened by the system and wrapped: fopen() would not take a path in UTF-8. */
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

/* 'b' is added: no line end is translated. */
FILE *file_stream(const char *path, const char *mode)
{
    wchar_t *wide = windows_wide(path), how[8] = {0};
    size_t len = strlen(mode);
    if (!wide || len + 2 > sizeof how / sizeof *how) {
        free(wide);
        errno = EINVAL;
        return NULL;
    }
    mbstowcs(how, mode, len);
    if (!strchr(mode, 'b'))
        how[len] = L'b';
    FILE *file = _wfopen(wide, how);
    free(wide);
    return file;
}

static DWORD attributes_of(const char *path)
{
    wchar_t *wide = windows_wide(path);
    const DWORD attributes = wide ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    free(wide);
    return attributes;
}

bool file_exists(const char *path) { return attributes_of(path) != INVALID_FILE_ATTRIBUTES; }

bool file_remove(const char *path)
{
    wchar_t *wide = windows_wide(path);
    const bool ok = wide && DeleteFileW(wide);
    if (!ok)
        windows_set_errno();
    free(wide);
    return ok;
}

bool file_make_folder(const char *path)
{
    wchar_t *wide = windows_wide(path);
    bool ok = wide && CreateDirectoryW(wide, NULL);
    if (!ok)
        windows_set_errno();
    free(wide);
    const DWORD found = attributes_of(path);
    return ok || (found != INVALID_FILE_ATTRIBUTES && (found & FILE_ATTRIBUTE_DIRECTORY));
}

bool file_cut(FILE *file, uint64_t length)
{
    return fseeko(file, (off_t)length, SEEK_SET) == 0 &&
           _chsize_s(_fileno(file), (int64_t)length) == 0;
}

bool file_shorten(const char *path, uint64_t length)
{
    FILE *file = file_stream(path, "r+b");
    if (!file)
        return errno == ENOENT;
    const bool ok = file_cut(file, length);
    return fclose(file) == 0 && ok;
}

bool file_sync(FILE *file) { return fflush(file) == 0 && _commit(_fileno(file)) == 0; }

/* A virus scanner or an indexer may hold the old file open for a moment: then once more. */
bool file_replace(const char *from, const char *to)
{
    enum { ATTEMPTS = 20, PAUSE_MS = 25 };
    wchar_t *old = windows_wide(from), *new = windows_wide(to);
    bool ok = false;
    for (int i = 0; old && new && !ok &&i < ATTEMPTS; i++) {
        ok = MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
        if (ok ||
            (GetLastError() != ERROR_SHARING_VIOLATION && GetLastError() != ERROR_ACCESS_DENIED))
            break;
        Sleep(PAUSE_MS);
    }
    if (!ok)
        windows_set_errno();
    free(old);
    free(new);
    return ok;
}

#endif
