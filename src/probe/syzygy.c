// SPDX-License-Identifier: GPL-3.0-or-later
/* The library keeps its tables in globals, must not be freed and opened again, and probes the root
 * with static buffers: hence one path per process, and a lock around everything but the plain
 * win-draw-loss probe. */
#include "probe/syzygy.h"

#ifdef SAMARA_FATHOM

#include "base/thread.h"
#include <string.h>
#include <tbprobe.h>

enum { PATH_SIZE = 4096 };

static Mutex lock = PTHREAD_MUTEX_INITIALIZER;
static char opened[PATH_SIZE]; /* guarded by lock; "" until tables were opened */
static AtomicI32 largest;      /* men in the tables found */

bool syzygy_available(void) { return true; }

int syzygy_men(void) { return relaxed_load(&largest); }

/* The lock is held. */
static bool open_path(const char *path, Error *err)
{
    if (strlen(path) >= sizeof opened)
        return error_set(err, "the tablebase path is longer than %d characters", PATH_SIZE - 1);
    if (strcmp(path, opened) == 0)
        return true;
    if (opened[0])
        return error_set(err, "tablebases are open already; another path needs a restart");
    strcpy(opened, path);
    if (!tb_init(path))
        return error_set(err, "the tablebases could not be opened");
    relaxed_store(&largest, (int)TB_LARGEST);
    return TB_LARGEST > 0 || error_set(err, "no tablebases were found at '%.200s'", path);
}

bool syzygy_open(const char *path, Error *err)
{
    if (!path || !path[0] || strcmp(path, "<empty>") == 0)
        return true;
    mutex_lock(&lock);
    const bool ok = open_path(path, err);
    mutex_unlock(&lock);
    return ok;
}

/* Pawns on the first or last rank, which only a person can put there, would run past the library's
 * tables. */
static bool can_ask(const Position *p)
{
    return p->st.castling == 0 && bb_count(pos_occupied(p)) <= syzygy_men() &&
           !(p->by_type[PAWN] & (RANK_1 | RANK_8));
}

static unsigned ep_of(const Position *p) { return p->st.ep == NO_SQUARE ? 0 : p->st.ep; }

bool syzygy_wdl(const Position *p, Wdl *out)
{
    if (p->st.rule50 != 0 || !can_ask(p))
        return false;
    const unsigned found =
        tb_probe_wdl(p->by_color[WHITE], p->by_color[BLACK], p->by_type[KING], p->by_type[QUEEN],
                     p->by_type[ROOK], p->by_type[BISHOP], p->by_type[KNIGHT], p->by_type[PAWN], 0,
                     0, ep_of(p), p->turn == WHITE);
    if (found == TB_RESULT_FAILED)
        return false;
    *out = (Wdl)((int)found - TB_DRAW);
    return true;
}

static bool same_move(Move m, TbMove found)
{
    static const PieceType promoted[] = {NO_PIECE_TYPE, QUEEN, ROOK, BISHOP, KNIGHT};
    const PieceType piece = move_kind(m) == PROMOTION ? move_promotion(m) : NO_PIECE_TYPE;
    return move_from(m) == TB_MOVE_FROM(found) && move_to(m) == TB_MOVE_TO(found) &&
           TB_MOVE_PROMOTES(found) < 5 && piece == promoted[TB_MOVE_PROMOTES(found)];
}

/* The library ranks root moves: +-1000 for certain, nearer to zero where the fifty-move rule
 * threatens. */
static Wdl wdl_of_rank(int rank, bool rule50)
{
    const int certain = rule50 ? 900 : 1;
    if (rank >= certain)
        return WDL_WIN;
    if (rank > 0)
        return WDL_CURSED_WIN;
    if (rank == 0)
        return WDL_DRAW;
    return rank > -certain ? WDL_BLESSED_LOSS : WDL_LOSS;
}

/* The lock is held. */
static bool rank_moves(const Position *p, bool rule50, bool repeated, struct TbRootMoves *found)
{
    const unsigned clock = p->st.rule50;
    const bool white = p->turn == WHITE;
    found->size = 0;
    return tb_probe_root_dtz(p->by_color[WHITE], p->by_color[BLACK], p->by_type[KING],
                             p->by_type[QUEEN], p->by_type[ROOK], p->by_type[BISHOP],
                             p->by_type[KNIGHT], p->by_type[PAWN], clock, 0, ep_of(p), white,
                             repeated, rule50, found) ||
           tb_probe_root_wdl(p->by_color[WHITE], p->by_color[BLACK], p->by_type[KING],
                             p->by_type[QUEEN], p->by_type[ROOK], p->by_type[BISHOP],
                             p->by_type[KNIGHT], p->by_type[PAWN], clock, 0, ep_of(p), white,
                             rule50, found);
}

/* The lock is held. */
static int distance_to_zeroing(const Position *p)
{
    const unsigned found =
        tb_probe_root(p->by_color[WHITE], p->by_color[BLACK], p->by_type[KING], p->by_type[QUEEN],
                      p->by_type[ROOK], p->by_type[BISHOP], p->by_type[KNIGHT], p->by_type[PAWN],
                      p->st.rule50, 0, ep_of(p), p->turn == WHITE, NULL);
    return found == TB_RESULT_FAILED ? 0 : (int)TB_GET_DTZ(found);
}

bool syzygy_root(const Position *p, bool rule50, bool repeated, Wdl *wdl, int *dtz, MoveList *keep)
{
    MoveList legal;
    gen_legal(p, &legal);
    keep->count = 0;
    if (legal.count == 0 || legal.count >= TB_MAX_MOVES || !can_ask(p))
        return false;

    struct TbRootMoves found;
    mutex_lock(&lock);
    const bool ok = rank_moves(p, rule50, repeated, &found);
    if (ok)
        *dtz = distance_to_zeroing(p);
    mutex_unlock(&lock);
    if (!ok || found.size == 0)
        return false;

    int best = found.moves[0].tbRank;
    for (unsigned i = 1; i < found.size; i++)
        if (found.moves[i].tbRank > best)
            best = found.moves[i].tbRank;
    *wdl = wdl_of_rank(best, rule50);
    for (unsigned i = 0; i < found.size; i++)
        for (int k = 0; k < legal.count; k++)
            if (found.moves[i].tbRank == best && same_move(legal.moves[k], found.moves[i].move))
                keep->moves[keep->count++] = legal.moves[k];
    return keep->count > 0;
}

#else

bool syzygy_available(void) { return false; }

bool syzygy_open(const char *path, Error *err)
{
    if (!path || !path[0])
        return true;
    return error_set(err, "this build has no tablebases: libfathom was missing");
}

int syzygy_men(void) { return 0; }

bool syzygy_wdl(const Position *p, Wdl *out)
{
    (void)p;
    (void)out;
    return false;
}

bool syzygy_root(const Position *p, bool rule50, bool repeated, Wdl *wdl, int *dtz, MoveList *keep)
{
    (void)p;
    (void)rule50;
    (void)repeated;
    (void)wdl;
    (void)dtz;
    keep->count = 0;
    return false;
}

#endif
