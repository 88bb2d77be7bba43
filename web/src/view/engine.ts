// SPDX-License-Identifier: GPL-3.0-or-later
/* engine.ts -- the engine's card: score, depth, lines, limits; and the arrows that the lines put on the board. */

import { browserEngineThere } from '../engine/browser.ts';
import { engineLimits, engineThere, threadsOf } from '../engine/choice.ts';
import { passFen } from '../chess/rules.ts';
import { scoreText, shortNumber, winPercent } from '../chess/score.ts';
import type { Line } from '../engine/engine.ts';
import { scoreWords } from '../effects/speech.ts';
import { evalShown, type State } from '../state/state.ts';
import { say, t } from '../texts/index.ts';
import type { Arrow } from './board.ts';
import { byId, h } from './dom.ts';
import { lineButtons } from './lines.ts';

const sideOf = (line: Line): string => (winPercent(line.score) >= 50 ? 'white' : 'black');

/** The best move in full colour; the others thinner, the more they lose. */
export function arrowsOf(lines: readonly Line[], threat: boolean): Arrow[] {
  const best = lines[0] ? winPercent(lines[0].score) : 50;
  const arrows: Arrow[] = [];
  lines.forEach((line, i) => {
    const uci = line.uci[0];
    if (!uci || (threat && i > 0)) return;
    const loss = Math.abs(best - winPercent(line.score));
    if (i === 0) arrows.push({ uci, brush: threat ? 'threat' : 'best', width: 11 });
    else if (loss < 12) arrows.push({ uci, brush: 'other', width: Math.max(3, 8 - loss / 2) });
  });
  return arrows.reverse(); // the best is drawn last, on top
}

/** What the engine draws on the board now. */
export function engineArrows(s: Readonly<State>): Arrow[] {
  if (s.mode === 'edit') return [];
  if (s.hint) return [{ uci: s.hint, brush: 'hint', width: 11 }];
  const { known, threat, fen } = s.analysis;
  const here = fen === (threat ? passFen(s.node.fen) : s.node.fen);
  return known && here && s.prefs.arrows && s.prefs.engine && evalShown(s) ? arrowsOf(known.lines.slice(0, s.prefs.lines), threat) : [];
}

export class EngineView {
  private print = '';
  private readonly open = new Set<number>(); // lines shown in full

  constructor() {
    byId('pv').addEventListener('click', e => {
      const button = e.target instanceof Element ? e.target.closest<HTMLElement>('.expand') : null;
      if (!button) return;
      const index = Number(button.dataset.index);
      if (!this.open.delete(index)) this.open.add(index);
      const row = button.closest('li')!;
      row.classList.toggle('open', this.open.has(index));
      button.setAttribute('aria-expanded', String(this.open.has(index)));
    });
  }

  show(s: Readonly<State>): void {
    const { known, fen, threat, running, note } = s.analysis;
    const card = byId('engine');
    card.hidden = !evalShown(s);
    card.classList.toggle('off', !s.prefs.engine);
    this.showLimits(s);
    const print = JSON.stringify([fen, threat, running, note, s.prefs.lines, s.prefs.engine, s.prefs.language, s.prefs.notation, s.node.ply, engineThere(s)]);
    const lines = known?.lines.slice(0, s.prefs.lines) ?? [];
    const whole = print + (known ? `${known.depth} ${known.nodes} ${known.time_ms} ${lines.map(l => `${scoreText(l.score)} ${l.uci.join(' ')}`).join('|')}` : '');
    if (whole === this.print) return;
    this.print = whole;
    byId('engine-note').textContent = note ? say(note) : '';
    byId('deeper').hidden = running || !known || !engineThere(s) || !s.prefs.engine;
    const first = lines[0];
    byId('score').textContent = first ? scoreText(first.score) : '–';
    if (first) byId('score').dataset.side = sideOf(first);
    byId('engine-stats').textContent = known && first ? statsText(s) : running ? t('searching') : '';
    card.dataset.depth = String(first ? known!.depth : 0);
    card.dataset.running = String(running);
    const ply = s.node.ply + (threat ? 1 : 0);
    this.drawLines(lines.map((line, i) => this.lineView(line, i, fen, ply)));
  }

  private showLimits(s: Readonly<State>): void {
    const { engine, lines, depth, seconds } = s.prefs;
    byId<HTMLInputElement>('engine-toggle').checked = engine;
    byId<HTMLSelectElement>('lines').value = String(lines);
    byId<HTMLSelectElement>('depth').value = String(depth);
    byId<HTMLSelectElement>('seconds').value = String(seconds);
    const { threadsMax, hash, hashMax } = engineLimits(s);
    const few = [...doublings(1, threadsMax), threadsOf(s)].sort((a, b) => a - b);
    fillSizes('threads', few.filter((n, i) => n !== few[i - 1]).map(n => [n, String(n)]), threadsOf(s));
    byId('where').parentElement!.hidden = !browserEngineThere;
    byId<HTMLSelectElement>('where').value = s.prefs.where;
    fillSizes('hash', [[0, `${hash} MB`], ...doublings(hash * 2, hashMax).map((n): [number, string] => [n, `${n} MB`])], s.prefs.hash);
    byId('threat').setAttribute('aria-pressed', String(s.threat));
  }

  /* A line that says the same stays in place: it may be under a finger. */
  private drawLines(views: HTMLElement[]): void {
    const list = byId('pv');
    views.forEach((view, i) => {
      const old = list.children[i];
      if (!old) list.append(view);
      else if (old.textContent !== view.textContent || old.querySelector<HTMLElement>('[data-fen]')?.dataset.fen !== view.querySelector<HTMLElement>('[data-fen]')?.dataset.fen) old.replaceWith(view);
    });
    while (list.children.length > views.length) list.lastElementChild!.remove();
  }

  private lineView(line: Line, index: number, fen: string, ply: number): HTMLElement {
    const open = this.open.has(index);
    return h('li', { class: open ? 'open' : '' },
      h('span', { class: 'line-score', 'data-side': sideOf(line), title: scoreWords(line.score) }, scoreText(line.score)),
      h('span', { class: 'line-moves' }, ...lineButtons({ fen, ply }, line.uci, line.san)),
      h('button', { type: 'button', class: 'expand', 'data-index': index, 'aria-expanded': String(open), 'aria-label': t('wholeLine') }));
  }
}

/** from, twice that, and so on, up to most, which is the last. */
export function doublings(from: number, most: number): number[] {
  const sizes: number[] = [];
  for (let n = from; n < most; n *= 2) sizes.push(n);
  return from <= most ? [...sizes, most] : sizes;
}

/* Threads and memory are offered where the server leaves a choice. */
function fillSizes(id: string, choices: [number, string][], chosen: number): void {
  const box = byId<HTMLSelectElement>(id);
  box.closest('label')!.hidden = choices.length < 2;
  const print = choices.join(' ');
  if (box.dataset.print !== print) {
    box.dataset.print = print;
    box.replaceChildren(...choices.map(([value, text]) => h('option', { value }, text)));
  }
  box.value = String(choices.some(([value]) => value === chosen) ? chosen : choices[0]?.[0]);
}

function statsText(s: Readonly<State>): string {
  const { known, running } = s.analysis;
  const depth = t('depthOf', { depth: known!.seldepth > known!.depth ? `${known!.depth}/${known!.seldepth}` : known!.depth });
  return running ? `${depth} · ${shortNumber(known!.nps)}n/s` : `${depth} · ${t('searchOver')}`;
}
