// SPDX-License-Identifier: GPL-3.0-or-later
#include "ladder/search.h"

#include "base/clock.h"

enum { NODES_PER_LOOK_AT_THE_CLOCK = 1024 };

bool search_stops(Search *s)
{
    s->nodes++;
    if (s->deadline_us > 0 && s->nodes % NODES_PER_LOOK_AT_THE_CLOCK == 0 &&
        clock_cpu_us() >= s->deadline_us)
        s->stopped = true;
    return s->stopped;
}

/* In a game, to come back to a position is a draw, and so are fifty quiet moves. */
bool search_is_draw(const Search *s, int ply)
{
    if (!s->path || ply == 0)
        return false;
    return pos_is_repetition(&s->pos, s->path, s->path_length, ply) || pos_fifty_moves(&s->pos) ||
           pos_insufficient_material(&s->pos);
}

int search_leaf(Search *s) { return leaf_value(s->evaluation, uses(s, PIECE_SQUARES), &s->pos); }

int search_no_move(const Search *s, int ply)
{
    return pos_in_check(&s->pos) ? -MATE_SCORE + ply : 0;
}

static void step(Search *s, int ply, Move m)
{
    if (s->path)
        s->path[s->path_length] = s->pos.st.key;
    s->path_length++;
    s->played[ply] = m;
}

void search_make(Search *s, Move m, int ply, Undo *undo)
{
    step(s, ply, m);
    pos_make(&s->pos, m, undo, NULL);
}

void search_unmake(Search *s, Move m, const Undo *undo)
{
    pos_unmake(&s->pos, m, undo);
    s->path_length--;
}

void search_make_null(Search *s, int ply, Undo *undo)
{
    step(s, ply, MOVE_NULL);
    s->extensions[ply + 1] = s->extensions[ply];
    pos_make_null(&s->pos, undo);
}

void search_unmake_null(Search *s, const Undo *undo)
{
    pos_unmake_null(&s->pos, undo);
    s->path_length--;
}
