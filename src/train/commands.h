// SPDX-License-Identifier: GPL-3.0-or-later
/* commands.h -- the commands of samara-train. argv[0] is the command's name; the result is the exit
 * status: 0 done, 1 failed (said on stderr), 2 wrong command line. */
#ifndef SAMARA_TRAIN_COMMANDS_H
#define SAMARA_TRAIN_COMMANDS_H

int datagen_main(int argc, char **argv);
int rescore_main(int argc, char **argv);
int info_main(int argc, char **argv);
int filter_main(int argc, char **argv);
int merge_main(int argc, char **argv);
int shuffle_main(int argc, char **argv);
int train_main(int argc, char **argv);
int quality_main(int argc, char **argv);
int loop_main(int argc, char **argv);
int bench_main(int argc, char **argv);

#endif
