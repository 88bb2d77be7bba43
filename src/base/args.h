// SPDX-License-Identifier: GPL-3.0-or-later
/* args.h -- command lines: one table for each command gives the parsing, --help, the manual and the
 * completions of the shells (tools/manuals.py asks for `--help=table`).
 * Options stand anywhere, as --name VALUE or --name=VALUE; the other words are operands. */
#ifndef SAMARA_BASE_ARGS_H
#define SAMARA_BASE_ARGS_H

#include "base/error.h"
#include "base/text.h"
#include <stdint.h>
#include <stdio.h>

typedef enum ArgType {
    ARG_HEADING, /* no option: a line in --help */
    ARG_FLAG,    /* bool: true if it is there; as a setting also on, off, true, false, 1, 0 */
    ARG_INT,     /* int */
    ARG_LONG,    /* int64_t */
    ARG_REAL,    /* double */
    ARG_TEXT,    /* const char * */
    ARG_CHOICE,  /* const char *: one of the words of `value`, "a|b|c" */
    ARG_CALL,    /* one word, which `take` reads */
    ARG_WORDS    /* min to max words up to the next option, each of which `take` reads */
} ArgType;

/* One option. What `at` points to holds the default and receives the value. Numbers must lie within
 * min and max. Make them with the macros below, which check the type of `at`. */
typedef struct ArgSpec {
    const char *name; /* "depth" for --depth */
    ArgType type;
    union {
        bool *flag;
        int *small;
        int64_t *number;
        double *real;
        const char **text;
        void *target;
    } at;
    double min, max;
    const char
        *value; /* what --help calls the value: "MB"; FILE, PREFIX: a file; FOLDER: a folder */
    const char *help;  /* a sentence; NULL: understood, but not shown (other programs have it) */
    const char *usual; /* the default in words, where the number would say less; "": say nothing */
    bool required;
    bool (*begin)(void *target, Error *err); /* called when the option is met; may be NULL */
    bool (*take)(void *target, Str word, Error *err); /* ARG_CALL, ARG_WORDS */
    const struct ArgSpec
        *settings; /* ARG_WORDS: the key=value words that `take` reads, for --help */
    int setting_count;
} ArgSpec;

#define ARGS_HEADING(about)                                                                        \
    {                                                                                              \
        .type = ARG_HEADING, .help = (about)                                                       \
    }
#define ARGS_FLAG(n, to, about)                                                                    \
    {                                                                                              \
        .name = (n), .type = ARG_FLAG, .at.flag = (to), .help = (about)                            \
    }
#define ARGS_INT(n, to, lo, hi, v, about)                                                          \
    {                                                                                              \
        .name = (n), .type = ARG_INT, .at.small = (to), .min = (lo), .max = (hi), .value = (v),    \
        .help = (about)                                                                            \
    }
#define ARGS_LONG(n, to, lo, hi, v, about)                                                         \
    {                                                                                              \
        .name = (n), .type = ARG_LONG, .at.number = (to), .min = (lo), .max = (hi), .value = (v),  \
        .help = (about)                                                                            \
    }
#define ARGS_REAL(n, to, lo, hi, v, about)                                                         \
    {                                                                                              \
        .name = (n), .type = ARG_REAL, .at.real = (to), .min = (lo), .max = (hi), .value = (v),    \
        .help = (about)                                                                            \
    }
#define ARGS_TEXT(n, to, v, about)                                                                 \
    {                                                                                              \
        .name = (n), .type = ARG_TEXT, .at.text = (to), .value = (v), .help = (about)              \
    }
#define ARGS_CHOICE(n, to, words, about)                                                           \
    {                                                                                              \
        .name = (n), .type = ARG_CHOICE, .at.text = (to), .value = (words), .help = (about)        \
    }
#define ARGS_CALL(n, to, reader, v, about)                                                         \
    {                                                                                              \
        .name = (n), .type = ARG_CALL, .at.target = (to), .take = (reader), .value = (v),          \
        .help = (about)                                                                            \
    }
/* An option that must be given, and numbers whose default is better said in words. */
#define ARGS_NEEDED(n, to, v, about)                                                               \
    {                                                                                              \
        .name = (n), .type = ARG_TEXT, .at.text = (to), .value = (v), .help = (about),             \
        .required = true                                                                           \
    }
#define ARGS_INT_USUAL(n, to, lo, hi, v, about, words)                                             \
    {                                                                                              \
        .name = (n), .type = ARG_INT, .at.small = (to), .min = (lo), .max = (hi), .value = (v),    \
        .help = (about), .usual = (words)                                                          \
    }
#define ARGS_LONG_USUAL(n, to, lo, hi, v, about, words)                                            \
    {                                                                                              \
        .name = (n), .type = ARG_LONG, .at.number = (to), .min = (lo), .max = (hi), .value = (v),  \
        .help = (about), .usual = (words)                                                          \
    }
#define ARGS_COUNT(specs) ((int)(sizeof(specs) / sizeof *(specs)))

/* A command of a program, for lists of them. */
typedef struct ArgEntry {
    const char *name, *brief;          /* brief: one sentence */
    int (*run)(int argc, char **argv); /* argv[0] is the name; returns the exit code */
} ArgEntry;

typedef struct ArgCommand {
    const char *program, *name; /* "samara", "perft"; name NULL: the program itself */
    const char *operands;       /* "DEPTH [FEN]"; NULL: none are taken */
    int least, most;            /* how many operands; most 0: any number */
    const char *summary;        /* a sentence, then more; each line is a paragraph */
    const ArgSpec *specs;
    int spec_count;
    const char *notes;        /* below the options; may be NULL */
    const ArgEntry *commands; /* of a program that has some */
    int command_count;
    bool short_dash;  /* options are shown as -word; --word is understood as well */
    bool own_options; /* options end at the first operand: what follows belongs to it */
} ArgCommand;

typedef enum ArgsOutcome { ARGS_RUN, ARGS_HELP, ARGS_WRONG } ArgsOutcome;

/* argv without the name of the command. Operands are moved to its front, *operands of them.
 * ARGS_HELP: *out has the help that was asked for. ARGS_WRONG: *err names the word and the reason. */
ArgsOutcome args_parse(const ArgCommand *command, int argc, char **argv, int *operands, Buffer *out,
                       Error *err);
/* The same, and prints help to `out` and complaints to `err`. */
ArgsOutcome args_read(const ArgCommand *command, int argc, char **argv, int *operands, FILE *out,
                      FILE *err);
void args_help(const ArgCommand *command, Buffer *out);

/* Reads "key=value" by a table of settings. `where` names the table in complaints. */
bool args_setting(const ArgSpec *settings, int count, const char *where, Str word, Error *err);
const ArgEntry *args_find(const ArgEntry *list, int count, const char *name); /* NULL if absent */

#endif
