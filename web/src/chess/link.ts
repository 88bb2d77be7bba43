// SPDX-License-Identifier: GPL-3.0-or-later
/* link.ts -- a game in a link. Everything is behind the '#', so that no server ever sees it: a bare line of moves
 * as readable words, a game with names, comments, variations or arrows as compressed PGN. */

import { readGame, splitPgn, writePgn } from './pgn.ts';
import { type Color, INITIAL_FEN, isPosition, readFen } from './rules.ts';
import { GameTree, type MoveNode, pathTo, placeOf } from './tree.ts';

export interface Shared {
  tree: GameTree;
  node: MoveNode;
  orientation: Color;
}

/** Whether moves alone say everything about this game. */
function isPlain(tree: GameTree): boolean {
  const bare = (n: MoveNode) => n.children.length < 2 && !n.comment && !n.before && !n.nags.length && !n.shapes.length && !n.score && n.clock === undefined && !n.extra.length;
  const telling = [...tree.tags].filter(([name, value]) => value && value !== '?' && !['FEN', 'SetUp', 'Variant', 'Date', 'Round', 'Result'].includes(name));
  return !telling.length && tree.result === '*' && bare(tree.root) && tree.mainline().every(bare);
}

/** '' for an untouched board. */
export async function makeLink(tree: GameTree, node: MoveNode, orientation: Color): Promise<string> {
  const query = new URLSearchParams();
  if (isPlain(tree)) {
    const line = tree.mainline();
    if (tree.root.fen !== INITIAL_FEN) query.set('fen', tree.root.fen.replaceAll(' ', '_'));
    if (line.length) query.set('moves', line.map(n => n.uci).join('.'));
    if (line.length) query.set('ply', String(pathTo(node).length - 1));
    if (tree.chess960) query.set('chess960', '1');
  } else {
    query.set('pgn', await pack(writePgn(tree)));
    query.set('at', placeText(placeOf(node)));
  }
  if (orientation === 'black') query.set('side', 'black');
  const text = query.toString().replaceAll('%2F', '/');
  return text ? `#${text}` : '';
}

/** undefined if the link holds no game or a broken one. */
export async function readLink(hash: string): Promise<Shared | undefined> {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  const orientation = query.get('side') === 'black' ? 'black' : 'white';
  const packed = query.get('pgn');
  if (packed) {
    const text = await unpack(packed);
    const entry = text === undefined ? undefined : splitPgn(text)[0];
    if (!entry) return undefined;
    const { tree } = readGame(entry);
    return { tree, node: tree.at(readPlace(query.get('at') ?? '')), orientation };
  }
  if (!query.has('fen') && !query.has('moves')) return undefined;
  const fen = (query.get('fen') ?? INITIAL_FEN).replaceAll('_', ' ');
  if (!isPosition(readFen(fen))) return undefined;
  const tree = new GameTree(fen, query.get('chess960') === '1');
  tree.addLine(tree.root, (query.get('moves') ?? '').split('.').filter(Boolean));
  const line = [tree.root, ...tree.mainline()];
  const ply = Number(query.get('ply') ?? line.length - 1);
  return { tree, node: line[Math.max(0, Math.min(line.length - 1, Number.isInteger(ply) ? ply : 0))]!, orientation };
}

/** Child numbers as text: "12.1.3" is twelve moves of the main line, the second child, three more. */
export function placeText(place: readonly number[]): string {
  const out: number[] = [0];
  for (const child of place) {
    if (child === 0) out[out.length - 1]!++;
    else out.push(child, 0);
  }
  return out.join('.');
}

export function readPlace(text: string): number[] {
  const parts = text.split('.').map(Number);
  if (parts.some(n => !Number.isInteger(n) || n < 0 || n > 10000)) return [];
  return parts.flatMap((n, i) => (i % 2 ? [n] : Array<number>(n).fill(0)));
}

async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const mostText = 4 << 20; // a link that unpacks to more is a bomb

async function unpack(packed: string): Promise<string | undefined> {
  try {
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, c => c.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let total = 0;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return await new Blob(parts).text();
      parts.push(value);
      if ((total += value.length) > mostText) return undefined;
    }
  } catch {
    return undefined;
  }
}
