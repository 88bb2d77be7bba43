// SPDX-License-Identifier: GPL-3.0-or-later
/* cli_play.c -- samara play: a game at the terminal. Moves and commands come as lines from standard
 * input, so a pipe plays as well as a person. */
#include "base/app.h"
#include "front/board.h"
#include "front/cli_commands.h"
#include "front/cli_words.h"
#include "front/game_text.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVEL = 10, DEFAULT_MS = 1000, LINE_TEXT = 2048 };

typedef struct Play {
    Samara *engine;
    SamaraPosition *position;
    SamaraRequest request;     /* of the engine's own moves */
    char fen[SAMARA_FEN_SIZE]; /* where games begin */
    bool chess960;
    bool user_white;
    int level;       /* 0: full strength */
    bool colour;     /* standard output is a terminal */
    bool prompts;    /* standard input is one */
    bool resigned;   /* the user gave up */
    bool over;       /* the end of the game was announced */
    bool leave;      /* after this command */
    const char *pgn; /* where the game goes at the end; NULL: nowhere */
} Play;

static void say(const char *text) { puts(text); }

static void show_board(const Play *p)
{
    Buffer out = {0};
    board_paint(p->position, !p->user_white, p->colour, &out);
    fputs(buffer_text(&out), stdout);
    buffer_free(&out);
}

/* --- the engine's part --- */

/* Level 1 is the weakest that the engine can play, level 10 the strongest that is still limited. */
static int level_elo(int level)
{
    int min, max;
    samara_elo_range(&min, &max);
    return level ? min + (max - min) * (level - 1) / (MOST_LEVEL - 1) : 0;
}

/* Searches for the side to move; `elo` 0 is full strength, as hints and evaluations are. */
static bool search(Play *p, int elo, SamaraResult *result)
{
    SamaraRequest request = p->request;
    SamaraError err;
    request.position = p->position;
    request.elo = elo;
    request.lines = 1;
    if (samara_search(p->engine, &request, NULL, result, &err))
        return true;
    cli_fail("play", err.text);
    return false;
}

static void move_engine(Play *p)
{
    SamaraResult result;
    char san[64];
    if (!search(p, level_elo(p->level), &result) || !result.best.code)
        return;
    samara_position_line_text(p->position, &result.best, 1, san, sizeof san);
    samara_position_play(p->position, &result.best, NULL);
    printf("Samara plays %s\n", san);
    show_board(p);
}

/* --- the end of a game --- */

static const char *result_of(const Play *p)
{
    const bool white_to_move = samara_position_white_to_move(p->position);
    const SamaraState state = samara_position_state(p->position);
    if (p->resigned)
        return p->user_white ? "0-1" : "1-0";
    if (state == SAMARA_CHECKMATE)
        return white_to_move ? "0-1" : "1-0";
    return state == SAMARA_PLAYING ? "*" : "1/2-1/2";
}

static void announce_end(Play *p)
{
    const SamaraState state = samara_position_state(p->position);
    if (p->over || (state == SAMARA_PLAYING && !p->resigned))
        return;
    p->over = true;
    printf("The game is over: %s, %s\n", p->resigned ? "you resign" : samara_state_name(state),
           result_of(p));
}

/* --- commands --- */

static void do_help(Play *p, const char *rest);

static void do_board(Play *p, const char *rest)
{
    (void)rest;
    show_board(p);
}

static void do_moves(Play *p, const char *rest)
{
    (void)rest;
    SamaraMove moves[SAMARA_MAX_MOVES];
    const size_t count = samara_position_moves(p->position, moves, SAMARA_MAX_MOVES);
    printf("%zu moves:", count);
    for (size_t i = 0; i < count; i++)
        printf(" %s", moves[i].san);
    putchar('\n');
}

/* Back to the user's last decision: his move and the answer to it. */
static void do_back(Play *p, const char *rest)
{
    (void)rest;
    bool undone = samara_position_undo(p->position);
    if (undone && samara_position_white_to_move(p->position) != p->user_white)
        samara_position_undo(p->position);
    p->resigned = p->over = false;
    if (!undone)
        say("There is no move to take back.");
    else
        show_board(p);
}

static void do_hint(Play *p, const char *rest)
{
    (void)rest;
    SamaraResult result;
    if (search(p, 0, &result) && result.best.code)
        printf("Hint: %s\n", result.best.san);
}

/* A search as long as that for a move; the score is White's view. */
static void do_eval(Play *p, const char *rest)
{
    (void)rest;
    SamaraResult result;
    char score[32], line[LINE_TEXT];
    if (!search(p, 0, &result) || result.line_count == 0)
        return;
    const SamaraLine *best = &result.lines[0];
    cli_score(&best->score, samara_position_white_to_move(p->position), score, sizeof score);
    samara_position_line_text(p->position, best->moves, (size_t)best->length, line, sizeof line);
    printf("%s for White at depth %d (%s wins %.0f %%, draws %.0f %%): %s\n", score, best->depth,
           samara_position_white_to_move(p->position) ? "White" : "Black", best->score.win / 10.0,
           best->score.draw / 10.0, line);
}

static void do_flip(Play *p, const char *rest)
{
    (void)rest;
    p->user_white = !p->user_white;
    show_board(p);
}

static void do_go(Play *p, const char *rest)
{
    (void)rest;
    p->user_white = !samara_position_white_to_move(p->position);
}

static void do_fen(Play *p, const char *rest)
{
    (void)rest;
    char fen[SAMARA_FEN_SIZE];
    samara_position_fen(p->position, fen);
    say(fen);
}

/* Level 0 is full strength; the others have a rating that games have checked. */
static void do_level(Play *p, const char *rest)
{
    int64_t level;
    if (!str_int(str_from(rest), 0, MOST_LEVEL, &level)) {
        printf("A level is a number from 1 to %d; 0 is full strength.\n", MOST_LEVEL);
        return;
    }
    p->level = (int)level;
    if (level)
        printf("Level %d, about %d Elo.\n", p->level, level_elo(p->level));
    else
        say("Full strength.");
}

static void do_new(Play *p, const char *rest)
{
    (void)rest;
    samara_position_set(p->position, p->fen, p->chess960, NULL, 0, NULL);
    samara_forget(p->engine);
    p->resigned = p->over = false;
    show_board(p);
}

static void save(const Play *p, const char *path)
{
    const char *players[2] = {p->user_white ? "You" : "Samara", p->user_white ? "Samara" : "You"};
    Error err;
    if (game_save(p->position, players, result_of(p), path, &err))
        printf("Saved in %s\n", path);
    else
        cli_fail("play", err.text);
}

static void do_save(Play *p, const char *rest) { save(p, *rest ? rest : "game.pgn"); }

static void do_resign(Play *p, const char *rest)
{
    (void)rest;
    p->resigned = true;
}

static void do_quit(Play *p, const char *rest)
{
    (void)rest;
    p->leave = true;
}

static const struct {
    const char *name, *help;
    void (*run)(Play *p, const char *rest);
} commands[] = {
    {"back", "takes your last move back", do_back},
    {"hint", "what Samara would play in your place", do_hint},
    {"eval", "what it thinks of the position", do_eval},
    {"moves", "all legal moves", do_moves},
    {"board", "draws the board", do_board},
    {"flip", "changes sides: Samara plays yours", do_flip},
    {"go", "Samara moves now, and goes on with that colour", do_go},
    {"level", "level N: 1 to 10, 0 for full strength", do_level},
    {"fen", "the position as text", do_fen},
    {"save", "save FILE: the game as PGN", do_save},
    {"new", "a new game", do_new},
    {"resign", "gives the game up", do_resign},
    {"help", "this list", do_help},
    {"quit", "leaves", do_quit},
};

static void do_help(Play *p, const char *rest)
{
    (void)p;
    (void)rest;
    say("Type a move as e4, Nf3, O-O, exd8=Q or e2e4, or one of these:");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        printf("  %-8s %s\n", commands[i].name, commands[i].help);
}

/* --- the conversation --- */

static bool read_line(Buffer *line)
{
    int c;
    buffer_clear(line);
    while ((c = getchar()) != EOF && c != '\n')
        buffer_putc(line, (char)c);
    return c != EOF || line->len > 0;
}

static void move_user(Play *p, const char *text)
{
    SamaraError err;
    if (samara_position_state(p->position) != SAMARA_PLAYING || p->resigned)
        say("The game is over; 'back' takes a move back, 'new' begins another.");
    else if (!samara_position_play_text(p->position, text, &err))
        printf("'%.40s' is no legal move; 'moves' lists those, 'help' the commands.\n", text);
}

/* A command if the first word is one, else a move. */
static void handle_line(Play *p, const char *text)
{
    Str rest = str_from(text);
    const Str word = str_token(&rest);
    const char *tail = rest.ptr + strspn(rest.ptr, " \t");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (str_is_nocase(word, commands[i].name)) {
            commands[i].run(p, tail);
            return;
        }
    if (word.len > 0)
        move_user(p, text);
}

static bool engine_to_move(const Play *p)
{
    return !p->resigned && samara_position_state(p->position) == SAMARA_PLAYING &&
           samara_position_white_to_move(p->position) != p->user_white;
}

/* Until the user leaves or input ends. */
static void converse(Play *p)
{
    Buffer line = {0};
    show_board(p);
    while (!p->leave) {
        if (engine_to_move(p))
            move_engine(p);
        announce_end(p);
        if (p->prompts)
            printf("%s> ", samara_position_white_to_move(p->position) ? "White" : "Black");
        fflush(stdout);
        if (!read_line(&line))
            break;
        while (line.len > 0 && (line.data[line.len - 1] == '\r' || line.data[line.len - 1] == ' '))
            line.data[--line.len] = '\0';
        handle_line(p, buffer_text(&line));
    }
    buffer_free(&line);
    if (p->pgn)
        save(p, p->pgn);
}

/* The game begins with whoever is to move; everything is given back however it ends. */
static int run(Play *p, char **words, int count)
{
    SamaraError err;
    p->position = cli_position("play", words, count, p->chess960);
    p->engine = p->position ? samara_new(NULL, &err) : NULL;
    if (p->position && !p->engine)
        cli_fail("play", err.text);
    if (p->engine) {
        samara_position_fen(p->position, p->fen);
        p->colour = app_is_terminal(1);
        p->prompts = app_is_terminal(0);
        printf("Samara %s. You play %s. Type a move, or help.\n", samara_version(),
               p->user_white ? "White" : "Black");
        converse(p);
    }
    const bool ok = p->engine != NULL;
    samara_free(p->engine);
    samara_position_free(p->position);
    return ok ? EXIT_OK : EXIT_FAILED;
}

/* Without a limit Samara thinks for a moment; without a colour the user plays White. */
int play_main(int argc, char **argv)
{
    Play p = {.user_white = true};
    SamaraLimits *limits = &p.request.limits;
    bool white = false, black = false;
    const ArgSpec specs[] = {
        ARGS_INT_USUAL("level", &p.level, 1, MOST_LEVEL, "N", "how well Samara plays",
                       "full strength"),
        ARGS_FLAG("white", &white, "you play White, as without a word"),
        ARGS_FLAG("black", &black, "you play Black"),
        ARGS_INT("depth", &limits->depth, 1, 200, "N", "Samara searches to this depth"),
        ARGS_LONG("movetime", &limits->movetime_ms, 1, INT32_MAX, "MS",
                  "time for a move; 1000 if no depth is given"),
        ARGS_TEXT("pgn", &p.pgn, "FILE", "saves the game at the end"),
        ARGS_FLAG("chess960", &p.chess960, "castle as in Chess960"),
    };
    const ArgCommand command = {
        .program = "samara",
        .name = "play",
        .operands = "[FEN]",
        .summary = "Plays a game in the terminal, from the start or from a position. Type a move "
                   "as e4, Nf3 or e2e4, or one of the commands that help lists: back, hint, eval, "
                   "save and others. Lines may also come from a pipe.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int words, code;
    if (!cli_read(&command, argc, argv, &words, &code))
        return code;
    if (white && black) {
        fprintf(stderr, "samara play: --white and --black exclude each other\n");
        return EXIT_USAGE;
    }
    p.user_white = !black;
    if (!limits->depth && !limits->movetime_ms)
        limits->movetime_ms = DEFAULT_MS;
    return run(&p, argv + 1, words);
}
