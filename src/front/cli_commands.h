// SPDX-License-Identifier: GPL-3.0-or-later
/* cli_commands.h -- the larger commands of the command line; each returns the exit code. */
#ifndef SAMARA_FRONT_CLI_COMMANDS_H
#define SAMARA_FRONT_CLI_COMMANDS_H

int analyse_main(int argc, char **argv);
int explain_main(int argc, char **argv);
int puzzles_main(int argc, char **argv);
int book_main(int argc, char **argv);
int queue_main(int argc, char **argv);
int genfens_main(int argc, char **argv);
int play_main(int argc, char **argv);
int platform_main(int argc, char **argv);

#endif
