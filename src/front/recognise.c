// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/recognise.h"

Protocol protocol_of(Str line)
{
    static const char *const platform[] = {"BOARD:", "RESET:", "PLAY:", "MOVE:"};
    const Str word = str_token(&line);
    if (str_is(word, "xboard") || str_is(word, "protover"))
        return PROTOCOL_XBOARD;
    for (size_t i = 0; i < sizeof platform / sizeof *platform; i++)
        if (str_starts(word, platform[i]))
            return PROTOCOL_PLATFORM;
    return PROTOCOL_UCI;
}
