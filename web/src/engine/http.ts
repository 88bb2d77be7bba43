// SPDX-License-Identifier: GPL-3.0-or-later
/* http.ts -- the engine of the server that sent this page, and that server's library of games. */

import { t } from '../texts/index.ts';
import { serverAddress } from './address.ts';
import { type Analysis, type Engine, EngineError, type Explanation, type GameReport, type Limits, type Question, type ReportProgress } from './engine.ts';

export interface StoredGame {
  id: string;
  created: string;
  white: string;
  black: string;
  result: string;
  plies: number;
  state: 'saved' | 'queued' | 'running' | 'done' | 'failed';
  progress: { done: number; total: number };
  pgn?: string;
  report?: GameReport;
  message?: string;
}

export interface Health {
  status: string;
  version: string;
  elo_min: number;
  elo_max: number;
  stored: boolean;
  table_men: number;
  book: boolean;
  threads_max: number;
  hash: number;
  hash_max: number;
}

export interface PlayedMove {
  uci: string;
  san: string;
  games: number;
  white: number;
  draws: number;
  black: number;
}
export interface BookMove {
  uci: string;
  san: string;
  weight: number;
  share: number;
}
export interface RecentGame {
  id: string;
  created?: string;
  white?: string;
  black?: string;
  result?: string;
}
export interface ExplorerAnswer {
  games: number;
  complete: boolean; // all stored games were looked at
  moves: PlayedMove[];
  book: BookMove[];
  recent: RecentGame[];
}
export interface TableMove {
  uci: string;
  san: string;
  verdict: string;
  dtz: number;
}
export interface TableAnswer {
  moves?: TableMove[]; // absent at the end of a game
}

const reportNodes = 150000; // of each position
const halfEvery = 1000; // milliseconds between half reports
const pollWhenAway = 2000;

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

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(serverAddress() + path, init);
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new EngineError('offline', t('serverUnreachable'), 0);
  }
}

async function request<T>(method: string, path: string, body?: unknown, signal?: AbortSignal, keepalive = false): Promise<T> {
  const response = await reach(path, {
    method,
    keepalive,
    headers: headers(body !== undefined),
    ...(body !== undefined ? { body: JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
  });
  return (await answer(response)) as T;
}

async function answer(response: Response): Promise<unknown> {
  const retry = Number(response.headers.get('Retry-After') ?? 0);
  const data: unknown = await response.json().catch(() => undefined);
  if (response.ok) return data;
  const error = (data as { error?: { code: string; message: string } } | undefined)?.error;
  throw new EngineError(error?.code ?? 'http', error?.message ?? t('serverAnswered', { status: response.status }), response.status, retry);
}

/* Server-sent events, read with fetch rather than EventSource, which cannot carry a token and would reconnect to a
 * stream that has ended. */
async function* events(path: string, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  const response = await reach(path, { headers: { ...headers(false), Accept: 'text/event-stream' }, signal });
  if (!response.ok || !response.body) {
    await answer(response);
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventParser();
  for (;;) {
    const { value, done } = await reader.read().catch((error: Error) => {
      if (error.name === 'AbortError') throw error;
      throw new EngineError('offline', t('serverBroke'), 0);
    });
    if (done) return;
    for (const event of parser.feed(value)) {
      if (event.name === 'error') {
        const { error } = JSON.parse(event.data) as { error: { code: string; message: string } };
        throw new EngineError(error.code, error.message, 200);
      }
      yield event;
    }
  }
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => (clearTimeout(timer), reject(new DOMException('', 'AbortError')));
    const timer = setTimeout(() => (signal.removeEventListener('abort', end), resolve()), ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });

export const health = (signal: AbortSignal): Promise<Health> => request('GET', '/api/v1/health', undefined, signal);

export const library = {
  list: (offset: number, limit: number): Promise<{ games: StoredGame[]; total?: number }> => request('GET', `/api/v1/games?limit=${limit}&offset=${offset}`),
  get: (id: string): Promise<StoredGame> => request('GET', `/api/v1/games/${encodeURIComponent(id)}`),
  add: (pgn: string): Promise<StoredGame> => request('POST', '/api/v1/games', { pgn }),
  remove: (id: string, leaving = false): Promise<unknown> => request('DELETE', `/api/v1/games/${encodeURIComponent(id)}`, undefined, undefined, leaving),
};

export const explore = (question: Question, signal: AbortSignal): Promise<ExplorerAnswer> => request('GET', `/api/v1/explorer?${positionQuery(question)}`, undefined, signal);
export const lookUp = (question: Question, signal: AbortSignal): Promise<TableAnswer> => request('GET', `/api/v1/tables?${positionQuery(question)}`, undefined, signal);

export const serverEngine: Engine = {
  kind: 'server',

  move: (question, limits, signal) => request<Analysis>('POST', '/api/v1/analyse', { ...question, ...limits, session: session() }, signal),

  async analyse(question, limits, hear, signal) {
    for await (const event of events(`/api/v1/stream?${streamQuery(question, limits)}`, signal))
      if (event.name === 'info' || event.name === 'done') hear(JSON.parse(event.data) as Analysis);
  },

  /* The server reports as a job that outlives the page; a report that is given up or replaced is deleted. */
  async report(pgn, _language, earlier, hear, signal) {
    let job = await request<StoredGame>('POST', '/api/v1/games', { pgn, report: { nodes: reportNodes } }, signal);
    if (earlier && earlier !== job.id) library.remove(earlier).catch(() => undefined);
    try {
      for (;;) {
        if (job.state === 'failed') throw new EngineError('report', job.message ?? t('reportFailed'), 200);
        hear(progressOf(job));
        if (job.state === 'done') return;
        await follow(job, hear, signal);
        job = await poll(job.id, signal);
        if (job.state === 'queued' || job.state === 'running') await wait(halfEvery, signal);
      }
    } catch (error) {
      if (signal.aborted) library.remove(job.id).catch(() => undefined);
      throw error;
    }
  },

  explain: async (): Promise<Explanation | undefined> => undefined,
};

/* Tells how far a report is until its stream ends: when it is done, or when the server has no place for a follower. What it
 * has found so far is fetched now and then. */
async function follow(job: StoredGame, hear: (progress: ReportProgress) => void, signal: AbortSignal): Promise<void> {
  let half = job.report;
  let asked = performance.now();
  try {
    for await (const event of events(`/api/v1/games/${encodeURIComponent(job.id)}/stream`, signal)) {
      if (event.name !== 'progress') continue;
      const { state, progress } = JSON.parse(event.data) as Pick<StoredGame, 'state' | 'progress'>;
      if (performance.now() - asked > halfEvery) {
        asked = performance.now();
        half = (await poll(job.id, signal)).report ?? half;
      }
      hear(progressOf({ ...job, state: state === 'queued' ? job.state : 'running', progress, ...(half ? { report: half } : {}) }));
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    await wait(pollWhenAway, signal);
  }
}

async function poll(id: string, signal: AbortSignal): Promise<StoredGame> {
  for (;;) {
    try {
      return await request<StoredGame>('GET', `/api/v1/games/${encodeURIComponent(id)}`, undefined, signal);
    } catch (error) {
      if (!(error instanceof EngineError) || !error.away) throw error;
      await wait(pollWhenAway, signal);
    }
  }
}

const progressOf = (job: StoredGame): ReportProgress => ({
  state: job.state === 'done' ? 'done' : job.state === 'queued' ? 'queued' : 'running',
  done: job.progress.done,
  total: job.progress.total,
  id: job.id,
  ...(job.report ? { report: job.report } : {}),
});

function positionQuery(question: Question): URLSearchParams {
  const query = new URLSearchParams({ fen: question.fen });
  if (question.moves.length) query.set('moves', question.moves.join(','));
  if (question.chess960) query.set('chess960', 'true');
  return query;
}

function streamQuery(question: Question, limits: Limits): URLSearchParams {
  const query = positionQuery(question);
  query.set('session', session());
  for (const name of ['multipv', 'depth', 'nodes', 'movetime', 'threads', 'hash'] as const) {
    const value = limits[name];
    if (value !== undefined) query.set(name, String(value));
  }
  return query;
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
