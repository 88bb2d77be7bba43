// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/process_name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int process_number(void) { return (int)getpid(); }

#ifdef _WIN32
static void ask(char *out, size_t size)
{
    const char *name = getenv("COMPUTERNAME");
    snprintf(out, size, "%s", name ? name : "");
}
#else
static void ask(char *out, size_t size)
{
    if (gethostname(out, size) != 0)
        out[0] = '\0';
    out[size - 1] = '\0';
}
#endif

void process_host(char *out, size_t size)
{
    ask(out, size);
    if (!out[0])
        snprintf(out, size, "unknown");
    for (char *c = out; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.')
            *c = '-';
}
