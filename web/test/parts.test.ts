// SPDX-License-Identifier: GPL-3.0-or-later
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventParser } from '../src/api.ts';
import { Clock, clockFace } from '../src/clock.ts';
import { editorFen } from '../src/editor.ts';
import { arrowsOf } from '../src/engine.ts';
import { curve } from '../src/graph.ts';
import { menOf } from '../src/grid.ts';
import { levelText, readControl } from '../src/newgame.ts';
import { openingKey, openingOf, readTable } from '../src/openings.ts';
import { acceptsDraw, verdict } from '../src/play.ts';
import { applyReport } from '../src/report.ts';
import { INITIAL_FEN } from '../src/rules.ts';
import { judge, moveAccuracy, scoreText, scoreWords, shortNumber, winPercent } from '../src/score.ts';
import { makeLink, readLink } from '../src/share.ts';
import { GameTree, readPgn } from '../src/tree.ts';

test('scores read as people write them', () => {
  assert.equal(scoreText({ cp: 35 }), '+0.35');
  assert.equal(scoreText({ cp: -120 }), '-1.20');
  assert.equal(scoreText({ cp: 0 }), '0.00');
  assert.equal(scoreText({ mate: 3 }), '#3');
  assert.equal(scoreText({ mate: -2 }), '#-2');
  assert.equal(scoreWords({ mate: -2 }), 'Black mates in 2');
  assert.equal(scoreWords({ cp: 5 }), 'the position is equal');
});

test('winning chances are symmetric, rise with the score and end in mate', () => {
  assert.equal(winPercent({ cp: 0 }), 50);
  assert.ok(Math.abs(winPercent({ cp: 150 }) + winPercent({ cp: -150 }) - 100) < 1e-9);
  assert.ok(winPercent({ cp: 300 }) > winPercent({ cp: 200 }));
  assert.equal(winPercent({ mate: 5 }), 100);
  assert.equal(winPercent({ mate: -1 }), 0);
});

test('accuracy and judgement follow the loss', () => {
  assert.equal(moveAccuracy(50, 60), 100);
  assert.ok(moveAccuracy(60, 50) < 75 && moveAccuracy(60, 50) > 55);
  assert.ok(moveAccuracy(100, 0) < 1);
  assert.deepEqual([4.9, 5, 10, 15].map(judge), [undefined, 'inaccuracy', 'mistake', 'blunder']);
});

test('numbers are short', () => {
  assert.deepEqual([999, 1500, 1234567, 2.5e9].map(shortNumber), ['999', '2 k', '1.23 M', '2.50 G']);
});

test('a clock runs for one side, adds the increment and falls', () => {
  const clock = new Clock({ initial: 10000, increment: 2000 });
  clock.start('white', 0);
  assert.equal(clock.remaining('white', 3000), 7000);
  clock.press(4000);
  assert.equal(clock.remaining('white', 9000), 8000);
  assert.equal(clock.remaining('black', 9000), 5000);
  assert.equal(clock.fallen(13999), undefined);
  assert.equal(clock.fallen(14000), 'black');
  clock.pause(14000);
  assert.equal(clock.remaining('black', 99999), 0);
  assert.equal(clock.side, undefined);
});

test('clock faces show tenths only when it matters', () => {
  assert.deepEqual([3661000, 61000, 10000, 9400, 0].map(clockFace), ['1:01:01', '1:01', '0:10', '0:09.4', '0:00.0']);
});

test('events come whole however the bytes are cut', () => {
  const text = ': hello\n\nevent: info\ndata: {"a":1}\n\nevent: done\ndata: {"b":\ndata: 2}\n\n';
  for (let cut = 0; cut <= text.length; cut++) {
    const parser = new EventParser();
    const events = [...parser.feed(text.slice(0, cut)), ...parser.feed(text.slice(cut))];
    assert.deepEqual(events, [{ name: 'info', data: '{"a":1}' }, { name: 'done', data: '{"b":\n2}' }]);
  }
});

test('a link carries the game, the place in it and the side', () => {
  const tree = new GameTree();
  tree.addLine(tree.root, ['e2e4', 'e7e5', 'g1f3']);
  const link = makeLink(tree, tree.mainline()[1]!, 'black');
  const back = readLink(link)!;
  assert.equal(back.node.san, 'e5');
  assert.equal(back.tree.mainline().length, 3);
  assert.equal(back.orientation, 'black');
  assert.equal(makeLink(new GameTree(), new GameTree().root, 'white'), '');
});

test('a link with a position survives, a broken one is ignored', () => {
  const fen = '8/8/8/4k3/8/8/4P3/4K3 w - - 3 40';
  const tree = new GameTree(fen);
  assert.equal(readLink(makeLink(tree, tree.root, 'white'))!.tree.root.fen, fen);
  for (const bad of ['', '#', '#x=1', '#fen=nonsense', '#fen=8/8/8/8/8/8/8/8_w_-_-_0_1']) assert.equal(readLink(bad), undefined, bad);
  assert.equal(readLink('#moves=e2e4.zzzz&ply=99')!.node.san, 'e4');
});

test('the editor drops castling rights that the board contradicts', () => {
  const board = INITIAL_FEN.split(' ')[0]!;
  assert.equal(editorFen(board, 'b', 'KQkq'), `${board} b KQkq - 0 1`);
  assert.equal(editorFen('4k2r/8/8/8/8/8/8/R3K3', 'w', 'KQkq').split(' ')[2], 'Qk');
});

test('men are named square by square', () => {
  const men = menOf(INITIAL_FEN);
  assert.equal(men.size, 32);
  assert.equal(men.get('e1'), 'white king');
  assert.equal(men.get('d8'), 'black queen');
  assert.equal(men.get('e4'), undefined);
});

test('opening names are found by position, deepest first', () => {
  const fens = ['start', 'a w', 'b b', 'c w'];
  const table = readTable([`${openingKey('a w').toString(36)}\tB00\tKing's pawn`, `${openingKey('b b').toString(36)}\t\tOther`].join('\n'));
  assert.deepEqual(openingOf(fens, table), { eco: 'B00', name: 'Other' });
  assert.deepEqual(openingOf(fens.slice(0, 2), table), { eco: 'B00', name: "King's pawn" });
  assert.equal(openingOf(['start'], table), undefined);
});

test('Samara takes a draw when it is not better and the opening is over', () => {
  assert.equal(acceptsDraw({ cp: 0 }, 'white', 60), true);
  assert.equal(acceptsDraw({ cp: 0 }, 'white', 10), false);
  assert.equal(acceptsDraw({ cp: 80 }, 'white', 60), false);
  assert.equal(acceptsDraw({ cp: 80 }, 'black', 60), true);
  assert.equal(acceptsDraw({ mate: 3 }, 'black', 60), true);
  assert.equal(acceptsDraw({ mate: 3 }, 'white', 60), false);
  assert.equal(acceptsDraw(undefined, 'white', 60), false);
  assert.equal(verdict('0-1', 'black'), 'You win');
});

test('time controls and levels read well', () => {
  assert.deepEqual(readControl('300+3'), { initial: 300000, increment: 3000 });
  assert.equal(readControl('none'), undefined);
  assert.equal(levelText(3050, 3000), 'full strength');
  assert.equal(levelText(1500, 3000), '1500 · club player');
});

test('arrows fade with what the move loses', () => {
  const line = (uci: string, cp: number) => ({ multipv: 1, depth: 9, score: { cp }, uci: [uci], san: [] });
  const arrows = arrowsOf([line('e2e4', 30), line('d2d4', 25), line('a2a4', -400)], false);
  assert.deepEqual(arrows.map(a => [a.uci, a.brush]), [['d2d4', 'other'], ['e2e4', 'best']]);
  assert.equal(arrowsOf([line('e2e4', 30), line('d2d4', 25)], true).length, 1);
});

test('the graph has a point for every move with a score', () => {
  const tree = readPgn('1. e4 {[%eval 0.0]} e5 2. Nf3 {[%eval #1]} *')[0]!.tree;
  assert.deepEqual(curve([tree.root, ...tree.mainline()]).map(p => p.map(Math.round)), [[100, 40], [300, 0]]);
});

test('the graph ends on the side of who gave mate', () => {
  for (const [pgn, y] of [['1. f3 e5 2. g4 {[%eval 0.0]} Qh4# 0-1', 80], ['1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 {[%eval 0.0]} 4. Qxf7# 1-0', 0]] as const) {
    const tree = readPgn(pgn)[0]!.tree;
    assert.deepEqual(curve([tree.root, ...tree.mainline()]).pop()!.map(Math.round), [300, y]);
  }
});

test('a report marks the tree and adds the better line', () => {
  const tree = readPgn('1. f3 e5 2. g4 Qh4# 0-1')[0]!.tree;
  const side = { accuracy: 50, average_loss: 10, inaccuracies: 0, mistakes: 0, blunders: 1 };
  applyReport(tree, {
    white: side, black: side, turning_points: [3],
    moves: [{ ply: 3, san: 'g4', uci: 'g2g4', score: { mate: -1 }, best: 'e2e4', best_san: 'e4', line: ['e2e4', 'b8c6'], judgement: 'blunder' }],
  });
  const node = tree.mainline()[2]!;
  assert.deepEqual(node.nags, [4]);
  assert.equal(node.comment, 'Blunder. e4 was best.');
  assert.equal(node.parent!.children[1]!.san, 'e4');
  assert.equal(node.score?.mate, -1);
});
