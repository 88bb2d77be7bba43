// SPDX-License-Identifier: GPL-3.0-or-later
/* endings MEN DEPTH COUNT PERCENT: random won positions of an ending, such as KBNvK, are played out by the
 * engine against itself at a fixed depth, each move from a clean slate. White has the first men
 * and the move. Fails below PERCENT that end in mate within fifty moves. */
#include "base/rng.h"
#include "base/text.h"
#include "chess/fen.h"
#include "classical/classical.h"
#include "classical/endgame.h"
#include "nnue/net.h"
#include "search/pool.h"
#include "search/tt.h"
#include <stdio.h>
#include <string.h>

enum { MOST_MEN = 8, MAX_PLIES = 99 }; /* White's fiftieth move is ply 99 */

typedef struct Ending {
    int count;
    Piece men[MOST_MEN];
} Ending;

static bool parse_ending(const char *text, Ending *ending)
{
    static const char letters[] = "PNBRQK";
    Color color = WHITE;
    ending->count = 0;
    for (; *text; text++) {
        const char *letter = strchr(letters, *text);
        if (*text == 'v')
            color = BLACK;
        else if (!letter || ending->count == MOST_MEN)
            return false;
        else
            ending->men[ending->count++] =
                piece_make(color, (PieceType)(PAWN + (letter - letters)));
    }
    return color == BLACK;
}

/* Of the positions in which Black can take nothing at once: two bishops must be of both colours, and
 * a pawn must win by the rule of king and pawn. */
static bool is_won(const Position *p)
{
    const Bitboard white = pos_color(p, WHITE), bishops = pos_pieces(p, WHITE, BISHOP);
    const Bitboard pawns = pos_pieces(p, WHITE, PAWN);
    for (Bitboard b = white & ~pos_pieces(p, WHITE, KING); b;)
        if (pos_attacked(p, bb_pop(&b), BLACK, pos_occupied(p)))
            return false;
    if (bb_several(bishops) && (!(bishops & DARK_SQUARES) || !(bishops & ~DARK_SQUARES)))
        return false;
    return !pawns ||
           kpk_is_win(WHITE, pos_king(p, WHITE), bb_first(pawns), pos_king(p, BLACK), WHITE);
}

static Position random_position(Rng *rng, const Ending *ending)
{
    for (;;) {
        Position p;
        pos_clear(&p);
        bool ok = true;
        for (int i = 0; i < ending->count && ok; i++) {
            const Square s = (Square)rng_below(rng, 64);
            const int rank = square_rank(s);
            ok = p.board[s] == NO_PIECE &&
                 (piece_type(ending->men[i]) != PAWN || (rank > 0 && rank < 7));
            if (ok)
                pos_put(&p, ending->men[i], s);
        }
        if (!ok)
            continue;
        pos_finish(&p);
        if (!pos_in_check(&p) && !pos_attacked(&p, pos_king(&p, BLACK), WHITE, pos_occupied(&p)) &&
            is_won(&p))
            return p;
    }
}

/* The number of White's moves until mate, or 0 if it is not mated in time. */
static int play_out(Pool *pool, TTable *tt, Position p, int depth)
{
    Key keys[MAX_PLIES + 1];
    for (int ply = 0; ply < MAX_PLIES; ply++) {
        SearchSetup setup = {.root = &p,
                             .keys = keys,
                             .key_count = ply,
                             .net = net_embedded(),
                             .multipv = 1,
                             .limits.depth = depth};
        SearchResult result;
        Undo undo;
        tt_clear(tt, 1);
        pool_clear(pool);
        pool_run(pool, tt, &setup, &result);
        keys[ply] = p.st.key;
        pos_make(&p, result.best, &undo, NULL);
        if (!pos_has_legal_move(&p))
            return pos_in_check(&p) && p.turn == BLACK ? (ply + 2) / 2 : 0;
        if (pos_insufficient_material(&p) || pos_repetitions(&p, keys, ply + 1) >= 2)
            return 0;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int64_t depth, count, percent;
    Ending ending;
    if (argc != 5 || !parse_ending(argv[1], &ending) ||
        !str_int(str_from(argv[2]), 1, 100, &depth) ||
        !str_int(str_from(argv[3]), 1, 1000000, &count) ||
        !str_int(str_from(argv[4]), 0, 100, &percent)) {
        fprintf(stderr, "usage: endings MEN DEPTH COUNT PERCENT\n");
        return 2;
    }
    classical_init();
    TTable *tt = tt_create(1, NULL);
    Pool *pool = pool_create(1, NULL);
    if (!tt || !pool)
        return 2;

    Rng rng;
    rng_seed(&rng, 18);
    int won = 0, longest = 0;
    for (int i = 0; i < count; i++) {
        const Position p = random_position(&rng, &ending);
        const int moves = play_out(pool, tt, p, (int)depth);
        char fen[FEN_SIZE];
        fen_write(&p, fen);
        won += moves > 0;
        longest = moves > longest ? moves : longest;
        if (moves == 0)
            printf("not mated: %s\n", fen);
    }
    printf("%s at depth %d: %d of %d mated, the longest in %d moves\n", argv[1], (int)depth, won,
           (int)count, longest);
    pool_destroy(pool);
    tt_destroy(tt);
    return won * 100 < count * percent;
}
