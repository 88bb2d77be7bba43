// SPDX-License-Identifier: GPL-3.0-or-later
/* samara.h -- libsamara: a chess engine as a library.
 *
 * A `Samara` is one engine: options, a game, a hash table, search threads. Several may live in one
 * process; they share nothing. The library never prints and never exits; what it has to say comes
 * back as values or through the callbacks of samara_go(). All text is UTF-8, moves are UCI
 * coordinates, and every function that can fail returns false (or NULL) and fills in *err (which
 * may be NULL).
 *
 * Threads: the functions of one engine are called from one thread at a time, except samara_stop(),
 * samara_ponderhit() and samara_is_searching(), which may be called from anywhere. Callbacks come
 * from the search thread; they must not call back into the same engine except for those three.
 * While a search runs, functions that change options or position first stop it and wait for it. */
#ifndef SAMARA_H
#define SAMARA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Samara Samara;

typedef struct SamaraError {
    char code[24];  /* for programs: "BOARD_ROWS", "ILLEGAL_MOVE", "UNKNOWN_OPTION"; may be "" */
    char text[256]; /* for people: one sentence */
    int column;     /* 1-based place in the text at fault, 0 if none */
} SamaraError;

/* --- life --- */
const char *samara_version(void); /* "1.0.0" */
const char *samara_build(void);   /* compiler, instruction set, options of this build: one line */
Samara *samara_new(SamaraError *err);
void samara_free(Samara *engine);     /* stops a running search; NULL is fine */
void samara_new_game(Samara *engine); /* forget what earlier games taught */

/* --- options: one table for UCI, XBoard, HTTP and the command line --- */
typedef enum SamaraOptionType {
    SAMARA_CHECK,
    SAMARA_SPIN,
    SAMARA_COMBO,
    SAMARA_BUTTON,
    SAMARA_STRING
} SamaraOptionType;
typedef struct SamaraOption {
    const char *name;
    SamaraOptionType type;
    const char *default_value; /* as text; "" for buttons and empty strings */
    int64_t min, max;          /* of a spin */
    const char *choices;       /* of a combo: words separated by '|' */
    const char *help;          /* one sentence */
    bool local;                /* touches files or the process: not to be set by remote clients */
} SamaraOption;
const SamaraOption *samara_option(int index); /* NULL behind the last */
bool samara_set_option(Samara *engine, const char *name, const char *value,
                       SamaraError *err); /* names are case-blind */
bool samara_get_option(const Samara *engine, const char *name, char *value, size_t size);

/* --- the game --- */
#define SAMARA_MOVE_SIZE 6
#define SAMARA_FEN_SIZE 128
/* fen NULL: the start position. On failure the old game stays. A mended position (castling rights
 * dropped, odd material) succeeds and leaves a sentence in *err; otherwise err->text is "". */
bool samara_set_position(Samara *engine, const char *fen, const char *const *moves,
                         size_t move_count, SamaraError *err);
bool samara_play(Samara *engine, const char *move, SamaraError *err); /* UCI or SAN */
bool samara_undo(Samara *engine);                                     /* false at the start */
void samara_fen(const Samara *engine, char out[SAMARA_FEN_SIZE]);
void samara_fen_with_ep(const Samara *engine,
                        char out[SAMARA_FEN_SIZE]); /* en-passant square after every double step */
typedef enum SamaraState {
    SAMARA_PLAYING,
    SAMARA_CHECKMATE,
    SAMARA_STALEMATE,
    SAMARA_REPETITION,
    SAMARA_FIFTY_MOVES,
    SAMARA_NO_MATERIAL
} SamaraState;
SamaraState samara_state(const Samara *engine);
const char *samara_state_name(SamaraState state); /* "checkmate", ... */
uint64_t
samara_key(const Samara *engine); /* names the position; the same in every build of one version */
bool samara_white_to_move(const Samara *engine);
bool samara_in_check(const Samara *engine);
/* Legal moves as UCI words; returns how many there are, and writes at most `max`. */
size_t samara_legal_moves(const Samara *engine, char (*moves)[SAMARA_MOVE_SIZE], size_t max);
/* A UCI line from the current position as SAN with move numbers ("12. Nf3 d5"); false if a move is
 * illegal. */
bool samara_line_to_san(const Samara *engine, const char *uci_line, char *out, size_t size);

/* --- searching --- */
typedef struct SamaraLimits {
    int depth, mate;
    uint64_t nodes;
    uint64_t soft_nodes; /* stop at the end of the iteration that passes it */
    int64_t movetime_ms;
    bool has_clock;
    int64_t wtime_ms, btime_ms, winc_ms, binc_ms;
    int movestogo;
    bool infinite, ponder;
    const char *const *search_moves; /* UCI words; illegal ones are ignored */
    size_t search_move_count;
} SamaraLimits; /* all zero: until samara_stop() or the depth limit */

typedef enum SamaraBound { SAMARA_EXACT, SAMARA_LOWER, SAMARA_UPPER } SamaraBound;
typedef struct SamaraScore {
    bool is_mate;
    int value; /* mate: moves, negative when being mated; else centipawns, +100 = 50 % wins. Side to
                  move. */
    SamaraBound bound;
    int win, draw, loss; /* permille, side to move */
    int raw;             /* the search's own number */
} SamaraScore;

typedef struct SamaraInfo {
    int depth, seldepth, multipv;
    SamaraScore score;
    uint64_t nodes, nps, tbhits;
    int64_t time_ms;
    int hashfull;
    const char *pv; /* UCI words */
} SamaraInfo;

typedef struct SamaraResult {
    char best[SAMARA_MOVE_SIZE];   /* "" if there is no legal move */
    char ponder[SAMARA_MOVE_SIZE]; /* "" if there is no guess */
    SamaraScore score;
    int depth;
    uint64_t nodes;
    int64_t time_ms;
} SamaraResult;

typedef struct SamaraEvents {
    void *user;
    void (*info)(void *user, const SamaraInfo *info);
    void (*current_move)(void *user, int depth, const char *move, int number);
    void (*message)(void *user, const char *text); /* something a person should know */
    void (*done)(void *user, const SamaraResult *result);
} SamaraEvents;

/* Starts searching and returns; done() comes exactly once. */
bool samara_go(Samara *engine, const SamaraLimits *limits, const SamaraEvents *events,
               SamaraError *err);
void samara_stop(Samara *engine);
void samara_ponderhit(Samara *engine);
void samara_wait(Samara *engine); /* until done() has returned */
bool samara_is_searching(const Samara *engine);
/* The same in the calling thread, with one search thread: repeatable. events may be NULL. */
bool samara_search(Samara *engine, const SamaraLimits *limits, const SamaraEvents *events,
                   SamaraResult *result, SamaraError *err);

/* --- looking --- */
typedef struct SamaraTerm {
    const char *name;
    double white_mg, white_eg, black_mg, black_eg; /* pawns */
} SamaraTerm;
enum { SAMARA_MAX_TERMS = 16 };
typedef struct SamaraEval {
    SamaraScore score;                 /* static, side to move */
    bool uses_network, uses_classical; /* what the score is made of, */
    bool known;             /* unless the ending is known outright, by the classical evaluation */
    int classical, network; /* raw numbers, side to move; network 0 if there is none */
    int bucket; /* which of the network's outputs speaks, by the number of men; from 0 */
    int term_count;
    SamaraTerm terms[SAMARA_MAX_TERMS]; /* of the classical evaluation */
    double piece_value[64]; /* network: what each man is worth here, in pawns, White's view; 0 for
                               empty squares */
} SamaraEval;
bool samara_eval(Samara *engine, SamaraEval *out, SamaraError *err); /* err: in check */
bool samara_static_score(const Samara *engine, SamaraScore *out); /* that number alone, quickly */

typedef struct SamaraBookMove {
    char move[SAMARA_MOVE_SIZE];
    int weight;
} SamaraBookMove;
/* What the book of the option BookFile knows here, best first; returns how many it knows and writes
 * at most `max`. */
size_t samara_book_moves(const Samara *engine, SamaraBookMove *moves, size_t max);

/* Tells the search what the current position is worth (centipawns, side to move's view), for
 * searches of up to `depth` plies below it, until the hash table forgets. */
void samara_set_score(Samara *engine, int centipawns, int depth);

typedef void (*SamaraDivide)(void *user, const char *move, uint64_t count);
/* goes_on: asked from time to time, by any of the threads; NULL: run to the end. If it says no, the
 * answer is false, the error STOPPED, and the total what was counted so far. */
bool samara_perft(const Samara *engine, int depth, int threads, size_t hash_mb, SamaraDivide divide,
                  bool (*goes_on)(void *user), void *user, uint64_t *total, SamaraError *err);
typedef struct SamaraBench {
    uint64_t nodes;
    int64_t time_ms;
} SamaraBench;
/* Searches the built-in positions to `depth` (0: the usual one), one thread, fresh table: the node
 * count is the signature of the build. `progress` (may be NULL) hears of each position and may
 * return false to end it early, which fails. */
bool samara_bench(int depth, bool (*progress)(void *user, int done, int total), void *user,
                  SamaraBench *out, SamaraError *err);
typedef struct SamaraNetworkBench {
    char architecture[32], instructions[16]; /* "768hm-256x2-screlu-ob8", "AVX2" */
    double step_ns, fresh_ns; /* to judge a position from its parent, and from nothing */
} SamaraNetworkBench;
/* Of the network in `path`; NULL: the one built in. Takes about a second. */
bool samara_bench_network(const char *path, SamaraNetworkBench *out, SamaraError *err);

/* --- games, test positions and books as text; these need no engine --- */
typedef struct SamaraGame SamaraGame; /* the main line of one PGN game */
/* First game in text[0..len); *used (may be NULL) says where the next begins. An illegal move ends
 * the game there: it is returned all the same, and err->text says ply and word. NULL: no game, no
 * memory. */
SamaraGame *samara_game_read(const char *text, size_t len, size_t *used, SamaraError *err);
void samara_game_free(SamaraGame *game);                               /* NULL is fine */
const char *samara_game_tag(const SamaraGame *game, const char *name); /* NULL if absent */
bool samara_game_tag_at(const SamaraGame *game, size_t i, const char **name,
                        const char **value);         /* false behind the last */
const char *samara_game_fen(const SamaraGame *game); /* start position */
bool samara_game_chess960(const SamaraGame *game);
const char *samara_game_result(const SamaraGame *game);           /* "1-0", "0-1", "1/2-1/2", "*" */
size_t samara_game_length(const SamaraGame *game);                /* plies */
const char *samara_game_move(const SamaraGame *game, size_t ply); /* UCI word */

enum { SAMARA_EPD_MOVES = 16 };
typedef struct SamaraEpd {
    char fen[SAMARA_FEN_SIZE];
    char id[128];
    size_t best_count, avoid_count;
    char best[SAMARA_EPD_MOVES][SAMARA_MOVE_SIZE], avoid[SAMARA_EPD_MOVES][SAMARA_MOVE_SIZE];
    int mate; /* moves to mate that the position promises, 0: none */
} SamaraEpd;
bool samara_epd_read(const char *line, bool chess960, SamaraEpd *out, SamaraError *err);

typedef struct SamaraBookStats {
    uint64_t games, skipped;   /* read; of them without a result */
    uint64_t positions, moves; /* written */
} SamaraBookStats;
/* A Polyglot book of the first `max_plies` plies of the games; moves played less often than
 * `min_games` stay out. */
bool samara_book_build(const char *pgn_path, const char *book_path, int max_plies, int min_games,
                       SamaraBookStats *stats, SamaraError *err);

#ifdef __cplusplus
}
#endif
#endif
