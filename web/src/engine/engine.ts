// SPDX-License-Identifier: GPL-3.0-or-later
/* engine.ts -- what the page wants of an engine, wherever it runs. The server is one (http.ts); an engine inside the
 * browser can be another. All of it is plain data, scores are White's view, and every call ends when its signal says so. */

import type { Score } from '../chess/score.ts';
import type { Color } from '../chess/rules.ts';

/** A position with its history: repetitions count. */
export interface Question {
  fen: string; // of the start
  moves: readonly string[]; // UCI words since then
  chess960: boolean;
}

export interface Limits {
  multipv?: number;
  depth?: number;
  nodes?: number;
  movetime?: number; // milliseconds
  threads?: number; // of a live analysis
  hash?: number; // megabytes
  elo?: number; // strength of play; absent: full
  clock?: { wtime: number; btime: number; winc: number; binc: number };
}

export interface Line {
  multipv: number;
  depth: number;
  score: Score;
  wdl?: [number, number, number]; // White's wins, draws, losses in permille
  uci: string[];
  san: string[];
}

export interface Analysis {
  status: 'ok' | 'game_over';
  reason?: string;
  fen: string;
  bestmove?: string;
  depth: number;
  seldepth: number;
  nodes: number;
  nps: number;
  time_ms: number;
  lines: Line[];
  cached?: boolean;
}

export type Judgement = 'inaccuracy' | 'mistake' | 'blunder';

export interface MoveReport {
  ply: number; // of the game, from 1
  san: string;
  uci: string;
  score?: Score;
  best?: string;
  best_san?: string;
  line?: string[];
  judgement?: Judgement;
  accuracy?: number;
  text?: string; // why, in words of the engine
}
export interface SideReport {
  accuracy: number | null;
  average_loss: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}
export interface GameReport {
  white: SideReport;
  black: SideReport;
  moves: MoveReport[];
  turning_points: number[];
  summary?: string;
}

export interface ReportProgress {
  state: 'queued' | 'running' | 'done';
  done: number;
  total: number;
  report?: GameReport; // what is known so far
  id?: string; // under which the engine keeps it
}

export interface Explanation {
  text: string;
  squares?: string[];
  line?: string[];
}

export interface Engine {
  readonly kind: 'server' | 'browser';
  /** Looks at a position until a limit or the signal; `hear` gets every deeper iteration. */
  analyse(question: Question, limits: Limits, hear: (analysis: Analysis) => void, signal: AbortSignal): Promise<void>;
  /** One move of a game. */
  move(question: Question, limits: Limits, signal: AbortSignal): Promise<Analysis>;
  /** Judges a whole game: the same game gives the same report. `earlier` is a report that this one replaces. */
  report(pgn: string, language: string, earlier: string | undefined, hear: (progress: ReportProgress) => void, signal: AbortSignal): Promise<void>;
  /** Why a move is good or bad; undefined if this engine cannot say. */
  explain(question: Question, move: string, language: string, signal: AbortSignal): Promise<Explanation | undefined>;
}

/** A refusal or failure that the person should hear of, or that passes by itself. */
export class EngineError extends Error {
  constructor(readonly code: string, message: string, readonly status: number, readonly retryAfter = 0) {
    super(message);
  }

  /** The engine is out of reach. */
  get away(): boolean {
    return this.status === 0;
  }

  get busy(): boolean {
    return this.status === 429 || this.status === 503;
  }
}

export const aborted = (error: unknown): boolean => (error as Error | undefined)?.name === 'AbortError';

/** The better of what was known and what has just come: a shallower search never replaces a deeper one, but fills
 * in lines that the deeper one lacks. */
export function deepest(known: Analysis | undefined, fresh: Analysis, lines: number): Analysis {
  if (!known || fresh.depth >= known.depth || !known.lines.length) return fresh;
  const first = new Set(known.lines.map(line => line.uci[0]));
  const more = fresh.lines.filter(line => !first.has(line.uci[0]));
  return { ...known, lines: [...known.lines, ...more].slice(0, lines).map((line, i) => ({ ...line, multipv: i + 1 })) };
}

/** Mate and draw on the board need no engine. White's view. */
export function overScore(ending: { result: string } | undefined): Score | undefined {
  if (!ending) return undefined;
  return ending.result === '1-0' ? { mate: 1 } : ending.result === '0-1' ? { mate: -1 } : { cp: 0 };
}

export const mover = (ply: number): Color => (ply % 2 ? 'white' : 'black');
