// SPDX-License-Identifier: GPL-3.0-or-later
/* speech.h -- in which language and for whom words are made. */
#ifndef SAMARA_REVIEW_SPEECH_H
#define SAMARA_REVIEW_SPEECH_H

#include <stdbool.h>

/* The words that speech_named() knows. */
#define SPEECH_LANGUAGES "en|bs|ro|vi|fi|ru"
#define SPEECH_LEVELS "beginner|club|expert"

typedef struct Language Language;

typedef enum SpeechLevel {
    LEVEL_BEGINNER, /* mates, hanging men, material, forks and pins; short lines */
    LEVEL_CLUB,     /* all tactics, and plain positional reasons */
    LEVEL_EXPERT,   /* everything, with long lines and scores */
    LEVEL_COUNT
} SpeechLevel;

typedef struct Speech {
    const Language *language;
    SpeechLevel level;
    bool always; /* say something about good moves, too */
} Speech;

const char *speech_level_name(SpeechLevel level);
const char *speech_language_code(const Speech *speech);
/* Codes and names as users write them; NULL: English, club. False: there is no such word. */
bool speech_named(const char *language, const char *level, Speech *out);

#endif
