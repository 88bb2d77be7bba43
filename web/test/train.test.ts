// SPDX-License-Identifier: GPL-3.0-or-later
/* When puzzles come back, and in which order. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { Rating } from 'ts-fsrs';
import { type Attempt, gradeOf, habits, isDue, learn, nextDue, type Puzzle, queue } from '../src/train/memory.ts';
import { trainTexts } from '../src/train/texts.ts';

const now = new Date('2026-11-18T10:00:00Z');
const clean: Attempt = { wrong: 0, helped: false, shown: false, seconds: 20 };
const puzzle = (id: string, more: Partial<Puzzle> = {}): Puzzle => ({
  id, title: '', kind: 'retry', exact: true, fen: '', played: '', played_san: '', solution: [], solution_san: [], rating: 1200, themes: [], gain: 20, ...more,
});
const days = (due: string): number => (new Date(due).getTime() - now.getTime()) / 86400000;

test('an answer is graded by what it took', () => {
  assert.equal(gradeOf(clean, []), Rating.Good);
  assert.equal(gradeOf({ ...clean, helped: true }, []), Rating.Hard);
  assert.equal(gradeOf({ ...clean, wrong: 1 }, []), Rating.Hard);
  assert.equal(gradeOf({ ...clean, wrong: 2 }, []), Rating.Again);
  assert.equal(gradeOf({ ...clean, shown: true }, []), Rating.Again);
  assert.equal(gradeOf({ ...clean, seconds: 4 }, [10, 12, 20]), Rating.Easy);
  assert.equal(gradeOf({ ...clean, seconds: 4 }, [10, 12]), Rating.Good, 'two answers are no habit');
});

test('intervals grow with right answers and shrink with wrong ones', () => {
  let card = learn(undefined, clean, [], now);
  const gaps: number[] = [];
  let at = now;
  for (let i = 0; i < 6; i++) {
    gaps.push((new Date(card.due).getTime() - at.getTime()) / 86400000);
    at = new Date(card.due);
    card = learn(card, clean, [], at);
  }
  assert.ok(gaps.at(-1)! > 10 * gaps[1]! && gaps[1]! >= gaps[0]!, gaps.join(' '));
  const missed = learn(card, { ...clean, shown: true }, [], at);
  assert.ok(new Date(missed.due).getTime() - at.getTime() < 2 * 86400000);
  assert.equal(missed.missed, 1);
});

test('a card survives the way through the server', () => {
  const card = learn(undefined, clean, [], now);
  const again = JSON.parse(JSON.stringify(card)) as typeof card;
  const later = new Date(card.due);
  assert.deepEqual(learn(again, clean, [], later), learn(card, clean, [], later));
});

test('what is due comes first, then what is new, easy ones first', () => {
  const late = puzzle('late', { card: { due: '2026-11-10T00:00:00.000Z' } });
  const soon = puzzle('soon', { card: { due: '2026-11-17T00:00:00.000Z' } });
  const future = puzzle('future', { card: { due: '2026-12-01T00:00:00.000Z' } });
  const hard = puzzle('hard', { rating: 1900 });
  const easy = puzzle('easy', { rating: 900 });
  assert.deepEqual(queue([hard, future, soon, easy, late], now).map(p => p.id), ['late', 'soon', 'easy', 'hard']);
  assert.equal(isDue(future, now), false);
  assert.equal(nextDue([future, late])!.toISOString(), late.card!.due);
  assert.equal(nextDue([easy]), undefined);
  assert.ok(days(future.card!.due) > 12);
});

test('habits are counted', () => {
  assert.deepEqual(habits([puzzle('a', { themes: ['fork', 'mate'] }), puzzle('b', { themes: ['fork'] })]), [['fork', 2], ['mate', 1]]);
});

test('every language fills the same blanks', () => {
  const blanks = (text: string): string => [...text.matchAll(/\{\w+\}/g)].map(m => m[0]).sort().join();
  for (const [language, texts] of Object.entries(trainTexts))
    for (const [key, text] of Object.entries(texts)) assert.equal(blanks(text), blanks(trainTexts.en[key as keyof typeof texts]), `${language}: ${key}`);
});
