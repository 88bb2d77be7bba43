// SPDX-License-Identifier: GPL-3.0-or-later
/* params.h -- the numbers of the search. In a normal build each is a constant; a build with
 * SAMARA_TUNE makes them variables that a tuner sets by name while no search runs. */
#ifndef SAMARA_SEARCH_PARAMS_H
#define SAMARA_SEARCH_PARAMS_H

#include <stdbool.h>

#ifdef SAMARA_TUNE
#define PARAM(name, value, min, max, step) extern int name;
#else
#define PARAM(name, value, min, max, step) enum { name = (value) };
#endif
#include "search/params.def"
#undef PARAM

typedef struct ParamInfo {
    const char *name;
    int value; /* default */
    int min, max;
    double step; /* a sensible perturbation for a tuner */
} ParamInfo;

/* The list is the same in every build; setting works in a tune build only. */
const ParamInfo *param_at(int index); /* NULL behind the last */
int param_get(int index);
bool param_set(const char *name, int value); /* false: unknown, out of range, or constants */
bool params_tunable(void);

#endif
