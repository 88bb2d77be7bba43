// SPDX-License-Identifier: GPL-3.0-or-later
/* host.h -- the program around a WebAssembly module. Where it gives us only one thread, a search has
 * to look for its client's words itself; everywhere else other threads listen, and nothing happens
 * here. */
#ifndef SAMARA_BASE_HOST_H
#define SAMARA_BASE_HOST_H

#include "base/compiler.h"
#include <stdbool.h>

#if defined(__wasm__) && !defined(SAMARA_WASM_THREADS)
#define HOST_IMPORT(name) __attribute__((import_module("samara"), import_name(name)))

/* Hears what the client has said meanwhile: commands may run before this returns, and end the
 * search. Every millisecond or so. */
HOST_IMPORT("poll") void host_poll(void);
/* Sleeps until the client says something, and hears it. False: this host cannot sleep. */
HOST_IMPORT("wait") bool host_wait(void);
#else
ALWAYS_INLINE void host_poll(void) {}
ALWAYS_INLINE bool host_wait(void) { return true; }
#endif

#endif
