// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/thread.h"

#include <assert.h>
#include <errno.h>
#include <time.h>
#ifndef __wasm__ /* else see thread_wasm.c */
#ifndef _WIN32
#include <sched.h>
#include <unistd.h>
#endif
#if defined(__linux__) && !defined(SAMARA_POSIX_ONLY)
#include <sys/resource.h>
#include <sys/syscall.h>
#endif

enum { STACK_BYTES = 8 << 20 };

bool thread_exists(void) { return true; }
bool thread_is_scarce(void) { return false; }

bool thread_start(Thread *thread, void *(*run)(void *), void *arg)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    const bool ok = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                    pthread_create(thread, &attributes, run, arg) == 0;
    pthread_attr_destroy(&attributes);
    return ok;
}

void thread_join(Thread thread) { pthread_join(thread, NULL); }
void thread_once(Once *once, void (*init)(void)) { pthread_once(once, init); }

#if defined(_WIN32)
/* thread_windows.c has these. */
#elif defined(__linux__) && !defined(SAMARA_POSIX_ONLY)

/* A container or taskset may allow fewer cores than the machine has; the affinity mask knows. That
 * of the first thread is asked for, because a pinned thread's own mask has only one core left. */
static bool allowed_cpus(cpu_set_t *allowed)
{
    return sched_getaffinity(getpid(), sizeof *allowed, allowed) == 0 && CPU_COUNT(allowed) > 0;
}

int thread_cpu_count(void)
{
    cpu_set_t allowed;
    return allowed_cpus(&allowed) ? CPU_COUNT(&allowed) : 1;
}

/* Counts only the cores that this process may use, so that limits set from outside hold. */
bool thread_pin(int cpu)
{
    cpu_set_t allowed, one;
    if (cpu < 0 || !allowed_cpus(&allowed))
        return false;

    int left = cpu % CPU_COUNT(&allowed), core = 0;
    while (!CPU_ISSET(core, &allowed) || left-- > 0)
        core++;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    return pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0;
}

/* Linux gives the core to whoever's slice ends first, and who wakes with a shorter slice than the
 * one that runs need not wait for its end. Kernels before 6.12 take the call and do not look at the
 * slice. On Linux niceness belongs to the thread; a new thread of one that resets on fork loses a
 * negative one, so who was started with that, and comes first anyway, stays as it is. */
void thread_prompt(void)
{
    enum { RESET_ON_FORK = 1, SHORTEST_NS = 100000 };
    const int niceness = getpriority(PRIO_PROCESS, 0);
    const struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } wish = {.size = sizeof wish,
              .policy = SCHED_OTHER,
              .flags = RESET_ON_FORK,
              .nice = niceness,
              .runtime = SHORTEST_NS};
    if (niceness >= 0 && sched_getscheduler(0) == SCHED_OTHER)
        syscall(SYS_sched_setattr, 0, &wish, 0);
}

void thread_background(void)
{
    const struct sched_param none = {0};
    (void)!nice(19);
    sched_setscheduler(0, SCHED_IDLE, &none);
}

void thread_low_priority(void)
{
    enum { GENTLY = 10 };
    const id_t self = (id_t)syscall(SYS_gettid);
    const int now = getpriority(PRIO_PROCESS, self);
    if (setpriority(PRIO_PROCESS, self, now + GENTLY) != 0) {
        /* then like all others */
    }
}

#else

int thread_cpu_count(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

bool thread_pin(int cpu)
{
    (void)cpu;
    return false;
}

void thread_prompt(void) {}
void thread_low_priority(void) {}

void thread_background(void) { (void)!nice(19); }

#endif

/* The calls below fail only when misused: on a lock that is not one, or not held. */
static void must_succeed(int result)
{
    assert(result == 0);
    (void)result;
}

void mutex_init(Mutex *m) { must_succeed(pthread_mutex_init(m, NULL)); }
void mutex_destroy(Mutex *m) { must_succeed(pthread_mutex_destroy(m)); }
void mutex_lock(Mutex *m) { must_succeed(pthread_mutex_lock(m)); }
void mutex_unlock(Mutex *m) { must_succeed(pthread_mutex_unlock(m)); }

void cond_destroy(Cond *c) { must_succeed(pthread_cond_destroy(c)); }
void cond_wait(Cond *c, Mutex *m) { must_succeed(pthread_cond_wait(c, m)); }
void cond_signal(Cond *c) { must_succeed(pthread_cond_signal(c)); }
void cond_broadcast(Cond *c) { must_succeed(pthread_cond_broadcast(c)); }

static struct timespec duration(int64_t milliseconds)
{
    const int64_t ms = milliseconds < 0 ? 0 : milliseconds;
    return (struct timespec){.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000 * 1000000)};
}

#if defined(_WIN32) || defined(__APPLE__) /* no monotonic clock here, but relative times */

void cond_init(Cond *c) { must_succeed(pthread_cond_init(c, NULL)); }

bool cond_wait_for(Cond *c, Mutex *m, int64_t milliseconds)
{
    const struct timespec wait = duration(milliseconds);
    return pthread_cond_timedwait_relative_np(c, m, &wait) != ETIMEDOUT;
}

#else

void cond_init(Cond *c)
{
    pthread_condattr_t attributes;
    must_succeed(pthread_condattr_init(&attributes));
    must_succeed(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC));
    must_succeed(pthread_cond_init(c, &attributes));
    pthread_condattr_destroy(&attributes);
}

/* By the clock that nobody sets: false when the time is over. */
bool cond_wait_for(Cond *c, Mutex *m, int64_t milliseconds)
{
    const struct timespec wait = duration(milliseconds);
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += wait.tv_sec;
    until.tv_nsec += wait.tv_nsec;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    return pthread_cond_timedwait(c, m, &until) != ETIMEDOUT;
}

#endif

#endif
