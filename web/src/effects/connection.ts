// SPDX-License-Identifier: GPL-3.0-or-later
/* connection.ts -- is the server there? Looks by itself, and looks at once when a request has failed. */

import { EngineError } from '../engine/engine.ts';
import { health } from '../engine/http.ts';
import type { ServerState, State } from '../state/state.ts';
import type { Store } from '../state/store.ts';

const patience = 4000;
const whenThere = 20000;
const whenAway = 2000; // growing to 10 s
const whenNone = 600000;

export function connectionEffect(store: Store<State>): () => Promise<void> {
  let timer = 0;
  let failures = 0;

  const set = (change: Partial<ServerState>): void => {
    const server = { ...store.state.server, known: true, message: '', needsToken: false, ...change };
    if (JSON.stringify(server) !== JSON.stringify(store.state.server)) store.set({ server });
  };

  const check = async (): Promise<void> => {
    clearTimeout(timer);
    let none = false; // a host of files, without a server
    try {
      const answer = await health(AbortSignal.timeout(patience));
      failures = 0;
      const elo = answer.elo_min ? { min: answer.elo_min, max: answer.elo_max } : store.state.server.elo;
      set({
        online: true, version: answer.version, elo, stored: answer.stored, tableMen: answer.table_men ?? 0, book: !!answer.book,
        threadsMax: answer.threads_max ?? 1, hash: answer.hash ?? 16, hashMax: answer.hash_max ?? answer.hash ?? 16,
      });
    } catch (error) {
      failures++;
      const refused = error instanceof EngineError && error.status > 0;
      none = refused && [404, 405, 501].includes((error as EngineError).status);
      set({ online: false, needsToken: refused && (error as EngineError).status === 401, message: refused && !none ? (error as Error).message : '' });
    }
    clearTimeout(timer);
    const delay = none ? whenNone : store.state.server.online ? whenThere : Math.min(10000, whenAway * failures);
    timer = window.setTimeout(() => document.hidden || void check(), delay);
  };

  store.effect((now, before) => {
    if (before.server.online && !now.server.online && !failures) void check();
    if (!before.visible && now.visible) void check();
  });
  return check;
}
