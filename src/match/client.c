// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/client_impl.h"
#include "base/clock.h"
#include <stdlib.h>

enum { QUIT_GRACE_MS = 2000, HURRY_GRACE_MS = 200, LAST_GASP_MS = 500, FRAGILE_RETRIES = 3 };

Client *client_create(const EngineSpec *spec, Guard *guard, const Interrupt *interrupt)
{
    Client *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->spec = spec;
    c->guard = guard;
    c->interrupt = interrupt;
    c->dialect = spec->protocol == PROTOCOL_XBOARD ? &dialect_xboard : &dialect_uci;
    return c;
}

const EngineSpec *client_spec(const Client *client) { return client->spec; }

Str client_variations(const Client *client)
{
    return (Str){buffer_text(&client->variations), client->variations.len};
}

Str client_options(const Client *client)
{
    return (Str){buffer_text(&client->options), client->options.len};
}

Str client_title(const Client *client) { return str_from(client->title); }

int client_take_info_faults(Client *client)
{
    const int faults = client->info_faults;
    client->info_faults = 0;
    return faults;
}

/* Asks politely if there is time for it. */
static bool stop_process(Client *c, int64_t grace_ms)
{
    if (!c->process)
        return true;
    ProcessEnd end;
    if (grace_ms > 0)
        process_write(c->process, STR("quit\n"));
    process_stop(c->process, grace_ms, &end);
    c->process = NULL;
    return end.by_itself;
}

/* An engine that does not leave at `quit` is ended, and that counts against it unless we are in a
 * hurry ourselves. */
Fault client_destroy(Client *c)
{
    if (!c)
        return FAULT_NONE;
    const bool hurry = interrupt_raised(c->interrupt);
    const bool went = stop_process(c, hurry ? HURRY_GRACE_MS : QUIT_GRACE_MS) || hurry;
    buffer_free(&c->out);
    buffer_free(&c->variations);
    buffer_free(&c->options);
    free(c);
    return went ? FAULT_NONE : FAULT_QUIT;
}

/* After these nothing sensible can be said to the process any more. */
static Fault settle(Client *c, Fault fault)
{
    if (fault == FAULT_CRASH || fault == FAULT_HANG || fault == FAULT_PROTOCOL ||
        fault == FAULT_INTERRUPTED)
        stop_process(c, 0);
    return fault;
}

/* Also after a crash: everything that was known about the old process is forgotten. */
static Fault start_process(Client *c, bool chess960, Error *why)
{
    const Command command = {.argv = c->spec->argv,
                             .directory = c->spec->directory,
                             .stderr_path = c->spec->stderr_path};
    c->process = process_start(c->guard, c->interrupt, &command, why);
    if (!c->process)
        return FAULT_CRASH;
    c->greeted_960 = chess960;
    buffer_clear(&c->out);
    buffer_clear(&c->options);
    c->title[0] = '\0';
    c->pondering = MOVE_NONE;
    return settle(c, c->dialect->greet(c, chess960, why));
}

Fault client_ready(Client *c, bool chess960, Error *why)
{
    if (c->process && c->greeted_960 == chess960)
        return FAULT_NONE;
    stop_process(c, QUIT_GRACE_MS);
    /* An engine that is known to miss lines may miss the first ones. */
    Fault fault = start_process(c, chess960, why);
    for (int i = 0; i < FRAGILE_RETRIES && fault == FAULT_HANG && c->spec->line_gap_ms; i++)
        fault = start_process(c, chess960, why);
    return fault;
}

Fault client_new_game(Client *c, const Position *start, Error *why)
{
    buffer_clear(&c->variations);
    return settle(c, c->dialect->new_game(c, start, why));
}

Fault client_think(Client *c, const Turn *turn, Thought *thought, Error *why)
{
    *thought = (Thought){.move = MOVE_NONE};
    buffer_clear(&c->variations);
    return settle(c, c->dialect->think(c, turn, thought, why));
}

void client_ponder(Client *c, const Turn *turn)
{
    if (c->process && c->spec->ponder && c->dialect->ponder)
        c->dialect->ponder(c, turn);
}

void client_game_over(Client *c, const char *result, const char *reason)
{
    if (c->process && c->dialect->game_over)
        c->dialect->game_over(c, result, reason);
    if (c->spec->restart || (c->spec->protocol == PROTOCOL_XBOARD && !c->xboard.reuse))
        stop_process(c, QUIT_GRACE_MS);
}

/* Finds out what happened to an engine that no longer talks: its exit code or signal is the best
 * explanation. */
Fault client_gone(Client *c, Fault fault, const char *what, Error *why)
{
    ProcessEnd end;
    process_stop(c->process, LAST_GASP_MS, &end);
    c->process = NULL;
    if (!end.by_itself)
        error_set(why, "%s %s", c->spec->name, what);
    else if (end.signal)
        error_set(why, "%s was ended by signal %d", c->spec->name, end.signal);
    else
        error_set(why, "%s ended with exit code %d", c->spec->name, end.status);
    return end.by_itself ? FAULT_CRASH : fault;
}

int64_t client_patience(const Client *c, int64_t usual)
{
    return c->spec->tc.patience ? c->spec->tc.patience : usual;
}

static Fault interrupted(Error *why)
{
    error_code(why, "INTERRUPTED", 0, "interrupted");
    return FAULT_INTERRUPTED;
}

/* UCI engines get everything at once. For XBoard engines line by line, with a pause for those that
 * lose lines. */
static bool write_out(Client *c)
{
    Str rest = {buffer_text(&c->out), c->out.len};
    bool ok = true;
    while (ok && rest.len && c->spec->protocol == PROTOCOL_XBOARD) {
        const char *begin = rest.ptr;
        str_line(&rest);
        c->sent_at = clock_us();
        ok = process_write(c->process, (Str){begin, (size_t)(rest.ptr - begin)});
        if (rest.len)
            clock_sleep_ms(c->spec->line_gap_ms);
    }
    if (!rest.len)
        return ok;
    c->sent_at = clock_us();
    return ok && process_write(c->process, rest);
}

/* An engine that does not read its input hangs; its process is ended. */
Fault client_send(Client *c, Error *why)
{
    const bool whole = !c->out.failed;
    const bool sent = whole && write_out(c);
    buffer_clear(&c->out);
    if (sent)
        return FAULT_NONE;
    if (interrupt_raised(c->interrupt))
        return interrupted(why);
    if (!whole) {
        buffer_free(&c->out);
        error_code(why, "NO_MEMORY", 0, "out of memory");
        return FAULT_INTERRUPTED;
    }
    return client_gone(c, FAULT_HANG, "does not read its input", why);
}

/* One line before the deadline, or a fault that names what was waited for. */
Fault client_line(Client *c, int64_t deadline, const char *what, Str *line, int64_t *when,
                  Error *why)
{
    const ReadStatus status = process_read(c->process, deadline, line, when);
    /* A flood of other lines must not hide that the awaited one is late. */
    if (status == READ_TIMEOUT || (status == READ_LINE && *when > deadline)) {
        error_set(why, "%s does not answer %s", c->spec->name, what);
        return FAULT_HANG;
    }
    return status == READ_LINE          ? FAULT_NONE
           : status == READ_INTERRUPTED ? interrupted(why)
                                        : client_gone(c, FAULT_CRASH, "closed its output", why);
}

/* The time for this move with the margin that the operator allows; INT64_MAX where there is no
 * limit in time. */
int64_t turn_limit(const Turn *turn)
{
    const TimeControl *tc = turn->limit[turn->mover];
    int64_t limit = INT64_MAX;
    if (tc->base || tc->increment)
        limit = turn->clock[turn->mover];
    if (tc->move_time && tc->move_time < limit)
        limit = tc->move_time;
    if (limit == INT64_MAX)
        return limit;
    return limit + (tc->margin >= 0 ? tc->margin : tc->move_time ? MARGIN_DEFAULT : 0);
}

int64_t turn_patience(const Turn *turn)
{
    const TimeControl *tc = turn->limit[turn->mover];
    if (tc->patience)
        return tc->patience;
    return turn_limit(turn) == INT64_MAX ? PATIENCE_UNTIMED : PATIENCE_DEFAULT;
}

/* Was the move in time? Without a clock only patience limits it. */
Fault turn_verdict(const Turn *turn, int64_t used, const char *name, Error *why)
{
    const int64_t limit = turn_limit(turn), patience = turn_patience(turn);
    if (limit == INT64_MAX && used > patience) {
        error_set(why, "%s did not move within %.0f s", name, (double)patience / 1e6);
        return FAULT_HANG;
    }
    if (used > limit) {
        error_set(why, "%s overstepped its time by %.1f ms", name, (double)(used - limit) / 1e3);
        return FAULT_TIME;
    }
    return FAULT_NONE;
}

/* Keeps what the last information line of the first variation says; a bound replaces nothing but
 * nothing. */
void thought_note(Thought *t, const Info *info)
{
    if (info->multipv > 1)
        return;
    if (info->has_depth && (info->has_score || info->pv.len))
        t->depth = info->depth;
    if (info->has_nodes)
        t->nodes = info->nodes;
    if (info->has_score && (!info->is_bound || !t->has_score)) {
        t->has_score = true;
        t->is_mate = info->is_mate;
        t->score = info->score;
    }
}
