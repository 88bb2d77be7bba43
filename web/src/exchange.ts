// SPDX-License-Identifier: GPL-3.0-or-later
/* exchange.ts -- games in and out: paste, file, drag, copy, download, link, the server's library. */

import { deleteGame, game, games, sendGame, type StoredGame } from './api.ts';
import { closeDialog, openDialog } from './dialogs.ts';
import { byId, h, listen } from './dom.ts';
import { toast } from './live.ts';
import { applyReport } from './report.ts';
import { makeLink } from './share.ts';
import { type GameTree, type MoveNode, type PgnGame, readAnything } from './tree.ts';

export interface Exchange {
  tree(): GameTree;
  node(): MoveNode;
  orientation(): 'white' | 'black';
  open(tree: GameTree): void;
}

type OpenStored = (tree: GameTree, stored: StoredGame) => void;
const maxFile = 4 << 20;

function describe(game: PgnGame): string {
  const { tags } = game.tree;
  return `${tags.get('White') ?? '?'} – ${tags.get('Black') ?? '?'}, ${game.tree.result}, ${tags.get('Date') ?? ''}`;
}

/* One game opens at once; several are offered. Returns whether it is done. */
function take(text: string, host: Exchange): boolean {
  const games = readAnything(text);
  byId('import-games').replaceChildren();
  if (typeof games === 'string') {
    byId('import-problem').textContent = games;
    return false;
  }
  if (games.length === 1) return open(games[0]!, host);
  byId('import-problem').textContent = `${games.length} games: choose one.`;
  byId('import-games').replaceChildren(
    ...games.slice(0, 500).map(g => h('button', { type: 'button', onclick: () => open(g, host) && closeDialog('dialog-import') }, describe(g))));
  return false;
}

function open(found: PgnGame, host: Exchange): boolean {
  host.open(found.tree);
  if (found.problem) toast(found.problem, 'error');
  return true;
}

async function takeFile(file: File, host: Exchange): Promise<void> {
  if (file.size > maxFile) {
    toast('This file is larger than 4 MB.', 'error');
    return;
  }
  const text = await file.text();
  byId<HTMLTextAreaElement>('import-text').value = text.length < 200000 ? text : '';
  if (take(text, host)) closeDialog('dialog-import');
  else openDialog('dialog-import');
}

async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    toast('The browser did not allow copying.', 'error');
  }
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
  h('a', { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

export function bindExchange(host: Exchange, openStored: OpenStored): void {
  listen('open-import', 'click', () => {
    byId('import-problem').textContent = '';
    byId('import-games').replaceChildren();
    openDialog('dialog-import');
    byId('import-text').focus();
  });
  listen('import-done', 'click', () => {
    const box = byId<HTMLTextAreaElement>('import-text');
    if (take(box.value, host)) {
      box.value = '';
      closeDialog('dialog-import');
    }
  });
  listen('import-file', 'change', (box: HTMLInputElement) => {
    const file = box.files?.[0];
    if (file) void takeFile(file, host);
    box.value = '';
  });
  bindDrop(host);
  bindPaste(host);
  bindExport(host);
  bindLibrary(host, openStored);
}

function bindDrop(host: Exchange): void {
  const curtain = byId('drop');
  addEventListener('dragover', e => {
    if (!e.dataTransfer?.types.includes('Files') && !e.dataTransfer?.types.includes('text/plain')) return;
    e.preventDefault();
    curtain.hidden = false;
  });
  addEventListener('dragleave', e => e.relatedTarget || (curtain.hidden = true));
  addEventListener('drop', e => {
    e.preventDefault();
    curtain.hidden = true;
    const file = e.dataTransfer?.files[0];
    const text = e.dataTransfer?.getData('text/plain');
    if (file) void takeFile(file, host);
    else if (text && !take(text, host)) openDialog('dialog-import');
  });
}

function bindPaste(host: Exchange): void {
  document.addEventListener('paste', e => {
    if ((e.target as HTMLElement).closest('input, textarea')) return;
    const text = e.clipboardData?.getData('text/plain');
    if (text && !take(text, host)) openDialog('dialog-import');
  });
}

function bindExport(host: Exchange): void {
  listen('open-export', 'click', () => {
    byId<HTMLInputElement>('export-fen').value = host.node().fen;
    byId<HTMLTextAreaElement>('export-pgn').value = host.tree().toPgn();
    openDialog('dialog-export');
  });
  listen('copy-fen', 'click', () => void copy(host.node().fen, 'FEN'));
  listen('copy-pgn', 'click', () => void copy(host.tree().toPgn(), 'PGN'));
  listen('download-pgn', 'click', () => download('samara.pgn', host.tree().toPgn()));
  listen('share', 'click', () => void copy(location.origin + location.pathname + makeLink(host.tree(), host.node(), host.orientation()), 'Link'));
}

function bindLibrary(host: Exchange, openStored: OpenStored): void {
  listen('open-library', 'click', () => {
    openDialog('dialog-library');
    void fillLibrary(openStored);
  });
  listen('save-game', 'click', () => {
    sendGame(host.tree().toPgn())
      .then(() => fillLibrary(openStored))
      .catch((error: Error) => (byId('library-note').textContent = error.message));
  });
}

async function fillLibrary(openStored: OpenStored): Promise<void> {
  const note = byId('library-note');
  note.textContent = 'Loading…';
  try {
    const list = (await games()).games;
    note.textContent = list.length ? '' : 'No games yet. Games you play and reports you run are kept here.';
    byId('library').replaceChildren(...list.map(stored => storedRow(stored, openStored)));
  } catch (error) {
    note.textContent = (error as Error).message;
  }
}

function storedRow(stored: StoredGame, openStored: OpenStored): HTMLElement {
  const name = `${stored.white} – ${stored.black}`;
  const row = h('li', {},
    h('button', { type: 'button', class: 'open', onclick: () => void reopen(stored.id, openStored) },
      h('span', { class: 'names' }, name),
      h('span', { class: 'meta' }, `${stored.result} · ${Math.ceil(stored.plies / 2)} moves · ${stored.created.slice(0, 10)}${stored.state === 'done' ? ' · analysed' : ''}`)),
    h('button', {
      type: 'button', class: 'delete', 'aria-label': `Delete ${name}`,
      onclick: () => void deleteGame(stored.id).then(() => row.remove()).catch((e: Error) => toast(e.message, 'error')),
    }, '×'));
  return row;
}

async function reopen(id: string, openStored: OpenStored): Promise<void> {
  try {
    const stored = await game(id);
    const read = readAnything(stored.pgn ?? '');
    if (typeof read === 'string') throw new Error(read);
    const { tree } = read[0]!;
    if (stored.report) applyReport(tree, stored.report);
    closeDialog('dialog-library');
    openStored(tree, stored);
  } catch (error) {
    toast((error as Error).message, 'error');
  }
}
