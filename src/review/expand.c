// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/expand.h"

#include <stdio.h>
#include <string.h>

static const char *template_of(const Speech *speech, Phrase phrase)
{
    const Template *t = &speech->language->phrases[phrase];
    const char *text = speech->level == LEVEL_BEGINNER ? t->beginner
                       : speech->level == LEVEL_EXPERT ? t->expert
                                                       : t->club;
    return text ? text : t->club ? t->club : "";
}

static int noun_index(char piece)
{
    static const char letters[] = "pnbrqk";
    const char small = piece >= 'A' && piece <= 'Z' ? (char)(piece - 'A' + 'a') : piece;
    const char *found = small ? strchr(letters, small) : NULL;
    return found ? (int)(found - letters) : -1;
}

/* The nouns of a form; the first where the language has no such form. */
static const Nouns *form_of(const Language *l, char form)
{
    for (int i = 0; i < NOUN_FORMS && l->nouns[i].form; i++)
        if (l->nouns[i].form == form)
            return &l->nouns[i];
    return &l->nouns[0];
}

static void put_piece(const Language *l, char piece, char form, Buffer *out)
{
    const int noun = noun_index(piece);
    if (noun >= 0)
        buffer_puts(out, form_of(l, form)->piece[noun]);
}

/* "a knight", "two pawns", "a rook and a pawn": men by letters, dearest first. */
static void put_men(const Language *l, const char *men, Buffer *out)
{
    for (const char *c = men; *c;) {
        int count = 1;
        while (c[count] == *c)
            count++;
        const int noun = noun_index(*c);
        if (c > men)
            buffer_puts(out, c[count] ? l->comma : l->and);
        if (noun >= 0 && noun < NOUNS - 1)
            buffer_puts(out, l->amount[noun][count > 3 ? 2 : count - 1]);
        c += count;
    }
}

/* What changes hands: `gets` first, then for what. */
static void put_material(const Language *l, const char *main, const char *back, Buffer *out)
{
    const bool minor = back[0] && !back[1] && strchr("bn", back[0]);
    const size_t kinds = strlen(main) + strlen(back);
    if (strcmp(main, "r") == 0 && minor) {
        buffer_puts(out, l->exchange);
    } else if (!main[0] || kinds > 4) {
        buffer_puts(out, l->material);
    } else {
        put_men(l, main, out);
        if (back[0]) {
            buffer_puts(out, l->for_);
            put_men(l, back, out);
        }
    }
}

/* Two men of a kind are named once, with their squares left to the arrows. */
static void put_list(const Language *l, const Claim *c, Buffer *out)
{
    for (int i = 1; i < c->count; i++) {
        if (i > 1)
            buffer_puts(out, i + 1 < c->count ? l->comma : l->and);
        put_piece(l, c->pieces[i], l->list_form, out);
        bool twin = false;
        for (int k = 1; k < c->count; k++)
            twin |= k != i && c->pieces[k] == c->pieces[i];
        if (twin)
            buffer_printf(out, " %c%c", 'a' + square_file(c->squares[i]),
                          '1' + square_rank(c->squares[i]));
    }
}

static void put_square(const Claim *c, int i, Buffer *out)
{
    if (i < c->count)
        buffer_printf(out, "%c%c", 'a' + square_file(c->squares[i]),
                      '1' + square_rank(c->squares[i]));
}

/* The slots that speak of a claim: material, pieces, squares. */
static bool put_claim_slot(const Language *l, Str name, char form, const Claim *c, Buffer *out)
{
    if (!c)
        return false;
    if (str_is(name, "lost"))
        put_material(l, c->lost, c->won, out);
    else if (str_is(name, "won"))
        put_material(l, c->won, c->lost, out);
    else if (str_is(name, "list"))
        put_list(l, c, out);
    else if (name.len == 2 && name.ptr[0] == 'p' && name.ptr[1] - '0' < c->count)
        put_piece(l, c->pieces[name.ptr[1] - '0'], form, out);
    else if (name.len == 2 && name.ptr[0] == 's')
        put_square(c, name.ptr[1] - '0', out);
    else
        return false;
    return true;
}

/* A slot may name the form of a noun behind a colon; languages decline. */
static void put_slot(const Language *l, Str slot, const Slots *s, Buffer *out)
{
    Str name = slot;
    char form = 'n';
    const char *colon = memchr(slot.ptr, ':', slot.len);
    if (colon && colon + 1 < slot.ptr + slot.len) {
        name.len = (size_t)(colon - slot.ptr);
        form = colon[1];
    }
    const struct {
        const char *name, *text;
    } texts[] = {{"move", s->move},    {"best", s->best},     {"line", s->line},
                 {"key", s->key},      {"lead", s->lead},     {"clause", s->clause},
                 {"score", s->score},  {"score2", s->score2}, {"phase", s->phase},
                 {"white", s->whites}, {"black", s->blacks}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (str_is(name, texts[i].name)) {
            buffer_puts(out, texts[i].text);
            return;
        }
    const Nouns *nouns = form_of(l, form);
    if (str_is(name, "n"))
        buffer_printf(out, "%d", s->n);
    else if (str_is(name, "side"))
        buffer_puts(out, s->white ? nouns->white : nouns->black);
    else if (str_is(name, "other"))
        buffer_puts(out, s->white ? nouns->black : nouns->white);
    else
        put_claim_slot(l, name, form, s->claim, out);
}

/* A sentence begins with a capital letter; so it does in all alphabets that we write, of which only
 * the two-byte letters of Cyrillic and Latin-1 need care. */
static void capitalise(char *text)
{
    unsigned char *c = (unsigned char *)text;
    if (*c >= 'a' && *c <= 'z')
        *c = (unsigned char)(*c - 'a' + 'A');
    else if (c[0] == 0xd0 && c[1] >= 0xb0 && c[1] <= 0xbf) /* а to п */
        c[1] = (unsigned char)(c[1] - 0x20);
    else if (c[0] == 0xd1 && c[1] >= 0x80 && c[1] <= 0x8f) { /* р to я */
        c[0] = 0xd0;
        c[1] = (unsigned char)(c[1] + 0x20);
    }
}

/* Fills the template of a phrase. False, and an empty text, if there is nothing to say. */
bool expand(const Speech *speech, Phrase phrase, const Slots *slots, char *out, size_t size)
{
    Buffer text = {0};
    for (const char *c = template_of(speech, phrase); *c;) {
        const char *end = *c == '{' ? strchr(c, '}') : NULL;
        if (end) {
            put_slot(speech->language, (Str){c + 1, (size_t)(end - c - 1)}, slots, &text);
            c = end + 1;
        } else {
            buffer_putc(&text, *c++);
        }
    }
    const bool ok =
        text.len > 0 && !text.failed && str_copy(out, size, (Str){buffer_text(&text), text.len});
    if (!ok && size > 0)
        out[0] = '\0';
    buffer_free(&text);
    return ok;
}

/* Appends one sentence, with a capital and a blank where they belong. */
void say(const Speech *speech, Phrase phrase, const Slots *slots, Buffer *out)
{
    char text[SLOT_SIZE * 4];
    if (!expand(speech, phrase, slots, text, sizeof text))
        return;
    if (out->len > 0 && out->data[out->len - 1] != ' ' && out->data[out->len - 1] != '\n')
        buffer_putc(out, ' ');
    /* A move at the start keeps its letters: e4 is no E4. */
    if (strncmp(template_of(speech, phrase), "{move}", 6) != 0 &&
        strncmp(template_of(speech, phrase), "{best}", 6) != 0)
        capitalise(text);
    buffer_puts(out, text);
}
