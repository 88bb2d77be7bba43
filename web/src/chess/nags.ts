// SPDX-License-Identifier: GPL-3.0-or-later
/* nags.ts -- marks behind moves (numeric annotation glyphs) as signs that every font has. */

const signs: Record<number, string> = {
  1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□', 8: '□', 9: '??',
  10: '=', 11: '=', 12: '=', 13: '∞', 14: '+=', 15: '=+', 16: '±', 17: '∓', 18: '+−', 19: '−+', 20: '+−', 21: '−+',
  22: 'zz', 23: 'zz', 32: '↻', 33: '↻', 36: '↑', 37: '↑', 40: '→', 41: '→', 44: '=/∞', 45: '=/∞',
  132: '⇆', 133: '⇆', 138: '⊕', 139: '⊕', 140: '∆', 142: '⌓', 145: 'RR', 146: 'N',
};

/** "!?" for 5; "$99" for what has no sign: nothing that was read is hidden. */
export const nagSign = (nag: number): string => signs[nag] ?? `$${nag}`;

/** Those that judge the move itself; a move has at most one of them. */
export const isMoveMark = (nag: number): boolean => nag >= 1 && nag <= 6;

/** Those that judge the position; a move has at most one of them too. */
export const isPositionMark = (nag: number): boolean => nag >= 10 && nag <= 21;

export const moveMarks = [3, 1, 5, 6, 2, 4, 7] as const;
export const positionMarks = [10, 13, 14, 15, 16, 17, 18, 19] as const;
export const otherMarks = [146, 22, 32, 36, 40, 44, 132, 138, 140] as const;

/** "$14 $36 !" as a person may type it. */
export function readNags(text: string): number[] {
  const bySign = new Map(Object.entries(signs).map(([n, sign]) => [sign, Number(n)]).reverse() as [string, number][]);
  const found = text.split(/[\s,]+/).map(word => (/^\$\d+$/.test(word) ? Number(word.slice(1)) : bySign.get(word) ?? 0));
  return [...new Set(found.filter(n => n > 0 && n < 256))];
}
