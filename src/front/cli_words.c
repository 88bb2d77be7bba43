// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/cli_words.h"

#include <string.h>

bool cli_read(const ArgCommand *command, int argc, char **argv, int *operands, int *code)
{
    const ArgsOutcome outcome = args_read(command, argc - 1, argv + 1, operands, stdout, stderr);
    *code = outcome == ARGS_WRONG ? EXIT_USAGE : EXIT_OK;
    return outcome == ARGS_RUN;
}

int cli_fail(const char *command, const char *text)
{
    fprintf(stderr, "samara %s: %s\n", command, text);
    return EXIT_FAILED;
}

/* The words of a FEN may come quoted or not; none of them means the start position. */
SamaraPosition *cli_position(const char *command, char **words, int count, bool chess960)
{
    Buffer fen = {0};
    for (int i = 0; i < count; i++)
        buffer_printf(&fen, "%s%s", i > 0 ? " " : "", words[i]);
    const bool start = count == 0 || strcmp(buffer_text(&fen), "startpos") == 0;
    SamaraError err = {.text = "not enough memory"};
    SamaraPosition *position = fen.failed ? NULL : samara_position_new();
    if (position &&
        !samara_position_set(position, start ? NULL : buffer_text(&fen), chess960, NULL, 0, &err)) {
        samara_position_free(position);
        position = NULL;
    }
    if (!position)
        cli_fail(command, err.text);
    else if (err.text[0])
        fprintf(stderr, "samara %s: note: %s\n", command, err.text);
    buffer_free(&fen);
    return position;
}

void cli_score(const SamaraScore *s, bool white_to_move, char *out, size_t size)
{
    const int value = white_to_move ? s->value : -s->value;
    const bool mated_now = s->is_mate && s->value == 0;
    if (mated_now)
        snprintf(out, size, "mate");
    else if (s->is_mate)
        snprintf(out, size, "#%d", value);
    else
        snprintf(out, size, "%+.2f", value / 100.0);
}
