// SPDX-License-Identifier: GPL-3.0-or-later
/* report.ts -- the game report: accuracy and faults of both sides, and the moves where the game turned. */

import { scoreText } from '../chess/score.ts';
import { type MoveNode, moveNumber } from '../chess/tree.ts';
import { engineSpeaks, percent, wordsOf } from '../effects/report.ts';
import type { SideReport } from '../engine/engine.ts';
import type { State } from '../state/state.ts';
import { numberText, t } from '../texts/index.ts';
import { sanText } from '../texts/notation.ts';
import { byId, h } from './dom.ts';

export function sideView(name: string, side: string, report: SideReport): HTMLElement {
  return h('div', { class: `side ${side}` },
    h('div', { class: 'name' }, name),
    h('div', { class: 'accuracy' }, percent(report.accuracy)),
    h('div', { class: 'faults' },
      h('span', { class: 'inaccuracy', title: t('inaccuracies') }, `${report.inaccuracies} ?!`),
      h('span', { class: 'mistake', title: t('mistakes') }, `${report.mistakes} ?`),
      h('span', { class: 'blunder', title: t('blunders') }, `${report.blunders} ??`)),
    h('div', { class: 'loss' }, report.average_loss === null ? '' : t('lossPerMove', { loss: numberText(report.average_loss) })));
}

/** A player's name, or "White" and "Black" where nobody is named. */
export function nameOf(s: Readonly<State>, side: 'white' | 'black'): string {
  const name = s.tree.tags.get(side === 'white' ? 'White' : 'Black') ?? '';
  return name && name !== '?' ? name : t(side);
}

export class ReportView {
  private print = '';

  constructor(private readonly go: (node: MoveNode) => void) {}

  show(s: Readonly<State>): void {
    const { data, running } = s.report;
    const print = JSON.stringify([s.record, s.revision, running, data?.moves.length, data?.white.accuracy, data?.black.accuracy, s.prefs.language, s.prefs.notation]);
    if (print === this.print) return;
    this.print = print;
    byId('run-report').textContent = t(running ? 'stop' : data ? 'reportAgain' : 'makeReport');
    const parts: (HTMLElement | null)[] = [];
    if (running) {
      parts.push(
        h('p', {}, running.queued ? t('reportQueued') : t('reportProgress', { done: Math.ceil(running.done / 2), total: Math.ceil(running.total / 2) })),
        h('progress', { max: Math.max(1, running.total), value: running.done, 'aria-label': t('reportProgressLabel') }));
    } else if (data) parts.push(...this.result(s));
    else parts.push(h('p', { class: 'note' }, t('reportHint')));
    byId('report').replaceChildren(...parts.filter(p => p !== null));
  }

  private result(s: Readonly<State>): HTMLElement[] {
    const data = s.report.data!;
    const line = s.tree.mainline();
    const byPly = new Map(data.moves.map(m => [m.ply, m]));
    const points = data.turning_points.flatMap(ply => {
      const [node, move] = [line[ply - 1], byPly.get(ply)];
      if (!node || !move || node.uci !== move.uci) return [];
      return [h('li', {}, h('button', { type: 'button', class: 'link', onclick: () => this.go(node) }, `${moveNumber(node.ply)} ${sanText(node.san)}`),
        ` ${wordsOf(move, sanText)} ${move.score ? `(${scoreText(move.score)})` : ''}`)];
    });
    return [
      h('div', { class: 'sides' }, sideView(nameOf(s, 'white'), 'white', data.white), sideView(nameOf(s, 'black'), 'black', data.black)),
      ...(data.summary && engineSpeaks() ? [h('p', { class: 'summary' }, data.summary)] : []),
      points.length ? h('h3', {}, t('turningPoints')) : h('p', {}, t('noTurningPoints')),
      h('ul', { class: 'turning' }, ...points),
    ];
  }
}
