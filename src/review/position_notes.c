// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/position_notes.h"

#include "chess/fen.h"
#include "review/explain.h"
#include "review/report.h"
#include <string.h>

/* The same board with the other side to move; false in check, where nobody can pass. */
static bool pass(const SamaraPosition *position, SamaraPosition *out)
{
    Position board;
    Undo undo;
    char fen[FEN_SIZE];
    line_board(position, &board);
    if (pos_in_check(&board))
        return false;
    pos_make_null(&board, &undo);
    fen_write(&board, fen);
    return samara_position_set(out, fen, board.chess960, NULL, 0, NULL);
}

/* What the opponent would do: explained as his own good move, if it wins anything. */
static bool find_threat(Study *study, const SamaraPosition *position, ClaimList *out)
{
    SamaraPosition *passed = samara_position_new();
    Found found;
    bool ok = true;
    out->count = 0;
    if (passed && pass(position, passed) && samara_position_moves(passed, NULL, 0) > 0) {
        ok = study_search(study, passed, 0.5, NULL, 0, true, &found);
        if (ok) {
            const Question question = {.position = passed,
                                       .move = found.line.steps[0].move,
                                       .best = found.worth,
                                       .played = found.worth,
                                       .best_line = &found.line,
                                       .played_line = &found.line};
            explain(&question, out);
        }
        for (int i = 0; i < out->count; i++)
            if (out->claims[i].role == ROLE_PRAISE)
                out->claims[i].role = ROLE_NOTE;
    }
    samara_position_free(passed);
    return ok;
}

bool notes_make(Study *study, const SamaraPosition *position, PositionNotes *out)
{
    Found found;
    SamaraMove move;
    memset(out, 0, sizeof *out);
    return study_search(study, position, 1, NULL, 0, true, &found) &&
           samara_position_read_move(position, found.line.steps[0].uci, &move, &study->err) &&
           verdict_of_move(study, position, &move, &out->best) &&
           find_threat(study, position, &out->threat);
}

void say_position(const PositionNotes *notes, const Speech *speech, Buffer *out)
{
    Speech all = *speech;
    all.always = true;
    say_move(&notes->best, &all, out);
    say_plan(&notes->best, &all, out);
    say_threat(&notes->best, &notes->threat, &all, out);
}

/* What is going on in a position, as JSON. */
void report_notes(const SamaraPosition *position, const PositionNotes *notes, const Speech *speech,
                  Buffer *out)
{
    JsonWriter w = {.out = out};
    char fen[SAMARA_FEN_SIZE];
    Buffer text = {0};
    samara_position_fen(position, fen);
    say_position(notes, speech, &text);
    jw_object(&w, NULL);
    jw_text(&w, "status", "ok");
    jw_text(&w, "fen", fen);
    jw_text(&w, "pov", "white");
    report_worth(&w, "score", notes->best.best, notes->best.white);
    jw_text(&w, "best", notes->best.best_line.steps[0].uci);
    jw_text(&w, "best_san", notes->best.best_line.steps[0].san);
    report_line(&w, "line", &notes->best.best_line, false);
    report_claims(&w, "claims", &notes->best.claims);
    report_claims(&w, "threats", &notes->threat);
    jw_text(&w, "text", buffer_text(&text));
    jw_end_object(&w);
    buffer_free(&text);
}
