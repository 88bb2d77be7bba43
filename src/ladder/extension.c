// SPDX-License-Identifier: GPL-3.0-or-later
/* extension.c -- a check leaves few answers and often decides: search one ply deeper after it. So
 * that a long series of checks does not go on for ever, a line is given only so many. */
#include "ladder/search.h"

enum { MAX_CHECK_EXTENSIONS = 3 };

/* For a move that gives check. */
int check_extension(const Search *s, const Node *n)
{
    return uses(s, CHECK_EXTENSION) && s->extensions[n->ply] < MAX_CHECK_EXTENSIONS ? 1 : 0;
}
