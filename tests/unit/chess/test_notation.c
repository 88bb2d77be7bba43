// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

#include "chess/notation.h"

static int setup(void **state)
{
    (void)state;
    attacks_init();
    return 0;
}

static const char *as_uci(const Position *p, Move m, char out[UCI_MOVE_SIZE])
{
    move_to_uci(m, p->chess960, out);
    return out;
}

/* --- every legal move --- */

static void check_all_moves(Position *p, void *user)
{
    MoveList list;
    gen_legal(p, &list);
    static char sans[MAX_MOVES][SAN_SIZE];
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        char uci[UCI_MOVE_SIZE];
        move_to_uci(m, p->chess960, uci);
        move_to_san(p, m, sans[i]);
        if (move_from_uci(p, str_from(uci)) != m || move_from_san(p, str_from(uci)) != m ||
            move_from_san(p, str_from(sans[i])) != m) {
            char fen[FEN_SIZE];
            fen_write(p, fen);
            fail_msg("%s: %s %s", fen, uci, sans[i]);
        }
    }
    *(int *)user += list.count;
}

static void every_legal_move_reads_back_from_san_and_uci(void **state)
{
    (void)state;
    int checks = 0;
    visit_suites(1, check_all_moves, &checks);
    assert_in_range(checks, 250000, 400000);
}

/* The letters before the target name no more than what tells the move from the other legal ones:
 * without any one of them the text must no longer be understood. */
static void check_shortest(Position *p, void *user)
{
    MoveList list;
    gen_legal(p, &list);
    for (int i = 0; i < list.count; i++) {
        char san[SAN_SIZE], shorter[SAN_SIZE];
        move_to_san(p, list.moves[i], san);
        if (!strchr("NBRQK", san[0]))
            continue;
        const size_t core = strcspn(san, "+#x") == strlen(san) ? strlen(san) : strcspn(san, "+#x");
        const size_t target = strchr(san, 'x') ? core : core - 2;
        for (size_t cut = 1; cut < target; cut++) {
            memcpy(shorter, san, cut);
            strcpy(shorter + cut, san + cut + 1);
            assert_int_equal(move_from_san(p, str_from(shorter)), MOVE_NONE);
            ++*(int *)user;
        }
    }
}

static void san_says_no_more_than_needed(void **state)
{
    (void)state;
    int checks = 0;
    visit_suites(0, check_shortest, &checks);
    assert_in_range(checks, 200, 100000);
}

static void random_text_is_no_move(void **state)
{
    (void)state;
    const Position p = position(FEN_START, FEN_STANDARD);
    static const char *const texts[] = {
        "",        "e",
        "e9",      "i4",
        "e5",      "Nf4",
        "O-O",     "0-0-0",
        "Ke2",     "exd5",
        "e4=Q",    "e2e5",
        "e7e5",    "Ng1",
        "N",       "x",
        "xx",      "=Q",
        "(Q)",     "e8(Q)",
        "-",       "---",
        "1-0",     "*",
        "N1",      "Nxf3x",
        "e2-",     "♘f3",
        "Sf3",     "e4e5e6",
        "P",       "Pe",
        "e2e4q",   "e2e4e2e4e2e4e2e4e2e4e2e4e2e4",
        "\xff",    "e\0004",
        "O-O-O-O", "O-",
        "OO",      "@@@",
        "Z",       "Z1",
        "e4.",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(move_from_san(&p, str_from(texts[i])), MOVE_NONE);
        assert_int_equal(move_from_uci(&p, str_from(texts[i])), MOVE_NONE);
    }
    assert_int_equal(move_from_san(&p, (Str){0}), MOVE_NONE);
    assert_int_equal(move_from_uci(&p, (Str){0}), MOVE_NONE);
    assert_int_equal(move_from_uci(&p, STR("0000")), MOVE_NONE);
}

/* --- SAN --- */

static void san_is_written_strictly(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *uci, *san;
        FenMode mode;
    } cases[] = {
        {FEN_START, "e2e4", "e4", FEN_STANDARD},
        {FEN_START, "g1f3", "Nf3", FEN_STANDARD},
        /* the knight on b1 could go to d2, but so could the one on f3; the one on f1 is alone */
        {"4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2", FEN_STANDARD},
        /* pinned men do not count */
        {"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2", FEN_STANDARD},
        /* same file: the rank tells */
        {"4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3", FEN_STANDARD},
        /* three queens: both */
        {"8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1", FEN_STANDARD},
        {"8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "e4e1", "Qee1", FEN_STANDARD},
        {"8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h1e1", "Q1e1", FEN_STANDARD},
        /* captures, en passant, promotion */
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6", FEN_STANDARD},
        {"3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", "exd8=N", FEN_STANDARD},
        {"3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+", FEN_STANDARD},
        /* check and mate; the longest text is of ten letters */
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O", FEN_STANDARD},
        {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+", FEN_STANDARD},
        {"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+", FEN_STANDARD},
        {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#", FEN_STANDARD},
        {"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2", "d8h4", "Qh4#",
         FEN_STANDARD},
        {"4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "O-O", FEN_960},
        {"4k3/8/8/8/8/8/8/5RKR w HF - 0 1", "g1f1", "O-O-O", FEN_960},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Position p = position(cases[i].fen, cases[i].mode);
        char san[SAN_SIZE];
        const Move m = move_from_uci(&p, str_from(cases[i].uci));
        assert_int_not_equal(m, MOVE_NONE);
        move_to_san(&p, m, san);
        assert_string_equal(san, cases[i].san);
    }
}

static void san_is_read_in_all_its_dialects(void **state)
{
    (void)state;
    static const char open_game[] =
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4";
    static const char ep[] = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
    static const char promotion[] = "3r3k/P3P3/8/8/8/8/8/4K3 w - - 0 1";
    static const char bishops[] = "4k3/8/8/2p5/1P6/8/8/2B1KB2 w - - 0 1";
    static const struct {
        const char *fen, *text, *uci; /* "": cannot be read */
    } cases[] = {
        {FEN_START, "e4", "e2e4"},
        {FEN_START, "e2e4", "e2e4"},
        {FEN_START, "e2-e4", "e2e4"},
        {FEN_START, "Pe4", "e2e4"},
        {FEN_START, "pe2-e4", "e2e4"},
        {FEN_START, "e4!", "e2e4"},
        {FEN_START, "e4?!", "e2e4"},
        {FEN_START, "e4+", "e2e4"},
        {FEN_START, "e4#", "e2e4"},
        {FEN_START, "ee4", "e2e4"},
        {FEN_START, "Nf3", "g1f3"},
        {FEN_START, "nf3", "g1f3"},
        {FEN_START, "Ngf3", "g1f3"},
        {FEN_START, "N1f3", "g1f3"},
        {FEN_START, "Ng1f3", "g1f3"},
        {FEN_START, "Ng1-f3!!", "g1f3"},
        {FEN_START, "g1f3", "g1f3"},
        {FEN_START, "b1c3", "b1c3"},
        {FEN_START, "Nxf3", "g1f3"},
        {FEN_START, "Bb1c3", ""},
        {FEN_START, "e4+-", "e2e4"},
        {FEN_START, "e4+/=", "e2e4"},
        {open_game, "O-O", "e1g1"},
        {open_game, "0-0", "e1g1"},
        {open_game, "o-o", "e1g1"},
        {open_game, "O-O!?", "e1g1"},
        {open_game, "e1g1", "e1g1"},
        {open_game, "e1h1", "e1g1"},
        {open_game, "Ke1-g1", "e1g1"},
        {open_game, "Ke1xh1", "e1g1"},
        {open_game, "O-O-O", ""},
        {open_game, "Bxf7+", "c4f7"},
        {open_game, "Bf7", "c4f7"},
        {open_game, "bf7+", "c4f7"},
        {open_game, "bxf7", "c4f7"},
        {open_game, "B:f7", "c4f7"},
        {open_game, "Bc4xf7+!", "c4f7"},
        {open_game, "b3", "b2b3"},
        {open_game, "bb3", "b2b3"},
        {open_game, "Bb3", "c4b3"},
        {ep, "exd6", "e5d6"},
        {ep, "exd6e.p.", "e5d6"},
        {ep, "exd6ep", "e5d6"},
        {ep, "exd6 e.p.", ""},
        {ep, "ed6", "e5d6"},
        {ep, "e5xd6", "e5d6"},
        {ep, "xd6", "e5d6"},
        {ep, "e5d6", "e5d6"},
        {ep, "d6", ""},
        {promotion, "a8=Q", "a7a8q"},
        {promotion, "a8Q", "a7a8q"},
        {promotion, "a8(Q)", "a7a8q"},
        {promotion, "a8/N", "a7a8n"},
        {promotion, "a8=r", "a7a8r"},
        {promotion, "a7a8b", "a7a8b"},
        {promotion, "a7-a8=B+", "a7a8b"},
        {promotion, "a8", ""},
        {promotion, "a8=K", ""},
        {promotion, "a8=P", ""},
        {promotion, "exd8=Q+", "e7d8q"},
        {promotion, "ed8Q", "e7d8q"},
        {promotion, "exd8(N)+", "e7d8n"},
        {promotion, "e7xd8=Q", "e7d8q"},
        {promotion, "Ke2=Q", ""},
        {bishops, "bxc5", "b4c5"},
        {bishops, "bc5", "b4c5"},
        {bishops, "bc4", "f1c4"},
        {bishops, "bd2", "c1d2"},
        {bishops, "b5", "b4b5"},
        {bishops, "bb5", "b4b5"},
        {bishops, "Bb5", "f1b5"},
        {bishops, "ke2", "e1e2"},
        {"4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", ""}, /* two knights */
        {"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2", "g1e2"},
        {"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Nge2", "g1e2"},
        {"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Nce2", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Position p = position(cases[i].fen, FEN_STANDARD);
        const Move m = move_from_san(&p, str_from(cases[i].text));
        char uci[UCI_MOVE_SIZE];
        const char *expected = cases[i].uci[0] ? cases[i].uci : "0000";
        if (strcmp(as_uci(&p, m, uci), expected) != 0)
            fail_msg("%s in %s: %s, expected %s", cases[i].text, cases[i].fen, uci, expected);
    }
}

static void a_written_null_move_is_told_apart(void **state)
{
    (void)state;
    const Position p = position(FEN_START, FEN_STANDARD);
    static const char *const texts[] = {"--", "Z0", "0000", "@@@@"};
    for (int i = 0; i < 4; i++)
        assert_int_equal(move_from_san(&p, str_from(texts[i])), MOVE_NULL);
    char text[SAN_SIZE];
    move_to_san(&p, MOVE_NULL, text);
    assert_string_equal(text, "--");
    move_to_uci(MOVE_NULL, false, text);
    assert_string_equal(text, "0000");
    move_to_uci(MOVE_NONE, false, text);
    assert_string_equal(text, "0000");
}

/* --- UCI --- */

static void castling_is_understood_in_either_spelling(void **state)
{
    (void)state;
    static const char classical[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    static const char king_f1[] = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
    static const char king_b1[] = "4k3/8/8/8/8/8/8/RK5R w HA - 0 1";
    static const char king_g1[] = "4k3/8/8/8/8/8/8/5RKR w HF - 0 1";
    static const struct {
        const char *fen;
        FenMode mode;
        const char *text, *written; /* "0000": refused */
    } cases[] = {
        {classical, FEN_STANDARD, "e1g1", "e1g1"},
        {classical, FEN_STANDARD, "e1h1", "e1g1"},
        {classical, FEN_STANDARD, "e1c1", "e1c1"},
        {classical, FEN_STANDARD, "e1a1", "e1c1"},
        {classical, FEN_STANDARD, "e1b1", "0000"},
        {classical, FEN_STANDARD, "e1f1", "e1f1"},
        {classical, FEN_960, "e1g1", "e1h1"},
        {classical, FEN_960, "e1h1", "e1h1"},
        {classical, FEN_960, "e1c1", "e1a1"},
        {classical, FEN_960, "e1d1", "e1d1"},
        /* one step is the plain king move, never castling */
        {king_f1, FEN_960, "f1g1", "f1g1"},
        {king_f1, FEN_960, "f1h1", "f1h1"},
        {king_f1, FEN_960, "f1e1", "f1e1"},
        {king_b1, FEN_960, "b1c1", "b1c1"},
        {king_b1, FEN_960, "b1a1", "b1a1"},
        {king_b1, FEN_960, "b1g1", "b1h1"},
        {king_b1, FEN_960, "b1h1", "b1h1"},
        {king_b1, FEN_960, "b1e1", "0000"},
        {king_g1, FEN_960, "g1h1", "0000"},
        {king_g1, FEN_960, "g1f1", "g1f1"},
        {"4k3/8/8/8/8/8/8/6KR w H - 0 1", FEN_960, "g1h1", "g1h1"},
        {king_g1, FEN_960, "g1c1", "g1f1"},
        {king_g1, FEN_960, "g1g1", "0000"},
        /* no right, or the way is barred */
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", FEN_STANDARD, "e1g1", "0000"},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", FEN_STANDARD, "e1h1", "0000"},
        {"4k3/8/8/8/8/8/8/4KB1R w K - 0 1", FEN_STANDARD, "e1g1", "0000"},
        {"4k3/8/8/8/8/5r2/8/4K2R w K - 0 1", FEN_STANDARD, "e1g1", "0000"},
        {"4k3/8/8/8/8/4r3/8/4K2R w K - 0 1", FEN_STANDARD, "e1h1", "0000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Position p = position(cases[i].fen, cases[i].mode);
        const Move m = move_from_uci(&p, str_from(cases[i].text));
        char uci[UCI_MOVE_SIZE];
        if (strcmp(as_uci(&p, m, uci), cases[i].written) != 0)
            fail_msg("%s in %s: %s, expected %s", cases[i].text, cases[i].fen, uci,
                     cases[i].written);
    }
}

static void uci_promotions_need_their_letter(void **state)
{
    (void)state;
    const Position p = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", FEN_STANDARD);
    assert_int_equal(move_from_uci(&p, STR("a7a8q")), move_make_promotion(A7, A8, QUEEN));
    assert_int_equal(move_from_uci(&p, STR("a7a8N")), move_make_promotion(A7, A8, KNIGHT));
    assert_int_equal(move_from_uci(&p, STR("a7a8")), MOVE_NONE);
    assert_int_equal(move_from_uci(&p, STR("a7a8k")), MOVE_NONE);
    assert_int_equal(move_from_uci(&p, STR("e1e2q")), MOVE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legal_move_reads_back_from_san_and_uci),
        cmocka_unit_test(san_says_no_more_than_needed),
        cmocka_unit_test(random_text_is_no_move),
        cmocka_unit_test(san_is_written_strictly),
        cmocka_unit_test(san_is_read_in_all_its_dialects),
        cmocka_unit_test(a_written_null_move_is_told_apart),
        cmocka_unit_test(castling_is_understood_in_either_spelling),
        cmocka_unit_test(uci_promotions_need_their_letter),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
