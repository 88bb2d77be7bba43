// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/command.h"
#include "match/compliance.h"
#include "match/options.h"

#include "base/args.h"

static void print_finding(void *user, const Finding *f)
{
    static const char *const word[] = {"ok", "warning", "FAILED", "skipped"};
    const Context *c = user;
    fprintf(c->out, "%-8s %-15s %s%s%s\n", word[f->severity], f->check, f->title,
            f->detail[0] ? ": " : "", f->detail);
    fflush(c->out);
}

/* Prints each finding as it comes, and a sum at the end. */
static int check(Context *c, const EngineSpec *engine, const char *only)
{
    ComplianceSummary sum;
    Error err;
    if (!compliance_run(engine, only, &c->guard, &c->interrupt, print_finding, c, &sum, &err)) {
        fprintf(c->err, "samara-match: %s\n", err.text);
        return interrupt_raised(&c->interrupt) ? EXIT_INTERRUPTED : EXIT_ENGINE;
    }
    fprintf(c->out, "%d checks, %d failed, %d warnings, %d skipped\n", sum.checks, sum.failed,
            sum.warnings, sum.skipped);
    return sum.failed ? EXIT_FINDINGS : EXIT_OK;
}

/* Everything behind the engine's name belongs to the engine. */
int command_compliance(Context *c, int argc, char **argv)
{
    EngineSpec engine = {0};
    const char *only = NULL;
    const ArgSpec specs[] = {ARGS_TEXT("check", &only, "NAME", "only this check")};
    const ArgCommand command = {
        .program = "samara-match",
        .name = "compliance",
        .operands = "ENGINE [ARGUMENT...]",
        .least = 1,
        .summary = "Holds a UCI conversation with the engine and reports, check by check, what is "
                   "not as it should be: handshake and options, tolerance of odd input, legal "
                   "moves, true variations and mate scores, clocks, stop latency, pondering, "
                   "several lines, Chess960, and leaving when told to.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs),
        .notes = "Exit code: 0 no check failed, 1 wrong usage, 2 the engine cannot be run, 3 "
                 "interrupted, 4 a check failed.",
        .short_dash = true,
        .own_options = true};
    int words;
    const ArgsOutcome outcome = args_read(&command, argc, argv, &words, c->out, c->err);
    if (outcome != ARGS_RUN)
        return outcome == ARGS_HELP ? EXIT_OK : EXIT_USAGE;
    bool ok = engine_set(&engine.name, str_from(argv[0]));
    for (int i = 0; ok && i < words; i++)
        ok = engine_add_argument(&engine, str_from(argv[i]));
    const int code = ok ? check(c, &engine, only) : EXIT_ENGINE;
    engine_free(&engine);
    return code;
}
