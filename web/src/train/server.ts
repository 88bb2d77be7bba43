// SPDX-License-Identifier: GPL-3.0-or-later
/* server.ts -- what the training page asks of the server. */

import { browserEngineThere, explainHere } from '../engine/browser.ts';
import type { Puzzle, Saved } from './memory.ts';

export interface Judged {
  loss: number;
  effect?: string; // what the move lets happen; says nothing of the better one
  judgement?: string;
}
export interface GameHead {
  id: string;
  white: string;
  black: string;
  state: string;
}
interface ReportMove {
  ply: number;
  uci: string;
  fen?: string;
  loss?: number;
  judgement?: string;
}
export interface Fault {
  fen: string;
  move: string;
  white: boolean;
  title: string;
  kind: 'retry' | 'punish';
}

export class ServerError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

const faultPoints = 10;

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const token = localStorage.getItem('samara.token');
  const response = await fetch(path, {
    method,
    headers: { ...(body ? { 'Content-Type': 'application/json' } : {}), ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: body ? JSON.stringify(body) : undefined,
  });
  const json = (await response.json()) as T & { error?: { message: string } };
  if (!response.ok) throw new ServerError(response.status, json.error?.message ?? String(response.status));
  return json;
}

/** All puzzles, page by page. */
export async function puzzles(): Promise<Puzzle[]> {
  const all: Puzzle[] = [];
  for (;;) {
    const { puzzles: some, total } = await ask<{ puzzles: Puzzle[]; total: number }>('GET', `/api/v1/puzzles?limit=200&offset=${all.length}`);
    all.push(...some);
    if (some.length === 0 || all.length >= total) return all;
  }
}

/* Away, busy or forbidden. */
const refused = (error: unknown): boolean => error instanceof TypeError || (error instanceof ServerError && [401, 403, 429, 503].includes(error.status));

/** Judges a move. Where the server cannot, the engine of the page does. */
export async function explain(fen: string, move: string, language: string): Promise<Judged> {
  const wishes = { language, level: 'beginner', nodes: 100000 };
  try {
    return await ask<Judged>('POST', '/api/v1/explain', { fen, move, ...wishes });
  } catch (error) {
    if (!browserEngineThere || !refused(error)) throw error;
    return (await explainHere({ fen, moves: [], chess960: false }, move, wishes)) as Judged;
  }
}

export const keepCard = (id: string, card: Saved): Promise<unknown> => ask('POST', `/api/v1/puzzles/${id}`, { card });
export const remove = (id: string): Promise<unknown> => ask('DELETE', `/api/v1/puzzles/${id}`);

export async function games(): Promise<GameHead[]> {
  return (await ask<{ games: GameHead[] }>('GET', '/api/v1/games?limit=1000')).games;
}

/** Stores the games of a file and asks for their reports; returns their numbers. */
export async function addGames(pgn: string, language: string): Promise<string[]> {
  const answer = await ask<{ id?: string; games?: { id: string }[] }>('POST', '/api/v1/games', { pgn, report: { language } });
  return answer.games ? answer.games.map(g => g.id) : [answer.id!];
}

/** The faults of one game. Undefined: it is not reviewed yet. */
export async function faultsOf(id: string): Promise<Fault[] | undefined> {
  const game = await ask<GameHead & { report?: { moves: ReportMove[] } }>('GET', `/api/v1/games/${id}`);
  if (game.state === 'failed') return [];
  if (game.state !== 'done' || !game.report) return undefined;
  const { moves } = game.report;
  return moves.flatMap((move, i) => {
    if (!move.fen || !move.judgement || ((move.loss ?? 0) < faultPoints && move.judgement === 'inaccuracy')) return [];
    const [, turn, , , , number] = move.fen.split(' ');
    return [{
      fen: move.fen, move: move.uci, white: turn === 'w', title: `${game.white} - ${game.black}, ${number}`.slice(0, 200),
      kind: (moves[i - 1]?.loss ?? 0) >= faultPoints ? 'punish' as const : 'retry' as const,
    }];
  });
}

/** Makes a puzzle of a fault. Undefined: it loses too little on a second look. */
export async function makePuzzle(fault: Fault): Promise<Puzzle | undefined> {
  try {
    return await ask<Puzzle>('POST', '/api/v1/puzzles', { fen: fault.fen, move: fault.move, title: fault.title, kind: fault.kind, nodes: 100000 });
  } catch (error) {
    if (error instanceof ServerError && error.status === 422) return undefined;
    throw error;
  }
}
