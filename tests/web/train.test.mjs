// SPDX-License-Identifier: GPL-3.0-or-later
/* The training page: a puzzle is solved, a wrong move is explained, what was learned is kept, games become puzzles. */

import assert from 'node:assert/strict';
import { patience, shoot } from './page.mjs';
import { noSeriousFault, run, s, until } from './suite.mjs';

const mate = '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1';
const guarded = '3r2k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1'; // the queen mates, or is taken
const fork = 'r3k3/pp6/8/3N4/8/8/PP4PP/4K3 w - - 0 1';

async function api(method, path, body) {
  const answer = await fetch(s.server.address + path, { method, body: body && JSON.stringify(body), headers: body ? { 'Content-Type': 'application/json' } : {} });
  return answer.json();
}

/** Leaves only these puzzles. */
async function puzzles(...wanted) {
  for (const { id } of (await api('GET', 'api/v1/puzzles')).puzzles) await api('DELETE', `api/v1/puzzles/${id}`);
  for (const [fen, move] of wanted) {
    const made = await api('POST', 'api/v1/puzzles', { fen, move, nodes: 20000, title: 'Ann - Bob, 1' });
    assert.equal(made.status, 'ok', JSON.stringify(made));
  }
}

async function train(options = {}) {
  const page = await (await s.browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options })).newPage();
  page.setDefaultTimeout(patience);
  page.faults = [];
  page.on('pageerror', error => page.faults.push(`error: ${error.message}`));
  /* 422: a fault that is none on a second look, which the page expects */
  page.on('console', message => message.type() === 'error' && !/status of 422/.test(message.text()) && page.faults.push(`console: ${message.text()}`));
  page.on('request', request => !request.url().startsWith(s.server.address) && !/^(data|blob):/.test(request.url()) && page.faults.push(`outside: ${request.url()}`));
  await page.goto(`${s.server.address}train`);
  await page.waitForSelector('html[data-ready]');
  s.pages.push(page);
  return page;
}

/** Plays a move by two clicks, as a finger does. */
async function play(page, uci) {
  const box = await page.locator('cg-board').boundingBox();
  const black = await page.locator('.cg-wrap.orientation-black').count();
  for (const square of [uci.slice(0, 2), uci.slice(2, 4)]) {
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square[1]) - 1;
    await page.mouse.click(box.x + (((black ? 7 - file : file) + 0.5) * box.width) / 8, box.y + (((black ? rank : 7 - rank) + 0.5) * box.height) / 8);
  }
}

const bubble = page => page.textContent('#bubble');
const mood = (page, wanted) => page.waitForSelector(`#bubble[data-mood=${wanted}]`);

run('a puzzle is solved and comes back later', async () => {
  await puzzles([mate, 'g1g2']);
  const page = await train();
  assert.match(await bubble(page), /White to move/);
  await play(page, 'a1a8');
  await mood(page, 'good');
  assert.match(await bubble(page), /Well done/);
  assert.equal(await page.locator('.stars .won').count(), 1);
  await until(async () => (await api('GET', 'api/v1/puzzles')).puzzles[0].card?.reps === 1, 'the card is kept');
  const { card } = (await api('GET', 'api/v1/puzzles')).puzzles[0];
  assert.ok(new Date(card.due) > new Date(), card.due);
  await page.click('[data-key=next]');
  assert.match(await bubble(page), /Come back in \d+|Come back tomorrow/);
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  assert.match(await bubble(page), /All done/);
});

run('a wrong move is explained and may be tried again; a longer solution goes on', async () => {
  await puzzles([fork, 'd5e3']);
  const page = await train();
  await play(page, 'd5b4');
  await mood(page, 'bad');
  assert.doesNotMatch(await page.textContent('#detail'), /Nc7/, 'the solution is not told');
  await page.click('[data-key=again]');
  await play(page, 'd5c7');
  await until(async () => /And now/.test(await bubble(page)), 'the second move is asked for');
  await play(page, 'c7a8');
  await mood(page, 'good');
  await until(async () => (await api('GET', 'api/v1/puzzles')).puzzles[0].card?.reps === 1, 'the card is kept');
});

run('a move that loses something is told what it loses', async () => {
  await puzzles([guarded, 'h2h3']);
  const page = await train();
  await play(page, 'h2h3');
  await mood(page, 'bad');
  assert.match(await page.textContent('#detail'), /queen/);
  await shoot(page, 'train-wrong');
});

run('the engine of the page judges where the server is away or refuses', async t => {
  await puzzles([guarded, 'h2h3']);
  const page = await train();
  if (!(await page.locator('meta[name=samara-engine]').count())) return t.skip('the page was built without an engine');
  for (const answer of [route => route.abort(), route => route.fulfill({ status: 503, json: { error: { message: 'busy' } } })]) {
    await page.route('**/api/v1/explain', answer);
    await play(page, 'h2h3');
    await mood(page, 'bad');
    assert.match(await page.textContent('#detail'), /queen/);
    await page.unroute('**/api/v1/explain');
    await page.click('[data-key=again]');
    await mood(page, 'ask');
  }
  page.faults = page.faults.filter(fault => !/Failed to load resource/.test(fault));
});

run('a hint shows the piece, and the solution can be shown', async () => {
  await puzzles([mate, 'g1g2']);
  const page = await train();
  await page.click('[data-key=hint]');
  await page.waitForSelector('.cg-shapes g *');
  await page.click('[data-key=show]');
  assert.match(await bubble(page), /Ra8#/);
  await until(async () => (await api('GET', 'api/v1/puzzles')).puzzles[0].card?.missed === 1, 'it counts as missed');
});

run('games of a file become puzzles', async () => {
  await puzzles();
  const page = await train();
  assert.match(await bubble(page), /No puzzles yet/);
  const pgn = '[White "Ann"]\n[Black "Bob"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n';
  await page.setInputFiles('#file', { name: 'g.pgn', mimeType: 'text/plain', buffer: Buffer.from(pgn) });
  await until(async () => /\d+ new puzzles/.test(await page.textContent('#finding')), 'they are made');
  const { puzzles: made } = await api('GET', 'api/v1/puzzles');
  assert.ok(made.some(p => p.played_san === 'g4'), JSON.stringify(made));
  assert.match(await bubble(page), /to move/);
});

run('every language has all words', async () => {
  await puzzles([mate, 'g1g2']);
  for (const locale of ['bs', 'ro', 'vi', 'fi', 'ru']) {
    const page = await train({ locale });
    assert.doesNotMatch(await bubble(page), /White to move/, locale);
    assert.doesNotMatch(await page.textContent('body'), /\{\w+\}|undefined/, locale);
  }
});

for (const [width, height] of [[390, 844], [1440, 900]])
  for (const colorScheme of ['light', 'dark'])
    run(`no serious fault of accessibility, ${width}x${height}, ${colorScheme}`, async () => {
      await puzzles([mate, 'g1g2']);
      const page = await train({ viewport: { width, height }, colorScheme });
      await noSeriousFault(page, 'train');
      await shoot(page, `train-${width}-${colorScheme}`);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      await page.click('[data-key=show]');
      await shoot(page, `train-${width}-${colorScheme}-shown`);
      await noSeriousFault(page, 'train, solved');
    });
