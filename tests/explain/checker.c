// SPDX-License-Identifier: GPL-3.0-or-later
/* checker -- doubts claims. It shares no code with src/review: mates are looked for by the engine
 * with many nodes, material by a plain alpha-beta search of its own, in which both sides may play
 * every move; where that ends without an answer, a deep engine search must at least agree that the
 * score moves as the claim says.
 *
 * Standard input: one claim per line, fields by tabs: FEN before the move, the move, kind (mate,
 * material), role (effect, better), number (moves; pawns), line as UCI words. Standard output: the
 * verdict (proved, upheld, false) before each line. */
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "samara.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 6, NODES = 400000, DEEP_NODES = 2000000, MOST_DEPTH = 7 };

static const int value_of[7] = {1, 3, 3, 5, 9, 0, 0};

typedef struct Doubt {
    Samara *engine;
    SamaraPosition *position;
    uint64_t nodes;
} Doubt;

static int balance(const Position *p)
{
    int sum = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        sum += value_of[t] * (bb_count(pos_pieces(p, p->turn, t)) -
                              bb_count(pos_pieces(p, color_flip(p->turn), t)));
    return sum;
}

/* Captures only, and nobody must take. In check every move counts. */
static int quiesce(Doubt *d, Position *p, int alpha, int beta, int depth)
{
    const bool check = pos_in_check(p);
    const int now = balance(p);
    if (++d->nodes > NODES || depth == 0)
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

static int search(Doubt *d, Position *p, int alpha, int beta, int depth)
{
    if (depth == 0)
        return quiesce(d, p, alpha, beta, 8);
    if (++d->nodes > NODES)
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
            const int value = -search(d, p, -beta, -alpha, depth - 1);
            pos_unmake(p, list.moves[i], &undo);
            best = value > best ? value : best;
            alpha = best > alpha ? best : alpha;
        }
    return best;
}

/* Can the side to move reach a balance of `goal`, whatever the other does? */
static bool gains(Doubt *d, const Position *start, int goal)
{
    for (int depth = 1; depth <= MOST_DEPTH; depth++) {
        Position p = *start;
        d->nodes = 0;
        const int value = search(d, &p, goal - 1, goal, depth);
        if (d->nodes > NODES)
            return false;
        if (value >= goal && depth > 1)
            return true;
    }
    return false;
}

/* The engine's score for the side to move, with many nodes. */
static SamaraScore deep_score(Doubt *d, int mate)
{
    const SamaraRequest request = {.position = d->position,
                                   .limits = {.nodes = DEEP_NODES, .mate = mate},
                                   .lines = 1,
                                   .fresh = true};
    SamaraResult result = {0};
    samara_search(d->engine, &request, NULL, &result, NULL);
    return result.score;
}

static const char *doubt(Doubt *d, char *field[FIELDS])
{
    const int number = atoi(field[4]);
    const bool effect = strcmp(field[3], "effect") == 0;
    Position before, p;
    if (!fen_parse(&before, str_from(field[0]), FEN_STANDARD, NULL, NULL) ||
        !samara_position_set(d->position, field[0], false, NULL, 0, NULL))
        return "unread";
    p = before;
    if (effect) {
        const Move m = move_from_uci(&before, str_from(field[1]));
        Undo undo;
        if (m == MOVE_NONE || !samara_position_play_text(d->position, field[1], NULL))
            return "unread";
        pos_make(&p, m, &undo, NULL);
    }
    if (strcmp(field[2], "mate") == 0) {
        const SamaraScore score = deep_score(d, number);
        return score.is_mate && score.value > 0 && score.value <= number ? "proved" : "false";
    }
    const int base = effect ? -balance(&before) : balance(&before);
    if (gains(d, &p, base + number))
        return "proved";
    const SamaraScore score = deep_score(d, 0);
    if (score.is_mate)
        return score.value > 0 ? "upheld" : "false";
    return score.value >= 100 * base / 2 + 50 * number - 100 ? "upheld" : "false";
}

int main(void)
{
    static char line[4096];
    Doubt d = {.engine = samara_new(&(SamaraConfig){.hash_mb = 32}, NULL),
               .position = samara_position_new()};
    attacks_init();
    if (!d.engine || !d.position)
        return 2;
    while (fgets(line, sizeof line, stdin)) {
        char *field[FIELDS], *rest = line;
        int count = 0;
        for (; count < FIELDS && rest; count++) {
            field[count] = rest;
            rest = strchr(rest, '\t');
            if (rest)
                *rest++ = '\0';
        }
        if (count < FIELDS)
            continue;
        field[5][strcspn(field[5], "\n")] = '\0';
        printf("%s\t%s\t%s\t%s\t%s\t%s\t%s\n", doubt(&d, field), field[0], field[1], field[2],
               field[3], field[4], field[5]);
        fflush(stdout);
    }
    samara_free(d.engine);
    samara_position_free(d.position);
    return 0;
}
