// SPDX-License-Identifier: GPL-3.0-or-later
/* exchange.ts -- games in and out: paste, file, drag, copy, download, link. */

import { makeLink } from '../chess/link.ts';
import { type PgnEntry, type PgnGame, readAnything, writePgn } from '../chess/pgn.ts';
import { GameTree } from '../chess/tree.ts';
import { withReport } from '../effects/report.ts';
import { pageAddress } from '../engine/address.ts';
import { library } from '../engine/http.ts';
import type { Actions } from '../state/actions.ts';
import type { State } from '../state/state.ts';
import { type Message, say, t, type TextKey } from '../texts/index.ts';
import { closeDialog, openDialog } from './dialogs.ts';
import { byId, h, listen } from './dom.ts';

export interface Exchange {
  state(): Readonly<State>;
  actions: Actions;
  /** Asks first if a game is going on. */
  open(game: PgnGame): Promise<boolean>;
  /** A file with more than one game. */
  browse(entries: PgnEntry[], name: string): void;
}

const maxFile = 64 << 20;
const maxShown = 200000; // characters in the text box

/* English letters, whoever writes: a PGN is for programs. */
const plainSan = (san: string): string => san;

/** The game as it is shared and exported: with the report written into it if that is wanted. */
export function exported(s: Readonly<State>, report: boolean): GameTree {
  return report && s.report.data && !s.report.running ? withReport(s, GameTree.load(s.tree.save()), plainSan) : s.tree;
}

/* One game opens at once; several are offered. Returns whether the text was understood. */
async function take(text: string, host: Exchange, name: string): Promise<boolean> {
  const read = readAnything(text);
  byId('import-problem').textContent = '';
  if ('key' in read) {
    byId('import-problem').textContent = say(read as Message);
    return false;
  }
  closeDialog('dialog-import');
  if (Array.isArray(read)) host.browse(read, name);
  else await host.open(read);
  return true;
}

async function takeFile(file: File, host: Exchange): Promise<void> {
  if (file.size > maxFile) {
    host.actions.toast({ text: { key: 'fileTooLarge', values: { megabytes: maxFile >> 20 } }, kind: 'error' });
    return;
  }
  const text = await file.text();
  if (await take(text, host, file.name)) return;
  byId<HTMLTextAreaElement>('import-text').value = text.length < maxShown ? text : '';
  openDialog('dialog-import');
}

export function bindImport(host: Exchange): void {
  listen('import-done', 'click', async () => {
    const box = byId<HTMLTextAreaElement>('import-text');
    if (await take(box.value, host, t('pasted'))) box.value = '';
  });
  listen('import-file', 'change', (box: HTMLInputElement) => {
    const file = box.files?.[0];
    if (file) void takeFile(file, host);
    box.value = '';
  });
  bindDrop(host);
  document.addEventListener('paste', async e => {
    if ((e.target as HTMLElement).closest('input, textarea')) return;
    const text = e.clipboardData?.getData('text/plain');
    if (text && !(await take(text, host, t('pasted')))) openDialog('dialog-import');
  });
}

export function openImport(): void {
  byId('import-problem').textContent = '';
  openDialog('dialog-import');
  byId('import-text').focus();
}

function bindDrop(host: Exchange): void {
  const curtain = byId('drop');
  addEventListener('dragover', e => {
    if (!e.dataTransfer?.types.includes('Files') && !e.dataTransfer?.types.includes('text/plain')) return;
    e.preventDefault();
    curtain.hidden = false;
  });
  addEventListener('dragleave', e => e.relatedTarget || (curtain.hidden = true));
  addEventListener('drop', async e => {
    e.preventDefault();
    curtain.hidden = true;
    const file = e.dataTransfer?.files[0];
    const text = e.dataTransfer?.getData('text/plain');
    if (file) void takeFile(file, host);
    else if (text && !(await take(text, host, t('pasted')))) openDialog('dialog-import');
  });
}

async function copy(text: string, what: TextKey, host: Exchange): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    host.actions.toast({ text: { key: what }, kind: 'info' });
  } catch {
    host.actions.toast({ text: { key: 'copyRefused' }, kind: 'error' });
  }
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
  h('a', { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

const fileName = (tree: GameTree): string => {
  const names = [tree.tags.get('White'), tree.tags.get('Black')].filter(n => n && n !== '?');
  return `${names.length === 2 ? names.join('-').replace(/[^\p{L}\p{N}-]+/gu, '_') : 'samara'}.pgn`;
};

export async function copyLink(host: Exchange): Promise<void> {
  const s = host.state();
  const link = await makeLink(exported(s, true), s.node, s.orientation);
  await copy(pageAddress() + link, 'linkCopied', host);
}

/* The server keeps the game, and the link has only its number. */
async function copyShortLink(host: Exchange): Promise<void> {
  try {
    const { id } = await library.add(writePgn(exported(host.state(), true)));
    await copy(`${pageAddress()}#game=${id}`, 'linkCopied', host);
  } catch (error) {
    host.actions.fail(error as Error);
  }
}

export function openExport(host: Exchange): void {
  const s = host.state();
  const fill = (): void => {
    byId<HTMLTextAreaElement>('export-pgn').value = writePgn(exported(host.state(), byId<HTMLInputElement>('export-report').checked));
  };
  byId<HTMLInputElement>('export-fen').value = s.node.fen;
  byId('export-with').hidden = !s.report.data;
  byId('share-short').hidden = !s.server.online || !s.server.stored;
  byId('export-report').onchange = fill;
  fill();
  openDialog('dialog-export');
}

export function bindExport(host: Exchange): void {
  const pgn = (): string => byId<HTMLTextAreaElement>('export-pgn').value;
  listen('copy-fen', 'click', () => void copy(host.state().node.fen, 'fenCopied', host));
  listen('copy-pgn', 'click', () => void copy(pgn(), 'pgnCopied', host));
  listen('download-pgn', 'click', () => download(fileName(host.state().tree), pgn()));
  listen('share', 'click', () => void copyLink(host));
  listen('share-short', 'click', () => void copyShortLink(host));
}
