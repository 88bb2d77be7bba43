// SPDX-License-Identifier: GPL-3.0-or-later
/* graph.ts -- the evaluation of the whole game as a curve; a click jumps there. Only what is known is drawn: a gap
 * stays a gap, a single value is a dot. */

import { type Score, scoreText, winPercent } from '../chess/score.ts';
import { lineFrom, type MoveNode, moveNumber, onMainline, pathTo } from '../chess/tree.ts';
import { judgementNag } from '../effects/report.ts';
import { judged, type State } from '../state/state.ts';
import { t } from '../texts/index.ts';
import { sanText } from '../texts/notation.ts';
import { byId, svg } from './dom.ts';

export const [width, height] = [300, 80];
export type Point = [number, number];

/** Stretches of the curve, x by ply and y by White's winning chances (0 is the top): moves in a row that have a score. */
export function curve(scores: readonly (number | undefined)[]): Point[][] {
  const step = width / Math.max(1, scores.length - 1);
  const stretches: Point[][] = [];
  let open = false;
  scores.forEach((white, i) => {
    if (white === undefined) {
      open = false;
      return;
    }
    if (!open) stretches.push([]);
    open = true;
    stretches[stretches.length - 1]!.push([i * step, height - (white / 100) * height]);
  });
  return stretches;
}

/** White's winning chances; a game that is over needs no engine to know them. */
export function chances(node: MoveNode, score: Score | undefined): number | undefined {
  if (node.san.endsWith('#')) return node.ply % 2 === 1 ? 100 : 0;
  return score && winPercent(score);
}

const pathOf = (points: readonly Point[]): string => points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

function picture(line: readonly MoveNode[], s: Readonly<State>, scoreOf: (node: MoveNode) => Score | undefined): SVGElement {
  const out = svg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': t('graphLabel') });
  const step = width / Math.max(1, line.length - 1);
  const upright = (i: number, kind: string) =>
    out.append(svg('line', { x1: i * step, x2: i * step, y1: 0, y2: height, class: kind, 'vector-effect': 'non-scaling-stroke' }));
  for (const points of curve(line.map(node => chances(node, scoreOf(node))))) {
    const [first, last] = [points[0]!, points[points.length - 1]!];
    if (points.length > 1) {
      out.append(svg('path', { d: `${pathOf(points)}L${last[0].toFixed(1)} ${height}L${first[0].toFixed(1)} ${height}Z`, class: 'area' }));
      out.append(svg('path', { d: pathOf(points), class: 'curve', 'vector-effect': 'non-scaling-stroke' }));
    } else out.append(svg('path', { d: `M${first[0].toFixed(1)} ${first[1].toFixed(1)}h0.01`, class: 'dot', 'vector-effect': 'non-scaling-stroke' }));
  }
  out.append(svg('line', { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: 'middle', 'vector-effect': 'non-scaling-stroke' }));
  line.forEach((node, i) => {
    const judgement = judged(s, node)?.judgement;
    const bad = judgement ? judgementNag[judgement] : node.nags.find(n => n === 2 || n === 4 || n === 6);
    if (bad) upright(i, `fault nag-${bad}`);
  });
  const at = line.indexOf(s.node);
  if (at >= 0) upright(at, 'here');
  return out;
}

export class Graph {
  private print = '';
  private line: MoveNode[] = [];

  constructor(go: (node: MoveNode) => void) {
    const box = byId('graph');
    const nodeAt = (event: MouseEvent): MoveNode | undefined => {
      const area = box.getBoundingClientRect();
      const index = Math.round(((event.clientX - area.left) / area.width) * (this.line.length - 1));
      return this.line[Math.max(0, Math.min(this.line.length - 1, index))];
    };
    box.addEventListener('click', event => {
      const node = nodeAt(event);
      if (node) go(node);
    });
    box.addEventListener('mousemove', event => {
      const node = nodeAt(event);
      if (node) box.title = node.san ? `${moveNumber(node.ply)} ${sanText(node.san)}` : t('startPosition');
    });
  }

  show(s: Readonly<State>, scoreOf: (node: MoveNode) => Score | undefined): void {
    const box = byId('graph');
    this.line = onMainline(s.node) ? [s.tree.root, ...s.tree.mainline()] : [...pathTo(s.node), ...lineFrom(s.node)];
    const scores = this.line.map(scoreOf);
    box.hidden = scores.filter(Boolean).length < 2;
    const print = JSON.stringify([scores.map(x => x && scoreText(x)), this.line.indexOf(s.node), s.report.data?.moves.length, s.revision]);
    if (box.hidden || print === this.print) return;
    this.print = print;
    box.replaceChildren(picture(this.line, s, node => scores[this.line.indexOf(node)]));
  }
}
