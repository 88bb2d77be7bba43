// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/speech.h"

#include "review/words.h"
#include <string.h>

static const Language *const languages[] = {&language_en, &language_bs, &language_ro,
                                            &language_vi, &language_fi, &language_ru};
enum { LANGUAGES = sizeof languages / sizeof *languages };
static const char *const level_names[LEVEL_COUNT] = {"beginner", "club", "expert"};

const char *speech_level_name(SpeechLevel level) { return level_names[level]; }

const char *speech_language_code(const Speech *speech) { return speech->language->code; }

bool speech_named(const char *language, const char *level, Speech *out)
{
    *out = (Speech){.language = language ? NULL : &language_en, .level = LEVEL_CLUB};
    for (int i = 0; i < LANGUAGES; i++)
        if (language && strcmp(languages[i]->code, language) == 0)
            out->language = languages[i];
    bool known = level == NULL;
    for (int i = 0; i < LEVEL_COUNT; i++)
        if (level && strcmp(level_names[i], level) == 0) {
            out->level = (SpeechLevel)i;
            known = true;
        }
    return out->language && known;
}
