// SPDX-License-Identifier: GPL-3.0-or-later
/* pgn.ts -- games as text, in and out. What is read and not changed is written again as it was: tags in their
 * order, comments word for word, every mark, arrow and command. */

import { makeFen } from 'chessops/fen';
import type { Message } from '../texts/index.ts';
import { readComments, writeComments } from './comments.ts';
import { INITIAL_FEN, isPosition, playText, readFen } from './rules.ts';
import { GameTree, type MoveNode, moveNumber } from './tree.ts';

export interface PgnGame {
  tree: GameTree;
  problem: Message | undefined; // what could not be read
}

/** One game of a file, found but not yet read: its tags and where its text is. */
export interface PgnEntry {
  tags: Map<string, string>;
  text: string;
}

const roster = ['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result'];
const results = ['1-0', '0-1', '1/2-1/2', '*'];
const suffixes: Record<string, number> = { '!': 1, '?': 2, '!!': 3, '??': 4, '!?': 5, '?!': 6 };
const wrapWidth = 79;
const longLine = 100; // whoever writes lines beyond this does not wrap

/* --- reading --- */

/** Finds the games of a text without reading their moves: a file of thousands takes moments. */
export function splitPgn(text: string): PgnEntry[] {
  const entries: PgnEntry[] = [];
  let [start, inMoves, inComment] = [0, false, false];
  const clean = text.replace(/^\uFEFF/, '');
  const close = (end: number): void => {
    const body = clean.slice(start, end);
    if (body.trim()) entries.push({ tags: readTags(body), text: body });
    [start, inMoves] = [end, false];
  };
  for (let at = 0; at < clean.length; ) {
    const newline = clean.indexOf('\n', at);
    const end = newline < 0 ? clean.length : newline + 1;
    const line = clean.slice(at, end);
    if (!inComment && /^\s*\[\s*\w+\s+"/.test(line)) {
      if (inMoves) close(at);
    } else if (line.trim() && !line.startsWith('%')) {
      inMoves = true;
      inComment = commentOpenAfter(line, inComment);
    }
    at = end;
  }
  close(clean.length);
  return entries;
}

function commentOpenAfter(line: string, open: boolean): boolean {
  for (let i = 0; i < line.length; i++) {
    if (open) open = line[i] !== '}';
    else if (line[i] === '{') open = true;
    else if (line[i] === ';') return false;
  }
  return open;
}

function readTags(text: string): Map<string, string> {
  const tags = new Map<string, string>();
  const pair = /^\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*/;
  for (let rest = text, found = pair.exec(rest); found; rest = rest.slice(found[0].length), found = pair.exec(rest))
    if (!tags.has(found[1]!)) tags.set(found[1]!, found[2]!.replace(/\\(["\\])/g, '$1'));
  return tags;
}

/** Reads one game: as much of it as can be played, and what stopped the rest. */
export function readGame(entry: PgnEntry): PgnGame {
  const { tags } = entry;
  let fen = tags.get('FEN') ?? INITIAL_FEN;
  if (tags.has('FEN')) {
    const position = readFen(fen);
    if (!isPosition(position)) return { tree: new GameTree(), problem: position };
    fen = makeFen(position.toSetup());
  }
  const tree = new GameTree(fen, /960|fischer/i.test(tags.get('Variant') ?? ''));
  tree.tags = new Map(tags);
  tree.imported = tags.size > 0;
  return { tree, problem: new MoveReader(tree).read(withoutTags(entry.text)) };
}

export const readPgn = (text: string): PgnGame[] => splitPgn(text).map(readGame);

const withoutTags = (text: string): string => text.replace(/^(\s*\[\s*\w+\s+"(?:[^"\\]|\\.)*"\s*\])*\s*/, '');

/** Walks through movetext. A line that goes wrong is left out from there on; its brackets are still counted. */
class MoveReader {
  private node: MoveNode;
  private problem: Message | undefined;
  private readonly stack: { node: MoveNode; lost: boolean }[] = [];
  private lost = false; // an illegal move: skip to the end of this line
  private before: string[] = []; // comments in front of a line's first move
  private readonly after = new Map<MoveNode, { after: string[]; before: string[] }>();
  private lineStart = true;

  constructor(private readonly tree: GameTree) {
    this.node = tree.root;
  }

  read(text: string): Message | undefined {
    const token = /\{([^}]*)(?:\}|$)|;([^\n]*)|^%[^\n]*|\$(\d+)|([()])|(1-0|0-1|1\/2-1\/2|\*)(?=[\s)]|$)|(\d+\s*\.(?:\s*\.)*)|([^\s{}();$]+)/gm;
    for (let m = token.exec(text); m; m = token.exec(text)) {
      if (m[1] !== undefined) this.comment(unwrap(m[1], m.index + 1 - (text.lastIndexOf('\n', m.index) + 1)));
      else if (m[2] !== undefined) this.comment(m[2].trim());
      else if (m[3]) this.mark(Number(m[3]));
      else if (m[4] === '(') this.open();
      else if (m[4] === ')') this.close();
      else if (m[5]) {
        if (!this.tree.tags.has('Result') && m[5] !== '*') this.tree.tags.set('Result', m[5]);
      } else if (m[7]) this.word(m[7]);
    }
    for (const [node, texts] of this.after) Object.assign(node, readComments(texts.after, texts.before));
    return this.problem;
  }

  private texts(node: MoveNode): { after: string[]; before: string[] } {
    let texts = this.after.get(node);
    if (!texts) this.after.set(node, (texts = { after: [], before: [] }));
    return texts;
  }

  private comment(text: string): void {
    if (this.lost) return;
    if (this.lineStart && this.node !== this.tree.root) this.before.push(text);
    else this.texts(this.node).after.push(text);
  }

  private mark(nag: number): void {
    if (!this.lost && !this.lineStart && nag > 0 && !this.node.nags.includes(nag)) this.node.nags.push(nag);
  }

  private open(): void {
    this.stack.push({ node: this.node, lost: this.lost });
    if (!this.lost && this.node.parent) this.node = this.node.parent;
    else this.lost = true; // a variation on nothing
    this.lineStart = true;
    this.before = [];
  }

  private close(): void {
    const top = this.stack.pop();
    if (!top) return;
    ({ node: this.node, lost: this.lost } = top);
    this.lineStart = false;
    this.before = [];
  }

  private word(word: string): void {
    if (this.lost) return;
    const [, text, suffix] = /^(.*?)([!?]{1,2})?$/.exec(word.replace(/^\d+(\.+|$)/, ''))!;
    if (!text) {
      if (suffix) this.mark(suffixes[suffix]!);
      return;
    }
    if (/^(e\.?p\.?|[+#=]|\+-|-\+|D|N|TN|1\/2|½.*)$/.test(text)) return; // marks that old programs write behind a move
    const move = playText(this.node.fen, text);
    if (!move) {
      this.problem ??= { key: 'pgnIllegal', values: { move: `${moveNumber(this.node.ply + 1)} ${text}` } };
      this.lost = true;
      return;
    }
    this.node = this.tree.add(this.node, move);
    if (this.before.length) this.texts(this.node).before.push(...this.before);
    this.before = [];
    this.lineStart = false;
    if (suffix) this.mark(suffixes[suffix]!);
  }
}

/* A line break is the person's own if the next word would still have had room on the line. */
function unwrap(text: string, column: number): string {
  const lines = text.replaceAll('\r', '').split('\n');
  let out = lines[0]!;
  for (let i = 1; i < lines.length; i++) {
    const width = (i === 1 ? column : 0) + lines[i - 1]!.length;
    const word = lines[i]!.trimStart().split(' ')[0]!;
    if (!lines[i]!.trim()) continue;
    const paragraph = !lines[i - 1]!.trim();
    const wrapped = !paragraph && width <= longLine && width + 1 + word.length > wrapWidth;
    out += (wrapped ? ' ' : '\n') + lines[i]!.trim();
  }
  return out.trim();
}

/** What a person pasted: a FEN, or one or more games; or why it is neither. */
export function readAnything(text: string): PgnEntry[] | PgnGame | Message {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (!trimmed) return { key: 'importNothing' };
  if (/^[pnbrqkPNBRQK1-8~]+(\/[pnbrqkPNBRQK1-8~]+){7}/.test(trimmed)) {
    const fen = trimmed.split('\n')[0]!.trim().replace(/\s+(bm|am|id|ce|acd|c0|dm)\s.*$/, ''); // EPD has operations behind it
    const position = readFen(fen);
    return isPosition(position) ? { tree: new GameTree(makeFen(position.toSetup())), problem: undefined } : position;
  }
  const entries = splitPgn(trimmed);
  if (entries.length !== 1) return entries;
  const game = readGame(entries[0]!);
  if (!game.tree.root.children.length && !game.tree.imported) return { key: 'importNeither' };
  return game;
}

/* --- writing --- */

const textOf = (value: string): string => value.replace(/[\\"]/g, '\\$&').replace(/[\r\n]+/g, ' ');

/** The whole game in export form, lines under 80 columns. */
export function writePgn(tree: GameTree): string {
  const tags = new Map(tree.tags);
  if (!tree.imported) {
    const defaults: Record<string, string> = { Event: '?', Site: '?', Date: '????.??.??', Round: '-', White: '?', Black: '?', Result: '*' };
    for (const [name, value] of Object.entries(defaults)) if (!tags.has(name)) tags.set(name, value);
  }
  if (tree.chess960 && !tags.has('Variant')) tags.set('Variant', 'Chess960');
  if (tree.root.fen !== INITIAL_FEN && !tags.has('FEN')) tags.set('SetUp', '1').set('FEN', tree.root.fen);
  const names = tree.imported ? [...tags.keys()] : [...roster, ...[...tags.keys()].filter(t => !roster.includes(t)).sort()];
  const head = names.map(name => `[${name} "${textOf(tags.get(name)!)}"]`);
  const words: string[] = [];
  for (const text of writeComments(tree.root).after) words.push(...commentWords(text));
  writeMoves(tree.root, words);
  words.push(results.includes(tree.result) ? tree.result : '*');
  return `${head.length ? `${head.join('\n')}\n\n` : ''}${wrap(words)}\n`;
}

/* '\n' stands as a word of its own where a line must end. */
function commentWords(text: string): string[] {
  const lines = text.replace(/}/g, ')').split('\n').map(line => line.trim()).filter(Boolean);
  const words = lines.flatMap((line, i) => [...(i ? ['\n'] : []), ...line.split(/\s+/)]);
  return ['{', ...words, '}'];
}

/* Depth first without recursion: a game may nest thousands of variations. */
function writeMoves(root: MoveNode, words: string[]): void {
  const stack: ({ write: MoveNode; alone?: boolean } | { close: true })[] = [];
  let numbered = true;
  const follow = (node: MoveNode): void => {
    if (node.children[0]) stack.push({ write: node.children[0] });
  };
  follow(root);
  for (let step = stack.pop(); step; step = stack.pop()) {
    if ('close' in step) {
      words[words.length - 1] += ')';
      numbered = true;
      continue;
    }
    const node = step.write;
    const texts = writeComments(node);
    const first = words.length;
    for (const text of texts.before) words.push(...commentWords(text));
    if (node.ply % 2 || numbered || step.alone) words.push(moveNumber(node.ply));
    words.push(node.san, ...node.nags.map(n => `$${n}`));
    for (const text of texts.after) words.push(...commentWords(text));
    numbered = texts.after.length > 0;
    if (step.alone) words[first] = `(${words[first]}`;
    follow(node);
    const siblings = step.alone ? [] : node.parent!.children.slice(1);
    for (let i = siblings.length - 1; i >= 0; i--) stack.push({ close: true }, { write: siblings[i]!, alone: true });
  }
}

function wrap(words: string[]): string {
  let [text, column, hard] = ['', 0, false];
  for (const word of words) {
    if (word === '\n') {
      hard = true;
      continue;
    }
    const fits = column + 1 + word.length <= wrapWidth;
    if (hard) [text, column] = [text + (fits ? '\n' : '\n\n'), 0]; // a break that would look like wrapping gets an empty line
    else if (column && !fits) [text, column] = [text + '\n', 0];
    else if (column) [text, column] = [text + ' ', column + 1];
    text += word;
    column += word.length;
    hard = false;
  }
  return text;
}
