// SPDX-License-Identifier: GPL-3.0-or-later
/* The tables as a build without PEXT makes them, whatever this build is. */
#undef SAMARA_PEXT
#undef SAMARA_MAGIC
#define SAMARA_MAGIC
#include "../../../src/chess/attacks.c"

#include <stdlib.h>

#include "attacks_cases.h"

int main(void) { return run_attack_tests(); }
