// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/args.h"

#include "base/text.h"
#include <stdio.h>
#include <string.h>

Args args_of(int argc, char **argv)
{
    return (Args){.command = argv[0], .count = argc - 1, .words = argv + 1};
}

static bool complain(Args *a, const char *what, const char *word)
{
    if (!a->failed)
        fprintf(stderr, "samara %s: %s '%s'; try 'samara help %s'\n", a->command, what, word,
                a->command);
    a->failed = true;
    return false;
}

bool args_flag(Args *a, const char *name)
{
    bool found = false;
    for (int i = 0; i < a->count; i++)
        if (a->words[i] && strcmp(a->words[i], name) == 0) {
            a->words[i] = NULL;
            found = true;
        }
    return found;
}

static const char *value_at(Args *a, int i, const char *name)
{
    const size_t len = strlen(name);
    const char *word = a->words[i];
    if (!word || strncmp(word, name, len) != 0)
        return NULL;
    if (word[len] == '=') {
        a->words[i] = NULL;
        return word + len + 1;
    }
    if (word[len] != '\0')
        return NULL;
    if (i + 1 >= a->count || !a->words[i + 1]) {
        complain(a, "a value must follow", word);
        a->words[i] = NULL;
        return NULL;
    }
    const char *value = a->words[i + 1];
    a->words[i] = a->words[i + 1] = NULL;
    return value;
}

const char *args_value(Args *a, const char *name)
{
    const char *last = NULL;
    for (int i = 0; i < a->count; i++) {
        const char *value = value_at(a, i, name);
        if (value)
            last = value;
    }
    return last;
}

int64_t args_number(Args *a, const char *name, int64_t min, int64_t max, int64_t otherwise)
{
    const char *text = args_value(a, name);
    int64_t number = otherwise;
    if (text && !str_int(str_from(text), min, max, &number)) {
        fprintf(stderr, "samara %s: %s takes a number from %lld to %lld, not '%s'\n", a->command,
                name, (long long)min, (long long)max, text);
        a->failed = true;
    }
    return number;
}

const char *args_next(Args *a)
{
    for (int i = 0; i < a->count; i++) {
        const char *word = a->words[i];
        if (!word || (word[0] == '-' && word[1] == '-'))
            continue;
        a->words[i] = NULL;
        return word;
    }
    return NULL;
}

bool args_finish(Args *a)
{
    for (int i = 0; i < a->count && !a->failed; i++)
        if (a->words[i])
            complain(a, "cannot do anything with", a->words[i]);
    return !a->failed;
}
