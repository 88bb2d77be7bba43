// SPDX-License-Identifier: GPL-3.0-or-later
/* error.h -- errors are values: a sentence for a person, a short code and a place for a program. */
#ifndef SAMARA_BASE_ERROR_H
#define SAMARA_BASE_ERROR_H

#include "base/compiler.h"
#include <stdbool.h>

enum { ERROR_TEXT_SIZE = 256, ERROR_CODE_SIZE = 24 };

/* Whoever fails fills it in; nobody needs to clear it first. Every function that takes an Error *
 * accepts NULL for a caller that does not care why. */
typedef struct Error {
    char code[ERROR_CODE_SIZE]; /* stable, for programs: "BOARD_ROWS", "NO_MEMORY"; may be "" */
    char text[ERROR_TEXT_SIZE]; /* one sentence, no newline, bytes outside ASCII shown as '?' */
    int column;                 /* 1-based offset in the input text that was at fault, 0 if none */
} Error;

/* Both always return false, so that a failing function can end in `return error_set(...)`. */
bool error_set(Error *err, const char *format, ...) PRINTF_LIKE(2, 3);
bool error_code(Error *err, const char *code, int column, const char *format, ...)
    PRINTF_LIKE(4, 5);
#ifdef __clang_analyzer__ /* which looks at one file at a time and cannot know */
#define error_set(...) ((void)error_set(__VA_ARGS__), false)
#define error_code(...) ((void)error_code(__VA_ARGS__), false)
#endif

#endif
