// SPDX-License-Identifier: GPL-3.0-or-later
/* say.h -- verdicts in words. Which sentence is chosen is decided here, for all languages alike;
 * how it is worded stands in one table per language (words.h). */
#ifndef SAMARA_REVIEW_SAY_H
#define SAMARA_REVIEW_SAY_H

#include "base/text.h"
#include "review/summary.h"

/* The words that speech_named() knows. */
#define SPEECH_LANGUAGES "en"
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

/* One or two sentences; nothing about a move that needs no words. */
void say_move(const Verdict *verdict, const Speech *speech, Buffer *out);
/* Where the game turned, how well each side played, what cost most. */
void say_game(const Review *review, const Summary *summary, const Speech *speech, Buffer *out);

#endif
