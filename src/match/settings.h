// SPDX-License-Identifier: GPL-3.0-or-later
/* settings.h -- the key=value words of samara-match: one table for each section, with pointers to
 * where the values go. */
#ifndef SAMARA_MATCH_SETTINGS_H
#define SAMARA_MATCH_SETTINGS_H

#include "base/args.h"
#include "match/match.h"

enum { ENGINE_SETTINGS = 19, OPENING_SETTINGS = 7, SPRT_SETTINGS = 5 };
enum { DRAW_SETTINGS = 3, RESIGN_SETTINGS = 3 };

/* The tables; `out` has room for the number above. */
void engine_settings(EngineSpec *e, ArgSpec *out);
void opening_settings(OpeningConfig *c, ArgSpec *out);
void sprt_settings(Sprt *t, ArgSpec *out);
void draw_settings(Adjudication *a, ArgSpec *out);
void resign_settings(Adjudication *a, ArgSpec *out);

/* Each reads one word by its table. `where` names the option in complaints. */
bool settings_engine(EngineSpec *e, const char *where, Str word, Error *err);
bool settings_openings(OpeningConfig *c, Str word, Error *err);
bool settings_sprt(Sprt *t, Str word, Error *err);
bool settings_draw(Adjudication *a, Str word, Error *err);
bool settings_resign(Adjudication *a, Str word, Error *err);

/* Values of options, for ARGS_CALL. */
bool take_total(void *target, Str word, Error *err);      /* uint64_t: 100, 2k */
bool take_seed(void *target, Str word, Error *err);       /* uint64_t */
bool take_tournament(void *target, Str word, Error *err); /* TournamentForm */
bool take_variant(void *target, Str word, Error *err);    /* bool: Chess960 */
bool take_repeat(void *target, Str word, Error *err);     /* bool */

/* Splits "a \"b c\" d" into arguments. */
bool engine_split_arguments(EngineSpec *spec, Str text);
bool engine_set_command(EngineSpec *spec, Str value);

#endif
