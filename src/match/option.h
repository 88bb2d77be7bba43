// SPDX-License-Identifier: GPL-3.0-or-later
/* option.h -- one option that a UCI engine announces. */
#ifndef SAMARA_MATCH_OPTION_H
#define SAMARA_MATCH_OPTION_H

#include "base/text.h"
#include <stdint.h>

/* Slices point into the line; absent parts are empty. */
typedef struct OptionInfo {
    Str name, type, value; /* value: the default */
    bool has_value, has_min, has_max;
    int64_t min, max; /* of a spin */
    int vars;         /* choices of a combo */
    bool value_is_var;
} OptionInfo;

/* "name Hash type spin default 16 min 1 max 1024", with or without the word "option" before it.
 * What is missing or malformed is left empty: option_fault() says what is wrong with it. */
OptionInfo option_parse(Str line);
const char *
option_fault(const OptionInfo *option); /* a few words, or NULL if it is as it should be */

#endif
