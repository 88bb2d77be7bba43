// SPDX-License-Identifier: GPL-3.0-or-later
/* score.ts -- what a score means: text, winning chances, judgement, accuracy. Always White's view. */

export type Score = { cp: number; mate?: undefined } | { mate: number; cp?: undefined };
export type Judgement = 'inaccuracy' | 'mistake' | 'blunder';

/** "+0.35", "-1.20", "0.00", "#3", "#-2". */
export function scoreText(score: Score): string {
  if (score.mate !== undefined) return `#${score.mate}`;
  const pawns = (score.cp / 100).toFixed(2);
  return score.cp > 0 ? `+${pawns}` : Number(pawns) === 0 ? '0.00' : pawns;
}

/** For a screen reader: "White is better by 0.4 pawns", "White mates in 3". */
export function scoreWords(score: Score): string {
  if (score.mate !== undefined)
    return `${score.mate > 0 ? 'White' : 'Black'} mates in ${Math.abs(score.mate)}`;
  if (Math.abs(score.cp) < 15) return 'the position is equal';
  return `${score.cp > 0 ? 'White' : 'Black'} is better by ${(Math.abs(score.cp) / 100).toFixed(1)} pawns`;
}

/** White's winning chances in percent, for a human game. A mate is a sure thing. */
export function winPercent(score: Score): number {
  if (score.mate !== undefined) return score.mate > 0 ? 100 : 0;
  return 50 + 50 * (2 / (1 + Math.exp(-0.00368208 * score.cp)) - 1);
}

/** Accuracy of one move from the winning chances (of the mover) before and after it. */
export function moveAccuracy(before: number, after: number): number {
  if (after >= before) return 100;
  return Math.max(0, Math.min(100, 103.1668 * Math.exp(-0.04354 * (before - after)) - 3.1669));
}

/** Judges a move by the loss of the mover's winning chances in percent points. */
export function judge(loss: number): Judgement | undefined {
  return loss >= 15 ? 'blunder' : loss >= 10 ? 'mistake' : loss >= 5 ? 'inaccuracy' : undefined;
}

export const judgementNag: Record<Judgement, number> = { inaccuracy: 6, mistake: 2, blunder: 4 };

const nagSigns: Record<number, string> = {
  1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□', 10: '=', 13: '∞', 14: '⩲', 15: '⩱', 16: '±', 17: '∓', 18: '+−', 19: '−+',
  22: '⨀', 23: '⨀', 32: '⟳', 36: '↑', 40: '→', 132: '⇆', 138: '⊕', 146: 'N',
};
export const nagSign = (nag: number): string => nagSigns[nag] ?? '';

/** 1234567 -> "1.23 M": short enough to stand still. */
export function shortNumber(n: number): string {
  if (n >= 1e9) return `${(n / 1e9).toFixed(2)} G`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(2)} M`;
  if (n >= 1e3) return `${(n / 1e3).toFixed(0)} k`;
  return String(n);
}
