// SPDX-License-Identifier: GPL-3.0-or-later
/* speech.ts -- what a screen reader hears of the game: moves, ends, evaluations. */

import { playUci } from '../chess/rules.ts';
import type { Score } from '../chess/score.ts';
import { moveNumber } from '../chess/tree.ts';
import type { Actions } from '../state/actions.ts';
import { endingAt, type GameOver, type State } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { numberText, t, type TextKey } from '../texts/index.ts';
import { sanWords } from '../texts/notation.ts';

const reasons: Record<GameOver['reason'], TextKey> = {
  checkmate: 'byCheckmate', stalemate: 'byStalemate', repetition: 'byRepetition', 'fifty moves': 'byFiftyMoves',
  'insufficient material': 'byMaterial', time: 'byTime', resignation: 'byResignation', agreement: 'byAgreement',
};

export const reasonText = (reason: GameOver['reason']): string => t(reasons[reason]);

/** "You win", "Samara wins", "Draw". */
export function verdict(result: string, side: 'white' | 'black'): string {
  if (result === '1/2-1/2') return t('draw');
  return (result === '1-0') === (side === 'white') ? t('youWin') : t('samaraWins');
}

export const resultText = (result: string): string => result.replaceAll('-', '–').replaceAll('1/2', '½');

/** "White is better by 0.4 pawns", "White mates in 3". */
export function scoreWords(score: Score): string {
  if (score.mate !== undefined) return t(score.mate > 0 ? 'sayWhiteMates' : 'sayBlackMates', { n: Math.abs(score.mate) });
  if (Math.abs(score.cp) < 15) return t('sayEqual');
  return t(score.cp > 0 ? 'sayWhiteBetter' : 'sayBlackBetter', { pawns: numberText(Math.abs(score.cp) / 100, 1) });
}

export function speechEffect(store: Store<State>, actions: Actions): void {
  store.effect((now, before) => {
    if (now.play?.over && !before.play?.over && now.record === before.record) {
      const { over, challenge } = now.play;
      actions.announce(t('sayGameOver', { verdict: verdict(over.result, challenge.side), reason: reasonText(over.reason) }));
    } else if (now.node !== before.node && now.node.san) {
      const end = endingAt(now.node);
      const drawn = end && end.reason !== 'checkmate' ? `. ${t('draw')}: ${reasonText(end.reason)}` : '';
      actions.announce(`${moveNumber(now.node.ply).replace(/\.+$/, '')}, ${sanWords(now.node.san)}${drawn}`);
    } else if (now.hint && now.hint !== before.hint) actions.announce(t('sayHint', { move: sanWords(playUci(now.node.fen, now.hint)?.san ?? '') }));
  });
}
