// SPDX-License-Identifier: GPL-3.0-or-later
/* cli_words.h -- what the commands of samara share: exit codes, reading their words, complaints. */
#ifndef SAMARA_FRONT_CLI_WORDS_H
#define SAMARA_FRONT_CLI_WORDS_H

#include "base/args.h"
#include "samara.h"

/* Exit codes of all commands, see man/samara.6. */
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Reads the words behind argv[0], the name of the command. False: help was printed or a word is
 * wrong, and *code is what to leave with. Operands are at argv[1] and on, *operands of them. */
bool cli_read(const ArgCommand *command, int argc, char **argv, int *operands, int *code);

/* Prints `samara COMMAND: text` on standard error and returns EXIT_FAILED. */
int cli_fail(const char *command, const char *text);

/* The position that the words spell (a FEN may come as one word or as six; none, or "startpos", is
 * the start position), or NULL after saying why. */
SamaraPosition *cli_position(const char *command, char **words, int count, bool chess960);

/* A score in pawns from White's view, "+0.35", or the moves to mate, "#-3". */
void cli_score(const SamaraScore *s, bool white_to_move, char *out, size_t size);

#endif
