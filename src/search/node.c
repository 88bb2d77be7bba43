// SPDX-License-Identifier: GPL-3.0-or-later
/* One node of the search. search_node() is a table of contents; every idea is a function of its
 * own, in the file that node.h names, that says why it is sound and when it is not. What each is
 * worth: docs/SEARCH.md. */
#include "search/node.h"

#include <assert.h>
#include <string.h>

/* Mate distance: no line from here is better than mating now or worse than being mated now. */
HOT void bound_by_mate_distance(Node *n)
{
    if (!use_mate_distance)
        return;
    n->alpha = max_int(n->alpha, score_mated(n->ply));
    n->beta = min_int(n->beta, score_mate(n->ply + 1));
}

/* --- the search of a move --- */

/* What pruning and reductions ask about a move, once per move. */
HOT void describe_move(const Worker *w, const Node *n, const CheckInfo *checks, Candidate *c)
{
    const Position *p = &w->pos;
    const History *h = w->history;
    const Frame *f = n->frame;
    const Move m = c->move;
    c->noisy = pos_is_noisy(p, m);
    c->check = pos_gives_check(p, checks, m);
    c->cell = piece_square(p->board[move_from(m)], move_to(m));
    if (c->noisy)
        c->history = h->capture[c->cell][victim_index(p, m)];
    else
        c->history = h->butterfly[p->turn][threat_index(f->threats, m)][from_to(m)] +
                     f[-1].follow[c->cell] + f[-2].follow[c->cell];
}

/* Principal variation search: the first move gets the full window, the others must first show with
 * a null window that they are better. Late moves do so at reduced depth; if one surprises, it is
 * searched again at full depth, a little deeper or shallower by how much it surprised. */
HOT Score search_move(Worker *w, Node *n, const Candidate *c, int reduction, int new_depth,
                      Score best)
{
    Frame *f = n->frame;
    Score score = -SCORE_INF;
    if (use_late_move_reduction && n->depth >= 2 && !(n->bare && w->root_depth <= ending_depth) &&
        c->number > 1 + n->root) {
        const int reduced = clamp_int(new_depth - reduction / LMR, 1, max_int(new_depth, 1) + 1);
        f->reduction = (new_depth - reduced) * LMR;
        score = -search_zero(w, n->ply + 1, -n->alpha, reduced, true);
        f->reduction = 0;
        if (score > n->alpha && reduced < new_depth && !worker_stopped(w)) {
            if (use_deeper) {
                new_depth += score > best + deeper_base + deeper_depth * new_depth;
                new_depth -= score < best + shallower_margin;
            }
            if (new_depth > reduced)
                score = -search_zero(w, n->ply + 1, -n->alpha, new_depth, !n->cut);
            if (!c->noisy && (score <= n->alpha || score >= n->beta) && !worker_stopped(w))
                learn_continuation(f, c->cell,
                                   score >= n->beta ? bonus_for(new_depth) : -malus_for(new_depth));
        }
    } else if (!n->pv || c->number > 1) {
        score = -search_zero(w, n->ply + 1, -n->alpha, new_depth, !n->cut);
    }
    if (n->pv && (c->number == 1 || score > n->alpha)) {
        /* Do not let the line that we follow end in quiescence if the table has seen further. */
        if (c->move == n->table_move && n->table_hit && n->table.depth > 1 &&
            w->root_depth > line_depth)
            new_depth = max_int(new_depth, 1);
        score = -search_pv(w, n->ply + 1, -n->beta, -n->alpha, new_depth);
    }
    return score;
}

/* --- the root --- */

static RootMove *find_root_move(Worker *w, Move m)
{
    for (int i = w->pv_index; i < w->root_count; i++)
        if (w->root_moves[i].move == m)
            return &w->root_moves[i];
    return NULL;
}

/* Says which root move is being searched, once the search has become slow enough to want to know.
 */
HOT void announce_root_move(Worker *w, const Node *n, const Candidate *c)
{
    const Shared *s = w->shared;
    if (w->id == 0 && s->events.current_move && shared_elapsed_us(s) > 1000000)
        s->events.current_move(s->events.user, n->depth, c->move, c->number + w->pv_index);
}

/* Only the first move and those that beat it have a score worth the name; the others keep their
 * place in the order of the last iteration. */
static void note_root_move(Worker *w, const Node *n, const Candidate *c, Score score,
                           uint64_t nodes)
{
    RootMove *rm = find_root_move(w, c->move);
    assert(rm && score > -SCORE_INF && score < SCORE_INF);
    rm->nodes += nodes;
    w->searched = true;
    if (c->number > 1 && score <= n->alpha) {
        rm->score = -SCORE_INF;
        return;
    }
    rm->score = score;
    rm->bound = score >= n->beta ? BOUND_LOWER : score <= n->alpha ? BOUND_UPPER : BOUND_EXACT;
    rm->average = rm->average == -SCORE_INF ? score : (rm->average + score) / 2;
    rm->seldepth = w->seldepth;
    const int length = min_int(w->pv_length[1], MAX_PLY);
    memcpy(&rm->pv[1], w->pv[1], (size_t)length * sizeof(Move));
    rm->pv_length = 1 + length;
}

/* --- the node --- */

/* Squares where a piece of each worth is in danger of being taken by a lesser man. */
HOT_EXTERN void map_threats(const Position *p, PickContext *c)
{
    const Color them = color_flip(p->turn);
    const Bitboard occupied = pos_occupied(p);
    Bitboard minors = 0, rooks = 0;
    for (Bitboard b = pos_pieces(p, them, KNIGHT); b;)
        minors |= attack_knight[bb_pop(&b)];
    for (Bitboard b = pos_pieces(p, them, BISHOP); b;)
        minors |= bishop_attacks(bb_pop(&b), occupied);
    for (Bitboard b = pos_pieces(p, them, ROOK); b;)
        rooks |= rook_attacks(bb_pop(&b), occupied);
    c->pawn_threats = bb_pawn_attacks(them, pos_pieces(p, them, PAWN));
    c->minor_threats = c->pawn_threats | minors;
    c->rook_threats = c->minor_threats | rooks;
    c->threats = c->rook_threats | attack_king[pos_king(p, them)];
    for (Bitboard b = pos_pieces(p, them, QUEEN); b;)
        c->threats |= queen_attacks(bb_pop(&b), occupied);
}

/* The window of a zero-window search is [beta - 1, beta]; a PV node has room between the two. */
HOT Score search_node(Worker *w, const bool pv, int ply, Score alpha, Score beta, int depth,
                      bool cut)
{
    Node n = {.pv = pv,
              .root = pv && ply == 0,
              .cut = cut,
              .ply = ply,
              .depth = min_int(depth, MAX_PLY - 1),
              .alpha = alpha,
              .beta = beta,
              .frame = worker_frame(w, ply)};
    Frame *f = n.frame;
    Score score = SCORE_NONE, best = -SCORE_INF, max_score = SCORE_INF;
    assert(alpha >= -SCORE_INF && alpha < beta && beta <= SCORE_INF);
    assert(pv || alpha == beta - 1);
    assert(depth > 0 && ply >= 0 && ply < MAX_PLY);

    if (pv) {
        w->pv_length[ply] = 0;
        w->seldepth = max_int(w->seldepth, ply);
    }
    if (must_stop(w))
        return 0;
    n.in_check = pos_in_check(&w->pos);
    n.bare = classical_may_know(&w->pos);
    if (!n.root) {
        claim_upcoming_draw(w, &n);
        if (n.alpha >= n.beta)
            return n.alpha;
        if (is_draw(w, ply))
            return draw_score(w);
        if (ply >= MAX_PLY - 1)
            return n.in_check ? SCORE_DRAW : evaluate(&w->evaluator, &w->pos);
        bound_by_mate_distance(&n);
        if (n.alpha >= n.beta)
            return n.alpha;
    }

    n.excluded = f->excluded;
    const int prior_reduction = f[-1].reduction;
    f[-1].reduction = 0;
    f[1].killer = MOVE_NONE;
    f[1].excluded = MOVE_NONE;
    f[2].cutoffs = 0;

    table_probe(w, &n);
    n.table_pv = n.excluded ? f->table_pv : pv || (n.table_hit && n.table.pv);
    f->table_pv = n.table_pv;
    f->table_hit = n.table_hit;
    if (table_cuts(w, &n))
        return n.table_score;
    if (tablebase_cuts(w, &n, &score, &best, &max_score))
        return score;

    evaluate_node(w, &n);
    judge_trend(&n);
    learn_from_static_eval(w, &n);
    adjust_depth_in_hindsight(&n, prior_reduction);

    if (razoring_cuts(w, &n, &score) || reverse_futility_cuts(&n, &score) ||
        null_move_cuts(w, &n, &score))
        return worker_stopped(w) ? 0 : score;
    reduce_without_table_move(&n);

    CheckInfo checks;
    PickContext context;
    pos_check_info(&w->pos, &checks);
    map_threats(&w->pos, &context);
    f->threats = context.threats;
    fill_context(w, &n, &checks, &context);
    if (probcut_cuts(w, &n, &context, &score) || table_probcut_cuts(&n, &score))
        return worker_stopped(w) ? 0 : score;

    Picker picker;
    Tried tried; /* its lists stay as they are: clearing them would cost every node */
    tried.quiet_count = tried.capture_count = 0;
    Move best_move = MOVE_NONE;
    Candidate c = {0};
    bool skip_quiets = false;
    const Move counter =
        use_counter && f[-1].moved >= 0 ? w->history->counter[f[-1].moved] : MOVE_NONE;
    const Score old_alpha = n.alpha;
    picker_all(&picker, &context, n.table_move, use_killer ? f->killer : MOVE_NONE, counter);

    while ((c.move = picker_next(&picker, skip_quiets))) {
        if (c.move == n.excluded || (n.root && !find_root_move(w, c.move)))
            continue;
        f->move_count = ++c.number;
        table_prefetch(w, c.move); /* early: the entry arrives while the move is weighed */
        if (n.root)
            announce_root_move(w, &n, &c);
        describe_move(w, &n, &checks, &c);
        int reduction = base_reduction(w, &n, &c);
        if (move_is_hopeless(w, &n, &c, reduction, &best, &skip_quiets))
            continue;

        bool multi_cut;
        const int extension = singular_extension(w, &n, &c, &multi_cut, &score);
        if (worker_stopped(w))
            return 0;
        if (multi_cut)
            return score;
        f->move_count = c.number;

        Undo undo;
        const uint64_t nodes_before = worker_nodes(w);
        reduction = adjust_reduction(&n, &c, reduction);
        worker_make(w, ply, c.move, &undo);
        score = search_move(w, &n, &c, reduction, n.depth - 1 + extension, best);
        worker_unmake(w, c.move, &undo);
        if (worker_stopped(w))
            return 0;

        if (n.root)
            note_root_move(w, &n, &c, score, worker_nodes(w) - nodes_before);
        if (score > best) {
            best = score;
            if (score > n.alpha) {
                best_move = c.move;
                if (pv && !n.root)
                    copy_pv(w, ply, c.move);
                if (score >= n.beta) {
                    f->cutoffs++;
                    break;
                }
                n.alpha = score;
                /* Something good has been found; finding something better still is less likely. */
                if (use_alpha_reduction && n.depth > alpha_reduction_min &&
                    n.depth < alpha_reduction_max && !score_is_decisive(score))
                    n.depth -= 1;
            }
        }
        if (c.move != best_move)
            remember_tried(&tried, c.move, c.noisy);
    }

    if (c.number == 0)
        return n.excluded ? n.alpha : n.in_check ? score_mated(ply) : SCORE_DRAW;
    if (use_smoothing && best >= n.beta && !score_is_decisive(best) && !score_is_decisive(n.beta))
        best = (best * n.depth + n.beta) / (n.depth + 1);
    if (best_move)
        learn_from_best(w, &n, best_move, best, &tried);
    else
        reward_previous_quiet(w, &n, best);
    best = min_int(best, max_score);

    if (best <= old_alpha)
        n.table_pv = n.table_pv || (f[-1].table_pv && n.depth > table_pv_depth);
    if (!n.excluded && !(n.root && w->pv_index > 0)) {
        const Bound bound = best >= n.beta    ? BOUND_LOWER
                            : pv && best_move ? BOUND_EXACT
                                              : BOUND_UPPER;
        table_store(w, &n, best, bound, n.depth, best_move);
    }
    learn_correction(w, &n, best, best_move);
    assert(best > -SCORE_INF && best < SCORE_INF);
    return best;
}

NOINLINE Score search_pv(Worker *w, int ply, Score alpha, Score beta, int depth)
{
    return depth <= 0 ? quiescence_pv(w, ply, alpha, beta, 0)
                      : search_node(w, true, ply, alpha, beta, depth, false);
}

NOINLINE Score search_zero(Worker *w, int ply, Score beta, int depth, bool cut)
{
    return depth <= 0 ? quiescence_zero(w, ply, beta, 0)
                      : search_node(w, false, ply, beta - 1, beta, depth, cut);
}

Score search_root(Worker *w, Score alpha, Score beta, int depth)
{
    return search_pv(w, 0, alpha, beta, depth);
}
