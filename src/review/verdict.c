// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/verdict.h"

#include "chess/movegen.h"
#include "chess/see.h"
#include "review/explain.h"
#include "review/proof.h"
#include <stdlib.h>

/* Effort of each kind of search, as a share of a first look. */
static const double confirm_share = 2, go_on_share = 2, doubt_share = 3, others_share = 0.25,
                    quick_share = 1.0 / 30;
static const double only_points = 10, only_long_points = 20; /* in a short look and in a long one */
enum { SHORT_MATE = 3, LEAST_NODES = 10000 /* of a look, for long proofs */ };

static void settle(Verdict *v, Worth best, Worth played)
{
    v->best = best > played ? best : played;
    v->played = played;
    v->before = judge_win_percent(v->best);
    v->after = judge_win_percent(v->played);
    v->judgement = judge_move(v->best, v->played);
    v->loss = v->before > v->after ? v->before - v->after : 0;
    /* A mate that comes sooner or later costs nothing. */
    if (v->judgement == JUDGED_FINE && worth_loses(v->best))
        v->loss = 0;
    v->accuracy = judge_accuracy(v->loss);
}

/* --- faults --- */

/* A theory move is marked only if it loses much. */
static bool is_marked(const Verdict *v) { return !v->book || v->judgement == JUDGED_BLUNDER; }

/* The first look suspects the move: searches it and the better one again, each alone and with equal
 * effort. If the move turns out well by itself, the better one need not be searched. */
static bool confirm_fault(Study *study, const SamaraPosition *position, const SamaraMove *move,
                          const FirstLook *look, Verdict *v)
{
    Found best = {look->best, 0, look->best_line}, played;
    SamaraMove better;
    if (!samara_position_read_move(position, look->best_line.steps[0].uci, &better, &study->err) ||
        !study_search(study, position, confirm_share, move, 1, true, &played))
        return false;
    const bool suspect = judge_move(look->best, played.worth) != JUDGED_FINE ||
                         (worth_loses(look->played) && look->played < played.worth);
    if (suspect && !study_search(study, position, confirm_share, &better, 1, true, &best))
        return false;
    /* A mate that either search saw stays a mate. */
    if (worth_wins(look->best) && look->best > best.worth)
        best = (Found){look->best, best.depth, look->best_line};
    if (worth_loses(look->played) && look->played < played.worth)
        played = (Found){look->played, played.depth, look->played_line};
    settle(v, best.worth, played.worth);
    v->played_line = played.line;
    v->best_line = best.worth > played.worth ? best.line : played.line;
    v->missed_win = v->judgement >= JUDGED_MISTAKE && v->before >= 75 && v->after < 60;
    if (!is_marked(v))
        v->judgement = JUDGED_FINE;
    return true;
}

/* --- praise --- */

/* All legal moves but one. */
static size_t other_moves(const SamaraPosition *position, const SamaraMove *move, SamaraMove *out)
{
    const size_t count = samara_position_moves(position, out, SAMARA_MAX_MOVES);
    for (size_t i = 0; i < count; i++)
        if (out[i].code == move->code) {
            out[i] = out[count - 1];
            return count - 1;
        }
    return count;
}

/* Taking back, or taking what is free, deserves no praise. */
static bool is_obvious(const SamaraPosition *position, const SamaraMove *move)
{
    Position board;
    line_board(position, &board);
    SamaraMove last[1];
    const size_t plies = samara_position_history(position, NULL, 0);
    SamaraMove *history = plies > 0 ? malloc(plies * sizeof *history) : NULL;
    bool retakes = false;
    if (history) {
        samara_position_history(position, history, plies);
        last[0] = history[plies - 1];
        retakes = last[0].captured && last[0].to == move->to;
        free(history);
    }
    return retakes || (move->captured && see_at_least(&board, move->code, see_value[PAWN])) ||
           (pos_in_check(&board) && gen_count(&board) < 4);
}

/* The move loses material at first sight: what it takes is worth less than what may be taken. */
static bool gives_material(const SamaraPosition *position, const SamaraMove *move)
{
    Position board;
    line_board(position, &board);
    return !see_at_least(&board, move->code, -2 * see_value[PAWN] + 1);
}

/* A first, short look at all other moves; those that come close need no second look. */
static bool praise(Study *study, const SamaraPosition *position, const SamaraMove *move, Verdict *v)
{
    SamaraMove others[SAMARA_MAX_MOVES];
    const size_t count = other_moves(position, move, others);
    v->forced = count == 0;
    if (count < 2 || v->before < 3 || worth_loses(v->best))
        return true;
    /* Nobody wants to be told that taking back was the only move. */
    if (!study->thorough && is_obvious(position, move))
        return true;
    Found second, mine, quick;
    if (!study_search(study, position, others_share, others, count, true, &second))
        return false;
    if (v->before - judge_win_percent(second.worth) < only_points)
        return true;
    if (!study_search(study, position, confirm_share, others, count, true, &second))
        return false;
    const double other = judge_win_percent(second.worth);
    if (v->before - other < only_points)
        return true;
    if (!study_search(study, position, confirm_share, move, 1, true, &mine))
        return false;
    v->only = judge_win_percent(mine.worth) - other >= only_long_points;
    v->great = v->only && other < 97 && worth_mate_in(v->best) != 1 && !is_obvious(position, move);
    if (!v->great || !gives_material(position, move))
        return true;
    if (!study_search(study, position, quick_share, NULL, 0, true, &quick))
        return false;
    v->brilliant = other < 90 && quick.line.steps[0].move != move->code;
    return true;
}

/* --- all of it --- */

/* A mate of a few checks must not escape a small search: nothing that is said about the move would
 * be true. This one is there for the mover. */
static void see_own_mate(const Position *board, Move move, FirstLook *look)
{
    ProofLine proof;
    const int mate = worth_wins(look->best) ? 0 : find_mate_by_checks(board, SHORT_MATE, &proof);
    if (mate == 0)
        return;
    look->best = WORTH_MATE - mate;
    line_from_moves(board, proof.moves, proof.length, &look->best_line);
    if (proof.moves[0] == move) {
        look->played = look->best;
        look->played_line = look->best_line;
    }
}

/* --- endgame tables --- */

/* What counts on the board: a win that the fifty-move rule spoils is a draw. */
static Worth table_worth(const SamaraTableMove *m)
{
    return m->verdict == 2 ? WORTH_CLEAR : m->verdict == -2 ? -WORTH_CLEAR : 0;
}

/* Where the tables know the position, they judge alone: a result that falls is a blunder, however
 * the scores look, and one that stays is none. False: they do not know it. */
static bool ask_tables(Study *study, const SamaraPosition *position, const SamaraMove *move,
                       Verdict *v)
{
    SamaraTableMove moves[SAMARA_MAX_MOVES];
    const size_t count = samara_table_men(study->engine) > 0
                             ? samara_table_moves(study->engine, position, moves, SAMARA_MAX_MOVES)
                             : 0;
    const SamaraTableMove *played = NULL;
    for (size_t i = 0; i < count; i++)
        if (moves[i].move.code == move->code)
            played = &moves[i];
    if (!played)
        return false;
    const Worth best = table_worth(&moves[0]), reached = table_worth(played);
    if (best == reached) {
        v->judgement = JUDGED_FINE;
        v->loss = 0;
        v->accuracy = judge_accuracy(0);
        return true;
    }
    settle(v, best, reached);
    v->judgement = JUDGED_BLUNDER;
    v->missed_win = best > 0;
    step_of(&moves[0].move, &v->best_line.steps[0]);
    v->best_line.length = 1;
    step_of(move, &v->played_line.steps[0]);
    v->played_line.length = 1;
    Claim *claim = claim_add(&v->claims, CLAIM_TABLE, ROLE_EFFECT, PROVED);
    claim->gain = reached - best;
    claim->share = 1;
    claim->line = v->best_line;
    claim->from_before = true;
    claim->ply = 1;
    return true;
}

/* Moves until mate by checks behind a move; 0: none is near. */
static int walks_into(const Position *board, Move move, ReviewLine *rest)
{
    Position after = *board;
    ProofLine proof;
    Undo undo;
    pos_make(&after, move, &undo, NULL);
    const int mate = find_mate_by_checks(&after, SHORT_MATE, &proof);
    if (mate > 0)
        line_from_moves(&after, proof.moves, proof.length, rest);
    return mate;
}

static void drop_move(SamaraMove *moves, size_t *count, Move move)
{
    for (size_t i = 0; i < *count; i++)
        if (moves[i].code == move) {
            moves[i] = moves[--*count];
            return;
        }
}

/* The same behind the move. Where the engine would have walked into it as well, the best of the
 * other moves takes its place. */
static bool see_their_mate(Study *study, const SamaraPosition *position, const SamaraMove *move,
                           const Position *board, FirstLook *look)
{
    ReviewLine rest;
    ReviewStep first;
    SamaraMove moves[SAMARA_MAX_MOVES];
    const bool known = worth_loses(look->played) || worth_wins(look->played);
    int mate = known ? 0 : walks_into(board, move->code, &rest);
    if (mate > 0) {
        step_of(move, &first);
        look->played = -(WORTH_MATE - mate);
        line_prepend(&first, &rest, &look->played_line);
    }
    size_t count = samara_position_moves(position, moves, SAMARA_MAX_MOVES);
    while (count > 0 && !worth_wins(look->best) && !worth_loses(look->best)) {
        first = look->best_line.steps[0];
        mate = walks_into(board, first.move, &rest);
        if (mate == 0)
            return true;
        Found found = {-(WORTH_MATE - mate), 0, {0}};
        line_prepend(&first, &rest, &found.line);
        drop_move(moves, &count, first.move);
        if (count > 0 && !study_search(study, position, 1, moves, count, true, &found))
            return false;
        look->best = found.worth;
        look->best_line = found.line;
    }
    return true;
}

static void explain_why(const Study *study, const SamaraPosition *position, const Verdict *v,
                        ClaimList *out)
{
    const Question question = {.position = position,
                               .move = v->move.move,
                               .fault = v->judgement != JUDGED_FINE,
                               .best = v->best,
                               .played = v->played,
                               .best_line = &v->best_line,
                               .played_line = &v->played_line,
                               .only = v->only,
                               .sacrifice = v->brilliant,
                               .quickly = study->limits.nodes < LEAST_NODES &&
                                          study->limits.movetime_ms == 0};
    explain(&question, out);
}

static bool has_proof(const ClaimList *list)
{
    for (int i = 0; i < list->count; i++)
        if (list->claims[i].certainty == PROVED)
            return true;
    return false;
}

/* Leaves only what both lists say: the same kind in the same role, and as much of it. Means without
 * an end say nothing. */
static void keep_common(ClaimList *list, const ClaimList *other)
{
    int kept = 0;
    bool end = false;
    for (int i = 0; i < list->count; i++) {
        const Claim *mine = &list->claims[i], *theirs = claim_find(other, mine->kind, mine->role);
        const bool counted = mine->kind == CLAIM_MATERIAL || mine->kind == CLAIM_DIFFERENCE;
        if (!theirs || (counted && theirs->gain != mine->gain))
            continue;
        end |= mine->role == ROLE_EFFECT || mine->role == ROLE_BETTER;
        list->claims[kept++] = *mine;
    }
    list->count = end ? kept : 0;
}

/* What rests on lines alone is looked at once more: the confirmation of the better move, which was
 * the last search, goes on with its table, and the move played is searched from nothing. If half of
 * the loss is gone then, nothing is said. Otherwise the new lines are asked for reasons,
 * too: a proof that they give replaces the old claims, and of those only what both give is kept. */
static bool doubt_lines(Study *study, const SamaraPosition *position, const SamaraMove *move,
                        Verdict *v)
{
    Found best, played;
    SamaraMove better;
    if (v->judgement == JUDGED_FINE || has_proof(&v->claims) ||
        (v->claims.count == 0 && v->judgement != JUDGED_BLUNDER))
        return true;
    if (!samara_position_read_move(position, v->best_line.steps[0].uci, &better, &study->err) ||
        !study_search(study, position, go_on_share, &better, 1, false, &best))
        return false;
    if (judge_win_percent(best.worth) - v->after < v->loss / 2) {
        v->claims.count = 0;
        return true;
    }
    if (!study_search(study, position, doubt_share, move, 1, true, &played))
        return false;
    if (judge_win_percent(best.worth) - judge_win_percent(played.worth) < v->loss / 2) {
        v->claims.count = 0;
        return true;
    }
    Verdict again = *v;
    again.best = best.worth;
    again.played = played.worth;
    again.best_line = best.line;
    again.played_line = played.line;
    explain_why(study, position, &again, &again.claims);
    if (has_proof(&again.claims)) {
        v->best_line = best.line;
        v->played_line = played.line;
        v->claims = again.claims;
    } else {
        keep_common(&v->claims, &again.claims);
    }
    return true;
}

bool verdict_make(Study *study, const SamaraPosition *position, const SamaraMove *move,
                  const FirstLook *first, Verdict *v)
{
    SamaraFields fields;
    FirstLook seen = *first, *look = &seen;
    Position board;
    samara_position_fields(position, &fields);
    line_board(position, &board);
    see_own_mate(&board, move->code, look);
    if (!see_their_mate(study, position, move, &board, look))
        return false;
    *v = (Verdict){.known = true,
                   .white = fields.white_to_move,
                   .move_number = fields.move_number,
                   .book = look->book};
    step_of(move, &v->move);
    settle(v, look->best, look->played);
    v->best_line = look->best_line;
    v->played_line = look->played_line;
    if (ask_tables(study, position, move, v)) {
        if (v->judgement == JUDGED_FINE && study->thorough)
            explain_why(study, position, v, &v->claims);
        return true;
    }
    const bool suspect = v->judgement != JUDGED_FINE;
    if (suspect && !confirm_fault(study, position, move, look, v))
        return false;
    if (!suspect && look->best_line.steps[0].move == move->code && !v->book &&
        !praise(study, position, move, v))
        return false;
    if (v->judgement != JUDGED_FINE || v->only || study->thorough)
        explain_why(study, position, v, &v->claims);
    return doubt_lines(study, position, move, v);
}

bool verdict_of_move(Study *study, const SamaraPosition *position, const SamaraMove *move,
                     Verdict *out)
{
    Found best, played;
    if (!study_search(study, position, 1, NULL, 0, true, &best) ||
        !study_search(study, position, 1, move, 1, true, &played))
        return false;
    FirstLook look = {best.worth, played.worth, best.line, played.line, false};
    if (played.worth >= best.worth) {
        look.best = played.worth;
        look.best_line = played.line;
    }
    return verdict_make(study, position, move, &look, out);
}
