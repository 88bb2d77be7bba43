// SPDX-License-Identifier: GPL-3.0-or-later
/* cli_genfens.c -- samara genfens: start positions for self-play, as OpenBench asks for them. */
#include "front/cli_commands.h"

#include "base/file.h"
#include "base/rng.h"
#include "front/cli_words.h"
#include <stdlib.h>
#include <string.h>

enum { RANDOM_PLIES = 8, BOOK_PLIES = 4, MAX_CP = 250, BOOK_MAX = 256 << 20, PATIENCE = 10000 };

typedef struct Openings {
    int64_t count, seed;
    char book_path[1024]; /* "": none */
    Buffer book;
    size_t *lines; /* where each line of the book begins */
    size_t line_count;
} Openings;

/* N [seed S] [book FILE]; "None" is no book. Words that it does not know are for other engines. */
static bool read_words(Openings *o, Str words, Error *err)
{
    if (!str_next_int(&words, 1, 10000000, &o->count))
        return error_set(err, "the first word is how many positions: a number from 1 to 10000000");
    for (Str word; (word = str_token(&words)).len > 0;) {
        if (str_is(word, "seed")) {
            if (!str_next_int(&words, 0, INT64_MAX, &o->seed))
                return error_set(err, "seed: a number of 0 or more must follow");
        } else if (str_is(word, "book")) {
            const Str path = str_token(&words);
            if (path.len == 0 || !str_copy(o->book_path, sizeof o->book_path, path))
                return error_set(err, "book: a file or None must follow");
        }
    }
    if (strcmp(o->book_path, "None") == 0)
        o->book_path[0] = '\0';
    return true;
}

/* Only the places of its lines are kept: books may be large. */
static bool read_book(Openings *o, Error *err)
{
    if (!o->book_path[0])
        return true;
    if (!file_read_all(o->book_path, BOOK_MAX, &o->book, err))
        return false;
    Str rest = {buffer_text(&o->book), o->book.len};
    o->lines = malloc((o->book.len / 2 + 1) * sizeof *o->lines);
    if (!o->lines)
        return error_set(err, "not enough memory for the book");
    while (rest.len > 0) {
        const size_t at = (size_t)(rest.ptr - o->book.data);
        if (str_trim(str_line(&rest)).len > 1)
            o->lines[o->line_count++] = at;
    }
    return o->line_count > 0 || error_set(err, "the book '%s' is empty", o->book_path);
}

/* A line of the book, or the start position. */
static bool set_up(const Openings *o, Rng *rng, SamaraPosition *position, SamaraError *err)
{
    if (o->line_count == 0)
        return samara_position_set(position, NULL, false, NULL, 0, err);
    const size_t at = o->lines[rng_below(rng, o->line_count)];
    Str rest = {o->book.data + at, o->book.len - at};
    char line[512];
    SamaraEpd epd;
    if (!str_copy(line, sizeof line, str_trim(str_line(&rest)))) {
        snprintf(err->text, sizeof err->text, "a line of the book is too long");
        return false;
    }
    return samara_epd_read(line, false, &epd, err) &&
           samara_position_set(position, epd.fen, false, NULL, 0, err);
}

/* Plays random moves. True if the game goes on and is not decided: the network sees neither side
 * ahead by much. */
static bool wander(const Samara *engine, const Openings *o, Rng *rng, SamaraPosition *position)
{
    const int plies = (o->line_count ? BOOK_PLIES : RANDOM_PLIES) + (int)rng_below(rng, 2);
    SamaraMove moves[SAMARA_MAX_MOVES];
    SamaraScore score;
    for (int i = 0; i < plies; i++) {
        const size_t count = samara_position_moves(position, moves, SAMARA_MAX_MOVES);
        if (count == 0 || !samara_position_play(position, &moves[rng_below(rng, count)], NULL))
            return false;
    }
    return samara_position_state(position) == SAMARA_PLAYING &&
           samara_static_score(engine, position, SAMARA_NETWORK, &score) &&
           abs(score.value) <= MAX_CP;
}

/* Tries again where the moves lead to a decided position, but not for ever. */
static bool print_all(const Openings *o, const Samara *engine, SamaraPosition *position,
                      SamaraError *err)
{
    Rng rng;
    rng_seed(&rng, (uint64_t)o->seed);
    int failures = 0;
    for (int64_t done = 0; done < o->count;) {
        if (!set_up(o, &rng, position, err))
            return false;
        if (!wander(engine, o, &rng, position)) {
            if (++failures < PATIENCE)
                continue;
            snprintf(err->text, sizeof err->text, "the positions of the book are all decided");
            return false;
        }
        failures = 0;
        char fen[SAMARA_FEN_SIZE];
        samara_position_fen(position, fen);
        printf("info string genfens %s\n", fen);
        done++;
    }
    return true;
}

/* OpenBench reads what it prints, so mistakes go to standard error. */
static int generate(Openings *o, Str words)
{
    Error why;
    if (!read_words(o, words, &why)) {
        fprintf(stderr, "samara genfens: %s\n", why.text);
        return EXIT_USAGE;
    }
    if (!read_book(o, &why))
        return cli_fail("genfens", why.text);
    SamaraError err = {.text = "not enough memory"};
    Samara *engine = samara_new(NULL, &err);
    SamaraPosition *position = engine ? samara_position_new() : NULL;
    const bool ok = position && print_all(o, engine, position, &err);
    samara_position_free(position);
    samara_free(engine);
    return ok ? EXIT_OK : cli_fail("genfens", err.text);
}

/* OpenBench sends all words as one, people send them one by one. */
int genfens_main(int argc, char **argv)
{
    const ArgCommand command = {
        .program = "samara",
        .name = "genfens",
        .operands = "N [seed S] [book FILE]",
        .least = 1,
        .summary = "Prints start positions for self-play, one line each, as OpenBench asks for "
                   "them: 'info string genfens FEN'. Eight or nine random moves from the start "
                   "position, or four or five from a line of FILE (EPD or FEN); positions that "
                   "the network takes for decided are left out.\n"
                   "The same seed gives the same positions. All words may come as one."};
    int count, code;
    if (!cli_read(&command, argc, argv, &count, &code))
        return code;
    Buffer words = {0};
    for (int i = 1; i <= count; i++)
        buffer_printf(&words, "%s ", argv[i]);
    Openings openings = {0};
    code = words.failed ? cli_fail("genfens", "not enough memory")
                        : generate(&openings, (Str){buffer_text(&words), words.len});
    buffer_free(&words);
    buffer_free(&openings.book);
    free(openings.lines);
    return code;
}
