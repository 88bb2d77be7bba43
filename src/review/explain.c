// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/explain.h"

#include "chess/movegen.h"
#include "chess/see.h"
#include "review/compare.h"
#include "review/motif.h"
#include "review/proof.h"
#include <math.h>
#include <string.h>

enum { MOST_CAUSES = 4, LONGEST_MATE = 6, LONGEST_THREAT = 3 };

/* One side's line with what it is worth: the mover's own, or the answer to his move. */
typedef struct Side {
    Position start; /* where the line begins */
    Move moves[REVIEW_LINE];
    int length;
} Side;

typedef struct Case {
    const Question *q;
    Position before, after; /* the move */
    Color mover, other;
    int base;           /* material balance before, mover's view */
    Side reply, better; /* behind the move played; from before, with the better one */
    ClaimList *out;
} Case;

static void play(Position *p, Move m)
{
    Undo undo;
    pos_make(p, m, &undo, NULL);
}

/* --- how a claim is filled in --- */

/* Men that change hands along a line, net: what both sides lose alike does not count, and bishops
 * and knights are alike. */
static void count_men(const Position *before, const Position *after, Color c, Claim *claim)
{
    static const PieceType order[] = {QUEEN, ROOK, BISHOP, KNIGHT, PAWN};
    int lost[6], won[6];
    for (PieceType t = PAWN; t <= QUEEN; t++) {
        lost[t] = bb_count(pos_pieces(before, c, t)) - bb_count(pos_pieces(after, c, t));
        won[t] = bb_count(pos_pieces(before, color_flip(c), t)) -
                 bb_count(pos_pieces(after, color_flip(c), t));
    }
    for (PieceType a = PAWN; a <= QUEEN; a++)
        for (PieceType b = PAWN; b <= QUEEN; b++) {
            const bool alike = a == b || (a + b == KNIGHT + BISHOP && a != b && a >= KNIGHT &&
                                          a <= BISHOP && b >= KNIGHT && b <= BISHOP);
            while (alike && lost[a] > 0 && won[b] > 0) {
                lost[a]--;
                won[b]--;
            }
        }
    size_t l = 0, w = 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        for (int n = lost[order[i]]; n > 0 && l + 1 < sizeof claim->lost; n--)
            claim->lost[l++] = "pnbrq"[order[i]];
        for (int n = won[order[i]]; n > 0 && w + 1 < sizeof claim->won; n--)
            claim->won[w++] = "pnbrq"[order[i]];
    }
}

static double share_of(const Case *c, int gain)
{
    const int lost = (c->q->best > WORTH_CLEAR ? WORTH_CLEAR : c->q->best) -
                     (c->q->played < -WORTH_CLEAR ? -WORTH_CLEAR : c->q->played);
    return lost <= 0 ? 1 : fmin(1, fabs((double)gain) / lost);
}

static void set_line(Claim *claim, const Side *side, int length, bool from_before)
{
    line_from_moves(&side->start, side->moves, length, &claim->line);
    claim->from_before = from_before;
    claim->ply = length;
}

/* A pawn that becomes a queen is no man that changed hands: such lines have no list. */
static bool promotes(const Side *side)
{
    for (int i = 0; i < side->length; i++)
        if (move_kind(side->moves[i]) == PROMOTION)
            return true;
    return false;
}

/* --- lines and proofs --- */

/* Where on the line the winner has gained `gain` and all is quiet: so many moves; 0: nowhere. */
static int settled_at(const Side *side, Color winner, int base, int gain)
{
    Position p = side->start;
    for (int i = 0; i < side->length; i++) {
        play(&p, side->moves[i]);
        if (material_balance(&p, winner) - base >= gain && is_settled(&p))
            return i + 1;
    }
    return 0;
}

/* The side's own line if it shows the gain, else the line of the proof. */
static Side shown_line(const Side *side, Color winner, int base, int gain, const ProofLine *proof)
{
    Side shown = *side;
    const int cut = settled_at(side, winner, base, gain);
    if (cut > 0) {
        shown.length = cut;
        return shown;
    }
    shown.length = proof->length;
    memcpy(shown.moves, proof->moves, (size_t)proof->length * sizeof *proof->moves);
    return shown;
}

static Position end_of(const Side *side)
{
    Position p = side->start;
    for (int i = 0; i < side->length; i++)
        play(&p, side->moves[i]);
    return p;
}

/* The pictures of one line, as causes; a kind that was named already is not named again. */
static void add_pictures(Case *c, const Side *line, bool own, ClaimRole role, Certainty certainty,
                         int most)
{
    Motif motifs[MOTIF_MAX];
    const Move last = own ? MOVE_NONE : c->q->move;
    const Piece taken = own ? NO_PIECE : pos_captured(&c->before, c->q->move);
    const int count =
        motifs_find(&line->start, last, taken, line->moves, line->length, motifs, MOTIF_MAX);
    for (int i = 0; i < count && most > 0; i++) {
        if (claim_find(c->out, motifs[i].kind, role))
            continue;
        Claim *claim = claim_add(c->out, motifs[i].kind, role, certainty);
        if (!claim)
            return;
        for (int k = 0; k < motifs[i].count; k++)
            claim_put(claim, motifs[i].squares[k], motifs[i].pieces[k]);
        set_line(claim, line, line->length, own);
        claim->ply = motifs[i].ply + 1;
        claim->share = c->out->claims[0].share;
        most--;
    }
}

/* What happens if the man that strikes is taken: the defence that a player looks at first, though
 * the stubborn line above may have another. Only where the goal is proved there, too. */
static void add_accepted(Case *c, const Side *line, bool own, ClaimRole role, int goal)
{
    const Color winner = line->start.turn;
    Position p = line->start;
    MoveList list;
    play(&p, line->moves[0]);
    gen_legal(&p, &list);
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        if (move_to(m) != move_to(line->moves[0]) || (line->length > 1 && m == line->moves[1]))
            continue;
        Side taken = {.start = line->start, .moves = {line->moves[0], m}};
        Position next = p;
        ProofLine proof;
        play(&next, m);
        if (!prove_material_quickly(&next, winner, goal, NULL, 0, &proof) || proof.length == 0)
            continue;
        for (int k = 0; k < proof.length && k + 2 < REVIEW_LINE; k++)
            taken.moves[k + 2] = proof.moves[k];
        taken.length = 2 + (proof.length < REVIEW_LINE - 2 ? proof.length : REVIEW_LINE - 2);
        add_pictures(c, &taken, own, role, PROVED, 1);
        return;
    }
}

/* The pictures of the line, as sure as the line itself; goal: the balance that it proves for the
 * side that moves first in it, or NO_GOAL. */
enum { NO_GOAL = 1000 };
static void add_causes(Case *c, const Side *line, bool own, ClaimRole role, Certainty certainty,
                       int goal)
{
    add_pictures(c, line, own, role, certainty, MOST_CAUSES);
    if (goal != NO_GOAL && line->length > 0)
        add_accepted(c, line, own, role, goal);
}

/* The new queen is taken, for less than a rook. */
static bool is_lost_at_once(const Position *p, Square s)
{
    MoveList list;
    gen_legal(p, &list);
    for (int i = 0; i < list.count; i++)
        if (move_to(list.moves[i]) == s && see_at_least(p, list.moves[i], see_value[ROOK]))
            return true;
    return false;
}

/* A pawn that gets through further down the engine's line. */
static void add_later_queen(Case *c, const Side *side, bool own, ClaimRole role)
{
    if (claim_find(c->out, CLAIM_PROMOTION, role))
        return;
    for (int i = 0; i < side->length; i += 2) {
        Position p = side->start;
        if (move_kind(side->moves[i]) != PROMOTION)
            continue;
        for (int k = 0; k <= i; k++)
            play(&p, side->moves[k]);
        if (is_lost_at_once(&p, move_to(side->moves[i])))
            return;
        Claim *claim = claim_add(c->out, CLAIM_PROMOTION, role, CONFIRMED);
        if (!claim)
            return;
        claim_put(claim, move_to(side->moves[i]), pos_piece_on(&p, move_to(side->moves[i])));
        set_line(claim, side, i + 1, own);
        return;
    }
}

/* --- mates --- */

/* Was the same threatened before the move? Passing shows it. */
static bool was_threatened(const Case *c, const Side *line, int mate, int goal)
{
    if (pos_in_check(&c->before))
        return false;
    Position passed = c->before;
    Undo undo;
    pos_make_null(&passed, &undo);
    if (!pos_is_pseudo_legal(&passed, line->moves[0]) || !pos_is_legal(&passed, line->moves[0]))
        return false;
    play(&passed, line->moves[0]);
    if (mate > 1) {
        /* Every answer to the first move must run into the rest. */
        MoveList list;
        gen_legal(&passed, &list);
        for (int i = 0; i < list.count; i++) {
            Position next = passed;
            play(&next, list.moves[i]);
            if (!prove_mate(&next, mate - 1, line->moves + 2, line->length - 2, NULL))
                return false;
        }
        return list.count > 0;
    }
    if (mate == 1)
        return pos_in_check(&passed) && !pos_has_legal_move(&passed);
    return prove_material_quickly(&passed, c->other, goal, line->moves + 1, line->length - 1, NULL);
}

static void add_threat(Case *c, const Side *line, int mate, int goal)
{
    if (mate > LONGEST_THREAT || !was_threatened(c, line, mate, goal))
        return;
    Claim *claim = claim_add(c->out, CLAIM_THREAT, ROLE_CAUSE, PROVED);
    if (!claim)
        return;
    set_line(claim, line, line->length, false);
    claim->ply = 1;
    claim->mate = mate;
}

/* Claims a mate only if the prover finds it: the engine's word alone is not enough to tell a
 * person. */
static bool add_mate(Case *c, const Side *side, int mate, ClaimRole role, ClaimRole cause, bool own)
{
    ProofLine proof;
    if (mate < 1 || mate > LONGEST_MATE ||
        !prove_mate(&side->start, mate, side->moves, side->length, &proof))
        return false;
    Side line = *side;
    line.length = proof.length;
    memcpy(line.moves, proof.moves, (size_t)proof.length * sizeof *proof.moves);
    Claim *claim = claim_add(c->out, CLAIM_MATE, role, PROVED);
    if (!claim)
        return false;
    const Position end = end_of(&line);
    claim->mate = (proof.length + 1) / 2;
    claim->share = 1;
    claim_put(claim, pos_king(&end, end.turn), piece_make(end.turn, KING));
    set_line(claim, &line, line.length, own);
    add_causes(c, &line, own, cause, PROVED, NO_GOAL);
    if (!own)
        add_threat(c, &line, claim->mate, 0);
    return true;
}

/* --- material --- */

/* How long to look for a proof. */
typedef int GainProver(const Position *, Color, int, const Move *, int, ProofLine *);
typedef bool MaterialProver(const Position *, Color, int, const Move *, int, ProofLine *);

static GainProver *gain_of(const Case *c)
{
    return c->q->quickly ? prove_gain_quickly : prove_gain;
}

static MaterialProver *proof_of(const Case *c)
{
    return c->q->quickly ? prove_material_quickly : prove_material;
}

/* A proof counts men and sees no attack on a king that goes on behind its end: of what it gives, only
 * as much is said as the engine's score bears out. winner: the score as the winner sees it. */
static int borne_out(Worth winner, int base, int gain)
{
    while (gain > 0 && winner < 50 * (base + gain) - 50)
        gain--;
    return gain;
}

/* What the move loses by force, and the better move does not. */
static bool add_loss(Case *c)
{
    ProofLine proof;
    const int loss = borne_out(
        -c->q->played, -c->base,
        gain_of(c)(&c->after, c->other, -c->base, c->reply.moves, c->reply.length, &proof));
    if (loss == 0)
        return false;
    Side best = c->better;
    play(&best.start, best.moves[0]);
    if (proof_of(c)(&best.start, c->other, -c->base + loss, best.moves + 1, best.length - 1, NULL))
        return false; /* it goes either way */
    const Side line = shown_line(&c->reply, c->other, -c->base, loss, &proof);
    Claim *claim = claim_add(c->out, CLAIM_MATERIAL, ROLE_EFFECT, PROVED);
    if (!claim)
        return false;
    const Position end = end_of(&line);
    claim->gain = -100 * loss;
    claim->share = share_of(c, claim->gain);
    count_men(&c->before, &end, c->mover, claim);
    if (material_balance(&end, c->other) + c->base != loss || promotes(&line))
        claim->lost[0] = claim->won[0] = '\0'; /* the line does not show just this */
    set_line(claim, &line, line.length, false);
    add_causes(c, &line, false, ROLE_CAUSE, PROVED, -c->base + loss);
    add_later_queen(c, &c->reply, false, ROLE_CAUSE);
    add_threat(c, &line, 0, -c->base + loss);
    return true;
}

/* What the better move, or the good one, wins by force. */
static bool add_win(Case *c, ClaimRole role, ClaimRole cause)
{
    ProofLine proof;
    const int gain = borne_out(
        c->q->best, c->base,
        gain_of(c)(&c->before, c->mover, c->base, c->better.moves, c->better.length, &proof));
    if (gain == 0 || proof.length == 0 || proof.moves[0] != c->better.moves[0])
        return false;
    if (c->q->fault &&
        proof_of(c)(&c->after, c->mover, c->base + gain, c->reply.moves, c->reply.length, NULL))
        return false; /* the move played wins as much */
    const Side line = shown_line(&c->better, c->mover, c->base, gain, &proof);
    Claim *claim = claim_add(c->out, CLAIM_MATERIAL, role, PROVED);
    if (!claim)
        return false;
    const Position end = end_of(&line);
    claim->gain = 100 * gain;
    claim->share = share_of(c, claim->gain);
    count_men(&c->before, &end, c->mover, claim);
    if (material_balance(&end, c->mover) - c->base != gain || promotes(&line))
        claim->lost[0] = claim->won[0] = '\0';
    set_line(claim, &line, line.length, true);
    add_causes(c, &line, true, cause, PROVED, c->base + gain);
    return true;
}

/* Where the line is first quiet with exactly this gain: so many moves; 0: nowhere. */
static int first_settled(const Side *side, Color winner, int base, int gain)
{
    Position p = side->start;
    for (int i = 0; i < side->length; i++) {
        play(&p, side->moves[i]);
        if (material_balance(&p, winner) - base == gain && is_settled(&p))
            return i + 1;
    }
    return 0;
}

/* Where no proof is found, the engine's own line may still show what changes hands. It is said as
 * what happens in that line, and only if the score moves with it. */
static bool add_shown(Case *c, const Side *side, bool own)
{
    const Color winner = own ? c->mover : c->other;
    const int base = own ? c->base : -c->base;
    const int best = c->q->best > WORTH_CLEAR ? WORTH_CLEAR : c->q->best;
    const int played = c->q->played < -WORTH_CLEAR ? -WORTH_CLEAR : c->q->played;
    Side line = *side;
    Position p = side->start;
    int gain = 0;
    for (int i = 0; i < side->length; i++) {
        play(&p, side->moves[i]);
        if (is_settled(&p))
            gain = material_balance(&p, winner) - base;
    }
    if (gain < 1 || best - played < 70 * gain)
        return false;
    line.length = first_settled(side, winner, base, gain);
    Claim *claim = line.length == 0 ? NULL
                                    : claim_add(c->out, CLAIM_MATERIAL,
                                                own ? ROLE_BETTER : ROLE_EFFECT, CONFIRMED);
    if (!claim)
        return false;
    const Position end = end_of(&line);
    claim->gain = (own ? 100 : -100) * gain;
    claim->share = share_of(c, claim->gain);
    if (!promotes(&line))
        count_men(&c->before, &end, c->mover, claim);
    set_line(claim, &line, line.length, own);
    add_causes(c, &line, own, own ? ROLE_BETTER_CAUSE : ROLE_CAUSE, CONFIRMED, NO_GOAL);
    if (!own)
        add_later_queen(c, side, false, ROLE_CAUSE);
    return true;
}

/* The last quiet position of a line, from its third move on; false: there is none. */
static bool quiet_end(const Side *side, Position *end, int *length)
{
    Position p = side->start;
    *length = 0;
    for (int i = 0; i < side->length; i++) {
        play(&p, side->moves[i]);
        if (i >= 2 && is_settled(&p)) {
            *end = p;
            *length = i + 1;
        }
    }
    return *length > 0;
}

/* Neither line wins or loses anything by itself, but where both are quiet the better one has more
 * men. */
static bool add_difference(Case *c)
{
    Position good, bad;
    int length, ignored;
    if (promotes(&c->better) || promotes(&c->reply) || !quiet_end(&c->better, &good, &length) ||
        !quiet_end(&c->reply, &bad, &ignored))
        return false;
    const int gain = material_balance(&good, c->mover) - material_balance(&bad, c->mover);
    const int lost = (c->q->best > WORTH_CLEAR ? WORTH_CLEAR : c->q->best) -
                     (c->q->played < -WORTH_CLEAR ? -WORTH_CLEAR : c->q->played);
    if (gain < 1 || lost < 50 * gain)
        return false;
    Claim *claim = claim_add(c->out, CLAIM_DIFFERENCE, ROLE_BETTER, CONFIRMED);
    if (!claim)
        return false;
    claim->gain = 100 * gain;
    claim->share = share_of(c, claim->gain);
    /* What the mover would have more in the better end, as if it had been won. */
    count_men(&bad, &good, c->mover, claim);
    set_line(claim, &c->better, length, true);
    return true;
}

/* --- draws --- */

/* The answer's line is nothing but checks, and comes back to where it was. */
static bool is_perpetual(const Side *side)
{
    Position p = side->start;
    Key keys[REVIEW_LINE];
    int checks = 0;
    for (int i = 0; i < side->length; i++) {
        keys[i] = p.st.key;
        play(&p, side->moves[i]);
        if (i % 2 == 0 && !pos_in_check(&p))
            return false;
        checks += i % 2 == 0;
        for (int k = 0; k <= i; k++)
            if (keys[k] == p.st.key && checks >= 2)
                return true;
    }
    return false;
}

/* A won position that became level by stalemate or perpetual check. */
static bool add_draw(Case *c)
{
    const int far = 200, even = 30;
    if (c->q->best < far || c->q->played > even || c->q->played < -even)
        return false;
    const Position end = end_of(&c->reply);
    const bool stale = !pos_in_check(&end) && !pos_has_legal_move(&end);
    const bool perpetual = !stale && c->reply.length > 0 && is_perpetual(&c->reply);
    if (!stale && !perpetual)
        return false;
    Claim *claim = claim_add(c->out, stale ? CLAIM_STALEMATE : CLAIM_PERPETUAL, ROLE_EFFECT,
                             stale && c->reply.length == 0 ? PROVED : CONFIRMED);
    claim->gain = -c->q->best;
    claim->share = 1;
    set_line(claim, &c->reply, c->reply.length, false);
    claim_put(claim, pos_king(&end, c->mover), piece_make(c->mover, KING));
    return true;
}

/* --- all of it --- */

/* What the move lets happen, then what it missed; if neither can be proved, how the lines differ.
 * */
static void explain_fault(Case *c)
{
    const Question *q = c->q;
    const bool mated = worth_loses(q->played) && !worth_loses(q->best);
    const bool sooner = judge_allows_mate(q->best, q->played);
    bool effect = false;
    if (mated || sooner)
        effect = add_mate(c, &c->reply, -worth_mate_in(q->played), ROLE_EFFECT, ROLE_CAUSE, false);
    if (!effect)
        effect = add_draw(c) || add_loss(c);
    bool better = false;
    if (judge_misses_mate(q->best, q->played))
        better =
            add_mate(c, &c->better, worth_mate_in(q->best), ROLE_BETTER, ROLE_BETTER_CAUSE, true);
    if (!better)
        better = add_win(c, ROLE_BETTER, ROLE_BETTER_CAUSE);
    if (!effect && !better)
        effect =
            add_shown(c, &c->reply, false) || add_shown(c, &c->better, true) || add_difference(c);
    if (!effect && !better)
        compare_lines(&c->before, q->best_line, q->played_line, q->best - q->played, c->out);
}

/* Why a good move is good: mate, material, a sacrifice, or the only move. */
static void explain_merit(Case *c)
{
    const Question *q = c->q;
    /* Nothing was better, and yet it is mate. */
    if (worth_loses(q->played))
        add_mate(c, &c->reply, -worth_mate_in(q->played), ROLE_EFFECT, ROLE_CAUSE, false);
    if (worth_wins(q->played))
        add_mate(c, &c->better, worth_mate_in(q->played), ROLE_PRAISE, ROLE_PRAISE_CAUSE, true);
    else
        add_win(c, ROLE_PRAISE, ROLE_PRAISE_CAUSE);
    if (q->sacrifice) {
        Claim *claim = claim_add(c->out, CLAIM_SACRIFICE, ROLE_PRAISE, CONFIRMED);
        if (claim) {
            claim_put(claim, move_to(q->move), pos_piece_on(&c->before, move_from(q->move)));
            set_line(claim, &c->better, c->better.length, true);
        }
    }
    if (q->only) {
        Claim *claim = claim_add(c->out, CLAIM_ONLY, ROLE_PRAISE, CONFIRMED);
        if (claim)
            set_line(claim, &c->better, c->better.length, true);
    }
}

static Side side_of(const Position *start, const ReviewLine *line, int skip)
{
    Side side = {.start = *start};
    for (int i = skip; i < line->length; i++)
        side.moves[side.length++] = line->steps[i].move;
    return side;
}

/* Claims about one move, each with its line and how sure it is; nothing is put into words here. */
void explain(const Question *q, ClaimList *out)
{
    Case c = {.q = q, .out = out};
    out->count = 0;
    line_board(q->position, &c.before);
    c.mover = c.before.turn;
    c.other = color_flip(c.mover);
    c.base = material_balance(&c.before, c.mover);
    c.after = c.before;
    play(&c.after, q->move);
    c.reply = side_of(&c.after, q->played_line, 1);
    c.better = side_of(&c.before, q->fault ? q->best_line : q->played_line, 0);
    if (c.better.length == 0)
        return;
    if (q->fault)
        explain_fault(&c);
    else
        explain_merit(&c);
}
