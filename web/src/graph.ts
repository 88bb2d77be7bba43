// SPDX-License-Identifier: GPL-3.0-or-later
/* graph.ts -- the evaluation of the whole game as a curve; a click jumps there. */

import { byId, svg } from './dom.ts';
import { scoreText, winPercent } from './score.ts';
import { type MoveNode, moveNumber } from './tree.ts';

const [width, height] = [300, 80];

/** White's winning chances; a game that is over needs no engine to know them. */
function chances(node: MoveNode): number | undefined {
  if (node.san.endsWith('#')) return node.ply % 2 === 1 ? 100 : 0;
  return node.score && winPercent(node.score);
}

/** Points of the curve: x by ply, y by White's winning chances (0 is the top). */
export function curve(line: readonly MoveNode[]): [number, number][] {
  const step = width / Math.max(1, line.length - 1);
  return line.flatMap((node, i): [number, number][] => {
    const white = chances(node);
    return white === undefined ? [] : [[i * step, height - (white / 100) * height]];
  });
}

export function showGraph(line: readonly MoveNode[], current: MoveNode, go: (node: MoveNode) => void): void {
  const box = byId('graph');
  const points = curve(line);
  box.hidden = points.length < 2 || !line.some(node => node.score);
  if (box.hidden) return;
  const path = points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
  const firstX = points[0]![0];
  const [lastX, lastY] = points[points.length - 1]!;
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': 'Evaluation of the game' },
    svg('path', { d: `${path}L${lastX} ${height}L${firstX} ${height}Z`, class: 'area' }),
    svg('rect', { x: lastX, y: lastY, width: width - lastX, height: height - lastY, class: 'area' }), // as it stood last
    svg('line', { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: 'middle' }),
    svg('path', { d: path, class: 'curve', 'vector-effect': 'non-scaling-stroke' }));
  const step = width / Math.max(1, line.length - 1);
  line.forEach((node, i) => {
    const bad = node.nags.find(n => n === 2 || n === 4 || n === 6);
    if (bad && node.score)
      picture.append(svg('line', { x1: i * step, x2: i * step, y1: 0, y2: height, class: `fault nag-${bad}`, 'vector-effect': 'non-scaling-stroke' }));
  });
  const at = line.indexOf(current);
  if (at >= 0) picture.append(svg('line', { x1: at * step, x2: at * step, y1: 0, y2: height, class: 'here', 'vector-effect': 'non-scaling-stroke' }));
  const nodeAt = (event: MouseEvent): MoveNode => {
    const area = box.getBoundingClientRect();
    const index = Math.round(((event.clientX - area.left) / area.width) * (line.length - 1));
    return line[Math.max(0, Math.min(line.length - 1, index))]!;
  };
  box.onclick = event => go(nodeAt(event));
  box.onmousemove = event => {
    const node = nodeAt(event);
    box.title = `${node.san ? `${moveNumber(node.ply)} ${node.san}` : 'Start'} ${node.score ? scoreText(node.score) : ''}`;
  };
  box.replaceChildren(picture);
}
