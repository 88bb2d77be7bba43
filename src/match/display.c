// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/display.h"

void display_clear_line(const Context *c)
{
    if (c->terminal)
        fputs("\r\033[K", c->err);
}

void display_note(void *user, const char *text)
{
    const Display *d = user;
    if (d->options->quiet)
        return;
    display_clear_line(d->context);
    fprintf(d->context->err, "%s\n", text);
}

/* What all commands share: options, help, errors of usage. */
int display_command(Context *c, MatchMode mode, int argc, char **argv,
                    int (*run)(Context *c, const MatchOptions *options, Error *err))
{
    MatchOptions options;
    Error err;
    int code = EXIT_USAGE;
    if (!match_options_parse(&options, mode, argc, argv, &err)) {
        fprintf(c->err, "samara-match: %s\n", err.text);
    } else if (options.help.len > 0) {
        fputs(buffer_text(&options.help), c->out);
        code = EXIT_OK;
    } else {
        code = run(c, &options, &err);
    }
    match_options_free(&options);
    return code;
}
