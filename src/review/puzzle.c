// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/puzzle.h"

#include "chess/movegen.h"
#include "chess/pgn.h"
#include "chess/see.h"
#include "review/report.h"
#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_SOLVER_MOVES = 5,
    FAR = 4, /* squares */
};
static const double due_points = 10;   /* lost by the move played */
static const double alone_points = 15; /* between the solution and the next best move */
static const double search_share = 1;

/* --- which moves --- */

bool puzzle_is_due(const Verdict *v)
{
    const int mate = worth_mate_in(v->best);
    const bool missed = judge_misses_mate(v->best, v->played) && mate >= 1 && mate <= 3;
    return v->known && v->judgement != JUDGED_FINE && (v->loss >= due_points || missed);
}

/* --- the solution --- */

/* All legal moves but this one. */
static size_t others(const SamaraPosition *position, Move move, SamaraMove *out)
{
    size_t count = samara_position_moves(position, out, SAMARA_MAX_MOVES);
    for (size_t i = 0; i < count; i++)
        if (out[i].code == move) {
            out[i] = out[--count];
            break;
        }
    return count;
}

/* Whether this move of the solver is the only good one. `worth` is what it keeps. A second mate is
 * as good as the first. */
static bool is_alone(Study *study, const SamaraPosition *position, Move move, Worth worth,
                     bool *alone)
{
    SamaraMove rest[SAMARA_MAX_MOVES];
    Found second;
    const size_t count = others(position, move, rest);
    *alone = true;
    if (count == 0)
        return true;
    if (!study_search(study, position, search_share, rest, count, true, &second))
        return false;
    *alone = !worth_wins(second.worth) &&
             judge_win_percent(worth) - judge_win_percent(second.worth) >= alone_points;
    return true;
}

static bool play(SamaraPosition *position, const ReviewStep *step)
{
    return samara_position_play_text(position, step->uci, NULL);
}

/* The reply and the solver's next move, if there is one that stands alone. False: stopped. */
static bool extend(Study *study, SamaraPosition *position, ReviewLine *solution, bool *longer)
{
    Found reply, next;
    *longer = false;
    if (samara_position_moves(position, NULL, 0) == 0)
        return true;
    if (!study_search(study, position, search_share, NULL, 0, true, &reply))
        return false;
    if (!play(position, &reply.line.steps[0]) || samara_position_moves(position, NULL, 0) < 2 ||
        samara_position_repetitions(position) > 1)
        return true;
    if (!study_search(study, position, search_share, NULL, 0, true, &next))
        return false;
    bool alone;
    if (!is_alone(study, position, next.line.steps[0].move, next.worth, &alone))
        return false;
    if (!alone || judge_win_percent(next.worth) < 60)
        return true;
    solution->steps[solution->length++] = reply.line.steps[0];
    solution->steps[solution->length++] = next.line.steps[0];
    *longer = true;
    return play(position, &next.line.steps[0]);
}

/* Follows the solution as long as each move of the solver is the only one. */
static bool solve(Study *study, const SamaraPosition *start, const Verdict *v, Puzzle *out)
{
    SamaraPosition *position = samara_position_copy(start);
    out->solution = (ReviewLine){.length = 1, .steps = {v->best_line.steps[0]}};
    bool ok = position && is_alone(study, start, out->solution.steps[0].move, v->best, &out->exact);
    bool longer = ok && out->exact && play(position, &out->solution.steps[0]);
    while (ok && longer && out->solution.length / 2 + 1 < MOST_SOLVER_MOVES)
        ok = extend(study, position, &out->solution, &longer);
    samara_position_free(position);
    return ok;
}

/* --- how hard --- */

static int at_most(int value, int most) { return value < most ? value : most; }

/* What the solver sees before the first move: what it is, and what else tempts him. */
static void look_at_first(const Position *p, Move first, PuzzleFeatures *out)
{
    MoveList list;
    CheckInfo info;
    const Square from = move_from(first), to = move_to(first);
    const PieceType type = piece_type(pos_piece_on(p, from));
    gen_legal(p, &list);
    pos_check_info(p, &info);
    out->check = pos_gives_check(p, &info, first);
    out->sacrifice = !see_at_least(p, first, -see_value[PAWN]);
    out->promotion = move_kind(first) == PROMOTION;
    out->minor = type == KNIGHT || type == BISHOP;
    out->far = abs(square_rank(to) - square_rank(from)) >= FAR ||
               abs(square_file(to) - square_file(from)) >= FAR;
    out->legal = list.count;
    out->in_check = pos_in_check(p);
    out->men = bb_count(pos_occupied(p));
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        out->checks += m != first && pos_gives_check(p, &info, m);
        out->captures +=
            m != first && pos_is_noisy(p, m) && see_at_least(p, m, see_value[PAWN] / 2);
    }
}

void puzzle_features(const SamaraPosition *position, const ReviewLine *solution,
                     PuzzleFeatures *out)
{
    Position p;
    line_board(position, &p);
    *out = (PuzzleFeatures){.moves = (solution->length + 1) / 2};
    look_at_first(&p, solution->steps[0].move, out);
    for (int i = 0; i < solution->length; i++) {
        CheckInfo info;
        Undo undo;
        const Move m = solution->steps[i].move;
        pos_check_info(&p, &info);
        out->quiets += i % 2 == 0 && !pos_is_noisy(&p, m) && !pos_gives_check(&p, &info, m);
        pos_make(&p, m, &undo, NULL);
    }
    out->mate = pos_in_check(&p) && !pos_has_legal_move(&p);
}

/* Fitted to the ratings of public puzzles, see docs/EXPLAIN.md. */
int puzzle_rating(const PuzzleFeatures *f)
{
    const int seen = 970 + 4 * at_most(f->legal, 50) + 37 * at_most(f->checks, 6) +
                     38 * at_most(f->captures, 4) + 4 * f->men + 116 * f->in_check;
    const int first =
        66 * f->sacrifice - 111 * f->check - 141 * f->promotion - 57 * f->minor - 44 * f->far;
    const int whole =
        70 * (f->moves - 1) + 21 * f->quiets - 26 * f->mate - 114 * (f->mate && f->moves == 1);
    const int rating = seen + first + whole;
    return rating < 400 ? 400 : rating > 2800 ? 2800 : rating / 10 * 10;
}

/* --- themes --- */

/* Words that a player trains by; the others are no themes. */
static bool is_theme(ClaimKind kind)
{
    switch (kind) {
    case CLAIM_MATE:
    case CLAIM_HANGING:
    case CLAIM_FORK:
    case CLAIM_PIN:
    case CLAIM_SKEWER:
    case CLAIM_DISCOVERED:
    case CLAIM_TRAPPED:
    case CLAIM_REMOVED_DEFENDER:
    case CLAIM_DEFLECTION:
    case CLAIM_OVERLOAD:
    case CLAIM_BACK_RANK:
    case CLAIM_PROMOTION:
    case CLAIM_STALEMATE:
    case CLAIM_PERPETUAL:
    case CLAIM_TABLE:
    case CLAIM_KING_SAFETY:
        return true;
    default:
        return false;
    }
}

static void add_theme(Puzzle *p, ClaimKind kind)
{
    for (int i = 0; i < p->theme_count; i++)
        if (p->themes[i] == kind)
            return;
    if (is_theme(kind) && p->theme_count < PUZZLE_THEMES)
        p->themes[p->theme_count++] = kind;
}

/* What the solution does; if it only averts something, what that is. */
static void name_themes(const Verdict *v, Puzzle *p)
{
    for (int round = 0; round < 2 && p->theme_count == 0; round++)
        for (int i = 0; i < v->claims.count; i++) {
            const ClaimRole role = v->claims.claims[i].role;
            const bool better = role == ROLE_BETTER || role == ROLE_BETTER_CAUSE;
            const bool averted = role == ROLE_EFFECT || role == ROLE_CAUSE;
            if (round == 0 ? better : averted)
                add_theme(p, v->claims.claims[i].kind);
        }
}

bool puzzle_make(Study *study, const SamaraPosition *position, const Verdict *v,
                 const Verdict *previous, Puzzle *out)
{
    PuzzleFeatures features;
    *out = (Puzzle){.white = v->white,
                    .move_number = v->move_number,
                    .played = v->move,
                    .gain = v->before - v->after};
    out->kind =
        previous && previous->known && previous->loss >= due_points ? PUZZLE_PUNISH : PUZZLE_RETRY;
    samara_position_fen(position, out->fen);
    name_themes(v, out);
    if (!solve(study, position, v, out))
        return false;
    puzzle_features(position, &out->solution, &features);
    out->rating = puzzle_rating(&features);
    return true;
}

const char *puzzle_kind_name(PuzzleKind kind) { return kind == PUZZLE_PUNISH ? "punish" : "retry"; }

/* --- written down --- */

void puzzle_json(JsonWriter *w, const Puzzle *p)
{
    jw_text(w, "kind", puzzle_kind_name(p->kind));
    jw_bool(w, "exact", p->exact);
    jw_text(w, "fen", p->fen);
    jw_text(w, "played", p->played.uci);
    jw_text(w, "played_san", p->played.san);
    report_line(w, "solution", &p->solution, false);
    report_line(w, "solution_san", &p->solution, true);
    jw_int(w, "rating", p->rating);
    jw_array(w, "themes");
    for (int i = 0; i < p->theme_count; i++)
        jw_text(w, NULL, claim_kind_name(p->themes[i]));
    jw_end_array(w);
    jw_real(w, "gain", p->gain, 1);
}

static void put_themes(const Puzzle *p, Buffer *out)
{
    for (int i = 0; i < p->theme_count; i++)
        buffer_printf(out, "%s%s", i > 0 ? " " : "", claim_kind_name(p->themes[i]));
}

void puzzle_pgn(const Puzzle *p, const char *title, Buffer *out)
{
    Buffer themes = {0};
    put_themes(p, &themes);
    char rating[16];
    snprintf(rating, sizeof rating, "%d", p->rating);
    const char *const tags[][2] = {
        {"Event", title[0] ? title : "Samara puzzle"},
        {"Site", "?"},
        {"Date", "????.??.??"},
        {"Round", "?"},
        {"White", "?"},
        {"Black", "?"},
        {"Result", "*"},
        {"FEN", p->fen},
        {"PuzzleKind", puzzle_kind_name(p->kind)},
        {"PuzzleRating", rating},
        {"PuzzleThemes", buffer_text(&themes)},
        {"SetUp", "1"},
    };
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        pgn_write_tag(out, tags[i][0], tags[i][1]);
    buffer_printf(out, "\n{Played: %s} ", p->played.san);
    line_text(&p->solution, p->solution.length, p->move_number, p->white, out);
    buffer_puts(out, " *\n\n");
    buffer_free(&themes);
}

/* Four fields, then operations: best move, a name, the themes, the whole solution. */
void puzzle_epd(const Puzzle *p, const char *title, Buffer *out)
{
    int blanks = 0;
    for (const char *c = p->fen; *c; c++) {
        blanks += *c == ' ';
        if (blanks == 4)
            break;
        buffer_putc(out, *c);
    }
    buffer_printf(out, " bm %s; ", p->solution.steps[0].san);
    if (title[0]) {
        buffer_puts(out, "id \"");
        for (const char *c = title; *c; c++) /* the standard knows no escapes */
            buffer_putc(out, *c == '"' || (unsigned char)*c < ' ' ? '\'' : *c);
        buffer_puts(out, "\"; ");
    }
    buffer_puts(out, "c0 \"");
    put_themes(p, out);
    buffer_printf(out, "\"; c1 \"rating %d\"; c2 \"", p->rating);
    line_text(&p->solution, p->solution.length, p->move_number, p->white, out);
    buffer_puts(out, "\";\n");
}
