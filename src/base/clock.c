// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"

#include <errno.h>
#include <time.h>

static int64_t read_us(clockid_t id)
{
    struct timespec now;
    if (clock_gettime(id, &now) != 0)
        return 0;
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_us(void) { return read_us(CLOCK_MONOTONIC); }
int64_t clock_ms(void) { return clock_us() / 1000; }
#ifdef CLOCK_PROCESS_CPUTIME_ID
int64_t clock_cpu_us(void) { return read_us(CLOCK_PROCESS_CPUTIME_ID); }
#else
int64_t clock_cpu_us(void) { return clock_us(); }
#endif

#if defined(CLOCK_THREAD_CPUTIME_ID) && !defined(_WIN32)
int64_t clock_thread_us(void) { return read_us(CLOCK_THREAD_CPUTIME_ID); }
#else
int64_t clock_thread_us(void) { return clock_us(); }
#endif

void clock_sleep_ms(int64_t ms)
{
    if (ms <= 0)
        return;
    struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

void clock_date(char *out, size_t size, const char *format)
{
    const time_t now = time(NULL);
#ifdef _WIN32 /* where each thread has a result of its own */
    const struct tm local = *localtime(&now);
#else
    struct tm local;
    localtime_r(&now, &local);
#endif
    strftime(out, size, format, &local);
}
