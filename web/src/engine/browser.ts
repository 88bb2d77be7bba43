// SPDX-License-Identifier: GPL-3.0-or-later
/* browser.ts -- the engine inside the browser: the same answers as the server's, from the package in web/engine. Its files are loaded
 * when it is first asked. */

import { Engine as Wasm, EngineError as WasmError, threadsWork } from '../../engine/index.js';
import { aborted, type Analysis, type Engine, EngineError, type Explanation, type GameReport, type Limits, type Question } from './engine.ts';

const reportNodes = 150000; // of each position, as the server's
const idleFor = 120000; // milliseconds without a question, after which it is closed: a phone needs its memory

interface Files {
  worker: string;
  single: string;
  shared: string;
}

/* Where the build put them; relative to the page, which may lie in any folder. */
function files(): Files | undefined {
  const text = globalThis.document?.querySelector<HTMLMetaElement>('meta[name=samara-engine]')?.content;
  if (!text || typeof WebAssembly !== 'object') return undefined;
  const [worker, single, shared] = text.split(' ').map(name => new URL(name, document.baseURI).href);
  return { worker: worker!, single: single!, shared: shared! };
}

export interface BrowserLimits {
  threadsMax: number;
  hash: number;
  hashMax: number;
}

const found = files();

/** Whether this page was built with an engine. */
export const browserEngineThere = !!found;

export function browserLimits(): BrowserLimits {
  const memory = (navigator as { deviceMemory?: number }).deviceMemory ?? 4;
  return { threadsMax: threadsWork() ? Math.max(1, Math.min(8, navigator.hardwareConcurrency || 1)) : 1, hash: memory <= 2 ? 16 : 32, hashMax: memory <= 2 ? 64 : 256 };
}

let running: Wasm | undefined;
let idle = 0;

function engine(): Wasm {
  clearTimeout(idle);
  idle = window.setTimeout(() => {
    running?.close();
    running = undefined;
  }, idleFor);
  return (running ??= new Wasm({ ...found!, threads: browserLimits().threadsMax, hash: browserLimits().hash }));
}

/* Keeps it alive while it works, however long that takes. */
async function ask<T>(work: (engine: Wasm) => Promise<T>): Promise<T> {
  const beat = setInterval(engine, idleFor / 4);
  try {
    return await work(engine());
  } catch (error) {
    if (aborted(error)) throw new DOMException('', 'AbortError');
    if (error instanceof WasmError) throw new EngineError(error.code, error.message, 200);
    throw error;
  } finally {
    clearInterval(beat);
    engine();
  }
}

/* One thread for a move: a level needs no more, and a phone stays cool. */
const ofMove = ({ threads: _threads, ...limits }: Limits): Limits => ({ ...limits, threads: 1 });

/** What POST /api/v1/explain would answer. */
export const explainHere = (question: Question, move: string, wishes: { language: string; level: string; nodes: number }): Promise<object> =>
  ask(wasm => wasm.explain(question, move, wishes as object));

export const browserEngine: Engine = {
  kind: 'browser',

  async analyse(question, limits, hear, signal) {
    const full = { threads: 1, hash: browserLimits().hash, ...limits };
    const last = await ask(wasm => wasm.analyse(question, full, { signal, onInfo: news => news.lines.length >= Math.min(full.multipv ?? 1, news.lines.length) && hear(news as Analysis) }));
    if (last.lines?.length) hear(last as Analysis);
  },

  move: (question: Question, limits: Limits, signal: AbortSignal) => ask(wasm => wasm.analyse(question, ofMove(limits), { signal })) as Promise<Analysis>,

  async report(pgn, language, _earlier, hear, signal) {
    hear({ state: 'running', done: 0, total: 0 });
    const report = await ask(wasm => wasm.report(pgn, { nodes: reportNodes, language: language as 'en', signal, onProgress: ({ done, total }) => hear({ state: 'running', done, total }) }));
    hear({ state: 'done', done: report.moves.length, total: report.moves.length, report: report as unknown as GameReport });
  },

  async explain(question, move, language, signal): Promise<Explanation | undefined> {
    const { text, line, claims } = await ask(wasm => wasm.explain(question, move, { language: language as 'en', signal }));
    return text === undefined ? undefined : { text, ...(line ? { line } : {}), ...(claims?.[0] ? { squares: claims[0].squares } : {}) };
  },
};
