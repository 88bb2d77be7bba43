// SPDX-License-Identifier: GPL-3.0-or-later
/* tree.ts -- the game: a tree of moves with comments, marks and evaluations; PGN in and out. */

import { type ChildNode, type Node as PgnNode, type PgnNodeData, parsePgn, startingPosition } from 'chessops/pgn';
import { makeFen } from 'chessops/fen';
import { INITIAL_FEN, type Played, isChess960, playText, playUci, readFen } from './rules.ts';
import { type Score, scoreText } from './score.ts';

export interface MoveNode {
  readonly id: number;
  readonly ply: number; // of the game: 0 is the start position, odd after White's move
  readonly fen: string;
  readonly uci: string; // '' at the root
  readonly san: string;
  readonly parent: MoveNode | undefined;
  children: MoveNode[]; // the first continues the main line
  comment: string;
  nags: number[];
  score?: Score; // White's view
  clock?: number; // milliseconds the mover had left
}

export interface PgnGame {
  tree: GameTree;
  problem: string; // a sentence about what could not be read, or ''
}

const sevenTags = ['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result'];

export class GameTree {
  readonly root: MoveNode;
  readonly chess960: boolean;
  tags = new Map<string, string>();
  private nextId = 1;

  constructor(fen: string = INITIAL_FEN, chess960 = false) {
    const ply = firstPly(fen);
    this.root = { id: 0, ply, fen, uci: '', san: '', parent: undefined, children: [], comment: '', nags: [] };
    this.chess960 = chess960 || isChess960(fen);
  }

  get result(): string {
    return this.tags.get('Result') ?? '*';
  }

  /** Adds a played move behind `node`, or finds it if it is there already. */
  add(node: MoveNode, move: Played): MoveNode {
    const known = node.children.find(c => c.uci === move.uci);
    if (known) return known;
    const child: MoveNode = {
      id: this.nextId++,
      ply: node.ply + 1,
      fen: move.fen,
      uci: move.uci,
      san: move.san,
      parent: node,
      children: [],
      comment: '',
      nags: [],
    };
    node.children.push(child);
    return child;
  }

  /** Plays UCI words behind `node`; returns the last node that could be reached. */
  addLine(node: MoveNode, line: readonly string[]): MoveNode {
    for (const uci of line) {
      const move = playUci(node.fen, uci);
      if (!move) break;
      node = this.add(node, move);
    }
    return node;
  }

  /** Removes the move and all behind it; returns its parent. */
  remove(node: MoveNode): MoveNode {
    if (!node.parent) return node;
    node.parent.children = node.parent.children.filter(c => c !== node);
    return node.parent;
  }

  /** Makes the line of this move the main line, back to the root. */
  promote(node: MoveNode): void {
    for (let n: MoveNode = node; n.parent; n = n.parent) {
      const siblings = n.parent.children;
      n.parent.children = [n, ...siblings.filter(c => c !== n)];
    }
  }

  mainline(): MoveNode[] {
    return lineFrom(this.root);
  }

  find(id: number): MoveNode | undefined {
    const stack = [this.root];
    for (let n = stack.pop(); n; n = stack.pop()) {
      if (n.id === id) return n;
      stack.push(...n.children);
    }
    return undefined;
  }

  /** The whole game as PGN, export form, lines under 80 columns. */
  toPgn(): string {
    const tags = new Map(this.tags);
    const defaults: Record<string, string> = { Event: 'Casual game', Site: '?', Date: '????.??.??', Round: '-', White: '?', Black: '?', Result: '*' };
    for (const [name, value] of Object.entries(defaults)) if (!tags.has(name)) tags.set(name, value);
    if (this.chess960) tags.set('Variant', 'Chess960');
    if (this.root.fen !== INITIAL_FEN) tags.set('SetUp', '1').set('FEN', this.root.fen);
    const others = [...tags.keys()].filter(t => !sevenTags.includes(t)).sort();
    const head = [...sevenTags, ...others].map(name => `[${name} "${tags.get(name)!.replace(/[\\"]/g, '\\$&')}"]`);
    const words: string[] = [];
    if (this.root.comment) words.push(...commentWords(this.root.comment));
    writeMoves(this.root, words, true);
    words.push(tags.get('Result')!);
    return `${head.join('\n')}\n\n${wrap(words, 79)}\n`;
  }
}

export function lineFrom(node: MoveNode): MoveNode[] {
  const line: MoveNode[] = [];
  for (let n = node.children[0]; n; n = n.children[0]) line.push(n);
  return line;
}

/** Root to node, both included. */
export function pathTo(node: MoveNode): MoveNode[] {
  const path: MoveNode[] = [];
  for (let n: MoveNode | undefined = node; n; n = n.parent) path.unshift(n);
  return path;
}

export function onMainline(node: MoveNode): boolean {
  for (let n = node; n.parent; n = n.parent) if (n.parent.children[0] !== n) return false;
  return true;
}

/** "12." or "12...": the number before a move, given the ply after it. */
export const moveNumber = (ply: number): string => `${Math.ceil(ply / 2)}${ply % 2 ? '.' : '...'}`;

function firstPly(fen: string): number {
  const [, turn, , , , number] = fen.split(' ');
  return (Math.max(1, Number(number) || 1) - 1) * 2 + (turn === 'b' ? 1 : 0);
}

function commentWords(comment: string): string[] {
  return `{ ${comment.replace(/}/g, ')').trim()} }`.split(/\s+/);
}

function writeMoves(node: MoveNode, words: string[], numbered: boolean): void {
  const [main, ...others] = node.children;
  if (!main) return;
  numbered = writeMove(main, words, numbered);
  for (const other of others) {
    const inner: string[] = [];
    if (!writeMove(other, inner, true)) writeMoves(other, inner, false);
    else writeMoves(other, inner, true);
    inner[0] = `(${inner[0]}`;
    inner[inner.length - 1] += ')';
    words.push(...inner);
    numbered = true;
  }
  writeMoves(main, words, numbered);
}

/* Returns whether the next move needs its number again. */
function writeMove(node: MoveNode, words: string[], numbered: boolean): boolean {
  if (node.ply % 2 || numbered) words.push(moveNumber(node.ply));
  words.push(node.san, ...node.nags.map(n => `$${n}`));
  const notes: string[] = [];
  if (node.score) notes.push(`[%eval ${node.score.mate !== undefined ? `#${node.score.mate}` : (node.score.cp / 100).toFixed(2)}]`);
  if (node.clock !== undefined) notes.push(`[%clk ${clockText(node.clock)}]`);
  if (node.comment) notes.push(node.comment);
  if (notes.length) words.push(...commentWords(notes.join(' ')));
  return notes.length > 0;
}

function clockText(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  const two = (n: number) => String(n).padStart(2, '0');
  return `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}

function wrap(words: string[], width: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line += (line ? ' ' : '') + word;
  }
  return [...lines, line].join('\n');
}

/* --- reading --- */

interface Notes {
  text: string;
  score?: Score;
  clock?: number;
}

/** Takes the commands ([%eval ...], [%clk ...]) out of PGN comments. */
export function readComments(comments: readonly string[]): Notes {
  const notes: Notes = { text: '' };
  const text = comments.join(' ').replace(/\[%(\w+)\s+([^\]]*)\]/g, (_all, command: string, value: string) => {
    if (command === 'eval') notes.score = readScore(value);
    if (command === 'clk') notes.clock = readClock(value);
    return '';
  });
  notes.text = text.replace(/\s+/g, ' ').trim();
  return notes;
}

function readScore(value: string): Score | undefined {
  const first = value.split(',')[0]!.trim();
  const mate = /^#([+-]?\d+)$/.exec(first);
  if (mate) return { mate: Number(mate[1]) };
  const pawns = Number(first);
  return first && Number.isFinite(pawns) ? { cp: Math.round(pawns * 100) } : undefined;
}

function readClock(value: string): number | undefined {
  const parts = value.trim().split(':').map(Number);
  if (parts.length !== 3 || parts.some(p => !Number.isFinite(p))) return undefined;
  return Math.round((parts[0]! * 3600 + parts[1]! * 60 + parts[2]!) * 1000);
}

/** Reads every game of a PGN text; a bare FEN or a list of moves is understood too. */
export function readPgn(text: string): PgnGame[] {
  const clean = text.replace(/^\uFEFF/, '').trim();
  const games = parsePgn(clean).filter(g => g.moves.children.length || g.headers.get('FEN') || /^\s*\[/.test(clean));
  return games.map(game => {
    const headers = game.headers;
    const start = startingPosition(headers);
    if (start.isErr) return { tree: new GameTree(), problem: `The start position cannot be read (${start.error.message}).` };
    const fen = headers.has('FEN') ? makeFen(start.value.toSetup()) : INITIAL_FEN;
    const tree = new GameTree(fen, /960|fischer/i.test(headers.get('Variant') ?? ''));
    for (const [name, value] of headers) if (!['FEN', 'SetUp', 'Variant'].includes(name)) tree.tags.set(name, value);
    tree.root.comment = readComments(game.comments ?? []).text;
    return { tree, problem: copyMoves(tree, tree.root, game.moves) };
  });
}

/* Iterative, because a hostile file may nest thousands of variations. Returns the first problem, or ''. */
function copyMoves(tree: GameTree, root: MoveNode, moves: PgnNode<PgnNodeData>): string {
  let problem = '';
  const stack: [MoveNode, PgnNode<PgnNodeData>][] = [[root, moves]];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [node, source] = top;
    const next: [MoveNode, ChildNode<PgnNodeData>][] = [];
    for (const child of source.children) {
      const move = playText(node.fen, child.data.san);
      if (!move) {
        problem ||= `${moveNumber(node.ply + 1)} ${child.data.san} is not legal; the rest of that line was left out.`;
        continue;
      }
      const added = tree.add(node, move);
      const notes = readComments([...(child.data.startingComments ?? []), ...(child.data.comments ?? [])]);
      added.comment = notes.text;
      if (notes.score) added.score = notes.score;
      if (notes.clock !== undefined) added.clock = notes.clock;
      added.nags = child.data.nags ?? [];
      next.push([added, child]);
    }
    stack.push(...next.reverse());
  }
  return problem;
}

/** What a person pasted: a FEN, one or more PGN games; or a sentence that says why it is neither. */
export function readAnything(text: string): PgnGame[] | string {
  const trimmed = text.trim();
  if (!trimmed) return 'There is nothing to read.';
  if (/^[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}/.test(trimmed)) {
    const pos = readFen(trimmed);
    return typeof pos === 'string' ? pos : [{ tree: new GameTree(makeFen(pos.toSetup())), problem: '' }];
  }
  const games = readPgn(trimmed);
  if (!games.length || (games.length === 1 && !games[0]!.tree.root.children.length && !trimmed.startsWith('[')))
    return games[0]?.problem || 'This is neither a FEN nor a PGN game.';
  return games;
}

export const evalText = (node: MoveNode): string => (node.score ? scoreText(node.score) : '');
