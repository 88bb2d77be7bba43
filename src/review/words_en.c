// SPDX-License-Identifier: GPL-3.0-or-later
/* words_en.c -- English. */
#include "review/words.h"

const Language language_en = {
    .code = "en",
    .name = "English",
    .phrases =
        {
            [SAY_INACCURACY] = {"Inaccuracy."},
            [SAY_MISTAKE] = {"Mistake."},
            [SAY_BLUNDER] = {"Blunder."},
            [SAY_WAS_BETTER] = {"{best} was better."},
        },
};
