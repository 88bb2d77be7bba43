// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/command.h"
#include "base/file.h"
#include "match/journal.h"
#include "match/tune.h"

enum { USUAL_REPORT = 100 };

/* Pairs done, their results from worst to best, and the speed of this run. */
static void put_progress(const TuneState *s, Buffer *out)
{
    const double hours = (double)s->wall / 3.6e9;
    const uint64_t here = s->iterations - s->resumed;
    buffer_printf(out, "%llu/%llu pairs  %llu-%llu-%llu-%llu-%llu",
                  (unsigned long long)s->iterations, (unsigned long long)s->config->spsa.iterations,
                  (unsigned long long)s->counts[0], (unsigned long long)s->counts[1],
                  (unsigned long long)s->counts[2], (unsigned long long)s->counts[3],
                  (unsigned long long)s->counts[4]);
    if (hours > 0)
        buffer_printf(out, "  %.0f games/h", 2 * (double)here / hours);
}

/* To the file, or with `last` to standard output if there is none. */
static void put_values(const Display *d, const TuneState *s, bool last)
{
    Buffer text = {0};
    Error err;
    spsa_write_params(&s->config->spsa, s->values, &text);
    const Str all = {buffer_text(&text), text.len};
    if (d->options->values_path && !file_save(d->options->values_path, all.ptr, all.len, &err))
        fprintf(d->context->err, "samara-match: %s\n", err.text);
    else if (!d->options->values_path && last)
        fwrite(all.ptr, 1, all.len, d->context->out);
    buffer_free(&text);
}

/* Values are saved every so often: tuning takes days. */
static void on_step(void *user, const TuneState *s)
{
    const Display *d = user;
    const Context *c = d->context;
    const uint64_t every = d->options->report_every ? d->options->report_every : USUAL_REPORT;
    const bool report = s->iterations % every == 0;
    if (report)
        put_values(d, s, false);
    if (d->options->quiet || !(report || c->terminal))
        return;
    Buffer line = {0};
    put_progress(s, &line);
    display_clear_line(c);
    fprintf(c->err, "%s%s", buffer_text(&line), c->terminal ? "" : "\n");
    fflush(c->err);
    buffer_free(&line);
}

/* What moved, for people. */
static void print_changes(const Context *c, const TuneState *s)
{
    const SpsaConfig *spsa = &s->config->spsa;
    for (int i = 0; i < spsa->count; i++)
        fprintf(c->err, "%-32s %10g -> %10.2f\n", spsa->params[i].name, spsa->params[i].start,
                s->values[i]);
}

/* What changed for a person, all values for a program. */
static int report_end(const Display *d, const TuneState *s)
{
    const Context *c = d->context;
    display_clear_line(c);
    if (!d->options->quiet)
        print_changes(c, s);
    put_values(d, s, true);
    if (s->end == TUNE_FAILED)
        fprintf(c->err, "samara-match: %s\n", s->failure.text);
    return s->end == TUNE_FAILED        ? EXIT_ENGINE
           : s->end == TUNE_INTERRUPTED ? EXIT_INTERRUPTED
                                        : EXIT_OK;
}

static bool read_params(SpsaConfig *spsa, const char *path, Error *err)
{
    Buffer text = {0};
    Error why;
    bool ok = read_file(path, &text, err);
    if (ok && !spsa_read_params(spsa, (Str){buffer_text(&text), text.len}, &why))
        ok = error_set(err, "%s: %s", path, why.text);
    buffer_free(&text);
    return ok;
}

/* Openings and adjudication are those of a match; only the engine's parameters differ between the
 * two players. */
static int tune(Context *c, const MatchOptions *o, Error *err)
{
    TuneConfig config = {.spsa = {.iterations = o->iterations, .seed = o->config.openings.seed},
                         .engine = &o->config.engines[0],
                         .openings = o->config.openings,
                         .rules = o->config.rules,
                         .concurrency = o->config.concurrency,
                         .pin = o->config.pin,
                         .journal_path = o->config.journal_path};
    Display display = {c, o};
    const TuneEvents events = {&display, on_step, display_note};
    TuneState state = {0};
    int code = EXIT_USAGE;
    const bool ready = read_params(&config.spsa, o->params_path, err) &&
                       syzygy_open(&config.rules.tables, o->config.tablebase_path, err);
    if (ready && tune_run(&config, &c->guard, &c->interrupt, &events, &state, err))
        code = report_end(&display, &state);
    else
        fprintf(c->err, "samara-match: %s\n", err->text);
    tune_state_free(&state);
    syzygy_close(config.rules.tables);
    spsa_config_free(&config.spsa);
    return code;
}

static int list_options(Context *c, const MatchOptions *o, Error *err)
{
    Buffer text = {0};
    const bool ok = tune_list(&o->config.engines[0], &c->guard, &c->interrupt, &text, err);
    if (ok)
        fputs(buffer_text(&text), c->out);
    else
        fprintf(c->err, "samara-match: %s\n", err->text);
    buffer_free(&text);
    return ok ? EXIT_OK : EXIT_ENGINE;
}

static int run(Context *c, const MatchOptions *o, Error *err)
{
    return o->list_params ? list_options(c, o, err) : tune(c, o, err);
}

int command_spsa(Context *c, int argc, char **argv)
{
    return display_command(c, MODE_SPSA, argc, argv, run);
}
