// SPDX-License-Identifier: GPL-3.0-or-later
/* look.c -- questions about the position that need no search. */
#include "engine/engine.h"

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/perft.h"
#include "classical/classical.h"
#include "engine/wdl.h"
#include "nnue/accumulator.h"
#include "search/judgement.h"
#include <string.h>

_Static_assert((int)TERM_COUNT <= (int)SAMARA_MAX_TERMS, "every term must fit");

void samara_fen(const Samara *e, char out[SAMARA_FEN_SIZE]) { fen_write(&e->game.pos, out); }

void samara_fen_with_ep(const Samara *e, char out[SAMARA_FEN_SIZE])
{
    const Move last = e->game.count > 0 ? e->game.plies[e->game.count - 1].move : MOVE_NONE;
    fen_write_with_ep(&e->game.pos, last, out);
}

uint64_t samara_key(const Samara *e) { return e->game.pos.st.key; }

SamaraState samara_state(const Samara *e)
{
    switch (game_end(&e->game)) {
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

bool samara_white_to_move(const Samara *e) { return e->game.pos.turn == WHITE; }

bool samara_in_check(const Samara *e) { return pos_in_check(&e->game.pos); }

size_t samara_legal_moves(const Samara *e, char (*moves)[SAMARA_MOVE_SIZE], size_t max)
{
    MoveList list;
    gen_legal(&e->game.pos, &list);
    for (int i = 0; i < list.count && (size_t)i < max; i++)
        move_to_uci(list.moves[i], e->game.pos.chess960, moves[i]);
    return (size_t)list.count;
}

/* The number before a move: always White's, and Black's at the start of the line. */
static void put_number(Buffer *out, const Position *p, bool first)
{
    const unsigned number = p->ply / 2 + 1;
    if (p->turn == WHITE)
        buffer_printf(out, "%u. ", number);
    else if (first)
        buffer_printf(out, "%u... ", number);
}

bool samara_line_to_san(const Samara *e, const char *uci_line, char *out, size_t size)
{
    Position pos = e->game.pos;
    Buffer text = {0};
    Str rest = str_from(uci_line);
    bool ok = true;
    for (Str word = str_token(&rest); word.len > 0 && ok; word = str_token(&rest)) {
        const Move m = move_from_uci(&pos, word);
        ok = m != MOVE_NONE;
        if (!ok)
            break;
        if (text.len > 0)
            buffer_putc(&text, ' ');
        put_number(&text, &pos, text.len == 0);
        char san[SAN_SIZE];
        move_to_san(&pos, m, san);
        buffer_puts(&text, san);
        Undo undo;
        pos_make(&pos, m, &undo, NULL);
    }
    ok = str_copy(out, size, (Str){buffer_text(&text), text.len}) && ok && !text.failed;
    buffer_free(&text);
    return ok;
}

/* --- static evaluation --- */

static double pawns(WdlModel model, int value) { return value / model.a; }

static void copy_terms(const ClassicalTrace *trace, WdlModel model, SamaraEval *out)
{
    out->term_count = TERM_COUNT;
    for (int t = 0; t < TERM_COUNT; t++)
        out->terms[t] = (SamaraTerm){
            classical_term_name((ClassicalTerm)t), pawns(model, trace->term[t][WHITE].mg),
            pawns(model, trace->term[t][WHITE].eg), pawns(model, trace->term[t][BLACK].mg),
            pawns(model, trace->term[t][BLACK].eg)};
}

static Position without(const Position *p, Square gone)
{
    Position q;
    pos_clear(&q);
    q.turn = p->turn;
    q.ply = p->ply;
    for (Square s = A1; s <= H8; s++)
        if (s != gone && pos_piece_on(p, s) != NO_PIECE)
            pos_put(&q, pos_piece_on(p, s), s);
    pos_finish(&q);
    return q;
}

/* A man is worth what the network misses when it is taken off the board. */
static void piece_values(const Net *net, const Position *p, WdlModel model, double value[64])
{
    const int sign = p->turn == WHITE ? 1 : -1;
    const int whole = net_evaluate(net, p);
    for (Square s = A1; s <= H8; s++) {
        const PieceType type = piece_type(pos_piece_on(p, s));
        if (type == NO_PIECE_TYPE || type == KING)
            continue;
        const Position q = without(p, s);
        value[s] = pawns(model, sign * (whole - net_evaluate(net, &q)));
    }
}

/* As the search would judge, but for what it learned. */
static Score judgement(const Samara *e, int network, int classical)
{
    const Position *p = &e->game.pos;
    int known;
    if (!engine_net(e) || classical_knows(p, &known))
        return classical;
    const int judged = judgement_network(p, network);
    return e->options.evaluation == EVALUATION_BOTH ? judgement_both(judged, classical) : judged;
}

bool samara_eval(Samara *e, SamaraEval *out, SamaraError *err)
{
    const Position *p = &e->game.pos;
    if (pos_in_check(p))
        return engine_refuse(err, "IN_CHECK", "a position in check has no static evaluation");
    memset(out, 0, sizeof *out);
    const WdlModel model = wdl_model(p);
    const Net *net = engine_net(e);
    ClassicalTrace trace;
    classical_trace(p, &trace);
    copy_terms(&trace, model, out);
    out->classical = p->turn == WHITE ? trace.total : -trace.total;
    out->known = trace.known;
    out->uses_network = net != NULL;
    out->uses_classical = !net || e->options.evaluation == EVALUATION_BOTH;
    if (net) {
        out->network = net_evaluate(net, p);
        out->bucket = net_bucket(net, p);
        piece_values(net, p, model, out->piece_value);
    }
    wdl_export(p, judgement(e, out->network, out->classical), BOUND_EXACT, &out->score);
    return true;
}

bool samara_static_score(const Samara *e, SamaraScore *out)
{
    const Position *p = &e->game.pos;
    const Net *net = engine_net(e);
    if (pos_in_check(p))
        return false;
    wdl_export(p, judgement(e, net ? net_evaluate(net, p) : 0, classical_evaluate(p, NULL)),
               BOUND_EXACT, out);
    return true;
}

/* --- book --- */

size_t samara_book_moves(const Samara *e, SamaraBookMove *moves, size_t max)
{
    BookMove found[MAX_MOVES];
    if (!e->book)
        return 0;
    const int count = book_moves(e->book, &e->game.pos, engine_ep(e), found, MAX_MOVES);
    for (int i = 0; i < count && (size_t)i < max; i++) {
        moves[i].weight = found[i].weight;
        move_to_uci(found[i].move, e->game.pos.chess960, moves[i].move);
    }
    return (size_t)count;
}

/* --- perft --- */

typedef struct PerftCall {
    SamaraDivide divide;
    bool (*goes_on)(void *user);
    void *user;
    bool chess960;
} PerftCall;

static void on_divide(void *user, Move m, uint64_t count)
{
    const PerftCall *call = user;
    char text[UCI_MOVE_SIZE];
    move_to_uci(m, call->chess960, text);
    call->divide(call->user, text, count);
}

static bool on_goes_on(void *user)
{
    const PerftCall *call = user;
    return call->goes_on(call->user);
}

bool samara_perft(const Samara *e, int depth, int threads, size_t hash_mb, SamaraDivide divide,
                  bool (*goes_on)(void *user), void *user, uint64_t *total, SamaraError *err)
{
    Error why;
    PerftCall call = {divide, goes_on, user, e->game.pos.chess960};
    const PerftOptions options = {.depth = depth,
                                  .threads = threads,
                                  .hash_mb = hash_mb,
                                  .divide = divide ? on_divide : NULL,
                                  .goes_on = goes_on ? on_goes_on : NULL,
                                  .user = &call};
    return perft_run(&e->game.pos, &options, total, &why) || engine_fail(err, &why);
}
