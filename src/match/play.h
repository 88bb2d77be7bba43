// SPDX-License-Identifier: GPL-3.0-or-later
/* play.h -- one game: clocks, rules, adjudication, verdict. */
#ifndef SAMARA_MATCH_PLAY_H
#define SAMARA_MATCH_PLAY_H

#include "match/client.h"
#include "match/opening.h"
#include "probe/syzygy.h"

typedef struct Adjudication {
    int draw_from, draw_moves, draw_score; /* from this move number on, both within +-score for so
                                              many moves; 0 moves: off */
    int resign_moves, resign_score; /* so many moves in a row at or below -score; 0 moves: off */
    bool resign_two_sided;          /* and the opponent agrees */
    int max_moves;                  /* then it is a draw; 0: no limit */
    int tablebase_men;              /* 0: off */
    Syzygy *tables;                 /* opened by the caller; NULL: none */
    bool tablebase_ignores_50;      /* a win counts even if the fifty-move rule would spoil it */
} Adjudication;

typedef enum Result { RESULT_NONE, RESULT_WHITE, RESULT_BLACK, RESULT_DRAW } Result;
const char *result_text(Result result); /* "1-0", "0-1", "1/2-1/2", "*" */

typedef enum Termination {
    TERMINATION_RULES,        /* mate, stalemate, repetition, fifty moves, material */
    TERMINATION_RESIGNATION,  /* an engine gave up */
    TERMINATION_ADJUDICATION, /* by scores, tables or length */
    TERMINATION_FAULT,
} Termination;

typedef struct MoveNote {
    Thought thought;
    bool from_book;
} MoveNote;

typedef struct GameRecord {
    Game game;
    MoveNote *notes; /* one per ply of game */
    int capacity;
    Result result;
    Termination termination;
    Fault fault;                  /* of the loser, if that is how it ended */
    char reason[ERROR_TEXT_SIZE]; /* "White mates", "Draw by threefold repetition", ... */
    int faults[2][FAULT_COUNT];   /* by colour; all that happened */
    Error first_fault[2]; /* a sentence about the one that ended the game, or the first; text "" if
                             there was none */
    int64_t thinking,
        duration; /* microseconds: of both sides; of the whole game, new game to verdict */
} GameRecord;

void record_init(GameRecord *record);
void record_free(GameRecord *record);
/* Begins the game with the moves of the opening, as far as they go. False: memory is short. */
bool record_set_opening(GameRecord *record, const Opening *opening, Error *err);
bool record_add(GameRecord *record, Move move, const MoveNote *note, Error *err);

typedef enum PlayStatus { PLAY_DONE, PLAY_INTERRUPTED, PLAY_NO_ENGINE } PlayStatus;

/* players by colour. PLAY_NO_ENGINE: one could not be started twice in a row, or memory is short;
 * *err says who. Otherwise *record holds the game, unfinished if interrupted. */
PlayStatus play_game(Client *const players[2], const Opening *opening, const Adjudication *rules,
                     GameRecord *record, Error *err);

#endif
