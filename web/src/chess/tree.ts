// SPDX-License-Identifier: GPL-3.0-or-later
/* tree.ts -- the game: a tree of moves with comments, marks, arrows, clocks and evaluations, and its tags.
 * The tree is changed in place; who changes it says so to the store (see state/actions.ts). */

import { INITIAL_FEN, type Played, isChess960, playUci } from './rules.ts';
import type { Score } from './score.ts';

export type Brush = 'green' | 'red' | 'blue' | 'yellow';

/** A circle, or an arrow if it has an end. */
export interface Shape {
  brush: Brush;
  from: string;
  to?: string;
}

/** What PGN comments can say about a move. */
export interface Notes {
  comment: string; // behind the move
  before: string; // in front of the first move of a line
  nags: number[];
  shapes: Shape[];
  score?: Score; // [%eval], White's view
  clock?: number; // [%clk], milliseconds that the mover has left
  extra: string[]; // commands that we do not know, kept as they came
  source?: Source;
}

/** Comments as they were read. They are written again word for word as long as nothing has changed. */
export interface Source {
  after: string[];
  before: string[];
  print: string; // fingerprint of the notes that were made of them
}

export interface MoveNode extends Notes {
  readonly id: number;
  readonly ply: number; // of the game: 0 is the start position, odd after White's move
  readonly fen: string;
  readonly uci: string; // '' at the root
  readonly san: string;
  readonly parent: MoveNode | undefined;
  children: MoveNode[]; // the first continues the main line
}

/** The tree as plain data, for the browser's store and for undo: parents before children. */
export interface SavedTree {
  fen: string;
  chess960: boolean;
  tags: [string, string][];
  imported: boolean;
  root: Notes;
  nodes: (Notes & { parent: number; uci: string; san: string; fen: string })[];
}

const noNotes = (): Notes => ({ comment: '', before: '', nags: [], shapes: [], extra: [] });

export class GameTree {
  readonly root: MoveNode;
  readonly chess960: boolean;
  tags = new Map<string, string>();
  imported = false; // the tags came with the game: no others are added
  private nextId = 1;

  constructor(fen: string = INITIAL_FEN, chess960 = false) {
    this.root = { id: 0, ply: firstPly(fen), fen, uci: '', san: '', parent: undefined, children: [], ...noNotes() };
    this.chess960 = chess960 || isChess960(fen);
  }

  get result(): string {
    return this.tags.get('Result') ?? '*';
  }

  /** Whether there is anything that a person would miss. */
  get empty(): boolean {
    return !this.root.children.length && !this.root.comment && !this.root.shapes.length && this.root.fen === INITIAL_FEN;
  }

  /** Adds a played move behind `node`, or finds it if it is there already. */
  add(node: MoveNode, move: Played): MoveNode {
    const known = node.children.find(c => c.uci === move.uci);
    if (known) return known;
    const child: MoveNode = { id: this.nextId++, ply: node.ply + 1, fen: move.fen, uci: move.uci, san: move.san, parent: node, children: [], ...noNotes() };
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

  /** The last move of the main line. */
  tip(): MoveNode {
    let node = this.root;
    while (node.children[0]) node = node.children[0];
    return node;
  }

  find(id: number): MoveNode | undefined {
    const stack = [this.root];
    for (let n = stack.pop(); n; n = stack.pop()) {
      if (n.id === id) return n;
      stack.push(...n.children);
    }
    return undefined;
  }

  /** The node at the end of these child numbers; as far as they fit. */
  at(path: readonly number[]): MoveNode {
    let node = this.root;
    for (const i of path) {
      const child = node.children[i];
      if (!child) break;
      node = child;
    }
    return node;
  }

  save(): SavedTree {
    const nodes: SavedTree['nodes'] = [];
    const stack: [MoveNode, number][] = [...this.root.children].reverse().map(c => [c, -1]);
    for (let top = stack.pop(); top; top = stack.pop()) {
      const [node, parent] = top;
      const index = nodes.push({ parent, uci: node.uci, san: node.san, fen: node.fen, ...copyNotes(node) }) - 1;
      for (let i = node.children.length - 1; i >= 0; i--) stack.push([node.children[i]!, index]);
    }
    return { fen: this.root.fen, chess960: this.chess960, tags: [...this.tags], imported: this.imported, root: copyNotes(this.root), nodes };
  }

  static load(saved: SavedTree): GameTree {
    const tree = new GameTree(saved.fen, saved.chess960);
    tree.tags = new Map(saved.tags);
    tree.imported = saved.imported;
    Object.assign(tree.root, copyNotes(saved.root));
    const made: MoveNode[] = [];
    for (const { parent, uci, san, fen, ...notes } of saved.nodes) {
      const node = tree.add(parent < 0 ? tree.root : made[parent]!, { uci, san, fen });
      Object.assign(node, copyNotes(notes));
      made.push(node);
    }
    return tree;
  }
}

function copyNotes(notes: Notes): Notes {
  const { comment, before, nags, shapes, score, clock, extra, source } = notes;
  return {
    comment, before, nags: [...nags], shapes: [...shapes], extra: [...extra],
    ...(score ? { score } : {}), ...(clock !== undefined ? { clock } : {}), ...(source ? { source } : {}),
  };
}

export function lineFrom(node: MoveNode): MoveNode[] {
  const line: MoveNode[] = [];
  for (let n = node.children[0]; n; n = n.children[0]) line.push(n);
  return line;
}

/** Root to node, both included. */
export function pathTo(node: MoveNode): MoveNode[] {
  const path: MoveNode[] = [];
  for (let n: MoveNode | undefined = node; n; n = n.parent) path.push(n);
  return path.reverse();
}

/** The way to a node as child numbers: what at() takes. */
export const placeOf = (node: MoveNode): number[] => pathTo(node).slice(1).map(n => n.parent!.children.indexOf(n));

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
