// SPDX-License-Identifier: GPL-3.0-or-later
/* clock.h -- monotonic time. */
#ifndef SAMARA_BASE_CLOCK_H
#define SAMARA_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

int64_t clock_us(void); /* microseconds since some fixed moment; never goes back */
int64_t clock_ms(void);
int64_t clock_cpu_us(void); /* processor time of the whole process */
/* Processor time of the calling thread; clock_us() where the system does not count it finely. */
int64_t clock_thread_us(void);
void clock_sleep_ms(int64_t ms);
/* The time where we are, as strftime() writes it. */
void clock_date(char *out, size_t size, const char *format);

#endif
