// SPDX-License-Identifier: GPL-3.0-or-later
/* thread_wasm.c -- threads in WebAssembly. The host starts its workers beforehand, all on one memory:
 * a browser starts none while somebody waits for it. Each of them serves one of the places below and
 * runs what thread_start() puts there. Locks and conditions are words in memory on which the
 * processor's own wait and notify work. Without SAMARA_WASM_THREADS there is one thread, no place is
 * ever served, and locks are nothing. */
#ifdef __wasm__

#include "base/thread.h"

#include "base/clock.h"
#include "base/host.h"
#include <assert.h>

#ifdef SAMARA_WASM_THREADS

bool thread_exists(void) { return true; }

/* --- waiting --- */

/* Sleeps while *word is `value`, at most so long; -1: for ever. Spurious returns are allowed. Neither of
 * these may be inlined: the compiler would fold the field's offset into the instruction, and
 * threads were then not woken in node 20. Why was not proved. */
static NOINLINE void word_wait(_Atomic int *word, int value, int64_t nanoseconds)
{
    __builtin_wasm_memory_atomic_wait32((int *)word, value, nanoseconds);
}

static NOINLINE void word_wake(_Atomic int *word, unsigned count)
{
    __builtin_wasm_memory_atomic_notify((int *)word, count);
}

static const unsigned everybody = ~0u;

/* --- places for threads --- */

enum { PLACES = 128 };

typedef enum PlaceState { PLACE_FREE, PLACE_TAKEN, PLACE_STARTED, PLACE_DONE } PlaceState;

typedef struct Place {
    _Atomic int state;
    void *(*run)(void *);
    void *arg;
} Place;

static Place
    places[PLACES];        /* each is used by the thread that took it and the one that serves it */
static _Atomic int served; /* the first so many have a worker, or will have one soon */
static _Atomic int cores = 1;

/* The host says how many workers it starts, and how many of them can run at once. */
__attribute__((export_name("samara_threads"))) void samara_threads(int workers, int at_once);
void samara_threads(int workers, int at_once)
{
    served = workers < PLACES ? workers : PLACES;
    cores = at_once > 0 ? at_once : 1;
}

/* A worker of the host calls this once, on a stack of its own, and never comes back. */
__attribute__((export_name("samara_thread_serve"))) void samara_thread_serve(int index);
void samara_thread_serve(int index)
{
    Place *place = &places[index];
    for (;;) {
        int state;
        while ((state = place->state) != PLACE_STARTED)
            word_wait(&place->state, state, -1);
        place->run(place->arg);
        place->state = PLACE_DONE;
        word_wake(&place->state, everybody);
    }
}

bool thread_start(Thread *thread, void *(*run)(void *), void *arg)
{
    for (int i = 0; i < served; i++) {
        int expected = PLACE_FREE;
        if (!atomic_compare_exchange_strong(&places[i].state, &expected, PLACE_TAKEN))
            continue;
        places[i].run = run;
        places[i].arg = arg;
        places[i].state = PLACE_STARTED;
        word_wake(&places[i].state, everybody);
        *thread = i;
        return true;
    }
    return false;
}

void thread_join(Thread thread)
{
    Place *place = &places[thread];
    for (int state; (state = place->state) != PLACE_DONE;)
        word_wait(&place->state, state, -1);
    place->state = PLACE_FREE;
}

int thread_cpu_count(void) { return cores; }

enum { ONCE_NEW, ONCE_RUNS, ONCE_DONE };

void thread_once(Once *once, void (*init)(void))
{
    int expected = ONCE_NEW;
    if (atomic_compare_exchange_strong(&once->state, &expected, ONCE_RUNS)) {
        init();
        once->state = ONCE_DONE;
        word_wake(&once->state, everybody);
    }
    while (once->state != ONCE_DONE)
        word_wait(&once->state, ONCE_RUNS, -1);
}

/* --- locks --- */

enum { MUTEX_FREE, MUTEX_HELD, MUTEX_CONTENDED };

void mutex_init(Mutex *m) { m->state = MUTEX_FREE; }

void mutex_destroy(Mutex *m)
{
    assert(m->state == MUTEX_FREE);
    (void)m;
}

/* Who finds it held marks it as contended, so that only then the holder has to wake somebody. */
void mutex_lock(Mutex *m)
{
    int state = MUTEX_FREE;
    if (atomic_compare_exchange_strong(&m->state, &state, MUTEX_HELD))
        return;
    while (atomic_exchange(&m->state, MUTEX_CONTENDED) != MUTEX_FREE)
        word_wait(&m->state, MUTEX_CONTENDED, -1);
}

void mutex_unlock(Mutex *m)
{
    if (atomic_exchange(&m->state, MUTEX_FREE) == MUTEX_CONTENDED)
        word_wake(&m->state, 1);
}

void cond_init(Cond *c) { c->turn = 0; }
void cond_destroy(Cond *c) { (void)c; }

/* A signal changes the word, so one that comes between unlocking and sleeping is not missed. */
static void cond_sleep(Cond *c, Mutex *m, int64_t nanoseconds)
{
    const int turn = c->turn;
    mutex_unlock(m);
    word_wait(&c->turn, turn, nanoseconds);
    mutex_lock(m);
}

void cond_wait(Cond *c, Mutex *m) { cond_sleep(c, m, -1); }

bool cond_wait_for(Cond *c, Mutex *m, int64_t milliseconds)
{
    const int64_t end = clock_us() + milliseconds * 1000;
    cond_sleep(c, m, milliseconds > 0 ? milliseconds * 1000000 : 0);
    return clock_us() < end;
}

static void cond_turn(Cond *c, unsigned count)
{
    atomic_fetch_add(&c->turn, 1);
    word_wake(&c->turn, count);
}

void cond_signal(Cond *c) { cond_turn(c, 1); }
void cond_broadcast(Cond *c) { cond_turn(c, everybody); }

#else

bool thread_exists(void) { return false; }

bool thread_start(Thread *thread, void *(*run)(void *), void *arg)
{
    (void)thread;
    (void)run;
    (void)arg;
    return false;
}

void thread_join(Thread thread) { (void)thread; }
int thread_cpu_count(void) { return 1; }

void thread_once(Once *once, void (*init)(void))
{
    if (once->state == 0)
        init();
    once->state = 1;
}

void mutex_init(Mutex *m) { (void)m; }
void mutex_destroy(Mutex *m) { (void)m; }
void mutex_lock(Mutex *m) { (void)m; }
void mutex_unlock(Mutex *m) { (void)m; }
void cond_init(Cond *c) { (void)c; }
void cond_destroy(Cond *c) { (void)c; }
void cond_signal(Cond *c) { (void)c; }
void cond_broadcast(Cond *c) { (void)c; }

/* Only the client can change what is waited for. */
void cond_wait(Cond *c, Mutex *m)
{
    (void)c;
    (void)m;
    host_wait();
}

bool cond_wait_for(Cond *c, Mutex *m, int64_t milliseconds)
{
    (void)milliseconds;
    cond_wait(c, m);
    return false;
}

#endif

bool thread_pin(int cpu)
{
    (void)cpu;
    return false;
}

bool thread_is_scarce(void) { return true; }
void thread_prompt(void) {}
void thread_background(void) {}
void thread_low_priority(void) {}

#endif
