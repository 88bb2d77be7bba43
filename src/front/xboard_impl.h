// SPDX-License-Identifier: GPL-3.0-or-later
/* xboard_impl.h -- what the files of the XBoard front end share. xboard.c has the command table and
 * the loop, xboard_search.c begins and ends searches, xboard_game.c moves and sets up positions,
 * xboard_settings.c has features and options. */
#ifndef SAMARA_FRONT_XBOARD_IMPL_H
#define SAMARA_FRONT_XBOARD_IMPL_H

#include "base/thread.h"
#include "front/command_loop.h"
#include "front/lag.h"
#include "front/xboard_clock.h"
#include "front/xboard_edit.h"
#include "samara.h"

enum {
    XBOARD_MATE_SCORE = 100000, /* the protocol writes a mate in n as this + n */
    XBOARD_DRAW_AFTER = 40,     /* moves: before, a level position is no reason for a draw */
};

/* What the client wants of the engine. */
typedef enum Mode { MODE_FORCE, MODE_PLAY, MODE_ANALYSE } Mode;

/* What the engine does now. Pondering, the board is one expected move ahead. */
typedef enum Work { WORK_NONE, WORK_THINK, WORK_PONDER, WORK_ANALYSE } Work;

/* Written by the search, read for `.`. */
typedef struct Progress {
    int depth, number;
    uint64_t nodes;
    int64_t time_ms;
    char move[SAMARA_UCI_SIZE];
} Progress;

/* What resigning and draw offers go by: counted over moves, so that one odd score decides nothing.
 */
typedef struct Trend {
    int moves_made, lost_moves, level_moves;
    bool has_score;
    int last_score;
} Trend;

typedef struct XBoard {
    CommandLoop loop;
    Console *console;
    Samara *engine;
    SamaraPosition *position;
    Lag lag;
    Mode mode;
    Work work, paused;
    bool editing;      /* lines go to the editor until it ends */
    bool bad_position; /* the last position was refused */
    int stale;         /* signals of abandoned searches that are still to come */
    bool engine_white;
    struct {
        bool chess960, ponder, resigns;
        AtomicFlag post; /* read by the search */
    } settings;
    XClock clock;
    Editor editor;
    int64_t think_start_ms;
    SamaraResult result; /* of the last search that ended */
    Trend trend;
    char guess[16]; /* the opponent's expected move, as XBoard writes it; "" if there is none */
    uint16_t excluded[SAMARA_MAX_MOVES]; /* codes */
    size_t excluded_count;
    Mutex lock; /* of progress */
    Progress progress;
} XBoard;

/* xboard_search.c */
void xboard_abandon(XBoard *x);       /* ends a search whose result nobody wants any more */
void xboard_think_if_ours(XBoard *x); /* begins to think if it is the engine's turn */
void xboard_analyse_again(XBoard *x); /* begins to analyse in that mode */
void xboard_claim_result(XBoard *x);  /* says the result if the game is over */
void xboard_search_ended(XBoard *x);  /* makes the move that was thought about */
const char *xboard_move_text(const XBoard *x, const SamaraMove *move);
bool xboard_is_excluded(const XBoard *x, uint16_t code);

/* xboard_game.c */
void xboard_usermove(XBoard *x, Str word);  /* the opponent's move, in any notation */
void xboard_edit_line(XBoard *x, Str line); /* a line while x->editing */

/* The commands of each file; a NULL name ends them. */
extern const Command xboard_game_commands[], xboard_settings_commands[];

/* xboard.c */
void xboard_error(XBoard *x, const char *why, Str line);

#endif
