// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/progress.h"

#include "base/app.h"
#include "base/clock.h"

#include <stdarg.h>
#include <stdio.h>

void progress_begin(Progress *p)
{
    p->began_us = p->shown_us = clock_us();
    p->terminal = app_is_terminal(2);
}

double progress_seconds(const Progress *p) { return (double)(clock_us() - p->began_us) / 1e6; }

bool progress_due(Progress *p)
{
    const int64_t now = clock_us();
    if (now - p->shown_us < (p->terminal ? 500000 : 30000000))
        return false;
    p->shown_us = now;
    return true;
}

void progress_show(const Progress *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs(p->terminal ? "\r" : "", stderr);
    vfprintf(stderr, format, args);
    fputs(p->terminal ? "\033[K" : "\n", stderr);
    va_end(args);
}

void progress_end(const Progress *p)
{
    if (p->terminal)
        fputc('\n', stderr);
}
