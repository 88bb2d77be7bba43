// SPDX-License-Identifier: GPL-3.0-or-later
/* share.ts -- a game in a link: everything lives behind the '#', so that no server ever sees it. */

import { GameTree, lineFrom, type MoveNode, pathTo } from './tree.ts';
import { INITIAL_FEN, readFen } from './rules.ts';

/** The line through `node` to its end, and where in it we stand. */
export function makeLink(tree: GameTree, node: MoveNode, orientation: 'white' | 'black'): string {
  const line = [...pathTo(node).slice(1), ...lineFrom(node)];
  const query = new URLSearchParams();
  if (tree.root.fen !== INITIAL_FEN) query.set('fen', tree.root.fen.replaceAll(' ', '_'));
  if (line.length) query.set('moves', line.map(n => n.uci).join('.'));
  if (line.length) query.set('ply', String(pathTo(node).length - 1));
  if (tree.chess960) query.set('chess960', '1');
  if (orientation === 'black') query.set('side', 'black');
  const text = query.toString().replaceAll('%2F', '/');
  return text ? `#${text}` : '';
}

export interface Shared {
  tree: GameTree;
  node: MoveNode;
  orientation: 'white' | 'black';
}

/** undefined if the link holds no game or a broken one. */
export function readLink(hash: string): Shared | undefined {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  if (!query.has('fen') && !query.has('moves')) return undefined;
  const fen = (query.get('fen') ?? INITIAL_FEN).replaceAll('_', ' ');
  if (typeof readFen(fen) === 'string') return undefined;
  const tree = new GameTree(fen, query.get('chess960') === '1');
  const moves = (query.get('moves') ?? '').split('.').filter(Boolean);
  tree.addLine(tree.root, moves);
  const line = [tree.root, ...tree.mainline()];
  const ply = Number(query.get('ply') ?? line.length - 1);
  const node = line[Math.max(0, Math.min(line.length - 1, Number.isInteger(ply) ? ply : 0))]!;
  return { tree, node, orientation: query.get('side') === 'black' ? 'black' : 'white' };
}
