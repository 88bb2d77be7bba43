// SPDX-License-Identifier: GPL-3.0-or-later
/* mock_engine -- a small engine with one fault, chosen by its first argument:
 *
 *   good            none: legal moves picked by a hash of the position, a true variation of one
 * move mute            reads and says nothing exits           ends at once with code 3 slow sleeps
 * 300 ms over its third move crash           aborts when asked for its third move vanish exits with
 * code 7 when asked for its third move deaf            never answers its third `go`, nor `stop`
 *   late            answers its third `go` only after `stop`
 *   illegal         plays a move of an empty square as its third move
 *   empty           says `bestmove` and nothing else
 *   twice           sends every bestmove twice
 *   chatty          floods: thousands of info lines and one line of two megabytes per move
 *   pv-illegal pv-long pv-mate pv-other info-float    tells untruths about its variation
 *   undying         ignores quit, end of input and every signal that can be ignored
 *   parent          has a child process that is as undying
 *   dawdling        a good engine that takes 5 ms for each move
 *   ponder-hit      expects the right reply; aborts if it is told otherwise
 *   ponder-miss     expects a wrong reply; aborts if that is called right
 *   ponder-early    answers while it should ponder
 *   tunable         blunders the more often the farther its options are from Alpha 70 and Beta 30
 *   xboard xboard-resign xboard-illegal xboard-claim   speaks XBoard
 *
 * Further arguments are for whoever looks at the list of processes. */
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "base/clock.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Mock {
    const char *mode;
    Game game;
    int searches;    /* in this game */
    bool waiting;    /* for `stop` */
    bool forced;     /* XBoard: only watches */
    int alpha, beta; /* of its options */
} Mock;

static bool is(const Mock *m, const char *mode) { return strcmp(m->mode, mode) == 0; }

/* Any legal move, but always the same one in the same position. */
static Move choose(const Mock *m)
{
    MoveList list;
    gen_legal(&m->game.pos, &list);
    return list.count ? list.moves[m->game.pos.st.key % (unsigned)list.count] : MOVE_NONE;
}

static void become_undying(void)
{
    for (int s = 1; s < 32; s++)
        signal(s, SIG_IGN);
}

static void sleep_for_ever(void)
{
    for (;;)
        clock_sleep_ms(1000);
}

static void flood(void)
{
    for (int i = 0; i < 5000; i++)
        puts("info depth 1 seldepth 1 nodes 1 nps 1 time 0 currmove e2e4 currmovenumber 1");
    fputs("info string ", stdout);
    for (int i = 0; i < 2 << 20; i++)
        putchar('x');
    putchar('\n');
}

/* The line before bestmove: true, or untrue in the way that was asked for. */
static void print_info(Mock *m, Move best)
{
    char word[UCI_MOVE_SIZE], other[UCI_MOVE_SIZE];
    MoveList list;
    move_to_uci(best, m->game.pos.chess960, word);
    gen_legal(&m->game.pos, &list);
    move_to_uci(list.moves[list.moves[0] == best && list.count > 1], m->game.pos.chess960, other);
    game_play(&m->game, best, NULL);
    const bool ends = game_end(&m->game) != GAME_ON; /* then a second move would be another fault */
    game_undo(&m->game);
    if (is(m, "pv-illegal") && !ends)
        printf("info depth 2 score cp 10 nodes 20 time 1 pv %s e4e4\n", word);
    else if (is(m, "pv-mate"))
        printf("info depth 2 score mate 3 nodes 20 time 1 pv %s\n", word);
    else if (is(m, "pv-other"))
        printf("info depth 2 score cp 10 nodes 20 time 1 pv %s\n", other);
    else if (is(m, "info-float"))
        printf("info depth 2 score cp 10 nodes 20 time 1.5 pv %s\n", word);
    else
        printf("info depth 1 seldepth 1 score cp 10 nodes 20 nps 20000 time 1 pv %s\n", word);
}

/* A variation that is legal throughout but goes on after the end of the game: both sides move to
 * and fro until the position has come up three times. */
static void print_endless_variation(Mock *m)
{
    const int before = m->game.count;
    fputs("info depth 1 score cp 0 nodes 20 time 1 pv", stdout);
    for (int i = 0; i < 60 && gen_count(&m->game.pos); i++) {
        MoveList list;
        gen_legal(&m->game.pos, &list);
        Move back = MOVE_NONE;
        if (m->game.count >= 2) { /* undo the last but one move */
            const Move last = m->game.plies[m->game.count - 2].move;
            back = move_make(move_to(last), move_from(last));
        }
        const Move move = i == 0                  ? choose(m)
                          : list_has(&list, back) ? back
                                                  : list.moves[list.count - 1];
        char word[UCI_MOVE_SIZE];
        move_to_uci(move, m->game.pos.chess960, word);
        printf(" %s", word);
        game_play(&m->game, move, NULL);
    }
    putchar('\n');
    while (m->game.count > before)
        game_undo(&m->game);
}

static void misbehave_at_third(Mock *m)
{
    if (++m->searches != 3)
        return;
    if (is(m, "crash"))
        abort();
    if (is(m, "vanish"))
        exit(7);
    if (is(m, "slow"))
        clock_sleep_ms(300);
    if (is(m, "deaf"))
        sleep_for_ever();
    m->waiting = m->waiting || is(m, "late");
}

/* A blunder is an illegal move: that loses at once. */
static bool blunders(const Mock *m)
{
    if (is(m, "illegal"))
        return m->searches == 3;
    const int distance = abs(m->alpha - 70) + abs(m->beta - 30);
    return is(m, "tunable") && (int)(m->game.pos.st.key >> 32 & 1023) < 2 * distance;
}

/* The reply to come: that of another mock is easily foretold. */
static void print_expected(Mock *m, Move best)
{
    if (strncmp(m->mode, "ponder", 6) != 0 || best == MOVE_NONE)
        return;
    MoveList list;
    char word[UCI_MOVE_SIZE];
    game_play(&m->game, best, NULL);
    gen_legal(&m->game.pos, &list);
    if (list.count > 1) {
        const Move right = choose(m), wrong = list.moves[list.moves[0] == right];
        move_to_uci(is(m, "ponder-miss") ? wrong : right, m->game.pos.chess960, word);
        printf(" ponder %s", word);
    }
    game_undo(&m->game);
}

static void print_bestmove(Mock *m)
{
    char word[UCI_MOVE_SIZE];
    const Move best = choose(m);
    move_to_uci(best, m->game.pos.chess960, word);
    if (blunders(m))
        strcpy(word, "e4e4");
    if (is(m, "empty"))
        word[0] = 0;
    for (int i = 0; i < 1 + is(m, "twice"); i++)
        printf("%sbestmove %s", i ? "\n" : "", word);
    print_expected(m, best);
    putchar('\n');
}

static void search(Mock *m)
{
    misbehave_at_third(m);
    if (is(m, "dawdling"))
        clock_sleep_ms(5);
    if (is(m, "chatty"))
        flood();
    if (is(m, "pv-long"))
        print_endless_variation(m);
    else
        print_info(m, choose(m));
    if (!m->waiting)
        print_bestmove(m);
}

/* The FEN is followed by "moves": cut it off there. */
static Str fen_part(Str rest)
{
    Str copy = rest, word;
    while ((word = str_token(&copy)).len)
        if (str_is(word, "moves"))
            return (Str){rest.ptr, (size_t)(word.ptr - rest.ptr)};
    return rest;
}

static void set_position(Mock *m, Str rest, bool chess960)
{
    Position start;
    pos_start(&start);
    Str word = str_token(&rest);
    if (str_is(word, "fen"))
        fen_parse(&start, fen_part(rest), chess960 ? FEN_960 : FEN_STANDARD, NULL, NULL);
    start.chess960 = chess960;
    game_reset(&m->game, &start);
    while (word.len && !str_is(word, "moves"))
        word = str_token(&rest);
    while ((word = str_token(&rest)).len)
        game_play(&m->game, move_from_uci(&m->game.pos, word), NULL);
}

static void set_option(Mock *m, Str rest, bool *chess960)
{
    str_token(&rest); /* "name" */
    const Str name = str_token(&rest);
    str_token(&rest); /* "value" */
    const Str value = str_token(&rest);
    int64_t number;
    if (str_is(name, "UCI_Chess960"))
        *chess960 = str_is(value, "true");
    else if (str_is(name, "Alpha") && str_int(value, 0, 100, &number))
        m->alpha = (int)number;
    else if (str_is(name, "Beta") && str_int(value, 0, 100, &number))
        m->beta = (int)number;
}

static void uci_line(Mock *m, Str line, bool *chess960)
{
    Str rest = line;
    const Str word = str_token(&rest);
    if (str_is(word, "uci"))
        puts(
            "id name Mock\nid author nobody\noption name Hash type spin default 16 min 1 max 1024\n"
            "option name UCI_Chess960 type check default false\n"
            "option name Alpha type spin default 50 min 0 max 100\n"
            "option name Beta type spin default 50 min 0 max 100\nuciok");
    else if (str_is(word, "isready"))
        puts("readyok");
    else if (str_is(word, "setoption"))
        set_option(m, rest, chess960);
    else if (str_is(word, "ucinewgame"))
        m->searches = 0;
    else if (str_is(word, "position"))
        set_position(m, rest, *chess960);
    else if (str_is(word, "go")) {
        m->waiting = str_is(str_token(&rest), "ponder") && !is(m, "ponder-early");
        search(m);
    } else if (str_is(word, "stop") && m->waiting) {
        if (is(m, "ponder-hit") && m->game.count < 20) /* later the game may be over */
            abort();
        m->waiting = false;
        print_bestmove(m);
    } else if (str_is(word, "ponderhit") && m->waiting) {
        if (is(m, "ponder-miss"))
            abort();
        m->waiting = false;
        print_bestmove(m);
    }
}

static void xboard_move(Mock *m)
{
    char word[UCI_MOVE_SIZE];
    const Move best = choose(m);
    if (best == MOVE_NONE)
        return;
    if (++m->searches == 3 && is(m, "xboard-resign")) {
        puts("resign");
        return;
    }
    if (m->searches == 3 && is(m, "xboard-claim")) {
        puts("1/2-1/2 {I am tired}");
        return;
    }
    puts("4 12 1 345 (anything may stand here)");
    move_to_uci(best, false, word);
    game_play(&m->game, best, NULL);
    printf("move %s\n", m->searches == 3 && is(m, "xboard-illegal") ? "e4e4" : word);
}

static void xboard_line(Mock *m, Str line)
{
    Str rest = line;
    const Str word = str_token(&rest);
    Position start;
    if (str_is(word, "protover"))
        puts("feature myname=\"Mock X\" ping=1 setboard=1 usermove=1 san=0\nfeature option=\"Style "
             "-spin 1 0 9\" done=1");
    else if (str_is(word, "ping"))
        printf("pong %.*s\n", (int)rest.len, rest.ptr);
    else if (str_is(word, "new")) {
        pos_start(&start);
        game_reset(&m->game, &start);
        m->searches = 0;
        m->forced = false;
    } else if (str_is(word, "force"))
        m->forced = true;
    else if (str_is(word, "setboard") && fen_parse(&start, rest, FEN_STANDARD, NULL, NULL))
        game_reset(&m->game, &start);
    else if (str_is(word, "go")) {
        m->forced = false;
        xboard_move(m);
    } else if (str_is(word, "usermove")) {
        game_play(&m->game, move_from_uci(&m->game.pos, str_trim(rest)), NULL);
        if (!m->forced)
            xboard_move(m);
    }
}

int main(int argc, char **argv)
{
    Mock m = {.mode = argc > 1 ? argv[1] : "good", .alpha = 50, .beta = 50};
    bool chess960 = false;
    attacks_init();
    game_init(&m.game);
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    if (is(&m, "exits"))
        return 3;
    if (is(&m, "undying"))
        become_undying();
    if (is(&m, "parent") && fork() == 0) {
        become_undying();
        sleep_for_ever();
    }
    char *line = NULL;
    size_t capacity = 0;
    ssize_t len;
    while ((len = getline(&line, &capacity, stdin)) > 0) {
        const Str text = str_trim((Str){line, (size_t)len});
        if (is(&m, "mute"))
            continue;
        if (str_is(text, "quit") && !is(&m, "undying"))
            break;
        if (strncmp(m.mode, "xboard", 6) == 0)
            xboard_line(&m, text);
        else
            uci_line(&m, text, &chess960);
        fflush(stdout);
    }
    if (is(&m, "undying"))
        sleep_for_ever();
    free(line);
    game_free(&m.game);
    return 0;
}
