// SPDX-License-Identifier: GPL-3.0-or-later
/* proof.h -- what can be forced, shown by searches that know only the rules and the plain values of
 * the men. They share nothing with the engine's search or evaluation: a proof does not depend on
 * what anybody thinks of a position.
 *
 * The losing side may play every move. The winning side is offered the moves of a hint first, then
 * captures, promotions and checks, and for material, if these do not suffice, quiet moves: leaving
 * out its other moves can only make a proof fail. */
#ifndef SAMARA_REVIEW_PROOF_H
#define SAMARA_REVIEW_PROOF_H

#include "chess/movegen.h"
#include "chess/position.h"

enum { PROOF_LINE = 16, PROOF_NODES = 400000, PROOF_MOST = 12 };

typedef struct ProofLine {
    int length;
    Move moves[PROOF_LINE];
} ProofLine;

extern const int plain_value[7]; /* by PieceType: 1 3 3 5 9; the king, and nothing: 0 */

int material_balance(const Position *p, Color c); /* plain values, c's minus the other's */

/* Can `winner` force a balance of at least `goal`, against every defence, and keep it? Either side
 * may be to move. *line (may be NULL): how, against a stubborn defence. False: not shown. */
bool prove_material(const Position *p, Color winner, int goal, const Move *hint, int hints,
                    ProofLine *line);
/* The same without quiet moves, for what is only said besides. */
bool prove_material_quickly(const Position *p, Color winner, int goal, const Move *hint, int hints,
                            ProofLine *line);
/* The most that `winner` can be shown to gain over `base`, at least 0. */
int prove_gain(const Position *p, Color winner, int base, const Move *hint, int hints,
               ProofLine *line);
int prove_gain_quickly(const Position *p, Color winner, int base, const Move *hint, int hints,
                       ProofLine *line);
/* Can the side to move mate within so many moves? */
bool prove_mate(const Position *p, int moves, const Move *hint, int hints, ProofLine *line);
/* The shortest mate by nothing but checks within so many moves; 0: none was found. Quick. */
int find_mate_by_checks(const Position *p, int moves, ProofLine *line);

/* The line that begins with `first` and goes on as `rest`, cut where there is no room. */
void proof_keep(ProofLine *line, Move first, const ProofLine *rest);

/* Sorts moves for a proof: `first`, then `second`, the dearest captures, a killer, checks, and the rest.
 * MOVE_NONE where there is none. */
void proof_sort(const Position *p, MoveList *list, Move first, Move second, Move killer);

/* Nobody is in check, and no capture wins anything: material stays as it is. */
bool is_settled(const Position *p);

#endif
