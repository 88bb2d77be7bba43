// SPDX-License-Identifier: GPL-3.0-or-later
/* app.h -- what surrounds main: arguments, standard streams, the wish of somebody outside that
 * we end. */
#ifndef SAMARA_BASE_APP_H
#define SAMARA_BASE_APP_H

/* First thing in main. The arguments become UTF-8 where the system has them otherwise; the streams
 * carry bytes, and no line end is translated. A program started without standard input, output or
 * error finds their numbers taken, so that no file of its own gets one of them: input is then at
 * its end, and writing fails. */
void app_begin(int *argc, char ***argv);

/* Writing to a client that is gone fails from now on, and does not end the program. */
void app_survive_broken_pipes(void);

/* Is this number of a stream (0, 1, 2) a terminal? */
int app_is_terminal(int fd);

/* Ctrl-C, or another wish to end, calls `on_wish`, which may only set flags or raise an Interrupt.
 * NULL: such wishes are ignored. */
void app_on_interrupt(void (*on_wish)(int number));

/* Runs `work` and returns what it returns. A wish to end (Ctrl-C, kill, a closed window) calls
 * `interrupted` once, from another thread; a second one ends the program with `code`. To be called
 * before there are other threads. -1: there is no thread to be had. */
int app_run(int (*work)(void *user), void (*interrupted)(void *user), void *user, int code);

#endif
