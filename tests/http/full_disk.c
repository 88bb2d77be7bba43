// SPDX-License-Identifier: GPL-3.0-or-later
/* full_disk.c -- preloaded into a server under test: while the file named in $FULL_DISK exists, no
 * write to a regular file finds space. Works for every user and in every container. */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_full(int fd)
{
    struct stat about;
    const char *mark = getenv("FULL_DISK");
    if (!mark || access(mark, F_OK) != 0 || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
        return 0;
    errno = ENOSPC;
    return 1;
}

ssize_t write(int fd, const void *data, size_t size)
{
    ssize_t (*next)(int, const void *, size_t);
    *(void **)&next = dlsym(RTLD_NEXT, "write");
    return is_full(fd) ? -1 : next(fd, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    ssize_t (*next)(int, const void *, size_t, off_t);
    *(void **)&next = dlsym(RTLD_NEXT, "pwrite");
    return is_full(fd) ? -1 : next(fd, data, size, at);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at)
{
    ssize_t (*next)(int, const void *, size_t, off64_t);
    *(void **)&next = dlsym(RTLD_NEXT, "pwrite64");
    return is_full(fd) ? -1 : next(fd, data, size, at);
}
