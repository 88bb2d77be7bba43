// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/args.h"

#include "base/text.h"

#include <stdio.h>

static void print_default(const ArgSpec *spec)
{
    switch (spec->type) {
    case ARG_TEXT:
        if (*(const char **)spec->out)
            printf(" [%s]", *(const char **)spec->out);
        break;
    case ARG_INT:
        printf(" [%lld]", (long long)*(int64_t *)spec->out);
        break;
    case ARG_REAL:
        printf(" [%g]", *(double *)spec->out);
        break;
    case ARG_FLAG:
        break;
    }
}

static void print_help(const Command *command)
{
    static const char *const words[] = {" TEXT", " N", " X", ""};
    printf("usage: samara-train %s\n%s\n\n", command->usage, command->summary);
    for (int i = 0; i < command->spec_count; i++) {
        const ArgSpec *spec = &command->specs[i];
        const int width = 22 - (int)str_from(words[spec->type]).len;
        printf("  --%-*s%s  %s", width - 4, spec->name, words[spec->type], spec->help);
        print_default(spec);
        putchar('\n');
    }
}

static bool take_value(const ArgSpec *spec, Str value, const char *word, Error *err)
{
    if (spec->type == ARG_TEXT) {
        *(const char **)spec->out = word;
        return true;
    }
    if (spec->type == ARG_INT) {
        if (str_int(value, (int64_t)spec->min, (int64_t)spec->max, spec->out))
            return true;
        return error_set(err, "--%s takes a whole number from %.0f to %.0f, not '%s'", spec->name,
                         spec->min, spec->max, word);
    }
    double real;
    if (!str_scientific(value, &real) || real < spec->min || real > spec->max)
        return error_set(err, "--%s takes a number from %g to %g, not '%s'", spec->name, spec->min,
                         spec->max, word);
    *(double *)spec->out = real;
    return true;
}

static const ArgSpec *find_spec(const Command *command, Str word)
{
    if (!str_starts(word, "--"))
        return NULL;
    const Str name = {word.ptr + 2, word.len - 2};
    for (int i = 0; i < command->spec_count; i++)
        if (str_is(name, command->specs[i].name))
            return &command->specs[i];
    return NULL;
}

/* Reads the option at argv[*at] and moves *at to its last word. */
static bool take_option(const Command *command, int argc, char **argv, int *at, Error *err)
{
    const ArgSpec *spec = find_spec(command, str_from(argv[*at]));
    if (!spec)
        return error_set(err, "there is no option '%s'", argv[*at]);
    if (spec->type == ARG_FLAG) {
        *(bool *)spec->out = true;
        return true;
    }
    if (++*at == argc)
        return error_set(err, "--%s needs a value", spec->name);
    return take_value(spec, str_from(argv[*at]), argv[*at], err);
}

ArgsOutcome args_parse(const Command *command, int argc, char **argv, int *files)
{
    Error err;
    *files = 0;
    for (int i = 1; i < argc; i++) {
        const Str word = str_from(argv[i]);
        if (str_is(word, "--help") || str_is(word, "-h")) {
            print_help(command);
            return ARGS_HELP;
        }
        bool ok = true;
        if (str_starts(word, "-"))
            ok = take_option(command, argc, argv, &i, &err);
        else if (command->takes_files)
            argv[++*files] = argv[i];
        else
            ok = error_set(&err, "'%s' is not expected here", argv[i]);
        if (!ok) {
            fprintf(stderr, "samara-train %s: %s (--help shows the options)\n", argv[0], err.text);
            return ARGS_WRONG;
        }
    }
    return ARGS_RUN;
}
