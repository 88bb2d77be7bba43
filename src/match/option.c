// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/option.h"

#include <stddef.h>

static bool is_keyword(Str word)
{
    static const char *const keywords[] = {"name", "type", "default", "min", "max", "var"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (str_is(word, keywords[i]))
            return true;
    return false;
}

/* Everything up to the next keyword; names and texts may contain blanks. */
static Str phrase(Str *rest)
{
    Str all = {rest->ptr, 0};
    for (;;) {
        Str ahead = *rest;
        const Str word = str_token(&ahead);
        if (!word.len || is_keyword(word))
            return str_trim(all);
        if (!all.len)
            all.ptr = word.ptr;
        all.len = (size_t)(word.ptr + word.len - all.ptr);
        *rest = ahead;
    }
}

/* Values may contain blanks and reach up to the next keyword. */
OptionInfo option_parse(Str line)
{
    OptionInfo o = {0};
    Str word, rest = line;
    while ((word = str_token(&rest)).len) {
        if (!is_keyword(word))
            continue;
        const Str value = phrase(&rest);
        if (str_is(word, "name"))
            o.name = value;
        else if (str_is(word, "type"))
            o.type = value;
        else if (str_is(word, "default")) {
            o.value = value;
            o.has_value = true;
        } else if (str_is(word, "min"))
            o.has_min = str_int(value, INT64_MIN, INT64_MAX, &o.min);
        else if (str_is(word, "max"))
            o.has_max = str_int(value, INT64_MIN, INT64_MAX, &o.max);
        else {
            o.vars++;
            o.value_is_var = o.value_is_var || str_equal(value, o.value);
        }
    }
    return o;
}

static const char *spin_fault(const OptionInfo *o)
{
    int64_t value;
    if (!o->has_min || !o->has_max || !o->has_value)
        return "a spin needs default, min and max";
    if (!str_int(o->value, INT64_MIN, INT64_MAX, &value))
        return "its default is no number";
    return value < o->min || value > o->max ? "its default lies outside of min and max" : NULL;
}

/* What a tournament manager would stumble over; NULL if nothing. */
const char *option_fault(const OptionInfo *o)
{
    if (!o->name.len)
        return "it has no name";
    if (str_is(o->type, "spin"))
        return spin_fault(o);
    if (str_is(o->type, "check"))
        return str_is(o->value, "true") || str_is(o->value, "false")
                   ? NULL
                   : "its default is not true or false";
    if (str_is(o->type, "combo"))
        return !o->vars          ? "a combo needs vars"
               : o->value_is_var ? NULL
                                 : "its default is none of its vars";
    if (str_is(o->type, "string") || str_is(o->type, "button"))
        return NULL;
    return "its type is none of check, spin, combo, button, string";
}
