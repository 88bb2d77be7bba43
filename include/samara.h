// SPDX-License-Identifier: GPL-3.0-or-later
/* samara.h -- libsamara: a chess engine as a library.
 *
 *   SamaraPosition   the rules of chess and one game: no engine needed
 *   SamaraRequest    one search as a value: position, limits, lines, level, evaluation
 *   SamaraLine       one line of the answer; SamaraResult: its end
 *   Samara           what is expensive and lives long: threads, hash table, network, tables, book
 *
 * A search is described by its request alone. Two requests in a row influence each other only
 * through what the engine has learned (the hash table and the statistics that go with it), and
 * `fresh` forbids even that. A request or a configuration that is all zero is valid and means the
 * usual thing.
 *
 * The library never prints and never exits. A function that can fail returns false (or NULL) and
 * fills in *err, which may be NULL. All text is UTF-8.
 *
 * Threads: a position may be read by several threads and changed by one. The functions of one
 * engine are called from one thread at a time, except samara_stop(), samara_ponderhit() and
 * samara_is_searching(), which may be called from anywhere. Engines share nothing. */
#ifndef SAMARA_H
#define SAMARA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && !defined(_WIN32)
#define SAMARA_API __attribute__((visibility("default")))
#else
#define SAMARA_API
#endif

enum {
    SAMARA_UCI_SIZE = 6,    /* "e7e8q" and its NUL */
    SAMARA_SAN_SIZE = 12,   /* "Qa1xb2=Q+" and its NUL, with room to spare */
    SAMARA_FEN_SIZE = 128,  /* any FEN that this library writes */
    SAMARA_MAX_MOVES = 512, /* legal moves of any board, also of those with 64 men */
    SAMARA_MAX_LINE = 248,  /* moves of one line of analysis */
    SAMARA_MAX_LINES = 512  /* lines of one search */
};

typedef struct SamaraError {
    char code[24];  /* for programs: "BOARD_ROWS", "ILLEGAL_MOVE", "OUT_OF_RANGE"; may be "" */
    char text[256]; /* for people: one sentence */
    int column;     /* 1-based place in the text at fault, 0 if none */
} SamaraError;

SAMARA_API const char *samara_version(void); /* "2.0.0" */
SAMARA_API const char *samara_build(void);   /* compiler, instruction set, options: one line */

/* ============================ 1. Positions: the rules alone ============================ */

/* A game: where it started, the moves played, where it stands now. */
typedef struct SamaraPosition SamaraPosition;

/* A legal move of some position. Men are FEN letters: "PNBRQK" White's, "pnbrqk" Black's. Squares
 * count from a1 = 0, b1 = 1 to h8 = 63; -1 stands for none. */
typedef struct SamaraMove {
    uint16_t code;             /* names the move: equal codes, equal moves. 0: no move. */
    int8_t from, to;           /* of the moving man; castling: of the king, both really visited */
    char piece;                /* the moving man, */
    char captured;             /* what it takes, or 0, */
    char promotion;            /* and what it becomes, or 0 */
    bool castling;             /* the rook moves, too */
    char uci[SAMARA_UCI_SIZE]; /* castling is "e1g1", or "e1h1" where Chess960 is spoken */
    char san[SAMARA_SAN_SIZE]; /* with + or # */
} SamaraMove;

/* What stands on the board, and what else a FEN says. */
typedef struct SamaraFields {
    char board[64]; /* by square: a man's letter, 0 if it is empty */
    bool white_to_move;
    bool chess960;      /* castling is spoken king takes rook, and the rights may be anywhere */
    int8_t castling[4]; /* rook squares of the rights that are left, else -1: White's king side,
                           White's queen side, Black's king side, Black's queen side */
    int8_t ep;          /* en-passant square if such a capture is legal, else -1 */
    int rule50;         /* plies since the last capture or pawn move */
    int move_number;    /* from 1 */
} SamaraFields;

typedef enum SamaraState {
    SAMARA_PLAYING,
    SAMARA_CHECKMATE, /* of the side to move */
    SAMARA_STALEMATE,
    SAMARA_REPETITION, /* third occurrence */
    SAMARA_FIFTY_MOVES,
    SAMARA_NO_MATERIAL
} SamaraState;

/* --- making --- */
SAMARA_API SamaraPosition *samara_position_new(void); /* the start position; NULL: no memory */
SAMARA_API SamaraPosition *samara_position_copy(const SamaraPosition *position); /* or NULL */
SAMARA_API void samara_position_free(SamaraPosition *position);                  /* NULL is fine */

/* A FEN (NULL: the start position) and the moves played from it, each as UCI or SAN. On failure the
 * position stays as it was; err->column is then a place in the FEN or the number of the move. A
 * mended FEN (castling rights dropped, odd material) succeeds and leaves a sentence in *err;
 * otherwise err->text is "". */
SAMARA_API bool samara_position_set(SamaraPosition *position, const char *fen, bool chess960,
                                    const char *const *moves, size_t move_count, SamaraError *err);
/* The same from fields. */
SAMARA_API bool samara_position_set_fields(SamaraPosition *position, const SamaraFields *fields,
                                           SamaraError *err);
/* Start arrays 0 to 959 of White and of Black (518 is the classical one), as Chess960. */
SAMARA_API bool samara_position_set_start(SamaraPosition *position, int white, int black,
                                          SamaraError *err);
/* How castling is spelled from now on. */
SAMARA_API void samara_position_speak_chess960(SamaraPosition *position, bool on);

/* --- moving --- */
SAMARA_API bool samara_position_play(SamaraPosition *position, const SamaraMove *move,
                                     SamaraError *err);
SAMARA_API bool samara_position_play_text(SamaraPosition *position, const char *move,
                                          SamaraError *err);    /* UCI, SAN in all its dialects */
SAMARA_API bool samara_position_undo(SamaraPosition *position); /* false at the start */

/* --- asking --- */
/* The legal moves; returns how many there are and writes at most `max`. */
SAMARA_API size_t samara_position_moves(const SamaraPosition *position, SamaraMove *moves,
                                        size_t max);
/* Reads a move as samara_position_play_text() does. False: it is not legal here. */
SAMARA_API bool samara_position_read_move(const SamaraPosition *position, const char *text,
                                          SamaraMove *out, SamaraError *err);
SAMARA_API void samara_position_fields(const SamaraPosition *position, SamaraFields *out);
/* The en-passant square is written only if such a capture is legal; _with_ep: after every double
 * step, as the PGN standard of 1994 wants it. */
SAMARA_API void samara_position_fen(const SamaraPosition *position, char out[SAMARA_FEN_SIZE]);
SAMARA_API void samara_position_fen_with_ep(const SamaraPosition *position,
                                            char out[SAMARA_FEN_SIZE]);
SAMARA_API SamaraState samara_position_state(const SamaraPosition *position);
SAMARA_API const char *samara_state_name(SamaraState state); /* "checkmate", "fifty moves", ... */
SAMARA_API bool samara_position_white_to_move(const SamaraPosition *position);
SAMARA_API bool samara_position_in_check(const SamaraPosition *position);
/* Names what stands on the board: the same in every build of one version. */
SAMARA_API uint64_t samara_position_key(const SamaraPosition *position);
/* How often the position occurred before in this game. */
SAMARA_API int samara_position_repetitions(const SamaraPosition *position);

/* --- the game behind it --- */
SAMARA_API void samara_position_start_fen(const SamaraPosition *position,
                                          char out[SAMARA_FEN_SIZE]);
/* The moves played from there, oldest first; returns how many and writes at most `max`. */
SAMARA_API size_t samara_position_history(const SamaraPosition *position, SamaraMove *moves,
                                          size_t max);
/* Moves that follow from here as text with numbers: "12. Nf3 d5". False: it did not fit. */
SAMARA_API bool samara_position_line_text(const SamaraPosition *position, const SamaraMove *moves,
                                          size_t count, char *out, size_t size);

typedef void (*SamaraDivide)(void *user, const SamaraMove *move, uint64_t count);
/* Counts the leaves of the move tree. divide (may be NULL) hears of each first move. goes_on is
 * asked from time to time, by any of the threads; NULL: run to the end. If it says no, the answer
 * is false, the error STOPPED, and the total what was counted so far. */
SAMARA_API bool samara_position_perft(const SamaraPosition *position, int depth, int threads,
                                      size_t hash_mb, SamaraDivide divide,
                                      bool (*goes_on)(void *user), void *user, uint64_t *total,
                                      SamaraError *err);

/* ============================ 2. A search is a value ============================ */

/* When it ends: at the first limit that is reached. Zero means no such limit; all zero: at
 * samara_stop() or the greatest depth. */
typedef struct SamaraLimits {
    int depth;           /* plies */
    int mate;            /* moves: ends when such a mate is proved */
    uint64_t nodes;      /* exact with one thread */
    uint64_t soft_nodes; /* stop at the end of the iteration that passes it */
    int64_t movetime_ms;
    bool has_clock; /* the next five are meant, whatever their values */
    int64_t wtime_ms, btime_ms, winc_ms, binc_ms;
    int movestogo;       /* 0: the rest of the game */
    int64_t overhead_ms; /* kept back from the clock for the way to the client */
    bool infinite;       /* does not end before samara_stop(), */
    bool ponder;         /* nor before samara_ponderhit(), from when on the clock counts */
    bool plain;          /* no pruning of moves near the leaves: labels for training */
} SamaraLimits;

/* What judges the leaves. */
typedef enum SamaraEvaluation {
    SAMARA_NETWORK,
    SAMARA_CLASSICAL /* the hand-written terms */
} SamaraEvaluation;

typedef enum SamaraBookUse {
    SAMARA_BOOK_UNUSED,
    SAMARA_BOOK_BY_LOT, /* by the weights of the moves */
    SAMARA_BOOK_BEST    /* the heaviest */
} SamaraBookUse;

/* Everything that describes one search. What it points to is copied before samara_go() returns. */
typedef struct SamaraRequest {
    const SamaraPosition *position; /* with its history; NULL: the start position */
    SamaraLimits limits;
    int lines;                   /* best moves to analyse, each with its line. 0: one, and
                                    result.lines stays empty, which is cheapest. */
    int elo;                     /* play like a player of this rating, samara_elo_range(); 0: full
                                    strength, as in infinite searches and those for a mate */
    int64_t seed;                /* same seed, same errors of a level, same book moves; 0: vary */
    SamaraEvaluation evaluation; /* SAMARA_CLASSICAL where the engine has no network */
    const SamaraMove *moves;     /* search these alone; those that are not legal do not count */
    size_t move_count;           /* 0: all moves */
    bool fresh;                  /* forget first what earlier searches found: repeatable */
    SamaraBookUse book;          /* of the engine; not when pondering, for mates, or with `moves` */
    int tables_depth;            /* least remaining depth to ask the endgame tables; 0: 1 */
    int tables_men;              /* most men to ask them for; 0: as many as they have, -1: never */
    bool tables_no_rule50;       /* wins that the fifty-move rule spoils count as wins */
} SamaraRequest;

typedef enum SamaraBound { SAMARA_EXACT, SAMARA_LOWER, SAMARA_UPPER } SamaraBound;

/* All of it as the side to move sees it. */
typedef struct SamaraScore {
    bool is_mate;
    int value; /* mate: moves, negative when being mated; else centipawns: +100 = 50 % wins */
    SamaraBound bound;
    int win, draw, loss; /* chances in permille, sum 1000 */
    int raw;             /* the search's own number */
} SamaraScore;

/* One line of analysis. Plain data: may be copied and kept. */
typedef struct SamaraLine {
    int number; /* 1: the best */
    int depth, seldepth;
    SamaraScore score;
    uint64_t nodes, nps, tbhits; /* of the whole search so far, as the next two */
    int64_t time_ms;
    int hashfull; /* permille */
    int length;
    SamaraMove moves[SAMARA_MAX_LINE]; /* `length` of them: legal, up to the end of the game */
} SamaraLine;

typedef struct SamaraResult {
    SamaraMove best;   /* code 0: there is no legal move */
    SamaraMove ponder; /* the answer that is expected; code 0: no guess */
    SamaraScore score;
    int depth;
    uint64_t nodes;
    int64_t time_ms;
    const SamaraLine *lines; /* best first, with exact scores; the engine's, until it searches */
    int line_count;          /* again. A stopped search adds what the depths before it found. */
} SamaraResult;

/* ============================ 3. Engines ============================ */

typedef struct Samara Samara;

/* What is expensive. */
typedef struct SamaraConfig {
    int threads;         /* that search together, see samara_go(); 0: 1 */
    int hash_mb;         /* megabytes of hash table; 0: 16 */
    const char *network; /* file; NULL or "": the network of this build */
    const char *tables;  /* folders with Syzygy endgame tables; NULL or "": open none */
    const char *book;    /* Polyglot file; NULL or "": none */
} SamaraConfig;

/* config may be NULL. On success err->text is "", unless some files of the tables are damaged and were
 * left out. */
SAMARA_API Samara *samara_new(const SamaraConfig *config, SamaraError *err);
/* The network that judges, "samara-4f0c12ab": from its content. "classical" where there is none. */
SAMARA_API const char *samara_network_name(const Samara *engine);
SAMARA_API void samara_free(Samara *engine);   /* stops a running search; NULL is fine */
SAMARA_API void samara_forget(Samara *engine); /* what all searches so far have taught */

/* --- searching --- */

/* What a search says while it runs, from its own thread; every function may be NULL. They must not
 * call the engine except for samara_stop(), samara_ponderhit(), samara_is_searching() and
 * samara_lines(). */
typedef struct SamaraEvents {
    void *user;
    void (*line)(void *user, const SamaraLine *line); /* also with scores that are only bounds */
    void (*current_move)(void *user, int depth, const SamaraMove *move, int number);
    void (*message)(void *user, const char *text); /* something a person should know */
    void (*done)(void *user, const SamaraResult *result);
} SamaraEvents;

/* Searches in the calling thread, alone, until a limit is reached or another thread calls
 * samara_stop(). Repeatable: the same fresh request with a limit of depth or nodes gives the same
 * answer. events and result may be NULL. */
SAMARA_API bool samara_search(Samara *engine, const SamaraRequest *request,
                              const SamaraEvents *events, SamaraResult *result, SamaraError *err);
/* Searches in the background with all threads and returns; done() comes exactly once. A search
 * that still runs is stopped first. */
SAMARA_API bool samara_go(Samara *engine, const SamaraRequest *request, const SamaraEvents *events,
                          SamaraError *err);
SAMARA_API void samara_stop(Samara *engine);
SAMARA_API void samara_ponderhit(Samara *engine);
SAMARA_API void samara_wait(Samara *engine); /* until done() has returned */
SAMARA_API bool samara_is_searching(const Samara *engine);
/* The lines known by now, as result.lines; for callbacks. Valid until the callback returns. */
SAMARA_API const SamaraLine *samara_lines(Samara *engine, int *count);

SAMARA_API void samara_elo_range(int *min, int *max);
/* Tells the search what a position is worth (centipawns, side to move's view), for searches of up
 * to `depth` plies below it, until the hash table forgets. */
SAMARA_API void samara_set_score(Samara *engine, const SamaraPosition *position, int centipawns,
                                 int depth);

/* --- looking: answers without a search --- */

typedef struct SamaraTerm {
    const char *name;
    double white_mg, white_eg, black_mg, black_eg; /* pawns */
} SamaraTerm;
enum { SAMARA_MAX_TERMS = 16 };
typedef struct SamaraEval {
    SamaraScore score;      /* static, side to move */
    bool uses_network;      /* the score is the network's, else the classical evaluation's, */
    bool known;             /* unless the ending is known outright */
    int classical, network; /* raw numbers, side to move; network 0 if there is none */
    int bucket; /* which of the network's outputs speaks, by the number of men; from 0 */
    int term_count;
    SamaraTerm terms[SAMARA_MAX_TERMS]; /* of the classical evaluation */
    double piece_value[64]; /* network: what each man is worth here, in pawns, White's view; 0 for
                               empty squares */
} SamaraEval;
/* Fails in check: such a position has no static evaluation. */
SAMARA_API bool samara_eval(const Samara *engine, const SamaraPosition *position,
                            SamaraEvaluation evaluation, SamaraEval *out, SamaraError *err);
/* Its score alone, quickly. */
SAMARA_API bool samara_static_score(const Samara *engine, const SamaraPosition *position,
                                    SamaraEvaluation evaluation, SamaraScore *out);

typedef struct SamaraBookMove {
    SamaraMove move;
    int weight;
} SamaraBookMove;
/* What the engine's book knows here, best first; returns how many it knows and writes at most
 * `max`. */
SAMARA_API size_t samara_book_moves(const Samara *engine, const SamaraPosition *position,
                                    SamaraBookMove *moves, size_t max);

/* A legal move as the endgame tables see it, for the side that makes it. */
typedef struct SamaraTableMove {
    SamaraMove move;
    int verdict; /* 2: wins, 1: would win but for the fifty-move rule, 0: draws, -1: would lose but for
                    that rule, -2: loses */
    int dtz;     /* plies to the next capture or pawn move (or mate), negative when losing; 100 more
                    where the rule makes a draw of it; 0: a draw, or unknown. May be one too low. */
} SamaraTableMove;
/* What the engine's endgame tables say of every legal move, best first; returns how many and writes
 * at most `max`. 0: they do not know the position, or there is no move. */
SAMARA_API size_t samara_table_moves(const Samara *engine, const SamaraPosition *position,
                                     SamaraTableMove *moves, size_t max);
SAMARA_API int samara_table_men(const Samara *engine); /* of the largest table; 0: no tables */

/* --- options: the table behind UCI's `setoption`, XBoard's `option` and --help ---
 *
 * For programs that speak such a protocol. Options of what is expensive (Hash, Threads, EvalFile,
 * SyzygyPath, BookFile, Clear Hash) act on the engine at once. The others describe searches: they
 * are only kept, and samara_request() puts them into a request. */
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
SAMARA_API const SamaraOption *samara_option(int index); /* NULL behind the last */
/* Names are case-blind. On success err->text is "", unless something was left out: damaged files
 * among the tables of SyzygyPath. */
SAMARA_API bool samara_set_option(Samara *engine, const char *name, const char *value,
                                  SamaraError *err);
SAMARA_API bool samara_get_option(const Samara *engine, const char *name, char *value, size_t size);
/* Fills in what the options say about searches: lines, elo, seed, evaluation, book, tables,
 * overhead. Position, limits and moves are empty. */
SAMARA_API void samara_request(const Samara *engine, SamaraRequest *out);

/* --- measuring --- */

typedef struct SamaraBench {
    uint64_t nodes;
    int64_t time_ms;
} SamaraBench;
/* Searches the built-in positions to `depth` (0: the usual one), one thread, fresh table: the node
 * count is the signature of the build. `progress` (may be NULL) hears of each position and may
 * return false to end it early, which fails. */
SAMARA_API bool samara_bench(int depth, bool (*progress)(void *user, int done, int total),
                             void *user, SamaraBench *out, SamaraError *err);
typedef struct SamaraNetworkBench {
    char architecture[32], instructions[16]; /* "768hm-256x2-screlu-ob8", "AVX2" */
    double step_ns, fresh_ns; /* to judge a position from its parent, and from nothing */
} SamaraNetworkBench;
/* Of the network in `path`; NULL: the one built in. Takes about a second. */
SAMARA_API bool samara_bench_network(const char *path, SamaraNetworkBench *out, SamaraError *err);

/* ============================ 4. Files: games, test positions, books ============================
 */

typedef struct SamaraGame SamaraGame; /* the main line of one PGN game */
/* First game in text[0..len); *used (may be NULL) says where the next begins. An illegal move, or a
 * null move, ends the game there: it is returned all the same, and err->text says ply and word. NULL: no game, no
 * memory. */
SAMARA_API SamaraGame *samara_game_read(const char *text, size_t len, size_t *used,
                                        SamaraError *err);
SAMARA_API void samara_game_free(SamaraGame *game); /* NULL is fine */
SAMARA_API const char *samara_game_tag(const SamaraGame *game,
                                       const char *name); /* NULL if absent */
SAMARA_API bool samara_game_tag_at(const SamaraGame *game, size_t i, const char **name,
                                   const char **value);            /* false behind the last */
SAMARA_API const char *samara_game_result(const SamaraGame *game); /* "1-0", "1/2-1/2", "*" ... */
SAMARA_API bool samara_game_chess960(const SamaraGame *game);
SAMARA_API const char *samara_game_fen(const SamaraGame *game);         /* start position */
SAMARA_API size_t samara_game_length(const SamaraGame *game);           /* plies */
SAMARA_API const SamaraMove *samara_game_moves(const SamaraGame *game); /* as many; the game's */
/* The position before move `ply` (from 0; length: the last position), with its history. */
SAMARA_API bool samara_game_position(const SamaraGame *game, size_t ply, SamaraPosition *out,
                                     SamaraError *err);

enum { SAMARA_EPD_MOVES = 16 };
typedef struct SamaraEpd {
    char fen[SAMARA_FEN_SIZE];
    char id[128];
    size_t best_count, avoid_count;
    SamaraMove best[SAMARA_EPD_MOVES], avoid[SAMARA_EPD_MOVES];
    int mate; /* moves to mate that the position promises, 0: none */
} SamaraEpd;
SAMARA_API bool samara_epd_read(const char *line, bool chess960, SamaraEpd *out, SamaraError *err);

typedef struct SamaraBookStats {
    uint64_t games, skipped;   /* read; of them without a result */
    uint64_t positions, moves; /* written */
} SamaraBookStats;
/* A Polyglot book of the first `max_plies` plies of the games; moves played less often than
 * `min_games` stay out, and so do those of others than `player` (a name of the tags White and Black;
 * NULL: everybody). */
SAMARA_API bool samara_book_build(const char *pgn_path, const char *book_path, int max_plies,
                                  int min_games, const char *player, SamaraBookStats *stats,
                                  SamaraError *err);

#ifdef __cplusplus
}
#endif
#endif
