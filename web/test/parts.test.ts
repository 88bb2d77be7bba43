// SPDX-License-Identifier: GPL-3.0-or-later
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Clock, clockFace } from '../src/chess/clock.ts';
import { makeLink, placeText, readLink, readPlace } from '../src/chess/link.ts';
import { lead } from '../src/chess/material.ts';
import { nagSign, readNags } from '../src/chess/nags.ts';
import { openingKey, openingOf, readTable } from '../src/chess/openings.ts';
import { readPgn, writePgn } from '../src/chess/pgn.ts';
import { INITIAL_FEN } from '../src/chess/rules.ts';
import { scoreText, shortNumber, winPercent } from '../src/chess/score.ts';
import { GameTree } from '../src/chess/tree.ts';
import { Database } from '../src/effects/database.ts';
import { Evaluations } from '../src/effects/evaluations.ts';
import { acceptsDraw, timeOver } from '../src/effects/opponent.ts';
import { withReport } from '../src/effects/report.ts';
import { scoreWords, verdict } from '../src/effects/speech.ts';
import { type Analysis, deepest, type GameReport, type Line } from '../src/engine/engine.ts';
import { EventParser } from '../src/engine/http.ts';
import { defaults, readPrefs } from '../src/state/prefs.ts';
import { noReport } from '../src/state/state.ts';
import { Store } from '../src/state/store.ts';
import { editorFen, enPassantSquares } from '../src/view/editor.ts';
import { arrowsOf } from '../src/view/engine.ts';
import { curve } from '../src/view/graph.ts';
import { menOf } from '../src/view/grid.ts';
import { matches } from '../src/view/library.ts';
import { levelText, readControl } from '../src/view/newgame.ts';
import { wordsOf } from '../src/effects/report.ts';
import { setLanguage } from '../src/texts/index.ts';

test('scores read as people write them', () => {
  assert.equal(scoreText({ cp: 35 }), '+0.35');
  assert.equal(scoreText({ cp: -120 }), '-1.20');
  assert.equal(scoreText({ cp: 0 }), '0.00');
  assert.equal(scoreText({ mate: 3 }), '#3');
  assert.equal(scoreText({ mate: -2 }), '#-2');
  assert.equal(scoreWords({ mate: -2 }), 'Black mates in 2');
  assert.equal(scoreWords({ cp: 5 }), 'the position is equal');
  assert.equal(scoreWords({ cp: 140 }), 'White is better by 1.4 pawns');
});

test('winning chances are symmetric, rise with the score and end in mate', () => {
  assert.equal(winPercent({ cp: 0 }), 50);
  assert.ok(Math.abs(winPercent({ cp: 150 }) + winPercent({ cp: -150 }) - 100) < 1e-9);
  assert.ok(winPercent({ cp: 300 }) > winPercent({ cp: 200 }));
  assert.equal(winPercent({ mate: 5 }), 100);
  assert.equal(winPercent({ mate: -1 }), 0);
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

test('a saved clock stands still where it was', () => {
  const clock = new Clock({ initial: 10000, increment: 2000 });
  clock.start('black', 0);
  const back = Clock.load(clock.control, structuredClone(clock.save(2500)));
  assert.equal(back.remaining('black', 99999), 7500);
  assert.equal(back.remaining('white', 99999), 10000);
  assert.equal(back.side, undefined);
});

test('clock faces show tenths only when it matters', () => {
  assert.deepEqual([3661000, 61000, 10000, 9400, 0].map(clockFace), ['1:01:01', '1:01', '0:10', '0:09.4', '0:00.0']);
});

test('a fallen flag loses, unless nobody could mate', () => {
  assert.deepEqual(timeOver('white', INITIAL_FEN), { result: '0-1', reason: 'time' });
  assert.deepEqual(timeOver('white', '4k3/8/8/8/8/8/3P4/4K3 w - - 0 1'), { result: '1/2-1/2', reason: 'time' });
});

test('events come whole however the bytes are cut', () => {
  const text = ': hello\n\nevent: info\ndata: {"a":1}\n\nevent: done\ndata: {"b":\ndata: 2}\n\n';
  for (let cut = 0; cut <= text.length; cut++) {
    const parser = new EventParser();
    const events = [...parser.feed(text.slice(0, cut)), ...parser.feed(text.slice(cut))];
    assert.deepEqual(events, [{ name: 'info', data: '{"a":1}' }, { name: 'done', data: '{"b":\n2}' }]);
  }
});

test('state, then effects, then drawing', async () => {
  const store = new Store({ a: 0, b: 0 });
  const seen: string[] = [];
  store.effect((now, before) => {
    seen.push(`effect ${before.a}${before.b} ${now.a}${now.b}`);
    if (now.a && !now.b) store.set({ b: 1 });
  });
  store.view(now => seen.push(`draw ${now.a}${now.b}`));
  store.set({ a: 1 });
  store.set({ a: 2 });
  assert.deepEqual(seen, []);
  await Promise.resolve();
  assert.deepEqual(seen, ['effect 00 20', 'effect 20 21', 'draw 21']);
  store.view(() => store.set({ a: 3 }));
  assert.throws(() => store.draw(), /a view changes the state/);
});

test('a plain link is readable and carries the game, the place in it and the side', async () => {
  const tree = new GameTree();
  tree.addLine(tree.root, ['e2e4', 'e7e5', 'g1f3']);
  const link = await makeLink(tree, tree.mainline()[1]!, 'black');
  assert.equal(link, '#moves=e2e4.e7e5.g1f3&ply=2&side=black');
  const back = (await readLink(link))!;
  assert.equal(back.node.san, 'e5');
  assert.equal(back.tree.mainline().length, 3);
  assert.equal(back.orientation, 'black');
  assert.equal(await makeLink(new GameTree(), new GameTree().root, 'white'), '');
});

test('a link with names, comments, variations and arrows brings all of them back', async () => {
  const { tree } = readPgn('[White "Ada"]\n[Black "Bob"]\n\n1. e4 {[%cal Ge2e4] first} e5 (1... c5 $2 {no} 2. Nf3) 2. Nf3 *')[0]!;
  const node = tree.mainline()[0]!.children[1]!;
  const link = await makeLink(tree, node, 'white');
  assert.match(link, /^#pgn=[\w-]+&at=1\.1\.0$/);
  const back = (await readLink(link))!;
  assert.equal(writePgn(back.tree), writePgn(tree));
  assert.equal(back.node.san, 'c5');
});

test('places are short, and foreign ones harmless', () => {
  for (const place of [[], [0, 0, 0], [1], [0, 0, 2, 0, 1]]) assert.deepEqual(readPlace(placeText(place)), place);
  for (const bad of ['x', '1.-1', '99999999', '1.2.z']) assert.deepEqual(readPlace(bad), []);
});

test('a link with a position survives, a broken one is ignored', async () => {
  const fen = '8/8/8/4k3/8/8/4P3/4K3 w - - 3 40';
  const tree = new GameTree(fen);
  assert.equal((await readLink(await makeLink(tree, tree.root, 'white')))!.tree.root.fen, fen);
  for (const bad of ['', '#', '#x=1', '#fen=nonsense', '#fen=8/8/8/8/8/8/8/8_w_-_-_0_1', '#pgn=!!!', '#pgn=AAAA']) assert.equal(await readLink(bad), undefined, bad);
  assert.equal((await readLink('#moves=e2e4.zzzz&ply=99'))!.node.san, 'e4');
});

test('the editor drops what the board contradicts', () => {
  const board = INITIAL_FEN.split(' ')[0]!;
  assert.equal(editorFen(board, 'b', 'KQkq'), `${board} b KQkq - 0 1`);
  assert.equal(editorFen('4k2r/8/8/8/8/8/8/R3K3', 'w', 'KQkq').split(' ')[2], 'Qk');
  const pawns = '4k3/8/8/3Pp3/8/8/8/4K3';
  assert.deepEqual(enPassantSquares(pawns, 'w'), ['e6']);
  assert.equal(editorFen(pawns, 'w', '', 'e6'), `${pawns} w - e6 0 1`);
  assert.equal(editorFen(pawns, 'b', '', 'e6'), `${pawns} b - - 0 1`);
});

test('men are named square by square', () => {
  const men = menOf(INITIAL_FEN);
  assert.equal(men.size, 32);
  assert.equal(men.get('e1'), 'white king');
  assert.equal(men.get('d8'), 'black queen');
  assert.equal(men.get('e4'), undefined);
});

test('who is ahead, and by what', () => {
  assert.deepEqual(lead(INITIAL_FEN, 'white'), { men: [], points: 0 });
  const fen = '4k3/pp6/8/8/8/8/PPP5/R3K3 w - - 0 1';
  assert.deepEqual(lead(fen, 'white'), { men: ['rook', 'pawn'], points: 6 });
  assert.deepEqual(lead(fen, 'black'), { men: [], points: -6 });
});

test('every mark has a sign, and what has none shows its number', () => {
  for (let nag = 1; nag < 256; nag++) assert.ok(nagSign(nag).length > 0, String(nag));
  assert.equal(nagSign(14), '+=');
  assert.equal(nagSign(11), '=');
  assert.equal(nagSign(44), '=/∞');
  assert.equal(nagSign(99), '$99');
  assert.deepEqual(readNags('$14 $99 nonsense ! $14'), [14, 99, 1]);
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
  assert.deepEqual(readControl('15+0'), { initial: 15000, increment: 0 });
  assert.equal(readControl('none'), undefined);
  assert.equal(levelText(3050, 3000), 'full strength');
  assert.equal(levelText(1500, 3000), '1500 · club player');
});

test('preferences survive a stranger in the store', () => {
  assert.deepEqual(readPrefs(null), defaults);
  assert.deepEqual(readPrefs('{broken'), defaults);
  const read = readPrefs('{"lines":99,"size":-5,"sound":"yes","theme":"dark","language":"xx","more":1}');
  assert.deepEqual(read, { ...defaults, lines: 5, size: 40, theme: 'dark' });
});

const line = (uci: string, cp: number, depth = 9): Line => ({ multipv: 1, depth, score: { cp }, uci: [uci], san: [] });
const analysis = (depth: number, ...lines: Line[]): Analysis => ({ status: 'ok', fen: '', depth, seldepth: depth, nodes: 1, nps: 1, time_ms: 1, lines });

test('arrows fade with what the move loses', () => {
  const arrows = arrowsOf([line('e2e4', 30), line('d2d4', 25), line('a2a4', -400)], false);
  assert.deepEqual(arrows.map(a => [a.uci, a.brush]), [['d2d4', 'other'], ['e2e4', 'best']]);
  assert.equal(arrowsOf([line('e2e4', 30), line('d2d4', 25)], true).length, 1);
});

test('depth never runs backwards; a shallower search only fills in lines', () => {
  const deep = analysis(20, line('e2e4', 30, 20), line('d2d4', 20, 20));
  assert.equal(deepest(deep, analysis(21, line('c2c4', 31)), 2).depth, 21);
  const filled = deepest(deep, analysis(7, line('d2d4', 90, 7), line('c2c4', 10, 7)), 3);
  assert.equal(filled.depth, 20);
  assert.deepEqual(filled.lines.map(l => l.uci[0]), ['e2e4', 'd2d4', 'c2c4']);
  const known = new Evaluations(new Database());
  known.put(INITIAL_FEN, false, deep);
  known.put(INITIAL_FEN, false, analysis(5, line('a2a3', 0)));
  assert.equal(known.get(INITIAL_FEN, false)?.depth, 20);
  assert.equal(known.get(INITIAL_FEN.replace('0 1', '7 9'), false)?.depth, 20, 'counters do not matter');
});

test('the graph draws what is known: gaps stay gaps', () => {
  assert.deepEqual(curve([50, undefined, 100]), [[[0, 40]], [[300, 0]]]);
  assert.deepEqual(curve([50, 0, undefined, undefined]), [[[0, 40], [100, 80]]]);
  assert.deepEqual(curve([undefined]), []);
});

const side = { accuracy: 50, average_loss: 10, inaccuracies: 0, mistakes: 0, blunders: 1 };
const reportOf = (judgement: 'blunder' | 'mistake'): GameReport => ({
  white: side, black: side, turning_points: [3],
  moves: [{ ply: 3, san: 'g4', uci: 'g2g4', score: { mate: -1 }, best: 'e2e4', best_san: 'e4', line: ['e2e4', 'b8c6'], judgement }],
});

test('a report is written into a copy; a second one takes the place of the first', () => {
  const { tree } = readPgn('1. f3 e5 2. g4 Qh4# 0-1')[0]!;
  const before = writePgn(tree);
  const exported = (judgement: 'blunder' | 'mistake') => withReport({ tree, report: { ...noReport, data: reportOf(judgement) } }, GameTree.load(tree.save()), san => san);
  exported('mistake');
  const node = exported('blunder').mainline()[2]!;
  assert.equal(writePgn(tree), before, 'the game itself stays');
  assert.deepEqual(node.nags, [4]);
  assert.equal(node.comment, 'Blunder. e4 was best.');
  assert.deepEqual(node.parent!.children.map(c => c.san), ['g4', 'e4']);
  assert.equal(node.score?.mate, -1);
});

test('games are found by any word of theirs', () => {
  const row = { search: 'kasparov – topalov 1–0 pirc defence 1-0' };
  assert.ok(matches(row, 'Topalov pirc'));
  assert.ok(matches(row, ''));
  assert.ok(!matches(row, 'topalov sicilian'));
});

test('a judged move has its verdict once, then the words', () => {
  const move = { ply: 6, san: 'Nf6', uci: 'g8f6', judgement: 'blunder' as const, best_san: 'g6' };
  const san = (text: string) => text;
  assert.equal(wordsOf(move, san), 'Blunder. g6 was best.');
  assert.equal(wordsOf({ ...move, text: 'It allows mate.' }, san), 'Blunder. It allows mate.');
  assert.equal(wordsOf({ ...move, text: 'Blunder. It allows mate.' }, san), 'Blunder. It allows mate.');
  setLanguage('fi');
  assert.equal(wordsOf({ ...move, text: 'It allows mate.' }, san), 'Paha virhe. Paras oli g6.', 'English words only where the page is English');
  setLanguage('en');
});
