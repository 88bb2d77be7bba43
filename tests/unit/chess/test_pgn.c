// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

#include "base/clock.h"
#include "base/rng.h"
#include "chess/notation.h"
#include "pgn_support.h"

static int setup(void **state)
{
    (void)state;
    attacks_init();
    return 0;
}

/* --- helpers --- */

/* One text, one reader. */
typedef struct Opened {
    MemorySource source;
    PgnReader *reader;
} Opened;

static void open_text(Opened *o, Str text)
{
    o->source = (MemorySource){text, SIZE_MAX};
    o->reader = pgn_open(read_memory, &o->source, NULL);
    assert_non_null(o->reader);
}

static const PgnGame *only_game(Opened *o, const char *text)
{
    open_text(o, str_from(text));
    const PgnGame *game = pgn_next(o->reader);
    assert_non_null(game);
    return game;
}

/* Nothing may come behind the game. */
static void close_text(Opened *o)
{
    Error err = {0};
    assert_null(pgn_next(o->reader));
    if (pgn_failed(o->reader, &err))
        fail_msg("%s", err.text);
    pgn_close(o->reader);
}

static int main_line_length(const PgnGame *g)
{
    int plies = 0;
    for (int n = g->nodes[0].first_child; n >= 0; n = g->nodes[n].first_child)
        plies++;
    return plies;
}

static const char *comment_of(const PgnGame *g, int node)
{
    return g->nodes[node].comment < 0 ? "" : g->text + g->nodes[node].comment;
}

/* All games of a text, written again; *count says how many. The caller frees the buffer. */
static Buffer rewrite(Str text, size_t step, int *count)
{
    MemorySource source = {text, step};
    PgnReader *reader = pgn_open(read_memory, &source, NULL);
    Buffer out = {0};
    *count = 0;
    for (const PgnGame *g; (g = pgn_next(reader)); ++*count)
        pgn_write(g, &out);
    assert_false(pgn_failed(reader, NULL));
    assert_true(pgn_bytes(reader) == text.len);
    assert_false(out.failed);
    pgn_close(reader);
    return out;
}

/* Reads the games, writes them, and reads that: all must be the same, and unbroken now. */
static int check_round_trip(Str text)
{
    int count, again;
    Buffer written = rewrite(text, SIZE_MAX, &count);
    Opened original, copy;
    open_text(&original, text);
    open_text(&copy, (Str){buffer_text(&written), written.len});
    for (const PgnGame *g; (g = pgn_next(original.reader));) {
        const PgnGame *h = pgn_next(copy.reader);
        assert_non_null(h);
        if (!same_game(g, h))
            fail_msg("game at line %d differs after writing:\n%.2000s", (int)g->line,
                     buffer_text(&written));
    }
    close_text(&copy);
    pgn_close(original.reader);

    Buffer twice = rewrite((Str){buffer_text(&written), written.len}, SIZE_MAX, &again);
    assert_int_equal(again, count);
    assert_string_equal(buffer_text(&twice), buffer_text(&written));
    buffer_free(&twice);
    buffer_free(&written);
    return count;
}

/* --- files nobody should write --- */

static void hostile_files_are_read_as_far_as_they_go(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int games, plies; /* plies of the first main line */
        const char *result, *problem;
    } cases[] = {
        {"01_empty", 0, 0, "", ""},
        {"02_only_tags", 1, 0, "1-0", ""},
        {"03_no_tags", 1, 4, "1-0", ""},
        {"05_unterminated_comment", 1, 1, "1-0", "COMMENT"},
        {"06_unterminated_tag", 1, 1, "1-0", "TAG"},
        {"07_unterminated_variation", 1, 1, "1-0", "VARIATION"},
        {"09_nested_variations", 1, 2, "1-0", ""},
        {"10_nested_comment", 1, 2, "1-0", "TEXT"},
        {"11_semicolon", 1, 3, "1-0", ""},
        {"13_crlf", 1, 3, "1-0", ""},
        {"14_cr_only", 1, 2, "1-0", ""},
        {"15_bom", 1, 1, "1-0", ""},
        {"17_nul", 1, 2, "1-0", ""},
        {"18_long_tag", 1, 1, "1-0", ""},
        {"19_long_line", 1, 6000, "1/2-1/2", ""},
        {"21_ambiguous", 1, 7, "1-0", ""},
        {"22_castling_zeros", 1, 8, "1-0", ""},
        {"23_suffixes", 1, 5, "1-0", ""},
        {"25_promotion", 1, 3, "1-0", ""},
        {"26_bad_fen", 1, 0, "1-0", "KING_COUNT"},
        {"27_fen_black_first", 1, 2, "1-0", ""},
        {"29_result_mismatch", 1, 2, "0-1", ""},
        {"30_many_games", 2000, 1, "1-0", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, SAMARA_TEST_DATA_DIR "/pgn/%s.pgn", cases[i].name);
        Error err = {0};
        PgnReader *reader = pgn_open_file(path, &err);
        if (!reader)
            fail_msg("%s", err.text);
        int games = 0;
        for (const PgnGame *g; (g = pgn_next(reader)); games++)
            if (games == 0) {
                const bool as_expected = main_line_length(g) == cases[i].plies &&
                                         strcmp(g->result, cases[i].result) == 0 &&
                                         strcmp(g->problem.code, cases[i].problem) == 0 &&
                                         g->broken == (cases[i].problem[0] != '\0');
                if (!as_expected)
                    fail_msg("%s: %d plies, %s, %s %s", cases[i].name, main_line_length(g),
                             g->result, g->problem.code, g->problem.text);
            }
        pgn_close(reader);
        assert_int_equal(games, cases[i].games);

        size_t len = 0;
        char *text = read_file(path, &len);
        check_round_trip((Str){text, len});
        free(text);
    }
    assert_null(pgn_open_file("/nowhere/to/be/found.pgn", NULL));
}

static void any_bytes_are_survived(void **state)
{
    (void)state;
    size_t len = 0;
    char *text = read_file(SAMARA_TEST_DATA_DIR "/pgn/31_binary.pgn", &len);
    check_round_trip((Str){text, len});
    free(text);

    static const char alphabet[] =
        "[]{}();$!?*\"\\%. \n\r\t\0018e4d5NO-O+#=1/2Event\xEF\xBB\xBF\xC2\xBD";
    Rng rng;
    rng_seed(&rng, 7);
    char noise[600];
    for (int round = 0; round < 3000; round++) {
        const size_t n = rng_below(&rng, sizeof noise);
        for (size_t i = 0; i < n; i++)
            noise[i] = alphabet[rng_below(&rng, sizeof alphabet)];
        check_round_trip((Str){noise, n});
    }
}

/* Processor time, microseconds, for files of nonsense of every kind. */
static int64_t time_of_nonsense(char *text, size_t size)
{
    static const char *const units[] = {
        "{a}",
        "{a",
        "(",
        ")",
        "e4(",
        "(e4)",
        "(e4 {b}) {a} ",
        "e4 (e4 ",
        "$1",
        "!",
        "[",
        "[Event \"",
        "[Site \"x\"]",
        ";",
        "; } \n",
        "1.",
        "*",
        "Nf3 Nf6 Ng1 Ng8 ",
        "\\",
        "\"",
        "%\n",
        "\r",
        "x ",
        "0000 ",
        "-- ",
        "[%eval 1] ",
        "{[%eval ",
        "(Nf3 {x} ",
        "e4 e5 (d5) {a} (d5 {b}) ",
    };
    static const char *const starts[] = {"", "1. e4 ", "1. e4 {", "[Event \"x", "1. e4 e5 ("};
    const int64_t begun = clock_cpu_us();
    for (size_t s = 0; s < sizeof starts / sizeof starts[0]; s++)
        for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
            const size_t unit = strlen(units[i]);
            size_t len = strlen(starts[s]);
            memcpy(text, starts[s], len);
            for (; len + unit <= size; len += unit)
                memcpy(text + len, units[i], unit);
            int count;
            Buffer out = rewrite((Str){text, len}, SIZE_MAX, &count);
            buffer_free(&out);
        }
    return clock_cpu_us() - begun;
}

/* What takes time that grows with the square of the file is a weapon: eight times the size would
 * take 64 times as long. */
static void large_files_of_nonsense_take_linear_time(void **state)
{
    (void)state;
    enum { SMALL = 1 << 14, LARGE = SMALL * 8 };
    char *text = malloc(LARGE + 64);
    time_of_nonsense(text, SMALL); /* warms up */
    const int64_t small = time_of_nonsense(text, SMALL), large = time_of_nonsense(text, LARGE);
    free(text);
    if (large > 20 * small)
        fail_msg("%lld us, and %lld us for an eighth of it", (long long)large, (long long)small);
}

/* --- what a game holds --- */

static const char sample[] =
    "[Event \"A \\\"quoted\\\" \\\\ event\"]\n[White \"M\xFCller\"]\n[Zeta \"z\"]\n[Alpha \"a\"]\n"
    "[Result \"1/2-1/2\"]\n\n"
    "{ Before  the\n game } 1. e4 ({In place} 1. d4 d5 $1 {Solid} (1... Nf6 2. c4) 2. c4)\n"
    "(1. c4) e5! ; a } brace\n 2. Nf3 {[%eval 0.25] [%clk 0:05:00]} Nc6 $14 $146 3. Bb5 -- 1/2-1/2";

static void a_game_is_kept_whole(void **state)
{
    (void)state;
    Opened o;
    const PgnGame *g = only_game(&o, sample);
    assert_false(g->broken);
    assert_string_equal(pgn_tag(g, "Event"), "A \"quoted\" \\ event");
    assert_string_equal(pgn_tag(g, "White"), "M\xFCller");
    assert_null(pgn_tag(g, "Black"));
    assert_string_equal(g->result, "1/2-1/2");
    assert_int_equal(g->line, 1);
    assert_string_equal(comment_of(g, 0), "Before the game");

    const PgnNode *n = g->nodes;
    const int e4 = n[0].first_child, d4 = n[e4].next, c4 = n[d4].next;
    assert_int_equal(n[e4].move, move_make(E2, E4));
    assert_int_equal(n[d4].move, move_make(D2, D4));
    assert_int_equal(n[c4].move, move_make(C2, C4));
    assert_int_equal(n[c4].next, -1);
    assert_int_equal(n[0].last_child, c4);
    assert_string_equal(g->text + n[d4].comment_before, "In place");

    const int d5 = n[d4].first_child, nf6 = n[d5].next;
    assert_int_equal(n[d5].nag_count, 1);
    assert_string_equal(comment_of(g, d5), "Solid");
    assert_int_equal(n[nf6].move, move_make(G8, F6));

    const int e5 = n[e4].first_child, nf3 = n[e5].first_child, nc6 = n[nf3].first_child;
    assert_int_equal(n[e5].nags[0], 1);
    assert_string_equal(comment_of(g, e5), "a } brace");
    assert_int_equal(n[nc6].nag_count, 2);
    assert_int_equal(n[nc6].nags[1], 146);
    const int bb5 = n[nc6].first_child;
    assert_int_equal(n[n[bb5].first_child].move, MOVE_NULL);
    assert_int_equal(main_line_length(g), 6);
    close_text(&o);
}

static void a_game_is_written_in_export_format(void **state)
{
    (void)state;
    Opened o;
    Buffer out = {0};
    pgn_write(only_game(&o, sample), &out);
    assert_string_equal(
        buffer_text(&out),
        "[Event \"A \\\"quoted\\\" \\\\ event\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n"
        "[Round \"?\"]\n[White \"M\xFCller\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n"
        "[Alpha \"a\"]\n[Zeta \"z\"]\n\n"
        "{Before the game} 1. e4 ({In place} 1. d4 d5 $1 {Solid} (1... Nf6 2. c4) 2. c4)\n"
        "(1. c4) 1... e5 $1 ; a } brace\n"
        "2. Nf3 {[%eval 0.25] [%clk 0:05:00]} 2... Nc6 $14 $146 3. Bb5 -- 1/2-1/2\n\n");
    buffer_free(&out);
    close_text(&o);
    check_round_trip(str_from(sample));
}

static void the_readers_tolerances(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int plies;
        const char *result;
    } cases[] = {
        {"1.e4 e5 2.Nf3", 3, "*"},
        {"e4 e5 Nf3 Nc6 1/2-1/2", 4, "1/2-1/2"},
        {"1 . e4", 0, ""}, /* a lone number is prose as long as nothing has begun */
        {"[Event \"x\"]\n1 e4 e5 2 Nf3 *", 3, "*"},
        {"[Event \"x\"][Site \"y\"] 1. e4 1-0", 1, "1-0"},
        {"[Event\"x\"]\n[Result \"0-1\"]\n1. e4", 1, "0-1"},
        {"[ Event  \"x\" ]\n\n1. e4 0.5-0.5", 1, "1/2-1/2"},
        {"1. e4 e5 \xC2\xBD-\xC2\xBD", 2, "1/2-1/2"},
        {"1. e4 e5 1/2", 2, "1/2-1/2"},
        {"1\xE2\x80\xA6 e4", 0, ""},
        {"1. e4 1\xE2\x80\xA6 e5 1\xE2\x80\xA6"
         "e6 *",
         2, "*"}, /* and then an illegal move */
        {"1. e4 1... e5 2. ... Nf3", 3, "*"},
        {"1. e2e4 e7-e5 2. Ng1f3 b8c6 3. f1b5 1-0", 5, "1-0"},
        {"\xEF\xBB\xBF[Event \"x\"]\n\n1. e4 *\n\xEF\xBB\xBF", 1, "*"},
        {"Some words about\nthis collection\n\n[Event \"x\"]\n1. e4 *", 1, "*"},
        {"% escaped [Event \"y\"]\n[Event \"x\"]\n% 1. d4\n1. e4 *", 1, "*"},
        {"1. e4 e5 (1... c5 2. Nf3 1-0) 2. Nf3 0-1", 3, "0-1"},
        {"1. e4 e5 {comment} {another} ; third\n2. Nf3 *", 3, "*"},
        {"1. e4 e5 $255 $256 $ $9999999999999 2. Nf3 *", 3, "*"},
        {"1. e4 e5 = 2. Nf3 +/- 2... Nc6 \xC2\xB1 *", 4, "*"},
        {"[Event \"x\"]\n[White \"Bobby \"The Kid\" Fischer\"]\n1. e4 *", 1, "*"},
        {"1. e4 d5 2. e5 f5 3. exf6 e.p. *", 5, "*"},
        {"[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n1. a8(Q)+ Kd7 *", 2, "*"},
        {"[FEN \"4k3/8/8/8/8/8/8/5RK1 w F - 0 1\"]\n1. O-O-O *", 1, "*"}, /* Shredder letters */
        {"[Variant \"fischerandom\"]\n"
         "[FEN \"4k3/8/8/8/8/8/8/5RK1 w Q - 0 1\"]\n1. O-O-O *",
         1, "*"},
        {"1. e4 e5 2. O-O *", 2, "*"},
        {"1. e4 e5 1-0 {White won on time}", 2, "1-0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Opened o;
        open_text(&o, str_from(cases[i].text));
        const PgnGame *g = pgn_next(o.reader);
        if ((g != NULL) != (cases[i].result[0] != '\0') ||
            (g &&
             (main_line_length(g) != cases[i].plies || strcmp(g->result, cases[i].result) != 0)))
            fail_msg("%s: %d plies, %s", cases[i].text, g ? main_line_length(g) : -1,
                     g ? g->result : "no game");
        if (g)
            close_text(&o);
        else
            pgn_close(o.reader);
        check_round_trip(str_from(cases[i].text));
    }
}

static void an_illegal_move_ends_the_game_but_not_the_file(void **state)
{
    (void)state;
    Opened o;
    open_text(&o, STR("[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Ke3 {x} Nf6 (3... d6) 4. d4 1-0\n\n"
                      "[Event \"b\"]\n\n1. d4 *\n"));
    const PgnGame *g = pgn_next(o.reader);
    assert_true(g->broken);
    assert_string_equal(g->problem.code, "ILLEGAL_MOVE");
    assert_string_equal(g->problem.text, "line 3: 'Ke3' at ply 5 is not a legal move");
    assert_int_equal(main_line_length(g), 4);
    assert_string_equal(g->result, "1-0");
    assert_string_equal(comment_of(g, 4), "Ke3 x Nf6 (3... d6) 4. d4");

    g = pgn_next(o.reader);
    assert_false(g->broken);
    assert_string_equal(pgn_tag(g, "Event"), "b");
    assert_int_equal(g->line, 5);
    assert_int_equal(main_line_length(g), 1);
    close_text(&o);
}

static void an_illegal_move_in_a_variation_ends_that_variation(void **state)
{
    (void)state;
    Opened o;
    const PgnGame *g = only_game(&o, "1. e4 e5 (1... c5 2. Ke7 Nc6) 2. Nf3 (Qh8) Nc6 1-0");
    assert_true(g->broken);
    assert_int_equal(main_line_length(g), 4);
    assert_int_equal(g->node_count, 6);
    assert_string_equal(comment_of(g, 3), "Ke7 Nc6");
    assert_string_equal(comment_of(g, 4), "Qh8");
    close_text(&o);
}

static void reading_goes_on_at_the_next_event(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "[Event \"a\"]\n\n1. e4 { never closed\n\n",
        "[Event \"a\"]\n\n1. e4 (1. d4 (1. c4\n\n",
        "[Event \"a\"]\n\n1. e4 e5 2. Nf3\n\n",
        "[Event \"a\"]\n\n1. e4 Zz9 ((( }}} $$$ \"\"\" e9 e4e4\n\n",
        "[Event \"a\n",
        "[Event \"a\"]\n[FEN \"nonsense\"]\n\n1. e4 (1. d4\n",
        "[Event \"a\"]\n\n1. e4 Qh8 { never closed\n\n",
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s[Event \"b\"]\n\n1. d4 d5 0-1\n", broken[i]);
        Opened o;
        open_text(&o, str_from(text));
        const PgnGame *g = pgn_next(o.reader);
        assert_string_equal(pgn_tag(g, "Event"), "a");
        g = pgn_next(o.reader);
        assert_non_null(g);
        assert_false(g->broken);
        assert_string_equal(pgn_tag(g, "Event"), "b");
        assert_int_equal(main_line_length(g), 2);
        assert_string_equal(g->result, "0-1");
        close_text(&o);
    }
}

static void a_null_move_cannot_leave_a_check(void **state)
{
    (void)state;
    Opened o;
    const PgnGame *g = only_game(&o, "1. e4 e5 2. Qh5 -- 3. Qxf7+ -- 4. d4 *");
    assert_int_equal(main_line_length(g), 5);
    assert_int_equal(g->nodes[4].move, MOVE_NULL);
    assert_true(g->broken);
    close_text(&o);
}

static void the_result_does_not_depend_on_how_the_bytes_arrive(void **state)
{
    (void)state;
    /* Line ends of every kind, and everything that looks ahead. */
    const char text[] = "[Event \"a\"]\r\n\r\n1. e4 {x\r\ny\rz} e5 ; rest } of\r2. Nf3\r\r\n"
                        "[Event \"b\\\"]\"]\r[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n1. a8(Q)+ "
                        "(1. a8=N $12) 1... Kd7 1/2-1/2 {end}\r\n\xEF\xBB\xBF[Event \"c\"] 1. d4 {"
                        "\n[Event \"d\"]\n1. c4\xE2\x80\xA6 0.5-0.5\n";
    const Str whole = {text, sizeof text - 1};
    int count;
    Buffer expected = rewrite(whole, SIZE_MAX, &count);
    assert_int_equal(count, 4);
    for (size_t step = 1; step < 300; step++) {
        Buffer out = rewrite(whole, step, &count);
        assert_int_equal(count, 4);
        assert_string_equal(buffer_text(&out), buffer_text(&expected));
        buffer_free(&out);
    }

    /* A long text, so that chunks end everywhere in it. */
    for (size_t shift = 0; shift < 120; shift++) {
        Buffer big = {0};
        for (size_t i = 0; i < 65536 - 150 + shift; i++)
            buffer_putc(&big, i % 50 ? 'x' : '\n');
        buffer_putc(&big, '\n');
        buffer_append(&big, whole.ptr, whole.len);
        Buffer out = rewrite((Str){big.data, big.len}, SIZE_MAX, &count);
        assert_string_equal(buffer_text(&out), buffer_text(&expected));
        buffer_free(&out);
        buffer_free(&big);
    }
    buffer_free(&expected);
}

static void where_the_next_game_begins_is_told(void **state)
{
    (void)state;
    const char text[] = "[Event \"a\"]\r\n\r\n1. e4 *\r\n\r\n[Event \"b\"]\r\n\r\n1. d4 d5\r\n";
    Opened o;
    open_text(&o, str_from(text));
    pgn_next(o.reader);
    const size_t first = (size_t)pgn_bytes(o.reader);
    assert_in_range(first, 23, 26);
    pgn_close(o.reader);

    open_text(&o, (Str){text + first, sizeof text - 1 - first});
    assert_string_equal(pgn_tag(pgn_next(o.reader), "Event"), "b");
    close_text(&o);
}

static long fail_to_read(void *user, char *out, size_t size)
{
    int *calls = user;
    if (++*calls > 1)
        return -1;
    assert_true(size > 10);
    memcpy(out, "1. e4 e5", 8);
    return 8;
}

static void a_failing_source_is_told_and_loses_nothing(void **state)
{
    (void)state;
    int calls = 0;
    Error err;
    PgnReader *reader = pgn_open(fail_to_read, &calls, NULL);
    const PgnGame *g = pgn_next(reader);
    assert_non_null(g);
    assert_int_equal(main_line_length(g), 2);
    assert_true(g->broken);
    assert_true(pgn_failed(reader, &err));
    assert_string_equal(err.code, "READ");
    assert_null(pgn_next(reader));
    assert_int_equal(calls, 2);
    pgn_close(reader);
    pgn_close(NULL);
}

/* --- writing what a program builds --- */

static const char *const words[] = {"good",   "[%eval", "0.5]", "%",  "[Event",
                                    "\"x\"]", "}",      "{",    ";",  "(",
                                    ")",      "1-0",    "*",    "$3", "averyveryveryverylongword"};

static void add_random_comment(PgnBuilder *b, int node, Rng *rng)
{
    char text[512] = "";
    const int count = 1 + (int)rng_below(rng, 20);
    for (int i = 0; i < count; i++) {
        strcat(text, words[rng_below(rng, sizeof words / sizeof words[0])]);
        strcat(text, rng_below(rng, 5) ? " " : " \n ");
    }
    pgn_builder_comment(b, node, text);
}

/* A random tree: every node gets a continuation or a variation from its own position. */
static PgnBuilder *random_game(Rng *rng, int nodes)
{
    enum { MOST = 400 };
    static Position after[MOST];
    if (rng_below(rng, 2))
        pos_start(&after[0]);
    else
        pos_start_960(&after[0], (int)rng_below(rng, 960), (int)rng_below(rng, 960));
    PgnBuilder *b = pgn_builder_new(&after[0], NULL);
    pgn_builder_tag(b, "White", "\"quotes\" and \\ and ] and\nlines");
    pgn_builder_tag(b, "White", "second \"one\" \\");
    pgn_builder_tag(b, "Zeta", "");
    add_random_comment(b, 0, rng);
    for (int n = 0; n < nodes; n++) {
        const int parent = rng_below(rng, 3) ? n : (int)rng_below(rng, (uint64_t)n + 1);
        MoveList list;
        gen_legal(&after[parent], &list);
        const bool null = rng_below(rng, 30) == 0 && !pos_in_check(&after[parent]);
        if (list.count == 0)
            break;
        const Move m = null ? MOVE_NULL : list.moves[rng_below(rng, (uint64_t)list.count)];
        assert_int_equal(pgn_builder_move(b, parent, m), n + 1);
        Undo undo;
        after[n + 1] = after[parent];
        if (null)
            pos_make_null(&after[n + 1], &undo);
        else
            pos_make(&after[n + 1], m, &undo, NULL);
        if (rng_below(rng, 4) == 0)
            add_random_comment(b, n + 1, rng);
        while (rng_below(rng, 4) == 0)
            pgn_builder_nag(b, n + 1, (int)rng_below(rng, 256));
    }
    pgn_builder_result(b, "1/2-1/2");
    return b;
}

static size_t longest_line(const char *text)
{
    size_t longest = 0;
    for (Str rest = str_from(text); rest.len > 0;) {
        const size_t len = str_line(&rest).len;
        longest = len > longest ? len : longest;
    }
    return longest;
}

static void built_games_read_back_identical(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 3);
    for (int round = 0; round < 500; round++) {
        PgnBuilder *b = random_game(&rng, 1 + (int)rng_below(&rng, 300));
        const PgnGame *game = pgn_builder_game(b, NULL);
        assert_non_null(game);
        Buffer out = {0};
        pgn_write(game, &out);
        Opened o;
        const PgnGame *copy = only_game(&o, buffer_text(&out));
        assert_false(copy->broken);
        if (!same_game(game, copy))
            fail_msg("%s", buffer_text(&out));
        close_text(&o);
        check_round_trip((Str){out.data, out.len});
        buffer_free(&out);
        pgn_builder_free(b);
    }
}

static void lines_stay_under_80_columns(void **state)
{
    (void)state;
    Position p;
    pos_start(&p);
    PgnBuilder *b = pgn_builder_new(&p, NULL);
    int node = 0;
    static const char *const moves[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    for (int i = 0; i < 400; i++) {
        node = pgn_builder_move(b, node, move_from_uci(&p, str_from(moves[i % 4])));
        if (i % 7 == 0)
            pgn_builder_comment(b, node, "some words of comment on this move, and a few more");
        Undo undo;
        pos_make(&p, move_from_uci(&p, str_from(moves[i % 4])), &undo, NULL);
    }
    Buffer out = {0};
    pgn_write(pgn_builder_game(b, NULL), &out);
    assert_in_range(longest_line(out.data), 70, 79);
    buffer_free(&out);
    pgn_builder_free(b);
}

static void a_set_up_position_gets_its_tags(void **state)
{
    (void)state;
    const Position p = position("4k3/8/8/8/8/8/8/5RK1 w F - 3 7", FEN_960);
    PgnBuilder *b = pgn_builder_new(&p, NULL);
    pgn_builder_move(b, 0, move_from_uci(&p, STR("g1f1")));
    Buffer out = {0};
    pgn_write(pgn_builder_game(b, NULL), &out);
    assert_non_null(strstr(out.data, "[FEN \"4k3/8/8/8/8/8/8/5RK1 w F - 3 7\"]\n[SetUp \"1\"]\n"
                                     "[Variant \"Chess960\"]\n\n7. O-O-O *\n"));
    buffer_free(&out);
    pgn_builder_free(b);
    pgn_builder_free(NULL);
}

/* --- numbers in comments --- */

static void comments_tell_evaluation_and_clock(void **state)
{
    (void)state;
    static const struct {
        const char *comment;
        Color mover;
        PgnEval expected;
    } cases[] = {
        {"nothing to see", WHITE, {0}},
        {"[%eval 0.35]", WHITE, {.has_eval = true, .pawns = 0.35}},
        {"[%eval -1.5,18] text", BLACK, {.has_eval = true, .pawns = -1.5, .depth = 18}},
        {"good [%eval #-3] [%clk 0:09:59]",
         WHITE,
         {.has_eval = true, .is_mate = true, .mate = -3, .has_clock = true, .clock = 599}},
        {"[%clk 1:00:00.5][%emt 0:00:07]",
         WHITE,
         {.has_clock = true, .clock = 3600.5, .has_elapsed = true, .elapsed = 7}},
        {"+0.31/18 1.2s",
         WHITE,
         {.has_eval = true, .pawns = 0.31, .depth = 18, .has_elapsed = true, .elapsed = 1.2}},
        {"+0.31/18 1.2",
         BLACK,
         {.has_eval = true, .pawns = -0.31, .depth = 18, .has_elapsed = true, .elapsed = 1.2}},
        {"-M4/20 0.010s, Black mates",
         WHITE,
         {.has_eval = true,
          .is_mate = true,
          .mate = -2,
          .depth = 20,
          .has_elapsed = true,
          .elapsed = 0.01}},
        {"+M7/9", BLACK, {.has_eval = true, .is_mate = true, .mate = -4, .depth = 9}},
        {"1/2 of the board", WHITE, {.has_eval = true, .pawns = 1, .depth = 2}},
        {"[%eval x] [%clk :] [%eval", WHITE, {0}},
        {"[[%eval 1.0]]", WHITE, {.has_eval = true, .pawns = 1}},
        {"[%cal Gg6f8] [%csl Rd4]", WHITE, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const PgnEval *want = &cases[i].expected;
        PgnEval got;
        pgn_comment_eval(cases[i].comment, cases[i].mover, &got);
        if (got.has_eval != want->has_eval || got.is_mate != want->is_mate ||
            got.has_clock != want->has_clock || got.has_elapsed != want->has_elapsed ||
            got.mate != want->mate || got.depth != want->depth)
            fail_msg("%s", cases[i].comment);
        assert_float_equal(got.pawns, want->pawns, 1e-9);
        assert_float_equal(got.clock, want->clock, 1e-9);
        assert_float_equal(got.elapsed, want->elapsed, 1e-9);
    }
    PgnEval none;
    pgn_comment_eval(NULL, WHITE, &none);
    assert_false(none.has_eval);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_files_are_read_as_far_as_they_go),
        cmocka_unit_test(any_bytes_are_survived),
        cmocka_unit_test(large_files_of_nonsense_take_linear_time),
        cmocka_unit_test(a_game_is_kept_whole),
        cmocka_unit_test(a_game_is_written_in_export_format),
        cmocka_unit_test(the_readers_tolerances),
        cmocka_unit_test(an_illegal_move_ends_the_game_but_not_the_file),
        cmocka_unit_test(an_illegal_move_in_a_variation_ends_that_variation),
        cmocka_unit_test(reading_goes_on_at_the_next_event),
        cmocka_unit_test(a_null_move_cannot_leave_a_check),
        cmocka_unit_test(the_result_does_not_depend_on_how_the_bytes_arrive),
        cmocka_unit_test(where_the_next_game_begins_is_told),
        cmocka_unit_test(a_failing_source_is_told_and_loses_nothing),
        cmocka_unit_test(built_games_read_back_identical),
        cmocka_unit_test(lines_stay_under_80_columns),
        cmocka_unit_test(a_set_up_position_gets_its_tags),
        cmocka_unit_test(comments_tell_evaluation_and_clock),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
