// SPDX-License-Identifier: GPL-3.0-or-later
/* The tables as a build for all x86 machines makes them: with PEXT where the processor is quick at
 * it, without where the environment says so. Each is a process of its own, since the tables are
 * filled once. */
#undef SAMARA_PEXT
#undef SAMARA_MAGIC
#include "../../../src/chess/attacks.c"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attacks_cases.h"

/* The cases in a child, after it has chosen; 3 if the choice is not the one expected. */
static int run_with(const char *wish, bool pext)
{
    const pid_t child = fork();
    if (child == 0) {
        setenv("SAMARA_PEXT", wish, 1);
        attacks_init();
        exit(attacks_use_pext() == pext ? run_attack_tests() : 3);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}

int main(void)
{
    unsetenv("SAMARA_PEXT");
    const bool quick = cpu_pext_is_quick();
    const int magic = run_with("0", false), chosen = run_with("1", quick);
    printf("PEXT %s here; without: %d, as chosen: %d\n", quick ? "serves" : "does not serve", magic,
           chosen);
    return magic || chosen;
}
