// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/params.h"

#include <string.h>

#ifdef SAMARA_TUNE
#define PARAM(name, value, min, max, step) int name = (value);
#include "search/params.def"
#undef PARAM
#endif

static const ParamInfo infos[] = {
#define PARAM(name, value, min, max, step) {#name, value, min, max, step},
#include "search/params.def"
#undef PARAM
};
enum { PARAM_COUNT = sizeof infos / sizeof *infos };

const ParamInfo *param_at(int index)
{
    return index >= 0 && index < PARAM_COUNT ? &infos[index] : NULL;
}

#ifdef SAMARA_TUNE

static int *const variables[PARAM_COUNT] = {
#define PARAM(name, value, min, max, step) &name,
#include "search/params.def"
#undef PARAM
};

int param_get(int index) { return *variables[index]; }

bool param_set(const char *name, int value)
{
    for (int i = 0; i < PARAM_COUNT; i++)
        if (strcmp(infos[i].name, name) == 0 && value >= infos[i].min && value <= infos[i].max) {
            *variables[i] = value;
            return true;
        }
    return false;
}

bool params_tunable(void) { return true; }

#else

int param_get(int index) { return infos[index].value; }

bool param_set(const char *name, int value)
{
    (void)name;
    (void)value;
    return false;
}

bool params_tunable(void) { return false; }

#endif
