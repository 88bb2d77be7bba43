// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/spsa.h"
#include "base/rng.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The usual exponents: 0.602 and 0.101 are the smallest that theory allows and decay slowest. */
static const double rate_decay = 0.602, step_decay = 0.101, stability = 0.1;
static const double usual_rate = 0.002;

/* --- parameter files --- */

/* The next of the fields that commas divide. */
static bool next_field(Str *rest, Str *field)
{
    if (!rest->ptr)
        return false;
    const char *comma = rest->len ? memchr(rest->ptr, ',', rest->len) : NULL;
    const size_t len = comma ? (size_t)(comma - rest->ptr) : rest->len;
    *field = str_trim((Str){rest->ptr, len});
    *rest = comma ? (Str){comma + 1, rest->len - len - 1} : (Str){0};
    return true;
}

static bool next_number(Str *rest, double *out)
{
    Str field;
    return next_field(rest, &field) && str_double(field, out);
}

static bool read_name(Str *rest, SpsaParam *p)
{
    Str field;
    return next_field(rest, &field) && field.len && str_copy(p->name, sizeof p->name, field);
}

/* `PARAM(name, start, min, max, step)`, perhaps with a comment behind it. */
static bool read_def_line(Str line, SpsaParam *p)
{
    const char *end = memchr(line.ptr, ')', line.len);
    if (!end)
        return false;
    Str rest = {line.ptr + 6, (size_t)(end - line.ptr) - 6};
    p->whole = true;
    p->r_end = usual_rate;
    return read_name(&rest, p) && next_number(&rest, &p->start) && next_number(&rest, &p->min) &&
           next_number(&rest, &p->max) && next_number(&rest, &p->c_end) && !rest.ptr;
}

/* The form that other tuners write: "name, int, start, min, max, c_end, r_end"; the rate may be
 * missing. */
static bool read_list_line(Str line, SpsaParam *p)
{
    Str rest = line, type;
    p->r_end = usual_rate;
    if (!read_name(&rest, p) || !next_field(&rest, &type))
        return false;
    p->whole = str_is(type, "int");
    return (p->whole || str_is(type, "float")) && next_number(&rest, &p->start) &&
           next_number(&rest, &p->min) && next_number(&rest, &p->max) &&
           next_number(&rest, &p->c_end) && (!rest.ptr || next_number(&rest, &p->r_end)) &&
           !rest.ptr;
}

static bool is_comment(Str line)
{
    return !line.len || line.ptr[0] == '#' || line.ptr[0] == '*' || str_starts(line, "//") ||
           str_starts(line, "/*");
}

static bool is_sensible(const SpsaParam *p)
{
    return p->min < p->max && p->start >= p->min && p->start <= p->max && p->c_end > 0 &&
           p->r_end > 0;
}

static bool add_param(SpsaConfig *config, const SpsaParam *p)
{
    SpsaParam *grown = realloc(config->params, sizeof *grown * ((size_t)config->count + 1));
    if (!grown)
        return false;
    config->params = grown;
    grown[config->count++] = *p;
    return true;
}

/* Both forms may stand in one file: comma lists and the PARAM lines of search/params.def. */
static bool read_params(SpsaConfig *config, Str text, Error *err)
{
    bool in_comment = false;
    for (int number = 1; text.len; number++) {
        const Str line = str_trim(str_line(&text));
        SpsaParam p = {0};
        const bool skip = in_comment || is_comment(line);
        if (str_starts(line, "/*"))
            in_comment = true;
        if (in_comment && line.len >= 2 && memcmp(line.ptr + line.len - 2, "*/", 2) == 0)
            in_comment = false;
        if (skip)
            continue;
        if (!(str_starts(line, "PARAM(") ? read_def_line(line, &p) : read_list_line(line, &p)))
            return error_set(
                err, "line %d is no parameter (name, int, start, min, max, c_end, r_end)", number);
        if (!is_sensible(&p))
            return error_set(
                err, "line %d: '%s' needs min <= start <= max, min < max, c_end > 0, r_end > 0",
                number, p.name);
        if (!add_param(config, &p))
            return error_code(err, "NO_MEMORY", 0, "out of memory");
    }
    return config->count > 0 || error_set(err, "there are no parameters");
}

bool spsa_read_params(SpsaConfig *config, Str text, Error *err)
{
    config->params = NULL;
    config->count = 0;
    if (read_params(config, text, err))
        return true;
    spsa_config_free(config);
    return false;
}

/* Plain decimals, without trailing zeros: what str_double() can read back. */
static void put_number(Buffer *out, double value)
{
    char text[64];
    size_t len = (size_t)snprintf(text, sizeof text, "%.8f", value);
    while (text[len - 1] == '0')
        len--;
    len -= text[len - 1] == '.';
    buffer_puts(out, ", ");
    buffer_append(out, text, len);
}

void spsa_write_params(const SpsaConfig *config, const double *values, Buffer *out)
{
    for (int i = 0; i < config->count; i++) {
        const SpsaParam *p = &config->params[i];
        const double numbers[] = {values[i], p->min, p->max, p->c_end, p->r_end};
        buffer_printf(out, "%s, %s", p->name, p->whole ? "int" : "float");
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            put_number(out, numbers[k]);
        buffer_putc(out, '\n');
    }
}

void spsa_config_free(SpsaConfig *config)
{
    free(config->params);
    config->params = NULL;
    config->count = 0;
}

/* --- the iteration --- */

/* Step size in iteration k: falls like (k + 1)^-0.101 to c_end. */
static double step_size(const SpsaConfig *config, const SpsaParam *p, uint64_t k)
{
    return p->c_end * pow((double)config->iterations / ((double)k + 1), step_decay);
}

/* Gain a_k: falls like (A + k + 1)^-0.602 so that a_k / c_k^2 ends at r_end; A keeps the first
 * steps from being wild. */
static double gain(const SpsaConfig *config, const SpsaParam *p, uint64_t k)
{
    const double n = (double)config->iterations, a = stability * n;
    return p->r_end * p->c_end * p->c_end * pow((a + n) / (a + (double)k + 1), rate_decay);
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* The random numbers of iteration k: one sign per parameter, then whatever rounding needs. */
static Rng rng_of(const SpsaConfig *config, uint64_t k)
{
    Rng rng;
    const uint64_t words[2] = {config->seed, k};
    rng_seed(&rng, hash_bytes(words, sizeof words));
    return rng;
}

static double next_sign(Rng *rng) { return rng_below(rng, 2) ? 1 : -1; }

static double settle(const SpsaParam *p, double value, double chance)
{
    value = clamp(value, p->min, p->max);
    return p->whole ? clamp(floor(value + chance), p->min, p->max) : value;
}

/* Iteration k draws its signs from k and the seed alone: it gives the same players whenever it is
 * played. */
void spsa_sides(const SpsaConfig *config, uint64_t k, const double *values, double *plus,
                double *minus)
{
    Rng signs = rng_of(config, k), chances = rng_of(config, ~k);
    for (int i = 0; i < config->count; i++) {
        const SpsaParam *p = &config->params[i];
        const double step = next_sign(&signs) * step_size(config, p, k);
        const double chance =
            rng_unit(&chances); /* shared, so that rounding does not change the distance much */
        plus[i] = settle(p, values[i] + step, chance);
        minus[i] = settle(p, values[i] - step, chance);
    }
}

void spsa_update(const SpsaConfig *config, uint64_t k, double outcome, double *values)
{
    Rng signs = rng_of(config, k);
    for (int i = 0; i < config->count; i++) {
        const SpsaParam *p = &config->params[i];
        const double move =
            gain(config, p, k) / step_size(config, p, k) * outcome * next_sign(&signs);
        values[i] = clamp(values[i] + move, p->min, p->max);
    }
}
