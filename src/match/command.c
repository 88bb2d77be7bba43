// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/command.h"
#include "base/file.h"
#include "match/journal.h"
#include "match/report.h"

/* Written again after each report, so that an interrupted match leaves its last state. */
static void save_json(const Display *d, const MatchState *state)
{
    if (!d->options->json_path)
        return;
    Buffer text = {0};
    Error err;
    report_json(state, &text);
    if (!file_save(d->options->json_path, text.data, text.len, &err)) {
        display_clear_line(d->context);
        fprintf(d->context->err, "%s\n", err.text);
    }
    buffer_free(&text);
}

static void print_table(const Context *c, const MatchState *state)
{
    Buffer text = {0};
    report_table(state, &text);
    fputs(buffer_text(&text), c->out);
    fflush(c->out);
    buffer_free(&text);
}

/* A report every so often, and a line that is overwritten on a terminal. */
static void on_game(void *user, const MatchState *state)
{
    const Display *d = user;
    const Context *c = d->context;
    if (d->options->report_every && state->score.games % d->options->report_every == 0) {
        display_clear_line(c);
        print_table(c, state);
        fputs("----\n", c->out);
        save_json(d, state);
    }
    if (c->terminal && !d->options->quiet) {
        Buffer line = {0};
        report_line(state, &line);
        display_clear_line(c);
        fputs(buffer_text(&line), c->err);
        fflush(c->err);
        buffer_free(&line);
    }
}

static int exit_code(const MatchState *state)
{
    return state->end == MATCH_FAILED        ? EXIT_ENGINE
           : state->end == MATCH_INTERRUPTED ? EXIT_INTERRUPTED
                                             : EXIT_OK;
}

/* Plays the match and says how it ended; the exit code tells scripts the same. */
static int run(Context *c, const MatchOptions *options, Error *err)
{
    Display display = {c, options};
    const MatchEvents events = {&display, on_game, display_note};
    MatchState state;
    int code = EXIT_USAGE;
    MatchConfig config = options->config;
    if (options->broker.url && !(config.queue = queue_open(&options->broker, NULL, err))) {
        fprintf(c->err, "samara-match: %s\n", err->text);
        return EXIT_USAGE;
    }
    if (match_run(&config, &c->guard, &c->interrupt, &events, &state, err)) {
        code = exit_code(&state);
        display_clear_line(c);
        print_table(c, &state);
        save_json(&display, &state);
        if (state.end == MATCH_FAILED)
            fprintf(c->err, "samara-match: %s\n", state.failure.text);
    } else {
        fprintf(c->err, "samara-match: %s\n", err->text);
    }
    match_state_free(&state);
    queue_close(config.queue);
    return code;
}

int command_match(Context *c, int argc, char **argv)
{
    return display_command(c, MODE_MATCH, argc, argv, run);
}

int command_run(Context *c, int argc, char **argv)
{
    static const struct {
        const char *word;
        int (*run)(Context *context, int argc, char **argv);
    } commands[] = {{"spsa", command_spsa}, {"compliance", command_compliance}};
    for (size_t i = 0; argc > 0 && i < sizeof commands / sizeof *commands; i++)
        if (str_is(str_from(argv[0]), commands[i].word))
            return commands[i].run(c, argc - 1, argv + 1);
    return command_match(c, argc, argv);
}
