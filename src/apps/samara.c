// SPDX-License-Identifier: GPL-3.0-or-later
/* samara -- the engine as a program. */
#include "front/cli.h"

int main(int argc, char **argv)
{
    static const CliCommand more[] = {{0}};
    return cli_main(argc, argv, more);
}
