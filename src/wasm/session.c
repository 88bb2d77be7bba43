// SPDX-License-Identifier: GPL-3.0-or-later
/* session.c -- what a host calls: one engine, the lines of its UCI conversation, its typed calls.
 *
 *   host --> samara_hear(line) --> UCI loop --> search --> samara.write(line) --> host
 *   host --> samara_call(name, fields) --> call.c ------> samara.answer(json) --> host
 *
 * With threads a search runs in workers of the host and every function returns soon. With one thread
 * samara_hear("go ...") returns when the search has ended; meanwhile samara.poll lets the host call
 * samara_hear() and samara_cancel() again, from within. */
#include "base/thread.h"
#include "front/uci.h"
#include "wasm/call.h"
#include "wasm/console.h"
#include "wasm/host_calls.h"
#include <stdlib.h>

typedef struct Session {
    Console *console;
    Samara *engine;
    SamaraPosition *position; /* of the UCI conversation */
    Uci *uci;
    Call call;
} Session;

FOR_HOST("samara_allocate") void *samara_allocate(size_t bytes);
FOR_HOST("samara_release") void samara_release(void *block);
FOR_HOST("samara_open") Session *samara_open(int hash_mb, int threads);
FOR_HOST("samara_hear") int samara_hear(Session *s, const char *line);
FOR_HOST("samara_call")
void samara_call(Session *s, int id, const char *name, const char *fields, const char *body);
FOR_HOST("samara_cancel") void samara_cancel(Session *s);
FOR_HOST("samara_close") void samara_close(Session *s);

void *samara_allocate(size_t bytes) { return malloc(bytes); }
void samara_release(void *block) { free(block); }

/* NULL: there is no memory, or no such number of workers. */
Session *samara_open(int hash_mb, int threads)
{
    const SamaraConfig config = {.hash_mb = hash_mb, .threads = threads};
    SamaraError err;
    Error why;
    Session *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->position = samara_position_new();
    s->call.position = samara_position_new();
    s->engine = samara_new(&config, &err);
    s->call.engine = s->engine;
    s->console = console_open(0, 1, &why);
    if (s->position && s->call.position && s->engine && s->console)
        s->uci = uci_open(s->console, s->engine, s->position);
    if (!s->uci) {
        samara_close(s);
        return NULL;
    }
    uci_loop(s->uci)->talk = TALK_ON; /* no other protocol is spoken here */
    return s;
}

/* A line of the client (NULL: none, something else has happened), and all that waits. 0: it said
 * `quit`. */
int samara_hear(Session *s, const char *line)
{
    CommandLoop *loop = uci_loop(s->uci);
    if (line && !console_hear(s->console, str_from(line)))
        console_put(s->console, STR("info string refused: NO_MEMORY a line was lost"));
    for (Event *event; loop_goes_on(loop) && (event = console_next(s->console));)
        loop_handle(loop, event);
    console_flush(s->console);
    return loop_goes_on(loop);
}

void samara_call(Session *s, int id, const char *name, const char *fields, const char *body)
{
    call_begin(&s->call, id, name, fields, body);
}

void samara_cancel(Session *s) { call_cancel(&s->call); }

void samara_close(Session *s)
{
    if (s->engine)
        call_settle(&s->call);
    if (s->uci)
        uci_close(s->uci);
    samara_free(s->engine);
    if (s->console)
        console_close(s->console);
    samara_position_free(s->position);
    samara_position_free(s->call.position);
    free(s);
}
