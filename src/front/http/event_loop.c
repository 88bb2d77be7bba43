// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/event_loop.h"

#include "base/clock.h"
#include <stdlib.h>

enum { MOST_EVENTS = 64, LAST_ANSWERS_MS = 500 };

struct EventLoop {
    ConnectionSet set;
    Thread thread;
    bool started;
};

/* Milliseconds until the next deadline; -1: there is none. */
static int patience(const ConnectionSet *set, int64_t now)
{
    if (set->ready)
        return 0;
    if (set->deadline_ms == INT64_MAX)
        return -1;
    const int64_t left = set->deadline_ms - now;
    return left < 0 ? 0 : left > 60000 ? 60000 : (int)left + 1;
}

/* Events, letters of other threads, unfinished work, timeouts, then the closed ones are freed. */
static void one_round(ConnectionSet *set, int timeout_ms)
{
    PollerEvent events[MOST_EVENTS];
    turns_next_round(&set->turns);
    const int count = poller_wait(set->poller, events, MOST_EVENTS, timeout_ms);
    for (int i = 0; i < count; i++)
        connection_ready(events[i].user, events[i].what);
    mailbox_deliver(&set->mailbox);
    connections_continue(set);
    const int64_t now = clock_ms();
    if (now >= set->deadline_ms)
        connections_sweep(set, now);
    connections_bury(set);
}

/* What is answered leaves; whoever takes it too slowly loses it. */
static void say_goodbye(ConnectionSet *set)
{
    const int64_t end = clock_ms() + LAST_ANSWERS_MS;
    while (connections_close(set, false) > 0 && clock_ms() < end)
        one_round(set, 10);
    mailbox_deliver(&set->mailbox);
    connections_close(set, true);
    connections_bury(set);
}

static void *run(void *arg)
{
    EventLoop *loop = arg;
    ConnectionSet *set = &loop->set;
    thread_prompt();
    while (!atomic_load(&set->ending))
        one_round(set, patience(set, clock_ms()));
    say_goodbye(set);
    return NULL;
}

/* NULL if the system has no thread or poller left. */
EventLoop *event_loop_start(const ConnectionHandler *handler, Quota *quota)
{
    EventLoop *loop = calloc(1, sizeof *loop);
    if (!loop)
        return NULL;
    loop->set.handler = handler;
    loop->set.quota = quota;
    loop->set.deadline_ms = INT64_MAX;
    loop->set.poller = poller_create();
    mailbox_init(&loop->set.mailbox, loop->set.poller);
    loop->started = loop->set.poller && thread_start(&loop->thread, run, loop);
    if (loop->started)
        return loop;
    event_loop_stop(loop);
    return NULL;
}

ConnectionSet *event_loop_set(EventLoop *loop) { return &loop->set; }

void event_loop_end(EventLoop *loop)
{
    atomic_store(&loop->set.ending, true);
    poller_wake(loop->set.poller);
}

/* Also cleans up behind a start that failed halfway. */
void event_loop_stop(EventLoop *loop)
{
    if (!loop)
        return;
    if (loop->started) {
        event_loop_end(loop);
        thread_join(loop->thread);
    }
    mailbox_destroy(&loop->set.mailbox);
    poller_destroy(loop->set.poller);
    buffer_free(&loop->set.event);
    free(loop);
}
