// SPDX-License-Identifier: GPL-3.0-or-later
/* explorer.ts -- what others played here and how it ended, what the book plays, what the endgame tables say. A move is
 * played by a click, like one of the engine's lines. */

import { resultText } from '../effects/speech.ts';
import { explorerOpen } from '../effects/explorer.ts';
import type { BookMove, PlayedMove, RecentGame, TableMove } from '../engine/http.ts';
import type { State } from '../state/state.ts';
import { numberText, t, type TextKey } from '../texts/index.ts';
import { sanText } from '../texts/notation.ts';
import { byId, h } from './dom.ts';

const verdicts: Record<string, TextKey> = { win: 'tableWin', 'cursed-win': 'tableCursed', draw: 'tableDraw', 'blessed-loss': 'tableBlessed', loss: 'tableLoss' };

const moveButton = (fen: string, uci: string, san: string): HTMLElement => h('button', { type: 'button', class: 'move', 'data-line': uci, 'data-fen': fen }, sanText(san));

/** Shares of 100 that are whole and add up; 0 0 0 where no game has a result. */
export function shares(white: number, draws: number, black: number): [number, number, number] {
  const all = white + draws + black;
  if (!all) return [0, 0, 0];
  const [w, b] = [Math.round((100 * white) / all), Math.round((100 * black) / all)];
  return [w, Math.max(0, 100 - w - b), b];
}

function resultBar({ white, draws, black }: PlayedMove): HTMLElement {
  const [w, d, b] = shares(white, draws, black);
  const part = (kind: string, n: number) => (n ? h('span', { class: kind, 'data-share': n }, n >= 14 ? `${n}` : '') : null);
  const bar = h('span', { class: 'result-bar', role: 'img', 'aria-label': t('resultShares', { white: w, draws: d, black: b }), title: t('resultShares', { white: w, draws: d, black: b }) }, part('white', w), part('draws', d), part('black', b));
  for (const child of bar.children) (child as HTMLElement).style.setProperty('--share', (child as HTMLElement).dataset.share!);
  return bar;
}

function table(name: string, heads: string[], rows: HTMLElement[]): HTMLElement {
  return h('table', {}, h('caption', {}, name), h('thead', {}, h('tr', {}, ...heads.map(head => h('th', { scope: 'col' }, head)))), h('tbody', {}, ...rows));
}

const row = (...cells: (HTMLElement | string)[]): HTMLElement => h('tr', {}, ...cells.map(cell => h('td', {}, cell)));

function gamesTable(fen: string, moves: readonly PlayedMove[]): HTMLElement {
  return table(t('storedGames'), [t('move'), t('games'), t('results')], moves.map(m => row(moveButton(fen, m.uci, m.san), numberText(m.games), resultBar(m))));
}

function bookTable(fen: string, moves: readonly BookMove[]): HTMLElement {
  return table(t('openingBook'), [t('move'), t('share')], moves.map(m => row(moveButton(fen, m.uci, m.san), `${numberText(100 * m.share)} %`)));
}

function tablesTable(fen: string, moves: readonly TableMove[]): HTMLElement {
  const distance = (m: TableMove): string => (m.dtz ? t('tableDistance', { n: Math.abs(m.dtz) % 100 || 100 }) : '');
  const verdict = (m: TableMove): HTMLElement => h('span', { class: `verdict ${m.verdict}`, title: distance(m) }, t(verdicts[m.verdict] ?? 'unknown'));
  return table(t('endgameTables'), [t('move'), t('verdict'), 'DTZ'], moves.map(m => row(moveButton(fen, m.uci, m.san), verdict(m), m.dtz ? String(Math.abs(m.dtz)) : '')));
}

export class ExplorerView {
  private print = '';

  constructor(private readonly open: (id: string) => void) {}

  show(s: Readonly<State>): void {
    byId('tab-explorer').hidden = s.mode === 'play' && !!s.play && !s.play.over && !s.play.challenge.showEval;
    if (!explorerOpen(s)) return;
    const { fen, moves, tables, asking, problem } = s.explorer;
    const here = fen === s.node.fen;
    const print = JSON.stringify([here && fen, asking, problem, s.server.online, s.prefs.language, s.prefs.notation, moves?.games, moves?.complete]);
    if (print === this.print) return;
    this.print = print;
    const sheet = byId('explorer');
    sheet.setAttribute('aria-busy', String(asking));
    if (!s.server.online || problem) sheet.replaceChildren(h('p', { class: 'note' }, problem || t('serverAway')));
    else if (here && moves) {
      sheet.replaceChildren(
        ...(tables?.moves ? [tablesTable(fen, tables.moves)] : []),
        ...(moves.book.length ? [bookTable(fen, moves.book)] : []),
        ...(moves.moves.length ? [gamesTable(fen, moves.moves)] : []),
        ...(moves.recent.length ? [this.recentList(moves.recent)] : []),
        ...(moves.moves.length || tables?.moves || moves.book.length ? [] : [h('p', { class: 'note' }, t('explorerNone'))]));
    } else if (!sheet.childElementCount) sheet.replaceChildren(h('p', { class: 'note' }, t('loading')));
  }

  private recentList(games: readonly RecentGame[]): HTMLElement {
    const known = (name: string | undefined, side: TextKey): string => (name && name !== '?' ? name : t(side));
    return h('ul', { class: 'recent' }, ...games.map(g => h('li', {}, h('button', { type: 'button', onclick: () => this.open(g.id) },
      h('span', {}, `${known(g.white, 'white')} – ${known(g.black, 'black')}`), h('span', { class: 'meta' }, `${resultText(g.result ?? '*')} · ${(g.created ?? '').slice(0, 10)}`)))));
  }
}
