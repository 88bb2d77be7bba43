// SPDX-License-Identifier: GPL-3.0-or-later
/* choice.ts -- server or browser: which engine answers. The person chooses; where the server is away, the browser's steps in, and
 * where the server refuses a question, too. */

import type { State } from '../state/state.ts';
import { browserEngine, browserEngineThere, browserLimits } from './browser.ts';
import { aborted, type Engine, EngineError } from './engine.ts';
import { serverEngine } from './http.ts';

type Seen = Readonly<Pick<State, 'server' | 'prefs'>>;

/** The browser's engine answers: it is preferred, or the server is known to be away. */
export const inBrowser = (s: Seen): boolean => browserEngineThere && (s.prefs.where === 'browser' || (s.server.known && !s.server.online));

/** Somebody answers. */
export const engineThere = (s: Seen): boolean => s.server.online || inBrowser(s);

/** How much of threads and memory the engine in use has to offer. */
export const engineLimits = (s: Seen): { threadsMax: number; hash: number; hashMax: number } => (inBrowser(s) ? browserLimits() : s.server);

/** Threads of a live analysis: as many as were chosen; by itself one core is left to the page. */
export const threadsOf = (s: Seen): number => {
  const most = engineLimits(s).threadsMax;
  return Math.min(s.prefs.threads || Math.max(1, most - 1), most);
};

/* Busy, forbidden, or out of its own limits: the browser has none of these. */
const refused = (error: unknown): boolean => error instanceof EngineError && (error.busy || error.status === 401 || error.status === 403);

/** An engine that is whichever of the two the state asks for. */
export function chosenEngine(state: () => Seen): Engine {
  const here = (): Engine => (inBrowser(state()) ? browserEngine : serverEngine);
  const either = async <T>(ask: (engine: Engine) => Promise<T>): Promise<T> => {
    const first = here();
    try {
      return await ask(first);
    } catch (error) {
      if (first.kind === 'browser' || aborted(error) || !browserEngineThere || !refused(error)) throw error;
      return ask(browserEngine);
    }
  };
  return {
    get kind() {
      return here().kind;
    },
    analyse: (question, limits, hear, signal) => either(engine => engine.analyse(question, limits, hear, signal)),
    move: (question, limits, signal) => either(engine => engine.move(question, limits, signal)),
    report: (pgn, language, earlier, hear, signal) => either(engine => engine.report(pgn, language, earlier, hear, signal)),
    explain: (question, move, language, signal) => either(engine => engine.explain(question, move, language, signal)),
  };
}
