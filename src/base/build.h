// SPDX-License-Identifier: GPL-3.0-or-later
/* build.h -- what this program was built by and for. */
#ifndef SAMARA_BASE_BUILD_H
#define SAMARA_BASE_BUILD_H

/* One line, for people and bug reports: "gcc 12.2.0, avx2 bmi2 popcnt, release". */
const char *build_description(void);

#endif
