// SPDX-License-Identifier: GPL-3.0-or-later
/* version.c -- who we are. */
#include "samara.h"

#include "base/build.h"

const char *samara_version(void) { return SAMARA_VERSION; }

const char *samara_build(void) { return build_description(); }
