// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/fen.h"

#include <stdio.h>
#include <string.h>

static const char piece_letters[] = "PpNnBbRrQqKk"; /* by Piece */
static const char *const color_names[2] = {"White", "Black"};

enum { BOARD, SIDE, CASTLING_FIELD, EP_FIELD, HALFMOVE, FULLMOVE, FIELD_COUNT };

typedef struct FenReader {
    Str text;
    Str field[FIELD_COUNT];
    const char *surplus; /* where a seventh field begins, or NULL */
    FenMode mode;
    Position pos;
    const char *at[64]; /* the letter of the man on each square: for columns */
    Error *err, *warning;
} FenReader;

/* Lets a message quote a field, however long it is: "%.*s" with QUOTE(field). */
#define QUOTE(s) (int)((s).len < 24 ? (s).len : 24), (s).ptr

static int column(const FenReader *r, const char *at) { return (int)(at - r->text.ptr) + 1; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_control(char c) { return (unsigned char)c < ' ' || c == 127; }

/* --- fields --- */

/* Line ends are no blanks here: a FEN is one line, and what follows may be somebody's command. */
static Str next_field(Str *rest)
{
    size_t start = 0, end;
    while (start < rest->len && is_blank(rest->ptr[start]))
        start++;
    for (end = start; end < rest->len && !is_blank(rest->ptr[end]);)
        end++;
    const Str field = {rest->ptr + start, end - start};
    *rest = (Str){rest->ptr + end, rest->len - end};
    return field;
}

static bool side_is_clear(Str side) { return str_is(side, "w") || str_is(side, "b"); }

/* Up to six fields; the rest is kept as surplus until it is clear whether the board itself was
 * torn. */
static bool split_fields(FenReader *r)
{
    if (r->text.len > FEN_MAX_LENGTH)
        return error_code(r->err, "LENGTH", FEN_MAX_LENGTH + 1,
                          "the text has %zu bytes, a FEN has at most %d", r->text.len,
                          FEN_MAX_LENGTH);
    Str rest = r->text;
    for (int i = 0; i < FIELD_COUNT; i++)
        r->field[i] = next_field(&rest);
    const Str surplus = next_field(&rest);
    if (surplus.len > 0)
        r->surplus = surplus.ptr;

    if (r->field[SIDE].len == 0)
        return error_code(r->err, "FIELDS", (int)r->text.len + 1,
                          "a FEN has at least two fields, board and side to move");
    /* Seven fields and no side in the second one: the board is torn by a blank. */
    if (r->surplus && !side_is_clear(r->field[SIDE]))
        return error_code(r->err, "FIELDS", column(r, r->surplus), "a FEN has at most six fields");
    return true;
}

/* --- board --- */

/* Letters first, rows later: a foreign byte is named as such and not as a row of the wrong length.
 * */
static bool check_board_letters(FenReader *r)
{
    const Str board = r->field[BOARD];
    for (size_t i = 0; i < board.len; i++) {
        const char c = board.ptr[i];
        const int where = column(r, board.ptr + i);
        if (is_control(c) || (unsigned char)c > 127 || c == '"' || c == '\'')
            return error_code(r->err, "BYTES", where, "board: byte 0x%02X does not belong there",
                              (unsigned char)c);
        if (c == '0' || c == '9')
            return error_code(r->err, "DIGIT", where, "board: digits go from 1 to 8, not %c", c);
        if (!is_digit(c) && c != '/' && !strchr(piece_letters, c))
            return error_code(r->err, "BOARD_CHAR", where, "board: '%c' is not a piece", c);
    }
    return true;
}

/* Eight rows, none of them empty; the columns of each row are counted where it is read. */
static bool check_row_count(FenReader *r)
{
    const Str board = r->field[BOARD];
    int rows = 1;
    for (size_t i = 0; i < board.len; i++)
        if (board.ptr[i] == '/') {
            const bool empty = i == 0 || i + 1 == board.len || board.ptr[i + 1] == '/';
            if (empty)
                return error_code(r->err, "BOARD_ROWS", column(r, board.ptr + i),
                                  "board: there is an empty row");
            rows++;
        }
    if (rows != 8)
        return error_code(r->err, "BOARD_ROWS", column(r, board.ptr), "board: %d row%s, not 8",
                          rows, rows == 1 ? "" : "s");
    return true;
}

/* Puts the men of one row; *s is behind its end afterwards. */
static bool read_row(FenReader *r, int rank, const char **s, const char *end)
{
    const char *const start = *s;
    int file = 0;
    for (; *s < end && **s != '/'; (*s)++) {
        if (is_digit(**s)) {
            if (*s > start && is_digit((*s)[-1]))
                return error_code(r->err, "DIGIT", column(r, *s),
                                  "board: two digits in a row in rank %d", rank + 1);
            file += **s - '0';
            continue;
        }
        if (file < 8) {
            const Square square = square_make(file, rank);
            pos_put(&r->pos, (Piece)(strchr(piece_letters, **s) - piece_letters), square);
            r->at[square] = *s;
        }
        file++;
    }
    if (file != 8)
        return error_code(r->err, "BOARD_WIDTH", column(r, start),
                          "board: rank %d has %d squares, not 8", rank + 1, file);
    return true;
}

static bool read_board(FenReader *r)
{
    if (!check_board_letters(r) || !check_row_count(r))
        return false;
    const char *s = r->field[BOARD].ptr, *const end = s + r->field[BOARD].len;
    for (int rank = 7; rank >= 0; rank--, s++)
        if (!read_row(r, rank, &s, end))
            return false;
    return true;
}

/* --- the other fields --- */

static bool read_side(FenReader *r)
{
    const Str side = r->field[SIDE];
    if (!side_is_clear(side))
        return error_code(r->err, "SIDE", column(r, side.ptr),
                          "side to move: '%.*s' is neither w nor b", QUOTE(side));
    r->pos.turn = side.ptr[0] == 'b' ? BLACK : WHITE;
    return true;
}

/* Only the letters are checked here. Rights without king or rook at home are dropped later with a
 * warning. */
static bool check_castling(FenReader *r)
{
    const Str castling = r->field[CASTLING_FIELD];
    if (str_is(castling, "-"))
        return true;
    for (size_t i = 0; i < castling.len; i++) {
        const char c = castling.ptr[i];
        if (!c || !strchr("KQkqABCDEFGHabcdefgh", c))
            return error_code(r->err, "CASTLING", column(r, castling.ptr + i),
                              "castling: '%.*s' has something else than KQkq, files or a lone dash",
                              QUOTE(castling));
    }
    if (castling.len > 4)
        return error_code(r->err, "CASTLING", column(r, castling.ptr),
                          "castling: '%.*s' has more than four letters", QUOTE(castling));
    return true;
}

/* The square must stand behind a pawn that has just moved; whether a capture is possible is decided
 * by mend_ep(). */
static bool read_ep(FenReader *r)
{
    const Str ep = r->field[EP_FIELD];
    if (ep.len == 0 || str_is(ep, "-"))
        return true;
    if (ep.len != 2 || ep.ptr[0] < 'a' || ep.ptr[0] > 'h' || ep.ptr[1] < '1' || ep.ptr[1] > '8')
        return error_code(r->err, "EP", column(r, ep.ptr),
                          "en passant: '%.*s' is neither a square nor a dash", QUOTE(ep));
    const int rank = r->pos.turn == WHITE ? 6 : 3;
    if (ep.ptr[1] != '0' + rank)
        return error_code(r->err, "EP", column(r, ep.ptr + 1),
                          "en passant: %.2s is not on rank %d although %s is to move", ep.ptr, rank,
                          color_names[r->pos.turn]);
    r->pos.st.ep = (uint8_t)square_make(ep.ptr[0] - 'a', rank - 1);
    return true;
}

/* Plain digits up to max; an empty field leaves *out as it is. */
static bool read_counter(FenReader *r, int which, const char *code, const char *name, int max,
                         int64_t *out)
{
    const Str field = r->field[which];
    size_t digits = 0;
    while (digits < field.len && is_digit(field.ptr[digits]))
        digits++;
    if (digits > 0 && digits < field.len && is_control(field.ptr[digits]))
        return error_code(r->err, "BYTES", column(r, field.ptr + digits),
                          "%s: byte 0x%02X does not belong there", name,
                          (unsigned char)field.ptr[digits]);
    if (digits < field.len || (field.len > 0 && !str_int(field, 0, max, out)))
        return error_code(r->err, code, column(r, field.ptr),
                          "%s: '%.*s' is not a number from 0 to %d", name, QUOTE(field), max);
    return true;
}

/* A move number of 0 is common in the wild and means 1. */
static bool read_counters(FenReader *r)
{
    int64_t rule50 = 0, number = 1;
    if (!read_counter(r, HALFMOVE, "HALFMOVE", "half-move clock", FEN_MAX_RULE50, &rule50) ||
        !read_counter(r, FULLMOVE, "FULLMOVE", "move number", FEN_MAX_MOVE_NUMBER, &number))
        return false;
    if (number == 0)
        number = 1;
    r->pos.st.rule50 = (uint16_t)rule50;
    r->pos.ply = 2 * (uint32_t)(number - 1) + r->pos.turn;
    return true;
}

/* --- material that cannot arise in a game --- */

static bool has_too_many_men(const Position *p, Color c)
{
    return bb_count(pos_pieces(p, c, PAWN)) > 8 || bb_count(pos_color(p, c)) > 16;
}

static bool has_too_many_promoted(const Position *p, Color c)
{
    static const int at_start[6] = {8, 2, 2, 2, 1, 1};
    int promoted = 0;
    for (PieceType t = KNIGHT; t <= QUEEN; t++) {
        const int extra = bb_count(pos_pieces(p, c, t)) - at_start[t];
        promoted += extra > 0 ? extra : 0;
    }
    return promoted > 8 - bb_count(pos_pieces(p, c, PAWN));
}

static bool has_odd_material(const Position *p)
{
    return has_too_many_men(p, WHITE) || has_too_many_men(p, BLACK) ||
           has_too_many_promoted(p, WHITE) || has_too_many_promoted(p, BLACK);
}

/* --- refused although well written --- */

/* Nothing else is checked before: the move generator relies on one king of each colour. */
static bool check_kings(FenReader *r)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        const Bitboard kings = pos_pieces(&r->pos, c, KING);
        const int count = bb_count(kings);
        if (count != 1)
            return error_code(r->err, "KING_COUNT",
                              column(r, count ? r->at[bb_first(kings)] : r->field[BOARD].ptr),
                              "board: %s has %d kings, not 1", color_names[c], count);
    }
    return true;
}

static bool check_pawns(FenReader *r)
{
    const Bitboard lost = pos_type(&r->pos, PAWN) & (RANK_1 | RANK_8);
    if (!lost)
        return true;
    const Square s = bb_first(lost);
    return error_code(r->err, "PAWN_RANK", column(r, r->at[s]),
                      "board: a pawn stands on %c%c, where none can", 'a' + square_file(s),
                      '1' + square_rank(s));
}

static bool opponent_in_check(const Position *p)
{
    return pos_attacked(p, pos_king(p, color_flip(p->turn)), p->turn, pos_occupied(p));
}

/* A king in check out of turn is a slip of the writer; but a board of odd material is a puzzle and
 * not a game, and gets a warning instead. */
static bool check_opponent(FenReader *r)
{
    const Position *p = &r->pos;
    if (!opponent_in_check(p) || has_odd_material(p))
        return true;
    return error_code(r->err, "OPP_IN_CHECK", column(r, r->field[SIDE].ptr),
                      "side to move: %s is to move and could take the king", color_names[p->turn]);
}

/* --- mended or kept, with a warning --- */

/* Several warnings become one: first code and place, all sentences. */
static void warn(FenReader *r, const char *code, const char *at, const char *sentence)
{
    Error *w = r->warning;
    if (!w)
        return;
    if (!w->text[0]) {
        error_code(w, code, column(r, at), "%s", sentence);
        return;
    }
    const Error first = *w;
    error_code(w, first.code, first.column, "%s; %s", first.text, sentence);
}

/* The rook that a castling letter means, NO_SQUARE if it does not stand there. */
static Square castling_rook(const FenReader *r, char letter, Color c, Square king)
{
    const Bitboard rooks = pos_pieces(&r->pos, c, ROOK) & bb_relative_rank(c, 0);
    const char upper = (char)(letter & ~0x20);
    Bitboard meant;
    if (upper == 'K' || upper == 'Q') {
        const Bitboard east = ~0ULL << king, wing = rooks & (upper == 'K' ? east : ~east);
        meant = !wing ? 0 : bb_square(upper == 'K' ? bits_highest(wing) : bits_lowest(wing));
    } else
        meant = rooks & bb_file(upper - 'A');

    if (r->mode == FEN_STANDARD)
        meant &= square_file(king) == square_file(E1) ? FILE_A | FILE_H : 0;
    if (rank_relative(c, king) != 0 || !meant)
        return NO_SQUARE;
    return bb_first(meant);
}

/* Two letters of one side may name two rooks of one wing: the outer one has the right. */
static void grant_castling(FenReader *r)
{
    const Str castling = r->field[CASTLING_FIELD];
    Square rooks[4] = {NO_SQUARE, NO_SQUARE, NO_SQUARE, NO_SQUARE};
    for (size_t i = 0; i < castling.len && castling.ptr[i] != '-'; i++) {
        const char letter = castling.ptr[i];
        const Color c = letter >= 'a' ? BLACK : WHITE;
        const Square king = pos_king(&r->pos, c), rook = castling_rook(r, letter, c, king);
        if (rook == NO_SQUARE) {
            char sentence[80];
            snprintf(sentence, sizeof sentence,
                     "castling: right %c is dropped, king and rook do not stand ready", letter);
            warn(r, "CASTLING", castling.ptr + i, sentence);
            continue;
        }
        Square *kept = &rooks[CASTLE_INDEX(c, rook > king ? CASTLE_SHORT : CASTLE_LONG)];
        if (*kept != NO_SQUARE && *kept != rook)
            warn(r, "CASTLING", castling.ptr + i, "castling: one wing has two rooks with a right");
        if (*kept == NO_SQUARE || (rook > king ? rook > *kept : rook < *kept))
            *kept = rook;
    }
    for (int i = 0; i < 4; i++)
        if (rooks[i] != NO_SQUARE)
            pos_grant_castling(&r->pos, i / 2, i % 2, rooks[i]);
}

/* A pawn must just have passed the square. Whether anybody can take it, pos_finish() decides. */
static void mend_ep(FenReader *r)
{
    Position *p = &r->pos;
    const Square ep = p->st.ep;
    if (ep == NO_SQUARE)
        return;
    const Square pawn = ep ^ 8, origin = p->turn == WHITE ? ep + 8 : ep - 8;
    if (p->board[pawn] == piece_make(color_flip(p->turn), PAWN) && p->board[ep] == NO_PIECE &&
        p->board[origin] == NO_PIECE)
        return;
    p->st.ep = NO_SQUARE;
    warn(r, "EP", r->field[EP_FIELD].ptr,
         "en passant: the square is dropped, no pawn can just have passed it");
}

/* Positions that no game reaches are playable all the same, so these are warnings. */
static void note_odd_material(FenReader *r)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        char sentence[80];
        if (has_too_many_men(&r->pos, c)) {
            snprintf(sentence, sizeof sentence, "board: %s has more men than a game begins with",
                     color_names[c]);
            warn(r, "PIECE_COUNT", r->field[BOARD].ptr, sentence);
        } else if (has_too_many_promoted(&r->pos, c)) {
            snprintf(sentence, sizeof sentence, "board: %s has more promoted men than lost pawns",
                     color_names[c]);
            warn(r, "PROMO_COUNT", r->field[BOARD].ptr, sentence);
        }
    }
    if (opponent_in_check(&r->pos))
        warn(r, "OPP_IN_CHECK", r->field[SIDE].ptr,
             "side to move: the other king is in check and cannot be taken");
}

/* Reads into a copy and hands it over only when everything is right; errors come in the order in
 * which a person reads the text. */
bool fen_parse(Position *p, Str text, FenMode mode, Error *err, Error *warning)
{
    FenReader r = {.text = text, .mode = mode, .err = err, .warning = warning};
    if (!text.ptr)
        r.text = STR("");
    if (warning)
        *warning = (Error){0};
    pos_clear(&r.pos);
    r.pos.chess960 = mode == FEN_960;

    if (!split_fields(&r) || !read_board(&r) || !read_side(&r) || !check_castling(&r) ||
        !read_ep(&r) || !read_counters(&r))
        return false;
    if (r.surplus)
        return error_code(err, "FIELDS", column(&r, r.surplus), "a FEN has at most six fields");
    if (!check_kings(&r) || !check_pawns(&r) || !check_opponent(&r))
        return false;

    grant_castling(&r);
    mend_ep(&r);
    note_odd_material(&r);
    pos_finish(&r.pos);
    *p = r.pos;
    return true;
}

bool fen_speaks_chess960(Str fen)
{
    str_token(&fen);
    str_token(&fen);
    const Str castling = str_token(&fen);
    for (size_t i = 0; i < castling.len; i++)
        if (!strchr("KQkq-", castling.ptr[i]))
            return true;
    return false;
}

/* --- writing --- */

/* From the eighth rank down, runs of empty squares as digits. */
static char *write_board(const Position *p, char *out)
{
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0, empty = 0; file < 8; file++) {
            const Piece piece = pos_piece_on(p, square_make(file, rank));
            empty += piece == NO_PIECE;
            if (empty && (piece != NO_PIECE || file == 7)) {
                *out++ = (char)('0' + empty);
                empty = 0;
            }
            if (piece != NO_PIECE)
                *out++ = piece_letters[piece];
        }
        if (rank > 0)
            *out++ = '/';
    }
    return out;
}

static char *write_castling(const Position *p, char *out)
{
    if (!p->st.castling)
        *out++ = '-';
    for (int i = 0; i < 4; i++)
        if (p->st.castling & 1 << i) {
            const int file = square_file(p->castle_rook[i]);
            *out++ = p->chess960 ? (char)((i < 2 ? 'A' : 'a') + file) : "KQkq"[i];
        }
    return out;
}

/* Counters beyond what a FEN can hold are cut, so that what is written can be read again. */
static void write_fen(const Position *p, Square ep, char out[FEN_SIZE])
{
    const unsigned number = p->ply / 2 + 1;
    char board[72], castling[5], square[3] = "-";
    *write_board(p, board) = '\0';
    *write_castling(p, castling) = '\0';
    if (ep != NO_SQUARE) {
        square[0] = (char)('a' + square_file(ep));
        square[1] = (char)('1' + square_rank(ep));
    }
    snprintf(out, FEN_SIZE, "%s %c %s %s %d %u", board, p->turn == WHITE ? 'w' : 'b', castling,
             square, p->st.rule50 < FEN_MAX_RULE50 ? p->st.rule50 : FEN_MAX_RULE50,
             number < FEN_MAX_MOVE_NUMBER ? number : FEN_MAX_MOVE_NUMBER);
}

void fen_write(const Position *p, char out[FEN_SIZE]) { write_fen(p, p->st.ep, out); }

void fen_write_with_ep(const Position *p, Move last, char out[FEN_SIZE])
{
    const Square from = move_from(last), to = move_to(last);
    const bool double_step = move_kind(last) == NORMAL && (from ^ to) == 16 &&
                             p->board[to] == piece_make(color_flip(p->turn), PAWN);
    write_fen(p, double_step ? to ^ 8 : p->st.ep, out);
}
