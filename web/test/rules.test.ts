// SPDX-License-Identifier: GPL-3.0-or-later
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as rules from '../src/chess/rules.ts';
import { sanWords } from '../src/texts/notation.ts';

const { INITIAL_FEN } = rules;

test('a typed move may be SAN, sloppy SAN or UCI', () => {
  for (const [text, san] of [['e4', 'e4'], ['Nf3', 'Nf3'], ['nf3', 'Nf3'], ['e2e4', 'e4'], ['E2E4', 'e4'], ['e4!', 'e4'], [' d4 ', 'd4']] as const)
    assert.equal(rules.playText(INITIAL_FEN, text)?.san, san, text);
  for (const text of ['', 'e5', 'Ke2', 'xyzzy', 'e7e5', 'O-O']) assert.equal(rules.playText(INITIAL_FEN, text), undefined, text);
});

test('castling is understood in every spelling and sent as e1g1', () => {
  const fen = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
  for (const text of ['O-O', '0-0', 'o-o', 'e1g1', 'e1h1']) assert.equal(rules.playText(fen, text)?.uci, 'e1g1', text);
  assert.equal(rules.playText(fen, '0-0-0')?.uci, 'e1c1');
});

test('Chess960 castling is king takes rook', () => {
  const fen = 'r1k4r/8/8/8/8/8/8/R1K4R w KQkq - 0 1';
  assert.equal(rules.isChess960(fen), true);
  assert.equal(rules.playText(fen, 'c1a1')?.san, 'O-O-O');
  assert.equal(rules.playText(fen, 'O-O')?.uci, 'c1h1');
  assert.equal(rules.isChess960(INITIAL_FEN), false);
});

test('promotion wants a piece', () => {
  const fen = '8/P3k3/8/8/8/8/8/4K3 w - - 0 1';
  assert.equal(rules.needsPromotion(fen, 'a7', 'a8'), true);
  assert.equal(rules.needsPromotion(fen, 'e1', 'e2'), false);
  assert.equal(rules.playUci(fen, 'a7a8'), undefined);
  assert.equal(rules.playUci(fen, 'a7a8n')?.san, 'a8=N');
});

test('games end as the laws say', () => {
  const end = (fen: string) => rules.ending([fen]);
  assert.deepEqual(end('rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3'), { reason: 'checkmate', result: '0-1' });
  assert.equal(end('7k/5Q2/6K1/8/8/8/8/8 b - - 0 1')?.reason, 'stalemate');
  assert.equal(end('8/8/4k3/8/8/4KB2/8/8 w - - 0 1')?.reason, 'insufficient material');
  assert.equal(end('4k3/8/8/8/8/8/3R4/4K3 w - - 100 80')?.reason, 'fifty moves');
  assert.equal(end(INITIAL_FEN), undefined);
  const a = '4k3/8/8/8/8/8/3R4/4K3 w - - 0 1';
  assert.equal(rules.ending([a, a.replace('w', 'b'), a, a])?.reason, 'repetition');
});

test('passing the move shows threats, but not out of check', () => {
  assert.equal(rules.passFen(INITIAL_FEN)?.split(' ')[1], 'b');
  assert.equal(rules.passFen('4k3/8/8/8/8/8/4r3/4K3 w - - 0 1'), undefined);
});

test('SAN is spoken in words', () => {
  assert.equal(sanWords('Nf3+'), 'knight f3, check');
  assert.equal(sanWords('exd8=Q#'), 'e takes d8 promotes to queen, checkmate');
  assert.equal(sanWords('O-O-O'), 'castles queenside');
  assert.equal(sanWords('Raxd1'), 'rook a takes d1');
  assert.equal(sanWords('e4'), 'e4');
});

test('position 518 of Chess960 is the usual one, and all 960 differ and can be played', () => {
  assert.equal(rules.chess960Fen(518), INITIAL_FEN);
  const all = new Set(Array.from({ length: 960 }, (_, n) => rules.chess960Fen(n)));
  assert.equal(all.size, 960);
  for (const fen of all) assert.ok(rules.isPosition(rules.readFen(fen)), fen);
});

test('bad FENs are explained', () => {
  for (const fen of ['', 'xyz', '8/8/8/8/8/8/8/8 w - - 0 1', `${INITIAL_FEN.split(' ')[0]} x KQkq - 0 1`, 'k7/8/8/8/8/8/8/K6R b - - 0 1 extra', 'kR6/8/8/8/8/8/8/K7 w - - 0 1'])
    assert.ok(!rules.isPosition(rules.readFen(fen)), fen);
});

test('a line of UCI words turns into SAN until it stops fitting', () => {
  assert.deepEqual(rules.lineToSan(INITIAL_FEN, ['e2e4', 'e7e5', 'g1f3', 'a1a8', 'b8c6']), ['e4', 'e5', 'Nf3']);
});
