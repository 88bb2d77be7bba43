// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/windows_text.h"

#ifdef _WIN32

#include <errno.h>
#include <stdlib.h>
#include <windows.h>

wchar_t *windows_wide(const char *utf8)
{
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, utf8, -1, NULL, 0);
    wchar_t *wide = length > 0 ? malloc((size_t)length * sizeof *wide) : NULL;
    if (wide)
        MultiByteToWideChar(CP_UTF8, 0, utf8, -1, wide, length);
    return wide;
}

char *windows_utf8(const wchar_t *wide)
{
    const int length = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *utf8 = length > 0 ? malloc((size_t)length) : NULL;
    if (utf8)
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, utf8, length, NULL, NULL);
    return utf8;
}

/* What the system says in its own numbers, as far as our texts tell them apart. */
void windows_set_errno(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
        errno = ENOENT;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
        errno = EACCES;
        break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        errno = EEXIST;
        break;
    case ERROR_DISK_FULL:
        errno = ENOSPC;
        break;
    case ERROR_NOT_ENOUGH_MEMORY:
        errno = ENOMEM;
        break;
    case ERROR_BAD_EXE_FORMAT:
        errno = ENOEXEC;
        break;
    default:
        errno = EIO;
    }
}

#endif
