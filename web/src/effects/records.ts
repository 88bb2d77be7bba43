// SPDX-License-Identifier: GPL-3.0-or-later
/* records.ts -- nothing is lost: the game on the board, with clock, opponent and place, is in the browser's store a
 * moment after every change, and comes back after a reload, a closed tab or a crash. Each tab has a record of its own;
 * opening another game starts another record, and the browser's Back returns to the one before. */

import { Clock, type SavedClock } from '../chess/clock.ts';
import { makeLink, readLink } from '../chess/link.ts';
import type { Color } from '../chess/rules.ts';
import { GameTree, placeOf, type SavedTree } from '../chess/tree.ts';
import type { GameReport } from '../engine/engine.ts';
import { type Actions, newRecordId } from '../state/actions.ts';
import { type Challenge, type GameOver, type Mode, noReport, type Play, playing, type State } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import type { Database } from './database.ts';
import { keptKey, lastKey, tabKey } from './keys.ts';

export interface SavedGame {
  id: string;
  when: number;
  tree: SavedTree;
  place: number[];
  orientation: Color;
  mode: Mode;
  play: { challenge: Challenge; over: GameOver | undefined; clock: SavedClock | undefined } | undefined;
  report: GameReport | undefined;
  reportId: string | undefined;
  link: string; // what the address said
}

const saveAfter = 150;
const linkAfter = 400;
const clockEvery = 2000; // a crash costs at most this much of the clock's truth
const longestAddress = 8000; // characters; longer games are shared by their own button
const mostGames = 200;

export function saveGame(s: Readonly<State>, link: string): SavedGame {
  const { play, mode } = s;
  return {
    id: s.record, when: Date.now(), tree: s.tree.save(), place: placeOf(s.node), orientation: s.orientation, mode: mode === 'edit' ? 'analyse' : mode,
    play: play && { challenge: play.challenge, over: play.over, clock: play.clock?.save(performance.now()) },
    report: s.report.running ? undefined : s.report.data, reportId: s.report.id, link,
  };
}

/** The state that a record describes. A game with a clock waits for the person unless the page was only reloaded. */
export function loadGame(saved: SavedGame, goOn: boolean): Partial<State> {
  const tree = GameTree.load(saved.tree);
  let play: Play | undefined;
  if (saved.play) {
    const { challenge, over, clock } = saved.play;
    play = { challenge, over, clock: challenge.control && clock && Clock.load(challenge.control, clock), paused: !goOn && !over, score: undefined };
  }
  return { tree, node: tree.at(saved.place), record: saved.id, orientation: saved.orientation, mode: play ? saved.mode : 'analyse', play, report: { ...noReport, data: saved.report, id: saved.reportId } };
}

export class Records {
  private link = '';
  private saveTimer = 0;
  private linkTimer = 0;
  private stale = false; // there is something to save
  private readonly locks = new Set<string>();

  constructor(private readonly store: Store<State>, private readonly actions: Actions, readonly database: Database) {}

  /** Brings back what this tab, or the last closed one, had on the board; or the game of the link. */
  async start(): Promise<void> {
    const link = location.hash;
    const own = await this.ownRecord();
    const shared = link && link !== own?.link ? await readLink(link) : undefined;
    if (shared) this.actions.resume({ ...shared, record: newRecordId(), mode: 'analyse', play: undefined });
    else if (own) this.actions.resume(loadGame(own, true));
    else {
      const last = link ? undefined : await this.lastFree();
      if (last) {
        this.actions.resume(loadGame(last, false));
        this.actions.toast({ text: { key: 'gameIsBack' }, kind: 'info', action: 'fresh' });
      } else this.store.set({ record: newRecordId() });
    }
    this.store.flush();
    this.link = link;
    this.watch();
  }

  /* A duplicated tab has the same name in its session; the second one gets a copy of the record. */
  private async ownRecord(): Promise<SavedGame | undefined> {
    const id = sessionStorage.getItem(tabKey);
    const stored = id ? await this.database.get<SavedGame>('games', id) : undefined;
    const last = readLast(id);
    const saved = last && last.when > (stored?.when ?? 0) ? last : stored;
    if (!saved) return undefined;
    return (await this.lock(saved.id)) ? saved : { ...saved, id: newRecordId() };
  }

  private async lastFree(): Promise<SavedGame | undefined> {
    for (const saved of await this.database.list<SavedGame>('games', 10)) if (await this.lock(saved.id)) return saved;
    return undefined;
  }

  /** Whether no other tab has this record. Where the browser has no locks, nobody is asked. */
  private lock(id: string): Promise<boolean> {
    if (!navigator.locks || this.locks.has(id)) return Promise.resolve(true);
    return new Promise(resolve => {
      void navigator.locks.request(`samara.${id}`, { ifAvailable: true }, lock => {
        resolve(!!lock);
        if (!lock) return undefined;
        this.locks.add(id);
        return new Promise(() => undefined); // until the tab is closed
      });
    });
  }

  private watch(): void {
    const entry = () => ({ record: this.store.state.record });
    history.replaceState(entry(), '');
    this.keep();
    this.store.effect((now, before) => {
      if (now.record !== before.record) {
        if (this.stale) this.write(before);
        if (!this.returning) history.pushState(entry(), '', location.pathname);
        this.link = '';
        this.keep();
      }
      if (now.revision !== before.revision || now.node !== before.node || now.orientation !== before.orientation || now.record !== before.record) {
        clearTimeout(this.linkTimer);
        this.linkTimer = window.setTimeout(() => void this.writeLink(), linkAfter);
      }
      const changed = (['revision', 'node', 'orientation', 'record', 'mode', 'play', 'report'] as const).some(k => now[k] !== before[k]);
      if (changed) this.later();
    });
    addEventListener('popstate', e => void this.back(e.state as { record?: string } | null));
    addEventListener('pagehide', () => this.leave());
    document.addEventListener('visibilitychange', () => document.hidden && this.leave());
    setInterval(() => {
      if (playing(this.store.state) && this.store.state.play!.clock?.side) this.later();
    }, clockEvery);
    void this.writeLink();
    setTimeout(() => void this.database.keepNewest('games', mostGames), 5000);
  }

  private keep(): void {
    const { record } = this.store.state;
    sessionStorage.setItem(tabKey, record);
    void this.lock(record);
  }

  private returning = false;

  private async back(entry: { record?: string } | null): Promise<void> {
    this.save();
    const saved = entry?.record && entry.record !== this.store.state.record ? await this.database.get<SavedGame>('games', entry.record) : undefined;
    const shared = saved || (entry?.record && entry.record === this.store.state.record) ? undefined : await readLink(location.hash);
    this.returning = !!saved || !!entry;
    if (saved) this.actions.resume(loadGame(saved, false));
    else if (shared) this.actions.open(shared);
    else if (entry?.record && entry.record !== this.store.state.record) this.actions.resume({ ...loadGame(emptyGame(entry.record), true) });
    this.store.flush();
    this.returning = false;
    if (!entry) history.replaceState({ record: this.store.state.record }, '');
  }

  private async writeLink(): Promise<void> {
    const s = this.store.state;
    const made = await makeLink(s.tree, s.node, s.orientation);
    if (this.store.state.record !== s.record) return;
    this.link = made.length <= longestAddress ? made : '';
    history.replaceState({ record: s.record }, '', this.link || location.pathname);
    this.later();
  }

  private later(): void {
    this.stale = true;
    if (!this.saveTimer) this.saveTimer = window.setTimeout(() => this.save(), saveAfter);
  }

  /** Saves now. Nothing is waited for: the page may be about to go. */
  save(): void {
    if (this.stale) this.write(this.store.state);
  }

  private write(s: Readonly<State>): void {
    clearTimeout(this.saveTimer);
    this.saveTimer = 0;
    this.stale = false;
    if (!s.record || (s.tree.empty && !s.play && !s.undo.length)) return;
    this.database.put('games', saveGame(s, this.link));
    this.remember();
  }

  /* For the first moment of the next visit, which cannot wait for the store. */
  private remember(): void {
    try {
      if (!localStorage.getItem(keptKey)) localStorage.setItem(keptKey, 'yes');
    } catch {
      /* private mode */
    }
  }

  /* A store that works in the background may not finish with the page; the session's does. */
  private leave(): void {
    const s = this.store.state;
    if (playing(s) && s.play!.clock?.side) this.stale = true;
    try {
      if (this.stale) sessionStorage.setItem(lastKey, JSON.stringify(saveGame(s, this.link)));
    } catch {
      /* too large for it */
    }
    this.save();
  }

  list(): Promise<SavedGame[]> {
    this.save();
    return this.database.list<SavedGame>('games', mostGames);
  }
}

/* What this tab wrote when it was left. */
function readLast(id: string | null): SavedGame | undefined {
  const text = sessionStorage.getItem(lastKey);
  sessionStorage.removeItem(lastKey);
  try {
    const last = JSON.parse(text ?? 'null') as SavedGame | null;
    return last && last.id === id ? last : undefined;
  } catch {
    return undefined;
  }
}

function emptyGame(id: string): SavedGame {
  const tree = new GameTree();
  return { id, when: 0, tree: tree.save(), place: [], orientation: 'white', mode: 'analyse', play: undefined, report: undefined, reportId: undefined, link: '' };
}
