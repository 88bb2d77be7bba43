// SPDX-License-Identifier: GPL-3.0-or-later
/* library.ts -- the games one can open: those of this device, those that the server keeps, those of a file. One list,
 * one search, as long as it may be. */

import { openingOf } from '../chess/openings.ts';
import { type PgnEntry, readGame } from '../chess/pgn.ts';
import { GameTree } from '../chess/tree.ts';
import type { Records, SavedGame } from '../effects/records.ts';
import { resultText } from '../effects/speech.ts';
import { library, type StoredGame } from '../engine/http.ts';
import type { Actions } from '../state/actions.ts';
import type { State } from '../state/state.ts';
import { t } from '../texts/index.ts';
import { closeDialog, openDialog } from './dialogs.ts';
import { byId, h, listen } from './dom.ts';

export interface LibraryHost {
  state(): Readonly<State>;
  actions: Actions;
  records: Records;
  openFile(entry: PgnEntry): Promise<boolean>;
  openSaved(saved: SavedGame): Promise<boolean>;
  openStored(id: string): Promise<boolean>;
  saveToServer(): Promise<void>;
}

/** One row of the list, whatever it comes from. */
export interface Row {
  names: string;
  meta: string[];
  search: string; // lower case
  open(): Promise<boolean>;
  remove?: () => void;
}

type Source = 'device' | 'server' | 'file';
const page = 200; // rows drawn at a time
const chunk = 12; // milliseconds of reading between two breaths
const openingPlies = 40;
const serverPage = 1000;

/** Every word must occur somewhere in the row. */
export function matches(row: Pick<Row, 'search'>, query: string): boolean {
  return query.toLowerCase().split(/\s+/).every(word => row.search.includes(word));
}

const known = (value: string | undefined): string => (!value || value === '?' || /^\?{4}/.test(value) ? '' : value);

function rowOf(tags: Map<string, string>, more: { plies?: number; when?: string; opening?: string }): Pick<Row, 'names' | 'meta' | 'search'> {
  const tag = (name: string) => known(tags.get(name));
  const player = (side: 'White' | 'Black') => [tag(side) || t(side === 'White' ? 'white' : 'black'), tag(`${side}Elo`) && `(${tag(`${side}Elo`)})`].filter(Boolean).join(' ');
  const result = tags.get('Result') ?? '*';
  const opening = [tag('ECO'), tag('Opening') || more.opening].filter(Boolean).join(' ');
  const meta = [result === '*' ? '' : resultText(result), more.plies ? t('movesCount', { n: Math.ceil(more.plies / 2) }) : '', opening, tag('Event'), tag('Date') || more.when || ''].filter(Boolean);
  const names = `${player('White')} – ${player('Black')}`;
  return { names, meta, search: `${names} ${meta.join(' ')} ${result} ${tag('Site')} ${tag('Round')}`.toLowerCase() };
}

const day = (when: number): string => new Date(when).toISOString().slice(0, 10);

export class Library {
  private source: Source = 'device';
  private rows: Row[] = [];
  private shown: Row[] = [];
  private file: { name: string; entries: PgnEntry[] } | undefined;
  private readonly leaving = new Map<HTMLElement, () => void>(); // rows that are deleted unless the person takes it back

  constructor(private readonly host: LibraryHost) {
    listen('library-search', 'input', () => this.filter());
    listen('library', 'scroll', (list: HTMLElement) => list.scrollTop + list.clientHeight > list.scrollHeight - 200 && this.more());
    listen('library-file', 'click', () => byId('import-file').click());
    listen('save-game', 'click', () => void this.host.saveToServer().then(() => this.show('server')));
    byId('dialog-library').addEventListener('close', () => this.deleteNow());
    addEventListener('pagehide', () => this.deleteNow());
  }

  open(): void {
    openDialog('dialog-library');
    void this.show(this.source);
  }

  /** The games of a file; they stay in the list until another file comes. */
  browse(entries: PgnEntry[], name: string): void {
    this.file = { name, entries };
    byId<HTMLInputElement>('library-search').value = '';
    openDialog('dialog-library');
    void this.show('file');
  }

  private async show(source: Source): Promise<void> {
    this.deleteNow();
    this.source = source;
    this.drawSources();
    this.rows = this.shown = [];
    byId('library').replaceChildren();
    byId('save-game').hidden = !this.host.state().server.online;
    byId('library-note').textContent = t('loading');
    try {
      const rows = await (source === 'device' ? this.deviceRows() : source === 'server' ? this.serverRows() : this.fileRows());
      if (this.source !== source) return;
      this.rows = rows;
      this.filter();
    } catch (error) {
      byId('library-note').textContent = (error as Error).message;
    }
  }

  private drawSources(): void {
    const names: [Source, string][] = [['device', t('onThisDevice')], ['server', t('onServer')]];
    if (this.file) names.push(['file', this.file.name]);
    byId('sources').replaceChildren(...names.map(([source, name]) =>
      h('button', { type: 'button', role: 'tab', 'aria-selected': String(source === this.source), 'data-source': source, onclick: () => void this.show(source) }, name)));
  }

  private async deviceRows(): Promise<Row[]> {
    const saved = await this.host.records.list();
    return saved.map(game => {
      const tree = GameTree.load(game.tree);
      const line = [tree.root, ...tree.mainline()];
      const opening = tree.chess960 ? undefined : openingOf(line.map(n => n.fen));
      const row = rowOf(tree.tags, { plies: line.length - 1, when: day(game.when), ...(opening ? { opening: opening.name } : {}) });
      const here = game.id === this.host.state().record;
      return { ...row, meta: here ? [t('onTheBoard'), ...row.meta] : row.meta, open: () => this.host.openSaved(game), ...(here ? {} : { remove: () => this.host.records.database.remove('games', game.id) }) };
    });
  }

  private async serverRows(): Promise<Row[]> {
    const games: StoredGame[] = [];
    for (let offset = 0; ; offset += serverPage) {
      const part = (await library.list(offset, serverPage)).games;
      games.push(...part);
      if (part.length < serverPage) break;
    }
    return games.map(game => {
      const row = rowOf(new Map([['White', game.white], ['Black', game.black], ['Result', game.result]]), { plies: game.plies, when: game.created.slice(0, 10) });
      const meta = game.state === 'done' ? [...row.meta, t('withReport')] : row.meta;
      return { ...row, meta, open: () => this.host.openStored(game.id), remove: () => void library.remove(game.id, true).catch((e: Error) => this.host.actions.fail(e)) };
    });
  }

  private async fileRows(): Promise<Row[]> {
    const { entries } = this.file!;
    const rows = entries.map((entry): Row => ({ ...rowOf(entry.tags, {}), open: () => this.host.openFile(entry) }));
    void this.nameOpenings(rows, entries);
    return rows;
  }

  /* Games that do not name their opening are read for it, a few at a time, so that they can be searched for it. */
  private async nameOpenings(rows: readonly Row[], entries: readonly PgnEntry[]): Promise<void> {
    let began = performance.now();
    let changed = false;
    for (const [i, entry] of entries.entries()) {
      if (known(entry.tags.get('Opening')) || entry.tags.has('FEN')) continue;
      if (performance.now() - began > chunk) {
        if (changed && byId<HTMLInputElement>('library-search').value) this.filter(true);
        changed = false;
        await new Promise(resolve => setTimeout(resolve));
        if (this.rows.length && this.rows !== rows) return; // another list is open
        began = performance.now();
      }
      const { tree } = readGame(entry);
      const opening = openingOf([tree.root, ...tree.mainline().slice(0, openingPlies)].map(n => n.fen));
      if (!opening) continue;
      Object.assign(rows[i]!, rowOf(entry.tags, { opening: entry.tags.has('ECO') ? opening.name : `${opening.eco} ${opening.name}` }));
      changed = true;
    }
    if (this.rows === rows) this.filter(true);
  }

  /** Shows the rows that the search finds; in place, if they are only known better now. */
  private filter(stay = false): void {
    const top = byId('library').scrollTop;
    const count = byId('library').children.length;
    const query = byId<HTMLInputElement>('library-search').value.trim();
    this.shown = this.rows.filter(row => matches(row, query));
    byId('library-note').textContent = this.rows.length ? t('gamesFound', { n: this.shown.length }) : t(this.source === 'file' ? 'noGamesInFile' : 'noGamesYet');
    byId('library').replaceChildren();
    byId('library').scrollTop = 0;
    do this.more();
    while (stay && byId('library').children.length < Math.min(count, this.shown.length));
    if (stay) byId('library').scrollTop = top;
  }

  private more(): void {
    const list = byId('library');
    const from = list.children.length;
    list.append(...this.shown.slice(from, from + page).map(row => this.rowView(row)));
  }

  private rowView(row: Row): HTMLElement {
    const item = h('li', {},
      h('button', { type: 'button', class: 'open', onclick: () => void row.open().then(opened => opened && closeDialog('dialog-library')) },
        h('span', { class: 'names' }, row.names), h('span', { class: 'meta' }, row.meta.join(' · '))));
    const { remove } = row;
    if (remove) item.append(h('button', { type: 'button', class: 'delete', 'aria-label': t('deleteGame', { names: row.names }), onclick: () => this.removed(row, item, remove) }, '×'));
    return item;
  }

  /* A deleted game can be taken back as long as the list is open: only then is it really deleted. */
  private removed(row: Row, item: HTMLElement, remove: () => void): void {
    this.leaving.set(item, () => {
      remove();
      this.rows = this.rows.filter(r => r !== row);
    });
    const back = h('button', { type: 'button', class: 'link', onclick: () => {
      this.leaving.delete(item);
      item.replaceWith(this.rowView(row));
    } }, t('undo'));
    item.replaceChildren(h('span', { class: 'gone' }, t('gameDeleted', { names: row.names })), back);
    back.focus();
  }

  private deleteNow(): void {
    for (const remove of this.leaving.values()) remove();
    this.leaving.clear();
  }
}
