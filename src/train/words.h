// SPDX-License-Identifier: GPL-3.0-or-later
/* words.h -- reading the words of a command of samara-train. */
#ifndef SAMARA_TRAIN_WORDS_H
#define SAMARA_TRAIN_WORDS_H

#include "base/args.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Reads the words behind argv[0], the name of the command. False: help was printed or a word is
 * wrong, and *code is what to leave with. Files are at argv[1] and on, *files of them. */
bool train_read(const ArgCommand *command, int argc, char **argv, int *files, int *code);

/* Prints `samara-train COMMAND: text` on standard error and returns EXIT_FAILED. */
int train_fail(const char *command, const Error *err);
/* The same for a command line that makes no sense; returns EXIT_USAGE. */
int train_refuse(const char *command, const char *text);

#endif
