// SPDX-License-Identifier: GPL-3.0-or-later
/* look.c -- questions about the position that need no search. */
#include "engine/engine.h"

#include "classical/classical.h"
#include "engine/wdl.h"
#include "nnue/accumulator.h"
#include "search/evaluate.h"
#include <stdlib.h>
#include <string.h>

_Static_assert((int)TERM_COUNT <= (int)SAMARA_MAX_TERMS, "every term must fit");

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

/* The position without one man, for the question what that man is worth. Castling and en passant
 * are dropped. */
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

/* As the search would evaluate it, but for what it has learned. */
static Score static_score(const Samara *e, const Position *p, SamaraEvaluation evaluation)
{
    const Evaluator evaluator = {.net = engine_net(e, evaluation)};
    return evaluate(&evaluator, p);
}

/* Both evaluations and their parts, from the side to move; a position in check has no static
 * evaluation to explain. */
bool samara_eval(const Samara *e, const SamaraPosition *position, SamaraEvaluation evaluation,
                 SamaraEval *out, SamaraError *err)
{
    const Position *p = position_board(position);
    if (pos_in_check(p))
        return engine_refuse(err, "IN_CHECK", "a position in check has no static evaluation");
    memset(out, 0, sizeof *out);
    const WdlModel model = wdl_model(p);
    const Net *net = engine_net(e, evaluation);
    ClassicalTrace trace;
    classical_trace(p, &trace);
    copy_terms(&trace, model, out);
    out->classical = p->turn == WHITE ? trace.total : -trace.total;
    out->known = trace.known;
    out->uses_network = net != NULL;
    if (net) {
        out->network = net_evaluate(net, p);
        out->bucket = net_bucket(net, p);
        piece_values(net, p, model, out->piece_value);
    }
    wdl_export(p, static_score(e, p, evaluation), BOUND_EXACT, &out->score);
    return true;
}

bool samara_static_score(const Samara *e, const SamaraPosition *position,
                         SamaraEvaluation evaluation, SamaraScore *out)
{
    const Position *p = position_board(position);
    if (pos_in_check(p))
        return false;
    wdl_export(p, static_score(e, p, evaluation), BOUND_EXACT, out);
    return true;
}

/* --- book --- */

/* Counts all moves of the book here, and fills in as many as fit. */
size_t samara_book_moves(const Samara *e, const SamaraPosition *position, SamaraBookMove *moves,
                         size_t max)
{
    const Position *p = position_board(position);
    BookMove found[MAX_MOVES];
    if (!e->book)
        return 0;
    const int count = book_moves(e->book, p, position_passed_square(position), found, MAX_MOVES);
    for (int i = 0; i < count && (size_t)i < max; i++) {
        moves[i].weight = found[i].weight;
        move_export(p, found[i].move, &moves[i].move);
    }
    return (size_t)count;
}

/* --- endgame tables --- */

/* Wins before draws before losses; quick wins and slow losses first. */
static int compare_table_moves(const void *a, const void *b)
{
    const SamaraTableMove *x = a, *y = b;
    if (x->verdict != y->verdict)
        return y->verdict - x->verdict;
    return x->dtz - y->dtz;
}

size_t samara_table_moves(const Samara *e, const SamaraPosition *position, SamaraTableMove *moves,
                          size_t max)
{
    const Position *p = position_board(position);
    MoveList legal;
    SamaraTableMove found[MAX_MOVES];
    gen_legal(p, &legal);
    if (legal.count == 0)
        return 0;
    for (int i = 0; i < legal.count; i++) {
        Wdl wdl;
        if (!syzygy_move(e->tables, p, legal.moves[i], &wdl, &found[i].dtz))
            return 0;
        found[i].verdict = (int)wdl;
        move_export(p, legal.moves[i], &found[i].move);
    }
    const size_t count = (size_t)legal.count;
    qsort(found, count, sizeof *found, compare_table_moves);
    memcpy(moves, found, (count < max ? count : max) * sizeof *found);
    return count;
}

int samara_table_men(const Samara *e) { return syzygy_men(e->tables); }
