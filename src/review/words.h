// SPDX-License-Identifier: GPL-3.0-or-later
/* words.h -- the wording of one language: templates with slots, and the forms of a few nouns.
 *
 * A slot is {name} or {name:form}. Which slots a phrase may use stands in phrases.def; a form is a
 * letter that the language defines for its nouns ("a": a knight, "t": the knight, ...). */
#ifndef SAMARA_REVIEW_WORDS_H
#define SAMARA_REVIEW_WORDS_H

#include <stddef.h>

typedef struct Language Language;

typedef enum Phrase {
#define PHRASE(name) SAY_##name,
#include "review/phrases.def"
#undef PHRASE
    PHRASES
} Phrase;

/* Where beginners and experts hear the same as club players, their text is NULL. "" is silence. */
typedef struct Template {
    const char *club, *beginner, *expert;
} Template;

enum { NOUN_FORMS = 6, NOUNS = 6 };

typedef struct Nouns {
    char form;                /* 0 behind the last */
    const char *piece[NOUNS]; /* pawn, knight, bishop, rook, queen, king */
    const char *white, *black;
} Nouns;

struct Language {
    const char *code, *name;
    Template phrases[PHRASES];
    Nouns nouns[NOUN_FORMS];
    /* What is lost or won, as the object of "loses" and "wins": one, two, three of a kind. */
    const char *amount[NOUNS - 1][3];
    char list_form;                 /* of the men in {list} */
    const char *comma, *and, *for_; /* ", " " and " " for " */
    const char *exchange, *material;
};

extern const Language language_en, language_bs, language_ro, language_vi, language_fi, language_ru;

#endif
