// SPDX-License-Identifier: GPL-3.0-or-later
/* position.c -- the first part of samara.h: games and the rules of chess, without an engine. */
#include "engine/position.h"

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/perft.h"
#include "probe/book.h"
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SAMARA_UCI_SIZE >= (int)UCI_MOVE_SIZE, "a move must fit");
_Static_assert((int)SAMARA_SAN_SIZE >= (int)SAN_SIZE, "a move must fit");
_Static_assert((int)SAMARA_FEN_SIZE >= (int)FEN_SIZE, "a FEN must fit");
_Static_assert((int)SAMARA_MAX_MOVES >= (int)MAX_MOVES, "every legal move must fit");
_Static_assert(sizeof(((SamaraError *)0)->text) >= ERROR_TEXT_SIZE, "a sentence must fit");
_Static_assert(sizeof(((SamaraError *)0)->code) >= ERROR_CODE_SIZE, "a code must fit");

/* --- errors --- */

bool engine_fail(SamaraError *out, const Error *err)
{
    if (out) {
        memcpy(out->code, err->code, ERROR_CODE_SIZE);
        memcpy(out->text, err->text, ERROR_TEXT_SIZE);
        out->column = err->column;
    }
    return false;
}

bool engine_refuse(SamaraError *out, const char *code, const char *text)
{
    Error err;
    error_code(&err, code, 0, "%s", text);
    return engine_fail(out, &err);
}

static const Error no_error;

/* --- moves --- */

static char letter(Piece piece)
{
    static const char letters[][3] = {
        [PAWN] = "Pp", [KNIGHT] = "Nn", [BISHOP] = "Bb",
        [ROOK] = "Rr", [QUEEN] = "Qq",  [KING] = "Kk",
    };
    return piece == NO_PIECE ? '\0' : letters[piece_type(piece)][piece_color(piece)];
}

/* Inside, castling is the king taking its rook; a client sees where the king ends. */
static Square landing_square(Move m)
{
    const Square from = move_from(m), to = move_to(m);
    if (move_kind(m) != CASTLING)
        return to;
    return square_make(to > from ? 6 : 2, square_rank(from));
}

/* Everything a client may want to know about a move, so that it never has to parse one. */
void move_export(const Position *p, Move m, SamaraMove *out)
{
    *out = (SamaraMove){.from = -1, .to = -1};
    if (m == MOVE_NONE)
        return;
    const bool promotes = move_kind(m) == PROMOTION;
    out->code = m;
    out->from = (int8_t)move_from(m);
    out->to = (int8_t)landing_square(m);
    out->piece = letter(pos_piece_on(p, move_from(m)));
    out->captured = letter(pos_captured(p, m));
    out->promotion = promotes ? letter(piece_make(p->turn, move_promotion(m))) : '\0';
    out->castling = move_kind(m) == CASTLING;
    move_to_uci(m, p->chess960, out->uci);
    move_to_san(p, m, out->san);
}

Move move_import(const Position *p, const SamaraMove *move)
{
    const Move m = move->code;
    return m != MOVE_NONE && pos_is_pseudo_legal(p, m) && pos_is_legal(p, m) ? m : MOVE_NONE;
}

/* --- making --- */

const Position *position_board(const SamaraPosition *position) { return &position->game.pos; }

SamaraPosition *samara_position_new(void)
{
    attacks_init();
    SamaraPosition *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    game_init(&p->game);
    game_init(&p->spare);
    p->start_ep = NO_SQUARE;
    return p;
}

void samara_position_free(SamaraPosition *p)
{
    if (!p)
        return;
    game_free(&p->game);
    game_free(&p->spare);
    free(p);
}

/* Plays the game again: the copy has a history of its own, for repetitions. */
SamaraPosition *samara_position_copy(const SamaraPosition *from)
{
    SamaraPosition *p = samara_position_new();
    if (!p)
        return NULL;
    game_reset(&p->game, &from->game.start);
    p->start_ep = from->start_ep;
    for (int i = 0; i < from->game.count; i++)
        if (!game_play(&p->game, from->game.plies[i].move, NULL)) {
            samara_position_free(p);
            return NULL;
        }
    return p;
}

/* The new game is whole: it becomes the game. */
static void adopt_spare(SamaraPosition *p, Square start_ep)
{
    const Game old = p->game;
    p->game = p->spare;
    p->spare = old;
    p->start_ep = start_ep;
}

/* The fourth field of a FEN that was accepted. */
static Square written_ep(const char *fen)
{
    Str rest = str_from(fen);
    for (int i = 0; i < 3; i++)
        str_token(&rest);
    const Str field = str_token(&rest);
    return field.len == 2 ? square_make(field.ptr[0] - 'a', field.ptr[1] - '1') : NO_SQUARE;
}

Square position_passed_square(const SamaraPosition *p)
{
    const Game *game = &p->game;
    return game->count > 0 ? book_ep(&game->pos, game->plies[game->count - 1].move) : p->start_ep;
}

static bool illegal(const Position *p, Str word, size_t number, Error *err)
{
    const int shown = word.len > 16 ? 16 : (int)word.len;
    char fen[FEN_SIZE];
    fen_write(p, fen);
    return error_code(err, "ILLEGAL_MOVE", (int)number, "move %zu, '%.*s', is not legal in %s",
                      number, shown, word.ptr, fen);
}

static Move read_move(const Position *p, Str word)
{
    Move m = move_from_uci(p, word);
    if (m == MOVE_NONE)
        m = move_from_san(p, word);
    return m == MOVE_NULL ? MOVE_NONE : m;
}

static bool play_word(Game *game, Str word, size_t number, Error *err)
{
    const Move m = read_move(&game->pos, word);
    return m != MOVE_NONE ? game_play(game, m, err) : illegal(&game->pos, word, number, err);
}

/* Sets up the spare game and exchanges it at the end: an error leaves the position as it was. */
bool samara_position_set(SamaraPosition *p, const char *fen, bool chess960,
                         const char *const *moves, size_t move_count, SamaraError *err)
{
    Error why = no_error, warning = no_error;
    Position start;
    if (!fen) {
        pos_start(&start);
        start.chess960 = chess960;
    } else if (!fen_parse(&start, str_from(fen), chess960 ? FEN_960 : FEN_STANDARD, &why,
                          &warning)) {
        return engine_fail(err, &why);
    }
    game_reset(&p->spare, &start);
    for (size_t i = 0; i < move_count; i++)
        if (!play_word(&p->spare, str_from(moves[i]), i + 1, &why))
            return engine_fail(err, &why);
    adopt_spare(p, fen ? written_ep(fen) : NO_SQUARE);
    engine_fail(err, &warning); /* a mended position says so, a clean one says "" */
    return true;
}

/* As samara_position_set(), for moves that are data already. */
bool position_replay(SamaraPosition *p, const Position *start, const SamaraMove *moves,
                     size_t count, SamaraError *err)
{
    Error why;
    game_reset(&p->spare, start);
    for (size_t i = 0; i < count; i++) {
        const Move m = move_import(&p->spare.pos, &moves[i]);
        if (m == MOVE_NONE)
            illegal(&p->spare.pos, str_from(moves[i].uci), i + 1, &why);
        if (m == MOVE_NONE || !game_play(&p->spare, m, &why))
            return engine_fail(err, &why);
    }
    adopt_spare(p, start->st.ep);
    return true;
}

/* --- fields --- */

/* The board of the fields as FEN rows: positions that a person sets up go through the one FEN
 * reader, with its checks. */
static void put_rows(const SamaraFields *fields, Buffer *out)
{
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            const char man = fields->board[rank * 8 + file];
            if (!man) {
                empty++;
                continue;
            }
            if (empty > 0)
                buffer_putc(out, (char)('0' + empty));
            empty = 0;
            buffer_putc(out, man);
        }
        if (empty > 0)
            buffer_putc(out, (char)('0' + empty));
        if (rank > 0)
            buffer_putc(out, '/');
    }
}

/* Chess960 names the file of the rook, standard chess the side of the king. */
static void put_castling(const SamaraFields *fields, Buffer *out)
{
    static const char sides[] = "KQkq";
    const size_t before = out->len;
    for (int i = 0; i < 4; i++)
        if (fields->castling[i] >= 0 && fields->castling[i] < 64) {
            const char file = (char)((i < 2 ? 'A' : 'a') + fields->castling[i] % 8);
            buffer_putc(out, fields->chess960 ? file : sides[i]);
        }
    if (out->len == before)
        buffer_putc(out, '-');
}

/* By way of a FEN: one reader decides what a position is and says what is wrong with it. */
bool samara_position_set_fields(SamaraPosition *p, const SamaraFields *fields, SamaraError *err)
{
    Buffer fen = {0};
    put_rows(fields, &fen);
    buffer_puts(&fen, fields->white_to_move ? " w " : " b ");
    put_castling(fields, &fen);
    if (fields->ep >= 0 && fields->ep < 64)
        buffer_printf(&fen, " %c%c", 'a' + fields->ep % 8, '1' + fields->ep / 8);
    else
        buffer_puts(&fen, " -");
    buffer_printf(&fen, " %d %d", fields->rule50,
                  fields->move_number > 0 ? fields->move_number : 1);
    const bool ok = fen.failed ? engine_refuse(err, "NO_MEMORY", "not enough memory for a position")
                               : samara_position_set(p, fen.data, fields->chess960, NULL, 0, err);
    buffer_free(&fen);
    return ok;
}

/* The position as plain data, for boards that people edit. */
void samara_position_fields(const SamaraPosition *position, SamaraFields *out)
{
    const Position *p = position_board(position);
    *out = (SamaraFields){.white_to_move = p->turn == WHITE,
                          .chess960 = p->chess960,
                          .ep = p->st.ep == NO_SQUARE ? -1 : (int8_t)p->st.ep,
                          .rule50 = p->st.rule50,
                          .move_number = (int)(p->ply / 2 + 1)};
    for (Square s = A1; s <= H8; s++)
        out->board[s] = letter(pos_piece_on(p, s));
    for (int i = 0; i < 4; i++)
        out->castling[i] = p->st.castling & 1 << i ? (int8_t)p->castle_rook[i] : -1;
}

bool samara_position_set_start(SamaraPosition *p, int white, int black, SamaraError *err)
{
    if (white < 0 || white > 959 || black < 0 || black > 959)
        return engine_refuse(err, "OUT_OF_RANGE", "start arrays are numbered from 0 to 959");
    Position start;
    pos_start_960(&start, white, black);
    game_reset(&p->spare, &start);
    adopt_spare(p, NO_SQUARE);
    return true;
}

void samara_position_speak_chess960(SamaraPosition *p, bool on)
{
    p->game.start.chess960 = p->game.pos.chess960 = on;
}

/* --- moving --- */

bool samara_position_play(SamaraPosition *p, const SamaraMove *move, SamaraError *err)
{
    Error why = no_error;
    const Move m = move_import(&p->game.pos, move);
    if (m == MOVE_NONE)
        illegal(&p->game.pos, str_from(move->uci), (size_t)p->game.count + 1, &why);
    return (m != MOVE_NONE && game_play(&p->game, m, &why)) || engine_fail(err, &why);
}

bool samara_position_play_text(SamaraPosition *p, const char *move, SamaraError *err)
{
    Error why = no_error;
    return play_word(&p->game, str_from(move), (size_t)p->game.count + 1, &why) ||
           engine_fail(err, &why);
}

bool samara_position_undo(SamaraPosition *p) { return game_undo(&p->game); }

/* --- asking --- */

size_t samara_position_moves(const SamaraPosition *p, SamaraMove *moves, size_t max)
{
    MoveList list;
    gen_legal(&p->game.pos, &list);
    for (int i = 0; i < list.count && (size_t)i < max; i++)
        move_export(&p->game.pos, list.moves[i], &moves[i]);
    return (size_t)list.count;
}

bool samara_position_read_move(const SamaraPosition *p, const char *text, SamaraMove *out,
                               SamaraError *err)
{
    Error why;
    const Move m = read_move(&p->game.pos, str_from(text));
    move_export(&p->game.pos, m, out);
    if (m != MOVE_NONE)
        return true;
    illegal(&p->game.pos, str_from(text), (size_t)p->game.count + 1, &why);
    return engine_fail(err, &why);
}

void samara_position_fen(const SamaraPosition *p, char out[SAMARA_FEN_SIZE])
{
    fen_write(&p->game.pos, out);
}

void samara_position_fen_with_ep(const SamaraPosition *p, char out[SAMARA_FEN_SIZE])
{
    const Game *game = &p->game;
    const Move last = game->count > 0 ? game->plies[game->count - 1].move : MOVE_NONE;
    fen_write_with_ep(&game->pos, last, out);
}

/* The public names of the ends of a game. */
SamaraState samara_position_state(const SamaraPosition *p)
{
    switch (game_end(&p->game)) {
    case END_CHECKMATE:
        return SAMARA_CHECKMATE;
    case END_STALEMATE:
        return SAMARA_STALEMATE;
    case END_REPETITION:
        return SAMARA_REPETITION;
    case END_FIFTY_MOVES:
        return SAMARA_FIFTY_MOVES;
    case END_MATERIAL:
        return SAMARA_NO_MATERIAL;
    case GAME_ON:
        break;
    }
    return SAMARA_PLAYING;
}

const char *samara_state_name(SamaraState state)
{
    static const char *const names[] = {"playing",     "checkmate",
                                        "stalemate",   "threefold repetition",
                                        "fifty moves", "insufficient material"};
    return names[state];
}

bool samara_position_white_to_move(const SamaraPosition *p) { return p->game.pos.turn == WHITE; }

bool samara_position_in_check(const SamaraPosition *p) { return pos_in_check(&p->game.pos); }

uint64_t samara_position_key(const SamaraPosition *p) { return p->game.pos.st.key; }

int samara_position_repetitions(const SamaraPosition *p)
{
    return pos_repetitions(&p->game.pos, p->game.keys, p->game.count);
}

/* --- the game behind it --- */

void samara_position_start_fen(const SamaraPosition *p, char out[SAMARA_FEN_SIZE])
{
    fen_write(&p->game.start, out);
}

size_t samara_position_history(const SamaraPosition *p, SamaraMove *moves, size_t max)
{
    Position pos = p->game.start;
    for (int i = 0; i < p->game.count && (size_t)i < max; i++) {
        const Move m = p->game.plies[i].move;
        Undo undo;
        move_export(&pos, m, &moves[i]);
        pos_make(&pos, m, &undo, NULL);
    }
    return (size_t)p->game.count;
}

/* A number stands before each of White's moves, and before Black's at the start of the line. */
bool samara_position_line_text(const SamaraPosition *p, const SamaraMove *moves, size_t count,
                               char *out, size_t size)
{
    Buffer text = {0};
    uint32_t ply = p->game.pos.ply;
    for (size_t i = 0; i < count; i++, ply++) {
        const unsigned number = ply / 2 + 1;
        if (i > 0)
            buffer_putc(&text, ' ');
        if (ply % 2 == 0)
            buffer_printf(&text, "%u. ", number);
        else if (i == 0)
            buffer_printf(&text, "%u... ", number);
        buffer_puts(&text, moves[i].san);
    }
    const bool ok = str_copy(out, size, (Str){buffer_text(&text), text.len}) && !text.failed;
    buffer_free(&text);
    return ok;
}

/* --- perft --- */

typedef struct PerftCall {
    const Position *position;
    SamaraDivide divide;
    bool (*goes_on)(void *user);
    void *user;
} PerftCall;

static void on_divide(void *user, Move m, uint64_t count)
{
    const PerftCall *call = user;
    SamaraMove move;
    move_export(call->position, m, &move);
    call->divide(call->user, &move, count);
}

static bool on_goes_on(void *user)
{
    const PerftCall *call = user;
    return call->goes_on(call->user);
}

/* Passes perft's callbacks on with public types. */
bool samara_position_perft(const SamaraPosition *p, int depth, int threads, size_t hash_mb,
                           SamaraDivide divide, bool (*goes_on)(void *user), void *user,
                           uint64_t *total, SamaraError *err)
{
    Error why;
    PerftCall call = {&p->game.pos, divide, goes_on, user};
    const PerftOptions options = {.depth = depth,
                                  .threads = threads,
                                  .hash_mb = hash_mb,
                                  .divide = divide ? on_divide : NULL,
                                  .goes_on = goes_on ? on_goes_on : NULL,
                                  .user = &call};
    return perft_run(&p->game.pos, &options, total, &why) || engine_fail(err, &why);
}
