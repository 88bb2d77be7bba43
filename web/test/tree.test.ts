// SPDX-License-Identifier: GPL-3.0-or-later
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readComments, readShapes } from '../src/chess/comments.ts';
import { readAnything, readGame, readPgn, splitPgn, writePgn } from '../src/chess/pgn.ts';
import { GameTree, lineFrom, moveNumber, onMainline, pathTo, placeOf } from '../src/chess/tree.ts';
import { readFileSync } from 'node:fs';

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
  assert.equal(first.problem, undefined);
  assert.equal(first.tree.mainline()[0]!.score?.cp, 31);
  assert.equal(first.tree.mainline()[4]!.score?.mate, -3);
  assert.equal(first.tree.mainline()[4]!.clock, 90000);
  const again = writePgn(first.tree);
  assert.equal(again, pgn);
  assert.equal(writePgn(readPgn(again)[0]!.tree), again);
  assert.ok(again.split('\n').every(line => line.length < 80));
});

test('a game from a position and a Chess960 game keep their start', () => {
  const fen = 'bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9';
  const tree = new GameTree(fen, true);
  const again = readPgn(writePgn(tree))[0]!.tree;
  assert.equal(again.root.fen, fen.replace('HFhf', again.root.fen.split(' ')[2]!));
  assert.equal(again.chess960, true);
});

test('an illegal move in PGN is named and the game before it kept', () => {
  const game = readPgn('1. e4 e5 2. Ke3 Nc6 *')[0]!;
  assert.equal(sans(game.tree), 'e4 e5');
  assert.deepEqual(game.problem, { key: 'pgnIllegal', values: { move: '2. Ke3' } });
});

test('comments give up their commands, and what is unknown stays', () => {
  const notes = readComments(['[%eval -1.25,18] [%clk 1:00:05] a  good [%emt 0:00:03]', 'move', '[%csl Gd4,Re5][%cal Bg1f3]']);
  assert.equal(notes.comment, 'a good\nmove');
  assert.deepEqual(notes.score, { cp: -125 });
  assert.equal(notes.clock, 3605000);
  assert.deepEqual(notes.extra, ['[%emt 0:00:03]']);
  assert.deepEqual(notes.shapes, [{ brush: 'green', from: 'd4' }, { brush: 'red', from: 'e5' }, { brush: 'blue', from: 'g1', to: 'f3' }]);
  assert.equal(readComments(['[%eval nonsense]']).score, undefined);
  assert.deepEqual(readShapes('Ya1 nonsense Gd4d4 Xe4'), [{ brush: 'yellow', from: 'a1' }, { brush: 'green', from: 'd4' }]);
});

test('pasted text is a FEN, a PGN, several games, or a reason', () => {
  const fen = readAnything('  8/8/8/4k3/8/8/4P3/4K3 w - - 0 1 \n');
  assert.ok('tree' in fen && fen.tree.root.fen.startsWith('8/8/8/4k3'));
  assert.deepEqual(readAnything(''), { key: 'importNothing' });
  assert.deepEqual(readAnything('hello world'), { key: 'importNeither' });
  assert.deepEqual(readAnything('8/8/8/8/8/8/8/8 w - - 0 1'), { key: 'fenEmpty' });
  const games = readAnything('[Event "1"]\n\n1. e4 *\n\n[Event "2"]\n\n1. d4 *');
  assert.ok(Array.isArray(games) && games.length === 2);
  const epd = readAnything('8/8/8/4k3/8/8/4P3/4K3 w - - bm e4; id "x";');
  assert.ok('tree' in epd);
});

test('a word that is no move is named, not swallowed', () => {
  const game = readAnything('1.e4 e5 2.Zz9');
  assert.ok('tree' in game);
  assert.deepEqual(game.problem, { key: 'pgnIllegal', values: { move: '2. Zz9' } });
});

/* Everything but the white space. */
const words = (pgn: string) => pgn.replace(/([{}()])/g, ' $1 ').replace(/\s+/g, ' ').trim();

test('an annotated study goes out as it came in', () => {
  const study = readFileSync(new URL('../../tests/web/study.pgn', `file://${process.env.SAMARA_WEB}/test/`), 'utf8');
  const game = readPgn(study)[0]!;
  assert.equal(game.problem, undefined);
  const out = writePgn(game.tree);
  assert.equal(words(out), words(study));
  const saved = GameTree.load(structuredClone(game.tree.save()));
  assert.equal(writePgn(saved), out, 'the browser store loses nothing');
  assert.equal(writePgn(readPgn(out)[0]!.tree), out, 'and it stays so');
});

test('an edited comment is written anew, the others stay as they were', () => {
  const { tree } = readPgn('[White "A"]\n\n1. e4 {[%clk 0:01:00]   odd   spaces} e5 {[%csl Gd4] kept} *')[0]!;
  tree.mainline()[0]!.comment = 'new } brace\nsecond line';
  const out = writePgn(tree);
  assert.match(out, /\{ \[%clk 0:01:00\] new \) brace\nsecond line \}/);
  assert.match(out, /\{ \[%csl Gd4\] kept \}/);
  assert.equal(readPgn(out)[0]!.tree.mainline()[0]!.comment, 'new ) brace\nsecond line');
});

test('line breaks of a person stay, those of wrapping go', () => {
  const long = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ');
  const { tree } = readPgn(`1. e4 {${long}} *`)[0]!;
  tree.root.comment = 'a\n' + 'x'.repeat(75) + '\nyyyyyyyyyyyyyyyy\nb';
  const again = readPgn(writePgn(tree))[0]!.tree;
  assert.equal(again.mainline()[0]!.comment, long);
  assert.equal(again.root.comment, tree.root.comment);
});

test('a file is cut into games without reading them; brackets in comments cut nothing', () => {
  const text = '[White "A"]\n\n1. e4 {\n[Event "not a tag"]\n} e5 *\n\n[White "B"]\n[Black "C \\"D\\""]\n\n1. d4 *\n';
  const entries = splitPgn(text);
  assert.deepEqual(entries.map(e => e.tags.get('White')), ['A', 'B']);
  assert.equal(entries[1]!.tags.get('Black'), 'C "D"');
  assert.equal(readGame(entries[0]!).tree.mainline().length, 2);
  const many = splitPgn('[White "X"]\n\n1. e4 e5 2. Nf3 *\n\n'.repeat(10000));
  assert.equal(many.length, 10000);
});

test('castling with zeros, glued numbers and stray marks are understood', () => {
  const { tree, problem } = readPgn('1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.0-0 Nf6 5.d3!? d6?! 1/2-1/2')[0]!;
  assert.equal(problem, undefined);
  assert.equal(tree.mainline().length, 10);
  assert.deepEqual(tree.mainline()[8]!.nags, [5]);
  assert.equal(tree.result, '1/2-1/2');
});

test('a place in the tree is found again', () => {
  const { tree } = readPgn('1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) d6) 2. Nf3 *')[0]!;
  const node = tree.mainline()[0]!.children[1]!.children[1]!.children[0]!;
  assert.equal(node.san, 'd5');
  assert.equal(tree.at(placeOf(node)), node);
  assert.equal(tree.at([0, 7, 7]).san, 'e4');
});

test('thousands of nested variations are read without fear', () => {
  const text = '1. e4 ' + '(1. d4 '.repeat(3000) + ')'.repeat(3000) + ' *';
  const game = readAnything(text);
  assert.ok('tree' in game);
  assert.match(writePgn(game.tree), /1\. e4 \(1\. d4\) \*/);
  const tree = new GameTree();
  let node = tree.root;
  for (let i = 0; i < 3000; i++) {
    const side = tree.addLine(node, [['g1f3', 'g8f6', 'f3g1', 'f6g8'][i % 4]!]);
    tree.addLine(node, [['b1c3', 'b8c6', 'b1c3', 'b8c6'][i % 4]!]);
    node.children.reverse(); // the line goes on in the bracket
    node = side;
  }
  assert.equal(writePgn(readPgn(writePgn(tree))[0]!.tree), writePgn(tree));
});
