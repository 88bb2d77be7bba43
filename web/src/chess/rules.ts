// SPDX-License-Identifier: GPL-3.0-or-later
/* rules.ts -- the rules of chess as the page needs them, on top of chessops. Positions travel as FEN. */

import { Chess } from 'chessops/chess';
import { chessgroundDests, chessgroundMove } from 'chessops/compat';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import { type Move, type NormalMove, isNormal } from 'chessops/types';
import { makeSquare, makeUci, parseUci } from 'chessops/util';
import type { Message, TextKey } from '../texts/index.ts';

export { INITIAL_FEN };
export type Color = 'white' | 'black';
export const opposite = (side: Color): Color => (side === 'white' ? 'black' : 'white');
export interface Played {
  uci: string;
  san: string;
  fen: string;
}
export type EndReason = 'checkmate' | 'stalemate' | 'repetition' | 'fifty moves' | 'insufficient material';
export interface Ending {
  reason: EndReason;
  result: '1-0' | '0-1' | '1/2-1/2';
}

/** The position, or what is wrong with the text. */
export function readFen(text: string): Chess | Message {
  const setup = parseFen(text.trim());
  if (setup.isErr) return { key: fenFaults[setup.error.message] ?? 'fenForm' };
  const position = Chess.fromSetup(setup.value);
  if (position.isErr) return { key: positionFaults[position.error.message] ?? 'fenImpossible' };
  return position.value;
}

export const isPosition = (result: Chess | Message): result is Chess => result instanceof Chess;

const fenFaults: Record<string, TextKey> = {
  ERR_BOARD: 'fenBoard',
  ERR_TURN: 'fenTurn',
  ERR_CASTLING: 'fenCastling',
  ERR_EP_SQUARE: 'fenEnPassant',
  ERR_HALFMOVES: 'fenHalfmoves',
  ERR_FULLMOVES: 'fenFullmoves',
};
const positionFaults: Record<string, TextKey> = {
  ERR_EMPTY: 'fenEmpty',
  ERR_KINGS: 'fenKings',
  ERR_OPPOSITE_CHECK: 'fenOppositeCheck',
  ERR_PAWNS_ON_BACKRANK: 'fenPawns',
  ERR_IMPOSSIBLE_CHECK: 'fenImpossibleCheck',
};

/** A position that is known to be good (it came from here). */
export function position(fen: string): Chess {
  const result = readFen(fen);
  if (!isPosition(result)) throw new Error(`${result.key}: ${fen}`);
  return result;
}

export const turnOf = (fen: string): Color => (fen.split(' ')[1] === 'b' ? 'black' : 'white');
export const dests = (fen: string, chess960: boolean) => chessgroundDests(position(fen), { chess960 });
export const inCheck = (fen: string): boolean => position(fen).isCheck();

function played(pos: Chess, move: Move): Played {
  const san = makeSan(pos, move);
  const uci = uciOf(pos, move);
  pos.play(move);
  return { uci, san, fen: makeFen(pos.toSetup()) };
}

/* chessops castles king-takes-rook; outside Chess960 the world says e1g1. */
function uciOf(pos: Chess, move: Move): string {
  if (isNormal(move) && pos.board.king.has(move.from) && pos.board[pos.turn].has(move.to) && isPlainCastling(pos, move)) {
    const file = move.to > move.from ? 6 : 2;
    return makeSquare(move.from) + makeSquare((move.from & 56) + file);
  }
  return makeUci(move);
}

const isPlainCastling = (_pos: Chess, move: NormalMove): boolean =>
  (move.from & 7) === 4 && ((move.to & 7) === 0 || (move.to & 7) === 7);

/** Plays a UCI word; undefined if it is not legal here. Both spellings of castling are understood. */
export function playUci(fen: string, uci: string): Played | undefined {
  const pos = position(fen);
  const move = parseUci(uci);
  if (!move || !isNormal(move)) return undefined;
  const normal = castlingToRook(pos, move);
  if (!pos.isLegal(normal)) return undefined;
  if (needsPromotion(fen, makeSquare(normal.from), makeSquare(normal.to)) !== !!normal.promotion) return undefined;
  return played(pos, normal);
}

function castlingToRook(pos: Chess, move: NormalMove): NormalMove {
  const king = pos.board.king.has(move.from) && pos.board[pos.turn].has(move.from);
  if (!king || Math.abs((move.from & 7) - (move.to & 7)) < 2 || pos.board[pos.turn].has(move.to)) return move;
  const side = move.to > move.from ? 'h' : 'a';
  const rook = pos.castles.rook[pos.turn][side];
  return rook === undefined ? move : { from: move.from, to: rook };
}

/** Plays what a person typed: SAN with or without marks, "e4", "0-0", "nf3", or a UCI word. */
export function playText(fen: string, typed: string): Played | undefined {
  const text = typed.trim().replace(/0/g, 'O').replace(/[!?]+$/, '');
  const pos = position(fen);
  const direct = parseSan(pos, text) ?? parseSan(pos, text.replace(/o/g, 'O'));
  if (direct) return played(pos, direct);
  const raised = parseSan(pos, text.replace(/^[nbrqk]/, c => c.toUpperCase()));
  if (raised) return played(pos, raised);
  return playUci(fen, typed.trim().toLowerCase());
}

export function needsPromotion(fen: string, from: string, to: string): boolean {
  const rank = to[1];
  if (rank !== '1' && rank !== '8') return false;
  const move = parseUci(from + to);
  return !!move && isNormal(move) && position(fen).board.pawn.has(move.from);
}

/** A line of UCI words as SAN words; stops at the first that does not fit. */
export function lineToSan(fen: string, line: readonly string[]): string[] {
  const sans: string[] = [];
  for (const uci of line) {
    const step = playUci(fen, uci);
    if (!step) break;
    sans.push(step.san);
    fen = step.fen;
  }
  return sans;
}

/** From and to squares for highlighting; castling shows the king's real path. */
export function squaresOf(uci: string): [string, string] {
  const move = parseUci(uci);
  const squares = move ? chessgroundMove(move) : [];
  return [squares[0] ?? 'a1', squares[squares.length - 1] ?? 'a1'];
}

/** Why the game is over at the end of this list of positions (the last is the current one), if it is. */
export function ending(fens: readonly string[]): Ending | undefined {
  const fen = fens[fens.length - 1]!;
  const pos = position(fen);
  if (pos.isCheckmate()) return { reason: 'checkmate', result: pos.turn === 'white' ? '0-1' : '1-0' };
  if (pos.isStalemate()) return { reason: 'stalemate', result: '1/2-1/2' };
  if (pos.isInsufficientMaterial()) return { reason: 'insufficient material', result: '1/2-1/2' };
  if (pos.halfmoves >= 100) return { reason: 'fifty moves', result: '1/2-1/2' };
  const key = (f: string) => f.split(' ').slice(0, 4).join(' ');
  if (fens.filter(f => key(f) === key(fen)).length >= 3) return { reason: 'repetition', result: '1/2-1/2' };
  return undefined;
}

/** The same position with the other side to move: what would they do? undefined in check. */
export function passFen(fen: string): string | undefined {
  const pos = position(fen);
  if (pos.isCheck()) return undefined;
  const setup = pos.toSetup();
  setup.turn = setup.turn === 'white' ? 'black' : 'white';
  setup.epSquare = undefined;
  const passed = makeFen(setup);
  return isPosition(readFen(passed)) ? passed : undefined;
}

/** Start position number n (0..959) of Chess960, by Scharnagl's numbering. */
export function chess960Fen(n: number): string {
  const row: string[] = Array(8).fill('');
  const empty = () => row.map((p, i) => (p ? -1 : i)).filter(i => i >= 0);
  row[(n % 4) * 2 + 1] = 'b';
  n = Math.floor(n / 4);
  row[(n % 4) * 2] = 'b';
  n = Math.floor(n / 4);
  row[empty()[n % 6]!] = 'q';
  n = Math.floor(n / 6);
  const knights = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]][n]!;
  const free = empty();
  for (const k of knights) row[free[k]!] = 'n';
  const [a, king, b] = empty();
  row[a!] = 'r';
  row[king!] = 'k';
  row[b!] = 'r';
  const black = row.join('');
  return `${black}/pppppppp/8/8/8/8/PPPPPPPP/${black.toUpperCase()} w KQkq - 0 1`;
}

/** Whether castling here needs Chess960 notation: a king off e1/e8 or a rook off its corner has rights. */
export function isChess960(fen: string): boolean {
  const pos = readFen(fen);
  if (!isPosition(pos)) return false;
  for (const rook of pos.castles.castlingRights) {
    const king = pos.board.kingOf(rook < 8 ? 'white' : 'black');
    if (king === undefined || (king & 7) !== 4 || ((rook & 7) !== 0 && (rook & 7) !== 7)) return true;
  }
  return false;
}
