// SPDX-License-Identifier: GPL-3.0-or-later
/* host_calls.h -- what the engine asks of the JavaScript around it (web/engine). From any thread. */
#ifndef SAMARA_WASM_HOST_CALLS_H
#define SAMARA_WASM_HOST_CALLS_H

#include <stddef.h>

#ifdef __wasm__
#define FROM_HOST(name) __attribute__((import_module("samara"), import_name(name)))
#define FOR_HOST(name) __attribute__((export_name(name)))
#else /* checked by other compilers, never linked */
#define FROM_HOST(name)
#define FOR_HOST(name)
#endif

typedef enum AnswerKind {
    ANSWER_NEWS, /* JSON; more will come */
    ANSWER_DONE, /* JSON; the last */
    ANSWER_ERROR /* JSON {"error": {"code", "message"}}; the last */
} AnswerKind;

FROM_HOST("write") void host_write(const char *lines, size_t len); /* for the UCI client */
FROM_HOST("answer") void host_answer(int call, AnswerKind kind, const char *json, size_t len);
/* The thread that talks to the host should call samara_hear() soon. */
FROM_HOST("wake") void host_wake(void);

#endif
