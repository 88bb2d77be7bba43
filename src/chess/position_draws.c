// SPDX-License-Identifier: GPL-3.0-or-later
/* position_draws.c -- the draws of the rules: too little material, and repetition. */
#include "chess/position.h"

#include "chess/zobrist.h"

bool pos_insufficient_material(const Position *p)
{
    if (p->by_type[PAWN] | p->by_type[ROOK] | p->by_type[QUEEN])
        return false;
    const Bitboard knights = p->by_type[KNIGHT], bishops = p->by_type[BISHOP];
    if (!bb_several(knights | bishops))
        return true;
    return !knights && (!(bishops & DARK_SQUARES) || !(bishops & ~DARK_SQUARES));
}

/* How far back a repetition can lie. */
static int repetition_reach(const Position *p, int count)
{
    const int reach = p->st.rule50 < p->st.null_plies ? p->st.rule50 : p->st.null_plies;
    return reach < count ? reach : count;
}

int pos_repetitions(const Position *p, const Key *keys, int count)
{
    const int reach = repetition_reach(p, count);
    int found = 0;
    for (int back = 4; back <= reach; back += 2)
        found += keys[count - back] == p->st.key;
    return found;
}

bool pos_is_repetition(const Position *p, const Key *keys, int count, int search_plies)
{
    const int reach = repetition_reach(p, count);
    int found = 0;
    for (int back = 4; back <= reach; back += 2)
        if (keys[count - back] == p->st.key && (back < search_plies || ++found == 2))
            return true;
    return false;
}

/* Did the position of keys[index] occur before, not further back than keys[oldest]? */
static bool occurred_before(const Key *keys, int index, int oldest)
{
    for (int i = index - 4; i >= oldest; i -= 2)
        if (keys[i] == keys[index])
            return true;
    return false;
}

/* Looks each position of an odd distance up in the table of reversible moves (a cuckoo hash of key
 * differences): one move that leads back means that the side to move can at least repeat. */
bool pos_can_repeat(const Position *p, const Key *keys, int count, int search_plies)
{
    const int reach = repetition_reach(p, count);
    const Bitboard occupied = pos_occupied(p);
    for (int back = 3; back <= reach; back += 2) {
        const Key difference = p->st.key ^ keys[count - back];
        int slot = CUCKOO_SLOT_1(difference);
        if (cuckoo_key[slot] != difference) {
            slot = CUCKOO_SLOT_2(difference);
            if (cuckoo_key[slot] != difference)
                continue;
        }
        const Square a = move_from(cuckoo_move[slot]), b = move_to(cuckoo_move[slot]);
        const Square from = p->board[a] != NO_PIECE ? a : b;
        if ((bb_between(a, b) & occupied) || !bb_has(p->by_color[p->turn], from))
            continue;
        if (back < search_plies || occurred_before(keys, count - back, count - reach))
            return true;
    }
    return false;
}
