// SPDX-License-Identifier: GPL-3.0-or-later
/* thread.h -- threads, locks and the few atomics that Samara needs, by name. */
#ifndef SAMARA_BASE_THREAD_H
#define SAMARA_BASE_THREAD_H

#include "base/compiler.h"
#ifndef __wasm__
#include <pthread.h>
#endif
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __wasm__ /* see thread_wasm.c */
typedef int Thread;
typedef struct Mutex {
    _Atomic int state;
} Mutex;
typedef struct Cond {
    _Atomic int turn;
} Cond;
typedef struct Once {
    _Atomic int state;
} Once;
#define ONCE_INIT                                                                                  \
    {                                                                                              \
        0                                                                                          \
    }
#else
typedef pthread_t Thread;
typedef pthread_mutex_t Mutex;
typedef pthread_cond_t Cond;
typedef pthread_once_t Once;
#define ONCE_INIT PTHREAD_ONCE_INIT
#endif

/* Whether there can be other threads at all. Where there are none, the one that searches has to look
 * for its client's words itself, see host.h. */
bool thread_exists(void);
/* Threads are few, or none: start one only for work that cannot be done here. */
bool thread_is_scarce(void);

/* 8 MB stacks: the search recurses deeply. False if the system has no thread left. */
bool thread_start(Thread *thread, void *(*run)(void *), void *arg);
void thread_join(Thread thread);
/* Runs `init` exactly once per process, whoever comes first; the others wait for it. */
void thread_once(Once *once, void (*init)(void));

int thread_cpu_count(void); /* cores this process may use, at least 1 */

/* Keeps the calling thread, and the processes it starts, on one of those cores: the number counts
 * from 0 and wraps around. False where the system cannot. */
bool thread_pin(int cpu);

/* The calling thread works for moments only, and should run soon when it wakes, even where every
 * core searches. A wish; threads that it starts do not inherit it. */
void thread_prompt(void);

/* The calling thread, and those that it starts, compute only when nobody else wants the processor.
 * A wish. */
void thread_background(void);

/* The calling thread works for minutes, and lets others go first. A wish; threads that it starts
 * inherit it. */
void thread_low_priority(void);

void mutex_init(Mutex *m);
void mutex_destroy(Mutex *m);
void mutex_lock(Mutex *m);
void mutex_unlock(Mutex *m);
void cond_init(Cond *c); /* on the monotonic clock */
void cond_destroy(Cond *c);
void cond_wait(Cond *c, Mutex *m);
bool cond_wait_for(Cond *c, Mutex *m, int64_t milliseconds); /* false: time is up */
void cond_signal(Cond *c);
void cond_broadcast(Cond *c);

/* Relaxed loads and stores: counters and hints that need no order. */
typedef _Atomic uint64_t AtomicU64;
typedef _Atomic int32_t AtomicI32;
typedef _Atomic int16_t AtomicI16;
typedef atomic_bool AtomicFlag;
#define relaxed_load(p) atomic_load_explicit((p), memory_order_relaxed)
#define relaxed_store(p, v) atomic_store_explicit((p), (v), memory_order_relaxed)
/* What was written before a release is seen after an acquire of the same value. */
#define acquire_load(p) atomic_load_explicit((p), memory_order_acquire)
#define release_store(p, v) atomic_store_explicit((p), (v), memory_order_release)
#define relaxed_add(p, v) atomic_fetch_add_explicit((p), (v), memory_order_relaxed)

#endif
