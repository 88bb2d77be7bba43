// SPDX-License-Identifier: GPL-3.0-or-later
/* version.c -- who we are. */
#include "samara.h"

#include "base/build.h"
#include "base/thread.h"
#include "chess/attacks.h"
#include "nnue/kernels.h"

#include <stdio.h>

const char *samara_version(void) { return SAMARA_VERSION; }

/* Written once: the build is a constant, and so is what this processor gets. */
static char build[400];

static void describe(void)
{
    attacks_init();
    const char *note = kernels_note();
    snprintf(build, sizeof build, "%s, sliders by %s, kernels %s%s%s%s", build_description(),
             attacks_use_pext() ? "PEXT" : "magic", kernels_name(), note ? " (" : "",
             note ? note : "", note ? ")" : "");
}

const char *samara_build(void)
{
    static Once once = ONCE_INIT;
    thread_once(&once, describe);
    return build;
}
