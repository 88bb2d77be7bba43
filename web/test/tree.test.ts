// SPDX-License-Identifier: GPL-3.0-or-later
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GameTree, lineFrom, moveNumber, onMainline, pathTo, readAnything, readComments, readPgn } from '../src/tree.ts';

const sans = (tree: GameTree) => tree.mainline().map(n => n.san).join(' ');

test('a line of moves becomes the main line', () => {
  const tree = new GameTree();
  tree.addLine(tree.root, ['e2e4', 'e7e5', 'g1f3']);
  assert.equal(sans(tree), 'e4 e5 Nf3');
});

test('an illegal move ends the line before it', () => {
  const tree = new GameTree();
  const last = tree.addLine(tree.root, ['e2e4', 'e2e4', 'g1f3']);
  assert.equal(last.san, 'e4');
});

test('the same move is not added twice', () => {
  const tree = new GameTree();
  const first = tree.addLine(tree.root, ['e2e4']);
  assert.equal(tree.addLine(tree.root, ['e2e4']), first);
  assert.equal(tree.root.children.length, 1);
});

test('a promoted variation becomes the main line, all the way up', () => {
  const tree = new GameTree();
  tree.addLine(tree.root, ['e2e4', 'e7e5']);
  const side = tree.addLine(tree.root, ['d2d4', 'd7d5', 'c2c4']);
  assert.equal(onMainline(side), false);
  tree.promote(side);
  assert.equal(onMainline(side), true);
  assert.equal(sans(tree), 'd4 d5 c4');
  assert.equal(tree.root.children[1]!.san, 'e4');
});

test('a removed move takes its line along and returns the parent', () => {
  const tree = new GameTree();
  tree.addLine(tree.root, ['e2e4', 'e7e5', 'g1f3']);
  const second = tree.mainline()[1]!;
  assert.equal(tree.remove(second).san, 'e4');
  assert.equal(sans(tree), 'e4');
});

test('a node is found by its number, and paths start at the root', () => {
  const tree = new GameTree();
  const last = tree.addLine(tree.root, ['e2e4', 'c7c5']);
  assert.equal(tree.find(last.id), last);
  assert.equal(tree.find(999), undefined);
  assert.deepEqual(pathTo(last).map(n => n.san), ['', 'e4', 'c5']);
  assert.deepEqual(lineFrom(tree.root).map(n => n.san), ['e4', 'c5']);
});

test('move numbers follow the start position', () => {
  const tree = new GameTree('4k3/8/8/8/8/8/4P3/4K3 b - - 0 20');
  tree.addLine(tree.root, ['e8e7', 'e2e4']);
  assert.deepEqual(tree.mainline().map(n => moveNumber(n.ply)), ['20...', '21.']);
});

test('PGN goes out and comes back the same: variations, comments, marks, evaluations', () => {
  const pgn = `[Event "Test \\"quoted\\""]
[Site "?"]
[Date "2026.01.02"]
[Round "-"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 $1 { [%eval 0.31] the best } 1... e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6)
(1... e6 2. d4) 2. Nf3 $6 Nc6 3. Bb5 { [%eval #-3] [%clk 0:01:30] } 3... a6 1-0
`;
  const first = readPgn(pgn)[0]!;
  assert.equal(first.problem, '');
  assert.equal(first.tree.mainline()[0]!.score?.cp, 31);
  assert.equal(first.tree.mainline()[4]!.score?.mate, -3);
  assert.equal(first.tree.mainline()[4]!.clock, 90000);
  const again = first.tree.toPgn();
  assert.equal(again, pgn);
  assert.equal(readPgn(again)[0]!.tree.toPgn(), again);
  assert.ok(again.split('\n').every(line => line.length < 80));
});

test('a game from a position and a Chess960 game keep their start', () => {
  const fen = 'bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9';
  const tree = new GameTree(fen, true);
  const again = readPgn(tree.toPgn())[0]!.tree;
  assert.equal(again.root.fen, fen.replace('HFhf', again.root.fen.split(' ')[2]!));
  assert.equal(again.chess960, true);
});

test('an illegal move in PGN is named and the game before it kept', () => {
  const game = readPgn('1. e4 e5 2. Ke3 Nc6 *')[0]!;
  assert.equal(sans(game.tree), 'e4 e5');
  assert.match(game.problem, /2\. Ke3 is not legal/);
});

test('comments give up their commands', () => {
  const notes = readComments(['[%eval -1.25,18] [%clk 1:00:05] a  good', 'move']);
  assert.deepEqual(notes, { text: 'a good move', score: { cp: -125 }, clock: 3605000 });
  assert.equal(readComments(['[%eval nonsense]']).score, undefined);
});

test('pasted text is a FEN, a PGN, or a sentence', () => {
  const fen = readAnything('  8/8/8/4k3/8/8/4P3/4K3 w - - 0 1 \n');
  assert.ok(Array.isArray(fen) && fen[0]!.tree.root.fen.startsWith('8/8/8/4k3'));
  assert.equal(readAnything(''), 'There is nothing to read.');
  assert.equal(typeof readAnything('hello world'), 'string');
  assert.match(String(readAnything('8/8/8/8/8/8/8/8 w - - 0 1')), /cannot be played/);
  const games = readAnything('[Event "1"]\n\n1. e4 *\n\n[Event "2"]\n\n1. d4 *');
  assert.ok(Array.isArray(games) && games.length === 2);
});

test('thousands of nested variations are read without fear', () => {
  const text = '1. e4 ' + '(1. d4 '.repeat(3000) + ')'.repeat(3000) + ' *';
  assert.ok(Array.isArray(readAnything(text)));
});
