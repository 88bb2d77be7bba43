// SPDX-License-Identifier: GPL-3.0-or-later
/* material.ts -- who has more: captured men and the balance in pawns. */

import type { Color } from './rules.ts';

export type Role = 'queen' | 'rook' | 'bishop' | 'knight' | 'pawn';
const letters: Record<string, Role> = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };
const values: Record<Role, number> = { queen: 9, rook: 5, bishop: 3, knight: 3, pawn: 1 };
export const roles: readonly Role[] = ['queen', 'rook', 'bishop', 'knight', 'pawn'];

export interface Balance {
  /** What this side has more than the other, man by man: +1 queen, -2 pawns... */
  surplus: Record<Role, number>;
  points: number;
}

/** White's surplus; Black's is its negative. */
export function balance(fen: string): Balance {
  const surplus: Record<Role, number> = { queen: 0, rook: 0, bishop: 0, knight: 0, pawn: 0 };
  for (const c of fen.split(' ')[0]!) {
    const role = letters[c.toLowerCase()];
    if (role) surplus[role] += c === c.toUpperCase() ? 1 : -1;
  }
  return { surplus, points: roles.reduce((sum, role) => sum + surplus[role] * values[role], 0) };
}

/** The men to show beside a player: what he has more, dearest first, and his lead in points. */
export function lead(fen: string, side: Color): { men: Role[]; points: number } {
  const { surplus, points } = balance(fen);
  const sign = side === 'white' ? 1 : -1;
  const men = roles.flatMap(role => Array<Role>(Math.max(0, surplus[role] * sign)).fill(role));
  return { men, points: points * sign };
}

/** How many men stand on the board. */
export const men = (fen: string): number => fen.split(' ')[0]!.replace(/[\d/]/g, '').length;
