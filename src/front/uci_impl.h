// SPDX-License-Identifier: GPL-3.0-or-later
/* uci_impl.h -- what the files of the UCI front end share. uci.c holds the state and decides which
 * lines wait, uci_commands.c has the command table, uci_report.c prints what a search says, uci_job.c
 * runs perft and bench. */
#ifndef SAMARA_FRONT_UCI_IMPL_H
#define SAMARA_FRONT_UCI_IMPL_H

#include "base/thread.h"
#include "front/lag.h"
#include "front/uci.h"
#include "front/uci_go.h"
#include "samara.h"

/* What is being done for the last go, perft or bench. */
typedef enum UciWork {
    UCI_IDLE,
    UCI_SEARCH,  /* the engine searches; its end has not been seen yet */
    UCI_JOB,     /* perft or bench, in a thread of its own */
    UCI_REFUSED, /* nothing runs: `bestmove (none)` is owed at stop or ponderhit */
} UciWork;

/* What brings its end about. */
typedef enum UciUntil { UNTIL_LIMIT, UNTIL_PONDERHIT, UNTIL_STOP } UciUntil;

struct Uci {
    CommandLoop loop;
    Console *console;
    Samara *engine;
    SamaraPosition *position;
    Lag lag;
    UciWork work;
    UciUntil until;
    bool waiting;      /* `wait`: only stop, ponderhit and isready run before the end */
    bool position_bad; /* the last position was refused: go answers (none) */
    bool debug;        /* `debug on` */
    bool show_wdl;     /* of the search that runs */
    GoRequest go;
    Thread job;
    int job_depth;
    AtomicFlag job_stop;
};

/* uci.c: the state. */
void uci_begin_search(Uci *u); /* of u->go */
void uci_stop(Uci *u);         /* the end comes soon; nothing happens while idle */
void uci_ponderhit(Uci *u);
bool uci_option_is_on(const Uci *u, const char *name);

/* uci_commands.c; ends with a NULL name. */
extern const Command uci_commands[];

/* uci_report.c */
void uci_say(Uci *u, const char *text);
void uci_say_error(Uci *u, const SamaraError *err);
void uci_introduce(Uci *u); /* id, options, uciok */
SamaraEvents uci_events(Uci *u);

/* uci_job.c: only while idle. */
void uci_start_perft(Uci *u, int depth);
void uci_start_bench(Uci *u, int depth); /* 0: the depth of the signature */

#endif
