// SPDX-License-Identifier: GPL-3.0-or-later
/* cli_platform.c -- samara platform: the protocol of the teaching platform, with its limits. */
#include "front/cli_commands.h"
#include "front/cli_words.h"
#include "front/platform.h"
#include "front/protocol.h"

/* By name; without the command the first line of the protocol is recognised. */
int platform_main(int argc, char **argv)
{
    SamaraLimits limits = {0};
    const ArgSpec specs[] = {
        ARGS_LONG("movetime", &limits.movetime_ms, 1, INT32_MAX, "MS",
                  "time for a move; 1000 if no depth is given"),
        ARGS_INT("depth", &limits.depth, 1, 200, "N", "depth of each search"),
    };
    const ArgCommand command = {
        .program = "samara",
        .name = "platform",
        .summary =
            "Speaks the line protocol of a teaching platform for game programs on standard input "
            "and output. 'BOARD:fen' sets up a position, 'RESET:' begins a new game, 'MOVE:e2e4' "
            "is "
            "the opponent's move, 'PLAY:' asks for ours, which is answered by 'MOVE:e7e5'. Every "
            "other line that comes out is a remark, such as 'refused: ...' after a position or a "
            "move that is not possible; then a BOARD or a RESET must come first.\n"
            "Without this command samara recognises the protocol by its first line.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int words, code;
    if (!cli_read(&command, argc, argv, &words, &code))
        return code;
    if (!limits.depth && !limits.movetime_ms)
        limits.movetime_ms = PLATFORM_THINK_MS;
    return protocol_platform(&limits);
}
