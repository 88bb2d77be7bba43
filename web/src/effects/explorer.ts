// SPDX-License-Identifier: GPL-3.0-or-later
/* explorer.ts -- what games, book and tables know of the position on the board, asked while the explorer is open.
 * Answers stay known until games are added. */

import { men } from '../chess/material.ts';
import { pathTo } from '../chess/tree.ts';
import { aborted } from '../engine/engine.ts';
import { explore, type ExplorerAnswer, lookUp, type TableAnswer } from '../engine/http.ts';
import { evalShown, type ExplorerState, playing, type State } from '../state/state.ts';
import type { Store } from '../state/store.ts';

const quiet = 120; // milliseconds between a step and a question
const again = 1000; // when the server has not read all its games yet
const fresh = 30000; // an answer is good for so long
const most = 500;

interface Known {
  when: number;
  moves: ExplorerAnswer;
  tables: TableAnswer | undefined;
}

export const explorerOpen = (s: Readonly<State>): boolean => s.tab === 'explorer' && s.mode !== 'edit' && !(playing(s) && !evalShown(s));

export function explorerEffect(store: Store<State>): void {
  const known = new Map<string, Known>();
  let current = '';
  let timer = 0;
  let abort: AbortController | undefined;

  const set = (change: Partial<ExplorerState>): void => store.set({ explorer: { ...store.state.explorer, ...change } });

  const ask = async (key: string, s: Readonly<State>): Promise<void> => {
    const own = (abort = new AbortController());
    const question = { fen: s.tree.root.fen, moves: pathTo(s.node).slice(1).map(n => n.uci), chess960: s.tree.chess960 };
    const inTables = s.server.tableMen >= men(s.node.fen);
    try {
      const [moves, tables] = await Promise.all([explore(question, own.signal), inTables ? lookUp(question, own.signal).catch(ended) : undefined]);
      if (own.signal.aborted) return;
      known.delete(key);
      known.set(key, { when: performance.now(), moves, tables });
      if (known.size > most) known.delete(known.keys().next().value!);
      set({ fen: s.node.fen, moves, tables, asking: false, problem: '' });
      if (!moves.complete) timer = window.setTimeout(() => void ask(key, s), again);
    } catch (error) {
      if (!own.signal.aborted && !aborted(error)) set({ asking: false, problem: (error as Error).message });
    }
  };

  /* Castling rights keep a small position out of the tables: then there is no verdict, and nothing to say. */
  const ended = (error: Error): undefined => {
    if (aborted(error)) throw error;
    return undefined;
  };

  store.effect((now, before) => {
    const open = explorerOpen(now) && now.server.online;
    const key = open ? `${now.node.fen} ${now.tree.chess960}` : '';
    const stale = open && before.server.online !== now.server.online;
    if (key === current && !stale) return;
    current = key;
    clearTimeout(timer);
    abort?.abort();
    if (!open) return;
    const answer = known.get(key);
    if (answer && performance.now() - answer.when < fresh && answer.moves.complete) {
      set({ fen: now.node.fen, moves: answer.moves, tables: answer.tables, asking: false, problem: '' });
      return;
    }
    set({ asking: true });
    timer = window.setTimeout(() => void ask(key, now), quiet);
  });
}
