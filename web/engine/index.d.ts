// SPDX-License-Identifier: GPL-3.0-or-later
/** @samara/engine -- the chess engine Samara as WebAssembly, in a worker, in browsers and in node. */

/** A position with its history: repetitions count. */
export interface Position {
  fen?: string; // of the start; absent: the usual one
  moves?: readonly string[]; // since then, as UCI or SAN
  chess960?: boolean;
}

/** When a search ends: at the first limit that is reached. None: when it is aborted, or at the greatest depth. */
export interface Limits {
  depth?: number;
  nodes?: number;
  movetime?: number; // milliseconds
  mate?: number; // moves
  multipv?: number; // lines
  searchmoves?: readonly string[];
  elo?: number; // plays like a player of this rating, 500 to 3500; absent: as well as it can
  seed?: number; // same seed, same errors of a level
  threads?: number;
  hash?: number; // megabytes
  clock?: { wtime: number; btime: number; winc?: number; binc?: number; movestogo?: number };
}

/** White's view. */
export type Score = { cp: number; mate?: undefined } | { mate: number; cp?: undefined };

export interface Line {
  multipv: number;
  depth: number;
  seldepth: number;
  score: Score;
  wdl: [number, number, number]; // White's wins, draws, losses in permille
  uci: string[];
  san: string[];
}

/** The answer of POST /api/v1/analyse. */
export interface Analysis {
  status: 'ok' | 'game_over';
  reason?: string; // of the end of the game
  result?: string;
  fen: string;
  turn?: 'white' | 'black';
  depth: number;
  seldepth: number;
  nodes: number;
  nps: number;
  time_ms: number;
  hashfull: number;
  lines: Line[];
  bestmove?: string; // once the search has ended
  san?: string;
  ponder?: string;
}

export interface Claim {
  kind: string;
  role: string;
  certainty: string;
  squares: string[];
  pieces: string[];
  line: string[];
  line_san: string[];
}

/** The answer of POST /api/v1/explain. */
export interface Explanation {
  status: 'ok' | 'game_over';
  move?: string;
  san?: string;
  score?: Score;
  best?: string;
  best_san?: string;
  judgement?: 'inaccuracy' | 'mistake' | 'blunder';
  line?: string[];
  claims?: Claim[];
  text?: string;
}

/** The "report" of GET /api/v1/games/{id}. */
export interface Report {
  language: string;
  white: SideReport;
  black: SideReport;
  turning_points: number[];
  summary?: string;
  moves: MoveReport[];
}
export interface SideReport {
  accuracy: number | null;
  average_loss: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}
export interface MoveReport extends Explanation {
  ply: number;
  san: string;
  uci: string;
  accuracy?: number;
}

export type Language = 'en' | 'bs' | 'ro' | 'vi' | 'fi' | 'ru';
export type Level = 'beginner' | 'club' | 'expert';

export interface EngineOptions {
  threads?: number; // that search together; absent: one less than there are cores, at most 8
  hash?: number; // megabytes; absent: 32, on small devices 16
  most?: number; // megabytes that the engine may take at all (with threads); absent: 1024, on small devices 256
  threaded?: boolean; // absent: where several threads can share a memory
  worker?: string; // addresses, where the files do not lie side by side
  single?: string;
  shared?: string;
}

/** code: 'busy', 'cancelled', 'closed', 'crashed', 'start', 'bad_pgn', 'bad_field', 'out_of_range', or one of samara.h */
export class EngineError extends Error {
  readonly code: string;
}

/** Whether several threads can share a memory here: in pages that are cross-origin isolated, and in node. */
export function threadsWork(): boolean;

/** One engine. The worker starts with the first question, and again if the browser has ended it. Typed calls run one at
 * a time, in their order. UCI lines and typed calls do not mix: a typed call during a UCI search fails with 'busy'. */
export class Engine {
  constructor(options?: EngineOptions);
  readonly threaded: boolean;
  readonly threads: number;
  start(): Promise<void>;
  close(): void;
  readonly closed: Promise<void>; // by close(), or by the line `quit`

  /** UCI: a line to the engine; the engine's lines; a line and what comes up to one that begins with `until`. */
  send(line: string): void;
  onLine(listener: (line: string) => void): () => void;
  ask(line: string, until: string): Promise<string[]>;

  /** Searches. onInfo hears each deeper iteration. An aborted search rejects with an AbortError. */
  analyse(position: Position, limits?: Limits, options?: { onInfo?: (analysis: Analysis) => void; signal?: AbortSignal }): Promise<Analysis>;
  /** Says why a move is good or bad; without a move, what the position is about. */
  explain(position: Position, move?: string, options?: { language?: Language; level?: Level; nodes?: number; signal?: AbortSignal }): Promise<Explanation>;
  /** Judges a game. The same game, nodes and language give the same report, with any number of threads. */
  report(pgn: string, options?: { language?: Language; level?: Level; nodes?: number; jobs?: number; onProgress?: (progress: { done: number; total: number }) => void; signal?: AbortSignal }): Promise<Report>;
  /** The fixed searches whose node count names the build. */
  bench(depth?: number): Promise<{ nodes: number; time_ms: number; nps: number }>;
}
