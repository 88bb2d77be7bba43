// SPDX-License-Identifier: GPL-3.0-or-later
/* checker -- doubts claims of every kind. It shares no code with src/review. Mates are looked for by
 * the engine with many nodes; proved material by a plain alpha-beta search of its own, in which both
 * sides may play every move, and where that ends without an answer a deep engine search must agree;
 * pictures by geometry and brute force (doubt_motif.c); what was only confirmed or compared by engine
 * searches with 20 times the nodes.
 *
 * usage: checker [NODES]   nodes that the claims were made with
 * Standard input: a claim per line, fields by tabs: FEN before the move, the move, the best move, kind,
 * role, certainty, pawns, moves to mate, "before" or "after", ply, squares, line. Standard output: the
 * verdict (proved, upheld, false, unread) before each line. */
#include "doubt.h"

#include "classical/classical.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 12, NODES = 400000, MATE_NODES = 2000000, MOST_DEPTH = 7 };

const int value_of[7] = {1, 3, 3, 5, 9, 0, 0};

/* --- material --- */

int balance(const Position *p, Color c)
{
    int sum = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        sum += value_of[t] *
               (bb_count(pos_pieces(p, c, t)) - bb_count(pos_pieces(p, color_flip(c), t)));
    return sum;
}

/* Captures only, and nobody must take. In check every move counts. */
static int quiesce(Doubt *d, Position *p, int alpha, int beta, int depth)
{
    const bool check = pos_in_check(p);
    const int now = balance(p, p->turn);
    if (++d->nodes > d->limit || depth == 0)
        return now;
    if (!check && now >= beta)
        return now;
    int best = check ? -100 : now;
    alpha = best > alpha ? best : alpha;
    MoveList list = {0};
    if (check)
        gen_legal(p, &list);
    else
        gen_noisy(p, &list);
    for (int i = 0; i < list.count && alpha < beta; i++) {
        Undo undo;
        pos_make(p, list.moves[i], &undo, NULL);
        const int value = -quiesce(d, p, -beta, -alpha, depth - 1);
        pos_unmake(p, list.moves[i], &undo);
        best = value > best ? value : best;
        alpha = best > alpha ? best : alpha;
    }
    return best;
}

int material_search(Doubt *d, Position *p, int alpha, int beta, int depth)
{
    if (depth == 0)
        return quiesce(d, p, alpha, beta, 8);
    if (++d->nodes > d->limit)
        return 0;
    MoveList list;
    gen_legal(p, &list);
    if (list.count == 0)
        return pos_in_check(p) ? -100 : 0;
    int best = -200;
    for (int noisy = 1; noisy >= 0; noisy--)
        for (int i = 0; i < list.count && alpha < beta; i++) {
            if (pos_is_noisy(p, list.moves[i]) != (noisy == 1))
                continue;
            Undo undo;
            pos_make(p, list.moves[i], &undo, NULL);
            const int value = -material_search(d, p, -beta, -alpha, depth - 1);
            pos_unmake(p, list.moves[i], &undo);
            best = value > best ? value : best;
            alpha = best > alpha ? best : alpha;
        }
    return best;
}

bool gains(Doubt *d, const Position *start, int goal)
{
    for (int depth = 1; depth <= MOST_DEPTH; depth++) {
        Position p = *start;
        d->nodes = 0;
        const int value = material_search(d, &p, goal - 1, goal, depth);
        if (d->nodes > d->limit)
            return false;
        if (value >= goal && depth > 1)
            return true;
    }
    return false;
}

int exchange(const Position *p, Square s)
{
    int best = 0;
    MoveList list;
    gen_legal(p, &list);
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        if (move_to(m) != s || pos_captured(p, m) == NO_PIECE)
            continue;
        Position next = *p;
        Undo undo;
        pos_make(&next, m, &undo, NULL);
        const int queened = move_kind(m) == PROMOTION ? value_of[move_promotion(m)] - 1 : 0;
        const int value = value_of[piece_type(pos_captured(p, m))] + queened - exchange(&next, s);
        best = value > best ? value : best;
    }
    return best;
}

/* --- engine searches --- */

static int centipawns(SamaraScore s)
{
    if (!s.is_mate)
        return s.value;
    return s.value > 0 ? 10000 : -10000;
}

static double chances(int cp)
{
    const int capped = cp > 1000 ? 1000 : cp < -1000 ? -1000 : cp;
    return 100 / (1 + exp(-0.00368208 * capped));
}

/* Searches the position with many nodes; `only`: this move alone, or all but it. */
static bool deep_search(Doubt *d, const char *fen, uint64_t nodes, int mate, const char *only,
                        bool but, SamaraResult *out)
{
    SamaraMove moves[SAMARA_MAX_MOVES], move;
    size_t count = 0;
    if (!samara_position_set(d->position, fen, false, NULL, 0, NULL))
        return false;
    if (only && !samara_position_read_move(d->position, only, &move, NULL))
        return false;
    if (only && but) {
        count = samara_position_moves(d->position, moves, SAMARA_MAX_MOVES);
        for (size_t i = 0; i < count; i++)
            if (moves[i].code == move.code) {
                moves[i] = moves[--count];
                break;
            }
    } else if (only) {
        moves[count++] = move;
    }
    const SamaraRequest request = {.position = d->position,
                                   .limits = {.nodes = nodes, .mate = mate},
                                   .lines = 1,
                                   .moves = moves,
                                   .move_count = count,
                                   .fresh = true};
    *out = (SamaraResult){0};
    return samara_search(d->engine, &request, NULL, out, NULL);
}

static SamaraScore deep_score(Doubt *d, const Position *p, int mate)
{
    char fen[FEN_SIZE];
    SamaraResult result;
    fen_write(p, fen);
    return deep_search(d, fen, MATE_NODES, mate, NULL, false, &result) ? result.score
                                                                       : (SamaraScore){0};
}

/* Centipawns between the best move and the one played, each searched alone. */
static int fault_size(Doubt *d, const Claimed *c)
{
    SamaraResult best, played;
    if (!deep_search(d, c->fen, d->deep, 0, c->best, false, &best) ||
        !deep_search(d, c->fen, d->deep, 0, c->move, false, &played))
        return 0;
    return centipawns(best.score) - centipawns(played.score);
}

/* --- kinds --- */

static const char *doubt_mate(Doubt *d, const Position *p, int moves)
{
    const SamaraScore score = deep_score(d, p, moves);
    return score.is_mate && score.value > 0 && score.value <= moves ? "proved" : "false";
}

/* The side to move at the line's start wins so much. */
static const char *doubt_material(Doubt *d, const Claimed *c)
{
    const Position *p = &c->boards[0];
    const int base = balance(&c->before, p->turn);
    if (strcmp(c->certainty, "confirmed") == 0) {
        const int reached = balance(&c->boards[c->length], p->turn) - base;
        return reached == c->number && fault_size(d, c) >= 30 ? "upheld" : "false";
    }
    if (gains(d, p, base + c->number))
        return "proved";
    const int score = centipawns(deep_score(d, p, 0));
    return score >= 100 * base / 2 + 50 * c->number - 100 ? "upheld" : "false";
}

/* Passing before the move shows whether the same was threatened. */
static const char *doubt_threat(Doubt *d, const Claimed *c)
{
    Position p = c->before;
    Undo undo;
    if (pos_in_check(&p))
        return "false";
    pos_make_null(&p, &undo);
    if (c->mate > 0)
        return doubt_mate(d, &p, c->mate);
    const int goal = balance(&c->before, p.turn) + c->number;
    if (gains(d, &p, goal))
        return "proved";
    const int score = centipawns(deep_score(d, &p, 0));
    return score >= 50 * goal - 100 ? "upheld" : "false";
}

static const char *doubt_draw(Doubt *d, const Claimed *c)
{
    const Position *end = &c->boards[c->length];
    if (strcmp(c->kind, "stalemate") == 0)
        return !pos_in_check(end) && !pos_has_legal_move(end) ? "proved" : "false";
    return abs(centipawns(deep_score(d, &c->boards[0], 0))) <= 60 ? "upheld" : "false";
}

static const char *doubt_only(Doubt *d, const Claimed *c)
{
    SamaraResult mine, others;
    if (!deep_search(d, c->fen, d->deep, 0, c->move, false, &mine) ||
        !deep_search(d, c->fen, d->deep, 0, c->move, true, &others))
        return "unread";
    return chances(centipawns(mine.score)) - chances(centipawns(others.score)) >= 5 ? "upheld"
                                                                                    : "false";
}

/* --- terms --- */

static const struct {
    const char *kind;
    ClassicalTerm terms[5];
    int count;
} groups[] = {
    {"king_safety", {TERM_KING_SAFETY}, 1},
    {"passed_pawn", {TERM_PASSED}, 1},
    {"pawn_structure", {TERM_PAWNS}, 1},
    {"activity", {TERM_KNIGHTS, TERM_BISHOPS, TERM_ROOKS, TERM_QUEENS, TERM_MOBILITY}, 5},
    {"centre", {TERM_CENTRE, TERM_SPACE}, 2},
};

/* The mover's credit of a group, averaged over the quiet positions of the last half of a line. */
static double term_at_end(const Claimed *c, const SamaraLine *line, int group)
{
    Position p = c->before;
    double sum = 0;
    int count = 0;
    for (int i = 0; i < line->length; i++) {
        Undo undo;
        const Move m = move_from_uci(&p, str_from(line->moves[i].uci));
        if (m == MOVE_NONE)
            break;
        pos_make(&p, m, &undo, NULL);
        if (i < 3 || pos_in_check(&p))
            continue;
        ClassicalTrace t;
        classical_trace(&p, &t);
        for (int k = 0; k < groups[group].count; k++)
            for (int side = 0; side < 2; side++) {
                const ClassicalTerm term = groups[group].terms[k];
                const double value =
                    (t.term[term][side].mg * t.phase + t.term[term][side].eg * (24 - t.phase)) /
                    24.0;
                sum += side == (int)c->before.turn ? value : -value;
            }
        count++;
    }
    return count > 0 ? sum / count : 0;
}

/* With 20 times the nodes the better move still has more of it. NULL: no such group. */
static const char *doubt_term(Doubt *d, const Claimed *c)
{
    for (int i = 0; i < (int)(sizeof groups / sizeof *groups); i++) {
        SamaraResult best, played;
        if (strcmp(c->kind, groups[i].kind) != 0)
            continue;
        if (!deep_search(d, c->fen, d->deep, 0, c->best, false, &best) || best.line_count == 0)
            return "unread";
        const double good = term_at_end(c, &best.lines[0], i);
        if (!deep_search(d, c->fen, d->deep, 0, c->move, false, &played) || played.line_count == 0)
            return "unread";
        return good > term_at_end(c, &played.lines[0], i) ? "upheld" : "false";
    }
    return NULL;
}

static const char *doubt(Doubt *d, const Claimed *c)
{
    if (strcmp(c->kind, "mate") == 0)
        return doubt_mate(d, &c->boards[0], c->mate);
    if (strcmp(c->kind, "material") == 0)
        return doubt_material(d, c);
    if (strcmp(c->kind, "material_difference") == 0)
        return fault_size(d, c) >= 30 ? "upheld" : "false";
    if (strcmp(c->kind, "threat") == 0)
        return doubt_threat(d, c);
    if (strcmp(c->kind, "stalemate") == 0 || strcmp(c->kind, "perpetual_check") == 0)
        return doubt_draw(d, c);
    if (strcmp(c->kind, "only_move") == 0 || strcmp(c->kind, "sacrifice") == 0)
        return doubt_only(d, c);
    const char *verdict = doubt_motif(d, c);
    return verdict ? verdict : doubt_term(d, c);
}

/* --- input --- */

/* Replays everything; a line that is not legal makes the claim false by itself. */
static bool replay(Claimed *c, char *squares, char *line)
{
    c->count = c->length = 0;
    for (char *w = strtok(squares, " "); w && c->count < MOST_SQUARES; w = strtok(NULL, " "))
        c->squares[c->count++] = (Square)((w[0] - 'a') + 8 * (w[1] - '1'));
    if (!fen_parse(&c->before, str_from(c->fen), FEN_STANDARD, NULL, NULL))
        return false;
    c->boards[0] = c->before;
    Undo undo;
    const Move m = move_from_uci(&c->before, str_from(c->move));
    if (m == MOVE_NONE)
        return false;
    if (!c->from_before)
        pos_make(&c->boards[0], m, &undo, NULL);
    for (char *w = strtok(line, " "); w && c->length < MOST_LINE; w = strtok(NULL, " ")) {
        const Move step = move_from_uci(&c->boards[c->length], str_from(w));
        if (step == MOVE_NONE)
            return false;
        c->line[c->length] = step;
        c->boards[c->length + 1] = c->boards[c->length];
        pos_make(&c->boards[++c->length], step, &undo, NULL);
    }
    return true;
}

int main(int argc, char **argv)
{
    static char line[8192], copy[8192];
    static Claimed c;
    Doubt d = {.engine = samara_new(&(SamaraConfig){.hash_mb = 32}, NULL),
               .position = samara_position_new(),
               .limit = NODES,
               .deep = 20 * (argc > 1 ? strtoull(argv[1], NULL, 10) : 50000)};
    attacks_init();
    classical_init();
    if (!d.engine || !d.position)
        return 2;
    while (fgets(line, sizeof line, stdin)) {
        char *field[FIELDS], *rest = copy;
        int count = 0;
        line[strcspn(line, "\n")] = '\0';
        memcpy(copy, line, sizeof copy);
        for (; count < FIELDS && rest; count++) {
            field[count] = rest;
            rest = strchr(rest, '\t');
            if (rest)
                *rest++ = '\0';
        }
        if (count < FIELDS)
            continue;
        c = (Claimed){.fen = field[0],
                      .kind = field[3],
                      .role = field[4],
                      .certainty = field[5],
                      .number = atoi(field[6]),
                      .mate = atoi(field[7]),
                      .from_before = strcmp(field[8], "before") == 0,
                      .ply = atoi(field[9])};
        snprintf(c.move, sizeof c.move, "%s", field[1]);
        snprintf(c.best, sizeof c.best, "%s", field[2]);
        const char *verdict = replay(&c, field[10], field[11]) ? doubt(&d, &c) : "false";
        printf("%s\t%s\n", verdict ? verdict : "unread", line);
        fflush(stdout);
    }
    samara_free(d.engine);
    samara_position_free(d.position);
    return 0;
}
