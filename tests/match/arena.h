// SPDX-License-Identifier: GPL-3.0-or-later
/* arena.h -- what the tests of this folder share. */
#ifndef SAMARA_TESTS_MATCH_ARENA_H
#define SAMARA_TESTS_MATCH_ARENA_H

#include "base/clock.h"
#include "match/options.h"
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* A word that the command line of every mock of this test program carries. */
static inline const char *arena_tag(void)
{
    static char tag[64];
    snprintf(tag, sizeof tag, "tag-%ld", (long)getpid());
    return tag;
}

static inline bool command_line_has(const char *pid, const char *word)
{
    char path[300], text[4096];
    snprintf(path, sizeof path, "/proc/%s/cmdline", pid);
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    const size_t got = fread(text, 1, sizeof text, file);
    fclose(file);
    for (size_t i = 0; i < got; i += strnlen(text + i, got - i) + 1)
        if (strncmp(text + i, word, got - i) == 0)
            return true;
    return false;
}

/* Processes that are still there. 0 where the system has no /proc. */
static inline int living_mocks(void)
{
    DIR *proc = opendir("/proc");
    int count = 0;
    for (struct dirent *entry; proc && (entry = readdir(proc));)
        count += atol(entry->d_name) > 0 && atol(entry->d_name) != getpid() &&
                 command_line_has(entry->d_name, arena_tag());
    if (proc)
        closedir(proc);
    return count;
}

/* Killing takes the system a moment. */
static inline void assert_no_orphans(void)
{
    for (int i = 0; i < 100 && living_mocks(); i++)
        clock_sleep_ms(20);
    assert_int_equal(living_mocks(), 0);
}

#endif
