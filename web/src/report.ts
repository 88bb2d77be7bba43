// SPDX-License-Identifier: GPL-3.0-or-later
/* report.ts -- the game report: the server analyses the game as a job, the page shows what came of it. */

import { ApiError, deleteGame, game, type GameReport, sendGame, type SideReport, type StoredGame } from './api.ts';
import { byId, h, listen } from './dom.ts';
import { announce, toast } from './live.ts';
import { scoreText } from './score.ts';
import { judgementNag } from './score.ts';
import { type GameTree, type MoveNode, moveNumber } from './tree.ts';

export interface ReportHost {
  tree(): GameTree;
  go(node: MoveNode): void;
  changed(): void;
}

/** Writes what the report found into the tree: evaluations, marks, the better line as a variation. */
export function applyReport(tree: GameTree, report: GameReport): void {
  const line = tree.mainline();
  const byPly = new Map(report.moves.map(m => [m.ply, m]));
  line.forEach((node, i) => {
    const move = byPly.get(i + 1);
    if (!move || move.uci !== node.uci) return;
    if (move.score) node.score = move.score;
    node.nags = node.nags.filter(n => ![2, 4, 6].includes(n));
    if (!move.judgement) return;
    node.nags.push(judgementNag[move.judgement]);
    const name = move.judgement[0]!.toUpperCase() + move.judgement.slice(1);
    if (!node.comment.includes(`${name}.`)) node.comment = `${node.comment} ${name}.${move.best_san ? ` ${move.best_san} was best.` : ''}`.trim();
    if (move.line?.length && node.parent) tree.addLine(node.parent, move.line.slice(0, 8));
  });
}

export class Report {
  private job = '';
  private timer = 0;

  constructor(private readonly host: ReportHost) {
    listen('run-report', 'click', () => (this.job ? this.cancel() : void this.run()));
  }

  /** A new game is on the board. */
  clear(): void {
    if (this.job) this.cancel();
    byId('report').replaceChildren();
  }

  private async run(): Promise<void> {
    const tree = this.host.tree();
    if (tree.mainline().length < 2) {
      toast('A report needs a game of at least two moves.');
      return;
    }
    try {
      this.follow(await sendGame(tree.toPgn(), { nodes: 150000 }), tree);
    } catch (error) {
      toast((error as Error).message, 'error');
    }
  }

  private follow(state: StoredGame, tree: GameTree): void {
    if (this.host.tree() !== tree) return;
    this.job = state.id;
    const { done, total } = state.progress;
    if (state.report) applyReport(tree, state.report);
    if (state.state === 'queued' || state.state === 'running') {
      byId('run-report').textContent = 'Stop';
      byId('report').replaceChildren(
        h('p', {}, state.state === 'queued' ? 'Waiting for the engine…' : `Looking at move ${Math.ceil(done / 2)} of ${Math.ceil(total / 2)}…`),
        h('progress', { max: total, value: done, 'aria-label': 'Progress of the report' }));
      this.host.changed();
      this.timer = window.setTimeout(() => void this.poll(tree), 400);
      return;
    }
    this.ended();
    if (state.state === 'failed') toast(state.message ?? 'The report failed.', 'error');
    if (state.report && state.state === 'done') this.show(tree, state.report);
    this.host.changed();
  }

  private async poll(tree: GameTree): Promise<void> {
    try {
      this.follow(await game(this.job), tree);
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) this.timer = window.setTimeout(() => void this.poll(tree), 2000);
      else this.ended();
    }
  }

  private cancel(): void {
    deleteGame(this.job).catch(() => undefined);
    this.ended();
    byId('report').replaceChildren();
  }

  private ended(): void {
    clearTimeout(this.timer);
    this.job = '';
    byId('run-report').textContent = 'Analyse the game';
  }

  show(tree: GameTree, report: GameReport): void {
    const line = tree.mainline();
    const turning = report.turning_points.map(ply => line[ply - 1]).filter((n): n is MoveNode => !!n);
    const points = turning.map(node =>
      h('li', {}, h('button', { type: 'button', class: 'link', onclick: () => this.host.go(node) },
        `${moveNumber(node.ply)} ${node.san}`), ` ${node.comment.replace(/\(.*?\)/, '').trim()} ${node.score ? `(${scoreText(node.score)})` : ''}`));
    byId('report').replaceChildren(
      h('div', { class: 'sides' },
        sideView(tree.tags.get('White') ?? 'White', 'white', report.white),
        sideView(tree.tags.get('Black') ?? 'Black', 'black', report.black)),
      turning.length ? h('h3', {}, 'Turning points') : h('p', {}, 'No turning points: both sides held the balance.'),
      h('ul', { class: 'turning' }, ...points));
    announce(`Report ready. Accuracy: White ${percent(report.white.accuracy)}, Black ${percent(report.black.accuracy)}.`);
  }
}

const percent = (n: number | null): string => (n === null ? '–' : `${n.toFixed(0)} %`);

function sideView(name: string, side: string, report: SideReport): HTMLElement {
  return h('div', { class: `side ${side}` },
    h('div', { class: 'name' }, name),
    h('div', { class: 'accuracy' }, percent(report.accuracy)),
    h('div', { class: 'faults' },
      h('span', { class: 'inaccuracy' }, `${report.inaccuracies} ?!`),
      h('span', { class: 'mistake' }, `${report.mistakes} ?`),
      h('span', { class: 'blunder' }, `${report.blunders} ??`)),
    h('div', { class: 'loss' }, report.average_loss === null ? '' : `${report.average_loss.toFixed(0)} cp lost per move`));
}

