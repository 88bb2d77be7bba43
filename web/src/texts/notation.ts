// SPDX-License-Identifier: GPL-3.0-or-later
/* notation.ts -- moves as the person reads them: letters of the language, figurines or English; and in words. */

import type { Color } from '../chess/rules.ts';
import { language, t, type TextKey } from './index.ts';

export type Notation = 'local' | 'figurines' | 'english';

/** K, Q, R, B, N in each language. */
const letters: Record<string, string[]> = {
  en: ['K', 'Q', 'R', 'B', 'N'],
  bs: ['K', 'D', 'T', 'L', 'S'],
  ro: ['R', 'D', 'T', 'N', 'C'],
  vi: ['V', 'H', 'X', 'T', 'M'],
  fi: ['K', 'D', 'T', 'L', 'R'],
  ru: ['Кр', 'Ф', 'Л', 'С', 'К'],
};
const figurines = ['♔', '♕', '♖', '♗', '♘'];
const english = 'KQRBN';

let notation: Notation = 'local';
export const setNotation = (chosen: Notation): void => void (notation = chosen);

/** SAN as shown: "Nf3" -> "♘f3", "Кf3", "Rf3"... */
export function sanText(san: string): string {
  if (notation === 'english') return san;
  const names = notation === 'figurines' ? figurines : letters[language()]!;
  return san.replace(/[KQRBN]/g, letter => names[english.indexOf(letter)]!);
}

/** What a person typed in his own letters, as SAN. Figurines are understood in any case. */
export function fromTyped(text: string): string {
  let out = text.trim();
  figurines.forEach((figure, i) => (out = out.replaceAll(figure, english[i]!)));
  ['♚', '♛', '♜', '♝', '♞'].forEach((figure, i) => (out = out.replaceAll(figure, english[i]!)));
  if (notation !== 'local' || language() === 'en') return out;
  const names = letters[language()]!;
  const order = [...names.keys()].sort((a, b) => names[b]!.length - names[a]!.length);
  const at = (part: string): string => {
    const found = order.find(i => part.toLowerCase().startsWith(names[i]!.toLowerCase()) && (part[0] === part[0]!.toUpperCase() || names[i]!.length > 1));
    return found === undefined ? part : english[found]! + part.slice(names[found]!.length);
  };
  const [move, promoted] = out.split('=');
  return promoted ? `${at(move!)}=${at(promoted)}` : at(out);
}

const roleKeys: Record<string, TextKey> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' };

/** "Nf3+" -> "knight f3, check", for a screen reader. */
export function sanWords(san: string): string {
  const check = san.endsWith('#') ? `, ${t('sayCheckmate')}` : san.endsWith('+') ? `, ${t('sayCheck')}` : '';
  if (san.startsWith('O-O-O')) return t('sayCastlesQueenside') + check;
  if (san.startsWith('O-O')) return t('sayCastlesKingside') + check;
  const [move, promoted] = san.replace(/[+#]$/, '').split('=');
  const role = roleKeys[move![0]!];
  const rest = (role ? move!.slice(1) : move!).replace('x', ` ${t('sayTakes')} `).trim();
  const becomes = promoted ? ` ${t('sayPromotes', { piece: t(roleKeys[promoted]!) })}` : '';
  return `${role ? `${t(role)} ` : ''}${rest}${becomes}${check}`;
}

const men: Record<Color, Record<string, TextKey>> = {
  white: { king: 'whiteKing', queen: 'whiteQueen', rook: 'whiteRook', bishop: 'whiteBishop', knight: 'whiteKnight', pawn: 'whitePawn' },
  black: { king: 'blackKing', queen: 'blackQueen', rook: 'blackRook', bishop: 'blackBishop', knight: 'blackKnight', pawn: 'blackPawn' },
};

/** "white knight": adjective and noun together, since they agree in many languages. */
export const pieceName = (color: Color, role: string): string => t(men[color][role]!);
