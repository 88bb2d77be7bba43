// SPDX-License-Identifier: GPL-3.0-or-later
/* api.ts -- talking to the server that sent this page. Scores come in White's view. */

import type { Score } from './score.ts';

export interface Line {
  multipv: number;
  depth: number;
  score: Score;
  wdl?: [number, number, number];
  uci: string[];
  san: string[];
}
export interface Analysis {
  status: 'ok' | 'game_over';
  reason?: string;
  fen: string;
  bestmove?: string;
  ponder?: string;
  depth: number;
  seldepth: number;
  nodes: number;
  nps: number;
  time_ms: number;
  lines: Line[];
  cached?: boolean;
}
export interface Search {
  fen: string;
  moves: string[];
  chess960?: boolean;
  multipv?: number;
  depth?: number;
  nodes?: number;
  movetime?: number;
  elo?: number;
  clock?: { wtime: number; btime: number; winc: number; binc: number };
  session?: string;
}
export interface MoveReport {
  ply: number;
  san: string;
  uci: string;
  score?: Score;
  best?: string;
  best_san?: string;
  line?: string[];
  judgement?: 'inaccuracy' | 'mistake' | 'blunder';
  accuracy?: number;
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
}
export interface StoredGame {
  id: string;
  created: string;
  white: string;
  black: string;
  result: string;
  plies: number;
  state: 'saved' | 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  progress: { done: number; total: number };
  pgn?: string;
  annotated_pgn?: string;
  report?: GameReport;
  message?: string;
}

export class ApiError extends Error {
  constructor(readonly code: string, message: string, readonly status: number, readonly retryAfter = 0) {
    super(message);
  }
}

/* A client is one browser tab: the server keeps its hash table warm under this name. */
let tab = '';
function session(): string {
  tab ||= Array.from(crypto.getRandomValues(new Uint8Array(8)), b => b.toString(16).padStart(2, '0')).join('');
  return tab;
}

function headers(body: boolean): Record<string, string> {
  const token = localStorage.getItem('samara.token');
  return { ...(body ? { 'Content-Type': 'application/json' } : {}), ...(token ? { Authorization: `Bearer ${token}` } : {}) };
}

async function request<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: headers(body !== undefined),
      ...(body !== undefined ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new ApiError('offline', 'The server cannot be reached.', 0);
  }
  return (await answer(response)) as T;
}

async function answer(response: Response): Promise<unknown> {
  const retry = Number(response.headers.get('Retry-After') ?? 0);
  const data: unknown = await response.json().catch(() => undefined);
  if (response.ok) return data;
  const error = (data as { error?: { code: string; message: string } } | undefined)?.error;
  throw new ApiError(error?.code ?? 'http', error?.message ?? `The server answered ${response.status}.`, response.status, retry);
}

export const health = (signal: AbortSignal) => request<{ status: string; version: string; elo_min: number; elo_max: number }>('GET', '/api/v1/health', undefined, signal);
export const analyse = (search: Search, signal?: AbortSignal) => request<Analysis>('POST', '/api/v1/analyse', { ...search, session: session() }, signal);
export const sendGame = (pgn: string, analysis?: { nodes?: number; movetime?: number; depth?: number }) =>
  request<StoredGame>('POST', '/api/v1/games', { pgn, ...(analysis ? { analyse: analysis } : {}) });
export const game = (id: string) => request<StoredGame>('GET', `/api/v1/games/${encodeURIComponent(id)}`);
export const games = () => request<{ games: StoredGame[] }>('GET', '/api/v1/games?limit=100');
export const deleteGame = (id: string) => request<unknown>('DELETE', `/api/v1/games/${encodeURIComponent(id)}`);

/** Server-sent events, one object per iteration, until the search is done or `signal` says stop. Read with
 * fetch rather than EventSource, which cannot carry a token and would reconnect to a finished search. */
export async function stream(search: Search, signal: AbortSignal, onInfo: (info: Analysis) => void): Promise<void> {
  const query = new URLSearchParams({ fen: search.fen, session: session() });
  if (search.moves.length) query.set('moves', search.moves.join(','));
  if (search.chess960) query.set('chess960', 'true');
  for (const name of ['multipv', 'depth', 'nodes', 'movetime'] as const) {
    const value = search[name];
    if (value !== undefined) query.set(name, String(value));
  }
  let response: Response;
  try {
    response = await fetch(`/api/v1/stream?${query}`, { headers: { ...headers(false), Accept: 'text/event-stream' }, signal });
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new ApiError('offline', 'The server cannot be reached.', 0);
  }
  if (!response.ok || !response.body) {
    await answer(response);
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventParser();
  for (;;) {
    const { value, done } = await reader.read().catch((error: Error) => {
      if (error.name === 'AbortError') throw error;
      throw new ApiError('offline', 'The connection broke off.', 0);
    });
    if (done) return;
    for (const event of parser.feed(value)) {
      if (event.name === 'info' || event.name === 'done') onInfo(JSON.parse(event.data) as Analysis);
      if (event.name === 'error') {
        const { error } = JSON.parse(event.data) as { error: { code: string; message: string } };
        throw new ApiError(error.code, error.message, 200);
      }
    }
  }
}

export interface ServerEvent {
  name: string;
  data: string;
}

/** Cuts a text/event-stream into events, however the bytes arrive. */
export class EventParser {
  private rest = '';

  feed(text: string): ServerEvent[] {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop()!;
    return blocks.flatMap(block => {
      let name = 'message';
      const data: string[] = [];
      for (const line of block.split('\n')) {
        if (line.startsWith('event:')) name = line.slice(6).trim();
        if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
      }
      return data.length ? [{ name, data: data.join('\n') }] : [];
    });
  }
}
