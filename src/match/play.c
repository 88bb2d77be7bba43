// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play.h"
#include "base/clock.h"
#include "match/variation.h"
#include <stdlib.h>

const char *result_text(Result result)
{
    static const char *const text[] = {"*", "1-0", "0-1", "1/2-1/2"};
    return text[result];
}

void record_init(GameRecord *record)
{
    *record = (GameRecord){0};
    game_init(&record->game);
}

void record_free(GameRecord *record)
{
    game_free(&record->game);
    free(record->notes);
    *record = (GameRecord){0};
}

/* Everything that lives as long as one game. */
typedef struct Table {
    Client *const *players;
    const Adjudication *rules;
    GameRecord *record;
    const TimeControl *limit[2];
    int64_t clock[2];
    int64_t played[2]; /* moves by the engine itself, for time controls by number of moves */
    int quiet_streak;  /* plies in a row with a score near zero */
    int losing_streak[2], winning_streak[2]; /* own moves in a row */
} Table;

static const char *side_name(Color side) { return side == WHITE ? "White" : "Black"; }

static Result win_for(Color side) { return side == WHITE ? RESULT_WHITE : RESULT_BLACK; }

static void finish(Table *t, Result result, Termination how, const char *reason)
{
    t->record->result = result;
    t->record->termination = how;
    str_copy(t->record->reason, sizeof t->record->reason, str_from(reason));
}

static void count_fault(GameRecord *record, Color side, Fault fault, const Error *why)
{
    record->faults[side][fault]++;
    if (!record->first_fault[side].text[0])
        record->first_fault[side] = *why;
}

static PlayStatus not_their_fault(const Error *why)
{
    return str_is(str_from(why->code), "NO_MEMORY") ? PLAY_NO_ENGINE : PLAY_INTERRUPTED;
}

/* Makes both engines ready for a new game. One that fell over since its last game gets a second
 * chance. */
static PlayStatus seat(Table *t, Color side, const Opening *opening, Error *err)
{
    Client *player = t->players[side];
    for (int attempt = 0;; attempt++) {
        Fault fault = client_ready(player, opening->start.chess960, err);
        const bool started = !fault;
        if (started)
            fault = client_new_game(player, &opening->start, err);
        if (!fault)
            return PLAY_DONE;
        if (fault == FAULT_INTERRUPTED)
            return not_their_fault(err);
        count_fault(t->record, side, fault, err);
        if (attempt == 1)
            return PLAY_NO_ENGINE;
    }
}

/* The notes grow with the game, one per move. */
bool record_add(GameRecord *r, Move move, const MoveNote *note, Error *err)
{
    if (r->game.count == r->capacity) {
        const int wanted = r->capacity ? r->capacity * 2 : 256;
        MoveNote *grown = realloc(r->notes, sizeof *grown * (size_t)wanted);
        if (!grown)
            return error_code(err, "NO_MEMORY", 0, "out of memory");
        r->notes = grown;
        r->capacity = wanted;
    }
    r->notes[r->game.count] = *note;
    return game_play(&r->game, move, err);
}

bool record_set_opening(GameRecord *r, const Opening *opening, Error *err)
{
    game_reset(&r->game, &opening->start);
    for (int i = 0; i < opening->count && game_end(&r->game) == GAME_ON; i++)
        if (!record_add(r, opening->moves[i], &(MoveNote){.from_book = true}, err))
            return false;
    return true;
}

/* --- adjudication --- */

/* Mates count as endless. */
static int64_t centipawns(const Thought *thought)
{
    return !thought->is_mate ? thought->score : thought->score > 0 ? 1000000 : -1000000;
}

static void follow_scores(Table *t, Color mover, const Thought *thought)
{
    const Adjudication *a = t->rules;
    const int64_t score = centipawns(thought);
    const bool known = thought->has_score;
    t->quiet_streak = known && llabs(score) <= a->draw_score ? t->quiet_streak + 1 : 0;
    t->losing_streak[mover] = known && score <= -a->resign_score ? t->losing_streak[mover] + 1 : 0;
    t->winning_streak[mover] = known && score >= a->resign_score ? t->winning_streak[mover] + 1 : 0;
}

static bool agreed_draw(const Table *t)
{
    const Adjudication *a = t->rules;
    const int move_number = (int)(t->record->game.pos.ply / 2) + 1;
    return a->draw_moves && move_number >= a->draw_from && t->quiet_streak >= 2 * a->draw_moves;
}

static bool hopeless(const Table *t, Color side)
{
    const Adjudication *a = t->rules;
    return a->resign_moves && t->losing_streak[side] >= a->resign_moves &&
           (!a->resign_two_sided || t->winning_streak[color_flip(side)] >= a->resign_moves);
}

/* Ends the game with the value of the tables; cursed wins are draws unless the rule is ignored. */
static bool known_by_tables(Table *t)
{
    const Position *p = &t->record->game.pos;
    Wdl wdl;
    if (!t->rules->tablebase_men || bb_count(pos_occupied(p)) > t->rules->tablebase_men ||
        !syzygy_wdl(t->rules->tables, p, &wdl))
        return false;
    const bool decided =
        t->rules->tablebase_ignores_50 ? wdl != WDL_DRAW : wdl == WDL_WIN || wdl == WDL_LOSS;
    const Color winner = wdl > 0 ? p->turn : color_flip(p->turn);
    finish(t, decided ? win_for(winner) : RESULT_DRAW, TERMINATION_ADJUDICATION,
           decided ? "Tablebase win" : "Tablebase draw");
    return true;
}

/* Resignations, agreed draws and the move limit, each by the scores of both engines, then the
 * tables. */
static bool adjudicated(Table *t)
{
    for (Color side = WHITE; side <= BLACK; side++)
        if (hopeless(t, side)) {
            finish(t, win_for(color_flip(side)), TERMINATION_ADJUDICATION, "Win by adjudication");
            return true;
        }
    const bool long_enough =
        t->rules->max_moves && t->record->game.count >= 2 * t->rules->max_moves;
    if (agreed_draw(t) || long_enough) {
        finish(t, RESULT_DRAW, TERMINATION_ADJUDICATION,
               long_enough ? "Draw by move limit" : "Draw by adjudication");
        return true;
    }
    return known_by_tables(t);
}

/* The judge decides by the rules and not by what engines claim. */
static bool over_by_rules(Table *t)
{
    const GameEnd end = game_end(&t->record->game);
    if (end == GAME_ON)
        return false;
    Error text;
    const Color winner = color_flip(t->record->game.pos.turn);
    if (end == END_CHECKMATE)
        error_set(&text, "%s mates", side_name(winner));
    else
        error_set(&text, "Draw by %s", game_end_name(end));
    finish(t, end == END_CHECKMATE ? win_for(winner) : RESULT_DRAW, TERMINATION_RULES, text.text);
    return true;
}

/* --- a move --- */

/* Moves left until the clock gets its next period, this one included. */
static int64_t moves_to_go(const Table *t, Color side)
{
    const int64_t period = t->limit[side]->moves;
    return period ? period - t->played[side] % period : 0;
}

static void press_clock(Table *t, Color side, int64_t used)
{
    const TimeControl *tc = t->limit[side];
    t->clock[side] -= used;
    if (t->clock[side] < 0)
        t->clock[side] = 0; /* what the margin forgave */
    t->clock[side] += tc->increment;
    t->played[side]++;
    if (tc->moves && t->played[side] % tc->moves == 0)
        t->clock[side] += tc->base;
}

/* Faults in what the engine printed are counted; they do not lose the game. */
static void check_variations(Table *t, Color mover, const Thought *thought)
{
    bool found[FAULT_COUNT];
    Error why;
    variations_check(&t->record->game, client_variations(t->players[mover]), thought->move, found,
                     &why);
    for (Fault f = 0; f < FAULT_COUNT; f++)
        if (found[f])
            count_fault(t->record, mover, f, &why);
    const int malformed = client_take_info_faults(t->players[mover]);
    if (malformed) {
        error_set(&why, "malformed info line");
        count_fault(t->record, mover, FAULT_INFO, &why);
    }
}

static void forfeit(Table *t, Color side, Fault fault, const Error *why)
{
    Error text;
    count_fault(t->record, side, fault, why);
    t->record->first_fault[side] = *why; /* outweighs what came before */
    t->record->fault = fault;
    error_set(&text, "%s loses by %s: %s", side_name(side), fault_name(fault), why->text);
    finish(t, win_for(color_flip(side)), TERMINATION_FAULT, text.text);
}

static Turn turn_of(const Table *t, Color mover)
{
    return (Turn){.game = &t->record->game,
                  .mover = mover,
                  .limit = {t->limit[WHITE], t->limit[BLACK]},
                  .clock = {t->clock[WHITE], t->clock[BLACK]},
                  .moves_to_go = moves_to_go(t, mover)};
}

/* One move by the side whose turn it is. Afterwards record->result is set if that ended the game.
 */
static PlayStatus take_turn(Table *t, Error *err)
{
    const Color mover = t->record->game.pos.turn;
    const Turn turn = turn_of(t, mover);
    MoveNote note = {0};
    Error why;
    const Fault fault = client_think(t->players[mover], &turn, &note.thought, &why);
    if (fault == FAULT_INTERRUPTED) {
        *err = why;
        return not_their_fault(err);
    }
    t->record->thinking += note.thought.used;
    if (fault) {
        forfeit(t, mover, fault, &why);
        return PLAY_DONE;
    }
    if (note.thought.resigns) {
        finish(t, win_for(color_flip(mover)), TERMINATION_RESIGNATION,
               mover == WHITE ? "White resigns" : "Black resigns");
        return PLAY_DONE;
    }
    check_variations(t, mover, &note.thought);
    press_clock(t, mover, note.thought.used);
    follow_scores(t, mover, &note.thought);
    if (!record_add(t->record, note.thought.move, &note, err))
        return PLAY_NO_ENGINE;
    const Turn next = turn_of(t, mover);
    if (game_end(&t->record->game) == GAME_ON)
        client_ponder(t->players[mover], &next);
    return PLAY_DONE;
}

/* Sets both sides up, plays the opening, then asks in turn until rules, adjudication or a fault end
 * it. */
PlayStatus play_game(Client *const players[2], const Opening *opening, const Adjudication *rules,
                     GameRecord *record, Error *err)
{
    Table t = {.players = players, .rules = rules, .record = record};
    const int64_t begin = clock_us();
    PlayStatus status = PLAY_DONE;
    for (Color side = WHITE; side <= BLACK && status == PLAY_DONE; side++) {
        t.limit[side] = &client_spec(players[side])->tc;
        t.clock[side] = t.limit[side]->base ? t.limit[side]->base : t.limit[side]->increment;
        status = seat(&t, side, opening, err);
    }
    if (status == PLAY_DONE && !record_set_opening(record, opening, err))
        status = PLAY_NO_ENGINE;
    while (status == PLAY_DONE && !record->result && !over_by_rules(&t) && !adjudicated(&t))
        status = take_turn(&t, err);
    record->duration = clock_us() - begin;
    for (Color side = WHITE; side <= BLACK && status == PLAY_DONE; side++)
        client_game_over(players[side], result_text(record->result), record->reason);
    return status;
}
