// SPDX-License-Identifier: GPL-3.0-or-later
/* score.ts -- what a score means: as text, and as winning chances. Always White's view. Moves are judged by the
 * engine's report alone, never here. */

export type Score = { cp: number; mate?: undefined } | { mate: number; cp?: undefined };

/** "+0.35", "-1.20", "0.00", "#3", "#-2". */
export function scoreText(score: Score): string {
  if (score.mate !== undefined) return `#${score.mate}`;
  const pawns = (score.cp / 100).toFixed(2);
  return score.cp > 0 ? `+${pawns}` : Number(pawns) === 0 ? '0.00' : pawns;
}

/** White's winning chances in percent, for a human game. A mate is a sure thing. */
export function winPercent(score: Score): number {
  if (score.mate !== undefined) return score.mate > 0 ? 100 : 0;
  return 50 + 50 * (2 / (1 + Math.exp(-0.00368208 * score.cp)) - 1);
}

/** 1234567 -> "1.23 M": short enough to stand still. */
export function shortNumber(n: number): string {
  if (n >= 1e9) return `${(n / 1e9).toFixed(2)} G`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(2)} M`;
  if (n >= 1e3) return `${(n / 1e3).toFixed(0)} k`;
  return String(n);
}
