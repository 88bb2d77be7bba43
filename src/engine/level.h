// SPDX-License-Identifier: GPL-3.0-or-later
/* level.h -- playing like a weaker player (placeholder until written below). */
#ifndef SAMARA_ENGINE_LEVEL_H
#define SAMARA_ENGINE_LEVEL_H

enum { LEVEL_MIN_ELO = 500, LEVEL_MAX_ELO = 3000 };
#define LEVEL_DEFAULT_TEXT "1500"

#endif
