// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/args.h"

#include <string.h>

static int shown(Str word) { return word.len > 100 ? 100 : (int)word.len; }

/* --- values --- */

/* A double cannot hold the largest int64_t; as a bound it stands for it. */
static int64_t bound(double value)
{
    return value >= 0x1p63 ? INT64_MAX : value < -0x1p63 ? INT64_MIN : (int64_t)value;
}

static bool is_choice(const char *choices, Str word)
{
    for (Str rest = str_from(choices); rest.len > 0;)
        if (str_equal(str_until(&rest, '|'), word))
            return true;
    return false;
}

static bool read_switch(Str value, bool *out)
{
    const bool on =
        !value.len || str_is(value, "on") || str_is(value, "true") || str_is(value, "1");
    const bool off = str_is(value, "off") || str_is(value, "false") || str_is(value, "0");
    if (on || off)
        *out = on;
    return on || off;
}

/* The range in the message is that of the table. */
static bool read_whole(const ArgSpec *s, const char *who, Str word, Error *err)
{
    int64_t number;
    if (!str_int(word, bound(s->min), bound(s->max), &number))
        return error_set(err, "%s takes a whole number from %.0f to %.0f, not '%.*s'", who, s->min,
                         s->max, shown(word), word.ptr);
    if (s->type == ARG_INT)
        *s->at.small = (int)number;
    else
        *s->at.number = number;
    return true;
}

static bool read_real(const ArgSpec *s, const char *who, Str word, Error *err)
{
    double real;
    if (!str_scientific(word, &real) || real < s->min || real > s->max)
        return error_set(err, "%s takes a number from %g to %g, not '%.*s'", who, s->min, s->max,
                         shown(word), word.ptr);
    *s->at.real = real;
    return true;
}

/* The reader says why it refuses a word; whose word it was is added here. */
static bool call_reader(const ArgSpec *s, const char *who, Str word, Error *err)
{
    Error why = {0};
    if (s->take(s->at.target, word, &why))
        return true;
    return error_code(err, why.code, why.column, "%s: %s", who, why.text);
}

/* Puts one word where the option wants it. `who` is the option as the user wrote it. A text must
 * reach to the end of its argument, for it is kept without a copy. */
static bool take_value(const ArgSpec *s, const char *who, Str word, Error *err)
{
    switch (s->type) {
    case ARG_INT:
    case ARG_LONG:
        return read_whole(s, who, word, err);
    case ARG_REAL:
        return read_real(s, who, word, err);
    case ARG_CHOICE:
        if (!is_choice(s->value, word))
            return error_set(err, "%s is one of %s, not '%.*s'", who, s->value, shown(word),
                             word.ptr);
        *s->at.text = word.ptr;
        return true;
    case ARG_TEXT:
        *s->at.text = word.ptr;
        return true;
    case ARG_FLAG:
        return read_switch(word, s->at.flag) ||
               error_set(err, "%s is on or off, not '%.*s'", who, shown(word), word.ptr);
    case ARG_CALL:
        return call_reader(s, who, word, err);
    case ARG_WORDS:
    case ARG_HEADING:
        break;
    }
    return false;
}

/* --- parsing --- */

/* "-" and "-5" are words like others. */
static bool is_option(const char *word)
{
    return word[0] == '-' && (word[1] == '-' || (word[1] | 32) >= 'a');
}

typedef struct Parser {
    const ArgCommand *command;
    int argc;
    char **argv;
    int at; /* the word that is read */
    Error *err;
} Parser;

/* The option that argv[at] names; *value is what follows '=', or has no pointer. */
static const ArgSpec *find_option(const Parser *p, Str *value)
{
    const char *word = p->argv[p->at];
    const bool two = word[1] == '-';
    if (!two && !p->command->short_dash)
        return NULL;
    const char *name = word + (two ? 2 : 1);
    const size_t len = strcspn(name, "=");
    *value = name[len] ? str_from(name + len + 1) : (Str){0};
    for (int i = 0; i < p->command->spec_count; i++) {
        const ArgSpec *s = &p->command->specs[i];
        if (s->type != ARG_HEADING && str_is((Str){name, len}, s->name))
            return s;
    }
    return NULL;
}

/* Reads the words of an ARG_WORDS option up to the next option. */
static bool read_words(Parser *p, const ArgSpec *s, Str value)
{
    int count = value.ptr != NULL;
    if (count && !s->take(s->at.target, value, p->err))
        return false;
    for (; count < s->max && p->at + 1 < p->argc && !is_option(p->argv[p->at + 1]); count++)
        if (!s->take(s->at.target, str_from(p->argv[++p->at]), p->err))
            return false;
    return count >= s->min;
}

/* Reads the option at argv[at] and leaves `at` on its last word. */
static bool read_option(Parser *p)
{
    const char *word = p->argv[p->at];
    const int name = (int)strcspn(word, "=");
    Str value;
    const ArgSpec *s = find_option(p, &value);
    if (!s)
        return error_set(p->err, "there is no option '%.100s'", word);
    if (s->begin && !s->begin(s->at.target, p->err))
        return false;
    if (s->type == ARG_FLAG && !value.ptr)
        return read_switch((Str){0}, s->at.flag);
    error_set(p->err, "%.*s needs something after it", name, word);
    if (s->type == ARG_WORDS)
        return read_words(p, s, value);
    if (!value.ptr) {
        if (p->at + 1 >= p->argc || is_option(p->argv[p->at + 1]))
            return false;
        value = str_from(p->argv[++p->at]);
    }
    char who[80];
    snprintf(who, sizeof who, "%.*s", name, word);
    return take_value(s, who, value, p->err);
}

/* What an option that must be given has in it if it was not. */
static bool is_missing(const ArgSpec *s)
{
    return s->required && s->type == ARG_TEXT && !*s->at.text;
}

static bool check_complete(const Parser *p, int operands)
{
    const ArgCommand *c = p->command;
    for (int i = 0; i < c->spec_count; i++)
        if (is_missing(&c->specs[i]))
            return error_set(p->err, "%s%s %s is missing", c->short_dash ? "-" : "--",
                             c->specs[i].name, c->specs[i].value);
    return operands >= c->least ||
           error_set(p->err, "%.*s is missing", (int)strcspn(c->operands, " "), c->operands);
}

static void describe(const ArgCommand *command, Buffer *out);

/* --help, -h, or --help=table for programs. */
static bool asks_for_help(const ArgCommand *c, const char *word, Buffer *out)
{
    const Str s = str_from(word);
    if (str_is(s, "--help=table"))
        describe(c, out);
    else if (str_is(s, "--help") || str_is(s, "-h") || (c->short_dash && str_is(s, "-help")))
        args_help(c, out);
    else
        return false;
    return true;
}

/* Operands are moved to the front of argv; "--" ends the options. */
ArgsOutcome args_parse(const ArgCommand *command, int argc, char **argv, int *operands, Buffer *out,
                       Error *err)
{
    Parser p = {command, argc, argv, 0, err};
    bool options = true;
    *operands = 0;
    for (; p.at < argc; p.at++) {
        char *word = argv[p.at];
        if (options && strcmp(word, "--") == 0) {
            options = false;
        } else if (options && is_option(word)) {
            if (asks_for_help(command, word, out))
                return ARGS_HELP;
            if (!read_option(&p))
                return ARGS_WRONG;
        } else if (!command->operands || (command->most && *operands == command->most)) {
            error_set(err, "'%.100s' is not expected here", word);
            return ARGS_WRONG;
        } else {
            argv[(*operands)++] = word;
            options = options && !command->own_options;
        }
    }
    return check_complete(&p, *operands) ? ARGS_RUN : ARGS_WRONG;
}

/* Help goes to standard output, errors to standard error with a hint where help is. */
ArgsOutcome args_read(const ArgCommand *command, int argc, char **argv, int *operands, FILE *out,
                      FILE *err)
{
    Buffer text = {0};
    Error problem;
    const ArgsOutcome outcome = args_parse(command, argc, argv, operands, &text, &problem);
    const char *space = command->name ? " " : "", *name = command->name ? command->name : "";
    if (outcome == ARGS_HELP)
        fputs(buffer_text(&text), out);
    if (outcome == ARGS_WRONG)
        fprintf(err, "%s%s%s: %s; '%s%s%s --help' shows the options\n", command->program, space,
                name, problem.text, command->program, space, name);
    buffer_free(&text);
    return outcome;
}

/* --- settings: key=value --- */

static bool setting_fits(const ArgSpec *s, Str key)
{
    const size_t len = s->name ? strlen(s->name) : 0;
    const bool prefix = len > 0 && s->name[len - 1] == '.';
    return len > 0 && (prefix ? str_starts(key, s->name) : str_is(key, s->name));
}

/* One word key=value of an option that has settings of its own; a name that ends in a dot fits
 * every key that begins with it. */
bool args_setting(const ArgSpec *settings, int count, const char *where, Str word, Error *err)
{
    const char *equals = word.len ? memchr(word.ptr, '=', word.len) : NULL;
    const Str key = {word.ptr, equals ? (size_t)(equals - word.ptr) : word.len};
    const Str end = {word.ptr + word.len, 0};
    for (int i = 0; i < count; i++) {
        const ArgSpec *s = &settings[i];
        if (!setting_fits(s, key))
            continue;
        const size_t skip = strlen(s->name) + (s->name[strlen(s->name) - 1] != '.');
        char who[80];
        snprintf(who, sizeof who, "%s %.*s", where, (int)(key.len > 40 ? 40 : key.len), key.ptr);
        const Str value = skip > word.len ? end : (Str){word.ptr + skip, word.len - skip};
        return take_value(s, who, value, err);
    }
    return error_set(err, "%s has no setting '%.*s'", where, shown(word), word.ptr);
}

const ArgEntry *args_find(const ArgEntry *list, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

/* --- help --- */

enum { LINE_WIDTH = 100, LEFT_WIDTH = 24, HUGE_NUMBER = 1000000000 };

static bool has_value(const ArgSpec *s)
{
    return s->type != ARG_FLAG && s->type != ARG_HEADING && s->value;
}

/* "--threads N", or for a setting "nodes=N". */
static void put_left(const ArgSpec *s, const char *dashes, char separator, Buffer *out)
{
    buffer_printf(out, "%s%s", dashes, s->name);
    if (!has_value(s))
        return;
    if (s->name[strlen(s->name) - 1] != '.')
        buffer_putc(out, separator);
    buffer_puts(out, s->value);
}

/* "1 to 1024", or nothing where the bounds are only there to keep a number in its type. */
static void put_range(const ArgSpec *s, Buffer *out)
{
    if (s->type != ARG_INT && s->type != ARG_LONG && s->type != ARG_REAL)
        return;
    if (s->max < HUGE_NUMBER)
        buffer_printf(out, "%.9g to %.9g", s->min, s->max);
    else if (s->min > 1)
        buffer_printf(out, "at least %.9g", s->min);
}

static void put_number(double value, const ArgSpec *s, Buffer *out)
{
    if (value >= s->min && value <= s->max && value < HUGE_NUMBER)
        buffer_printf(out, "default %.9g", value);
}

/* "default 1"; a default that the option itself would refuse means none and is not shown. */
static void put_default(const ArgSpec *s, Buffer *out)
{
    if (s->usual) {
        if (s->usual[0])
            buffer_printf(out, "default: %s", s->usual);
    } else if (s->type == ARG_INT) {
        put_number(*s->at.small, s, out);
    } else if (s->type == ARG_LONG) {
        put_number((double)*s->at.number, s, out);
    } else if (s->type == ARG_REAL) {
        put_number(*s->at.real, s, out);
    } else if ((s->type == ARG_TEXT || s->type == ARG_CHOICE) && *s->at.text) {
        buffer_printf(out, "default %s", *s->at.text);
    }
}

/* The sentence of an option, with its range and its default in brackets. */
static void put_right(const ArgSpec *s, Buffer *out)
{
    Buffer range = {0}, usual = {0};
    put_range(s, &range);
    put_default(s, &usual);
    buffer_puts(out, s->help);
    if (range.len || usual.len)
        buffer_printf(out, " (%s%s%s)", buffer_text(&range), range.len && usual.len ? "; " : "",
                      buffer_text(&usual));
    buffer_free(&range);
    buffer_free(&usual);
}

/* Words of one paragraph, broken at LINE_WIDTH; `column` is where the first line already stands. */
static void put_wrapped(Str text, int column, int indent, Buffer *out)
{
    bool first = true;
    for (Str word; (word = str_token(&text)).len > 0; first = false) {
        if (!first && column + 1 + (int)word.len > LINE_WIDTH) {
            buffer_printf(out, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            buffer_putc(out, ' ');
            column++;
        }
        buffer_append(out, word.ptr, word.len);
        column += (int)word.len;
    }
    buffer_putc(out, '\n');
}

static void put_paragraphs(const char *text, Buffer *out)
{
    for (Str rest = str_from(text); rest.len > 0;)
        put_wrapped(str_line(&rest), 0, 0, out);
}

/* A line of two columns; a long left side has a line of its own. */
static void put_columns(int indent, Str left, const char *right, Buffer *out)
{
    const int width = indent + LEFT_WIDTH;
    buffer_printf(out, "%*s%.*s", indent, "", (int)left.len, left.ptr);
    if ((int)left.len > LEFT_WIDTH - 2)
        buffer_printf(out, "\n%*s", width, "");
    else
        buffer_printf(out, "%*s", LEFT_WIDTH - (int)left.len, "");
    put_wrapped(str_from(right), width, width, out);
}

/* One line of help, and below it the settings of the option. */
static void put_option(const ArgSpec *s, const char *dashes, char separator, int indent,
                       Buffer *out)
{
    Buffer left = {0}, right = {0};
    if (s->help && s->type == ARG_HEADING) {
        buffer_printf(out, "\n%s\n", s->help);
    } else if (s->help) {
        put_left(s, dashes, separator, &left);
        put_right(s, &right);
        put_columns(indent, (Str){buffer_text(&left), left.len}, buffer_text(&right), out);
    }
    for (int i = 0; s->help && i < s->setting_count; i++)
        put_option(&s->settings[i], "", '=', indent + 2, out);
    buffer_free(&left);
    buffer_free(&right);
}

/* Required options are shown by name, the others as [options]. */
static void put_usage(const ArgCommand *c, Buffer *out)
{
    const char *dashes = c->short_dash ? "-" : "--";
    bool optional = false;
    buffer_printf(out, "%s%s%s", c->program, c->name ? " " : "", c->name ? c->name : "");
    for (int i = 0; i < c->spec_count; i++) {
        const ArgSpec *s = &c->specs[i];
        if (s->required) {
            buffer_putc(out, ' ');
            put_left(s, dashes, ' ', out);
        }
        optional = optional || (!s->required && s->type != ARG_HEADING && s->help);
    }
    if (optional && c->own_options)
        buffer_puts(out, " [options]");
    if (c->command_count > 0 && !c->operands)
        buffer_puts(out, " [COMMAND]");
    if (c->operands)
        buffer_printf(out, " %s", c->operands);
    if (optional && !c->own_options)
        buffer_puts(out, " [options]");
}

/* Everything comes from the table, so help cannot forget an option. */
void args_help(const ArgCommand *c, Buffer *out)
{
    buffer_puts(out, "usage: ");
    put_usage(c, out);
    buffer_puts(out, "\n\n");
    put_paragraphs(c->summary, out);
    if (c->command_count > 0)
        buffer_puts(out, "\nCommands\n");
    for (int i = 0; i < c->command_count; i++)
        put_columns(2, str_from(c->commands[i].name), c->commands[i].brief, out);
    if (c->spec_count > 0 && c->specs[0].type != ARG_HEADING)
        buffer_puts(out, "\nOptions\n");
    for (int i = 0; i < c->spec_count; i++)
        put_option(&c->specs[i], c->short_dash ? "-" : "--", ' ', 2, out);
    if (c->notes) {
        buffer_putc(out, '\n');
        put_paragraphs(c->notes, out);
    }
}

/* --- the table for programs: one line each, fields separated by tabs --- */

/* One line for a program: tools/manuals.py makes manuals and completions of it. */
static void describe_option(const char *kind, const ArgSpec *s, const char *dashes, Buffer *out)
{
    if (s->help && s->type == ARG_HEADING) {
        buffer_printf(out, "heading\t%s\n", s->help);
    } else if (s->help) {
        buffer_printf(out, "%s\t%s%s\t%s\t", kind, dashes, s->name, has_value(s) ? s->value : "");
        put_right(s, out);
        buffer_putc(out, '\n');
    }
    for (int i = 0; s->help && i < s->setting_count; i++)
        describe_option("setting", &s->settings[i], "", out);
}

static void describe_lines(const char *kind, const char *text, Buffer *out)
{
    for (Str rest = str_from(text); rest.len > 0;) {
        const Str line = str_line(&rest);
        buffer_printf(out, "%s\t%.*s\n", kind, (int)line.len, line.ptr);
    }
}

/* The whole command for tools/manuals.py: one fact per line, fields between tabs. */
static void describe(const ArgCommand *c, Buffer *out)
{
    buffer_puts(out, "usage\t");
    put_usage(c, out);
    buffer_putc(out, '\n');
    describe_lines("operands", c->operands, out);
    describe_lines("summary", c->summary, out);
    for (int i = 0; i < c->command_count; i++)
        buffer_printf(out, "command\t%s\t%s\n", c->commands[i].name, c->commands[i].brief);
    for (int i = 0; i < c->spec_count; i++)
        describe_option("option", &c->specs[i], c->short_dash ? "-" : "--", out);
    describe_lines("note", c->notes, out);
}
