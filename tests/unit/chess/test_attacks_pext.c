// SPDX-License-Identifier: GPL-3.0-or-later
/* The tables as a build with PEXT makes them, where the compiler may use it. */
#ifdef __BMI2__
#undef SAMARA_PEXT
#undef SAMARA_MAGIC
#define SAMARA_PEXT
#include "../../../src/chess/attacks.c"

#include <stdlib.h>

#include "attacks_cases.h"

int main(void) { return run_attack_tests(); }
#else
int main(void) { return 0; }
#endif
