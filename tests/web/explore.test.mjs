// SPDX-License-Identifier: GPL-3.0-or-later
/* Analysing as people expect it: explorer, book, endgame tables, threads and memory, long searches, browsing files. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { depth, paste, play, sans, serve, shoot, type } from './page.mjs';
import { fresh, noSeriousFault, run, until } from './suite.mjs';

const folder = mkdtempSync(join(tmpdir(), 'samara-explore-'));
after(() => rmSync(folder, { recursive: true }));
const games = [
  ['1. e4 e5 2. Nf3 Nc6 3. Bb5 a6', '1-0'], ['1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5', '1-0'], ['1. e4 c5 2. Nf3 d6', '0-1'], ['1. d4 d5 2. c4 e6', '1/2-1/2'],
].map(([moves, result], i) => `[White "Player ${i}"]\n[Black "Rival ${i}"]\n[Result "${result}"]\n\n${moves} ${result}\n`);

async function known(...options) {
  const server = await serve(0, ...options);
  for (const pgn of games) {
    const answer = await fetch(`${server.address}api/v1/games`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ pgn }) });
    assert.equal(answer.status, 201);
  }
  return server;
}

const rows = (page, caption) => page.locator('#explorer table', { hasText: caption }).locator('tbody tr').allTextContents();

run('the explorer shows the moves of the stored games with counts and results, and plays them', async () => {
  const server = await known();
  try {
    const page = await fresh({ address: server.address });
    await page.click('#tab-explorer');
    await page.waitForSelector('#explorer table');
    assert.deepEqual(await rows(page, 'Games on the server'), ['e436733', 'd41100']);
    assert.equal(await page.getAttribute('#explorer tbody tr:first-child .result-bar', 'aria-label'), 'White won 67 %, drawn 0 %, Black won 33 %');
    await shoot(page, 'explorer');
    await noSeriousFault(page, 'explorer');
    await page.click('#explorer [data-line=e2e4]');
    assert.deepEqual(await sans(page), ['e4']);
    await until(async () => (await rows(page, 'Games on the server')).join() === 'e52100,c51100', 'the moves after 1. e4');
    await page.click('#explorer .recent button >> nth=0');
    await page.waitForFunction(() => window.samara.tree.tags.get('White') === 'Player 2');
    await page.click('#tab-explorer');
    await page.keyboard.press('ArrowDown');
    await until(async () => /No game on the server/.test(await page.textContent('#explorer')), 'nothing is known behind the end of a game');
  } finally {
    await server.stop();
  }
});

run('the book of the server is in the explorer', async () => {
  const [pgn, book] = [join(folder, 'book.pgn'), join(folder, 'book.bin')];
  writeFileSync(pgn, [...games, ...games].join('\n'));
  execFileSync(process.env.SAMARA, ['book', '--build', book, pgn, '--min-games', '1'], { stdio: 'ignore' });
  const server = await serve(0, '--book', book);
  try {
    const page = await fresh({ address: server.address });
    await page.click('#tab-explorer');
    await page.waitForSelector('#explorer table');
    const shown = await rows(page, 'Opening book');
    assert.match(shown[0], /^e4\d+ %$/);
    await page.click('#explorer [data-line=e2e4]');
    assert.deepEqual(await sans(page), ['e4']);
  } finally {
    await server.stop();
  }
});

const tables = process.env.SAMARA_TABLES;
run('the endgame tables judge every move', async t => {
  if (!tables || !existsSync(tables)) return t.skip('no endgame tables here');
  const server = await serve(0, '--syzygy', tables);
  try {
    const page = await fresh({ address: server.address, hash: '#fen=4k3/8/4K3/4P3/8/8/8/8_w_-_-_0_1' });
    await page.click('#tab-explorer');
    await page.waitForSelector('#explorer table');
    assert.deepEqual(await rows(page, 'Endgame tables'), ['Kd6win3', 'Kf6win3', 'Kd5draw', 'Kf5draw']);
    await shoot(page, 'tables');
    await noSeriousFault(page, 'tables');
    await page.click('#explorer [data-line=e6d6]');
    await until(async () => (await rows(page, 'Endgame tables')).every(row => /loss/.test(row)), 'Black loses with every move');
  } finally {
    await server.stop();
  }
});

run('the explorer is silent during a game', async () => {
  const page = await fresh();
  await page.click('#tab-explorer');
  await play(page);
  assert.equal(await page.isVisible('#tab-explorer'), false);
  assert.equal(await page.isVisible('#sheet-explorer'), false);
});

run('threads and memory are offered as far as the server allows it', async () => {
  const server = await serve(0, '--stream-threads', '4', '--stream-hash', '64');
  try {
    const page = await fresh({ address: server.address });
    assert.deepEqual(await page.locator('#threads option').allTextContents(), ['1', '2', '3', '4']);
    assert.equal(await page.inputValue('#threads'), '3', 'by itself all but one');
    assert.deepEqual(await page.locator('#hash option').allTextContents(), ['8 MB', '16 MB', '32 MB', '64 MB']);
    const asked = page.waitForRequest(r => r.url().includes('/stream?') && r.url().includes('threads=2'));
    await page.selectOption('#threads', '2');
    await asked;
    const larger = page.waitForRequest(r => r.url().includes('threads=2') && r.url().includes('hash=32'));
    await page.selectOption('#hash', '32');
    await larger;
    await depth(page, 6);
  } finally {
    await server.stop();
  }
  const page = await fresh({ address: (await plain()).address });
  assert.equal(await page.isVisible('#threads'), false, 'one thread is no choice');
});
let spare;
const plain = async () => (spare ??= await serve(0, '--stream-threads', '1', '--stream-hash', '8'));
after(() => spare?.stop());

run('a search that has ended goes deeper, a whole line can be seen, and what was found stays', async () => {
  const page = await fresh({ hash: '#moves=e2e4.e7e5&ply=2' });
  await page.selectOption('#seconds', '2');
  await page.waitForFunction(() => document.getElementById('engine').dataset.running === 'false' && Number(document.getElementById('engine').dataset.depth) > 1);
  const before = Number(await page.getAttribute('#engine', 'data-depth'));
  const longer = page.waitForRequest(r => r.url().includes('/stream?') && r.url().includes('movetime=8000'));
  await page.click('#deeper');
  await longer;
  await page.waitForFunction(() => document.getElementById('engine').dataset.running === 'false');
  const after = Number(await page.getAttribute('#engine', 'data-depth'));
  assert.ok(after >= before, `${before} then ${after}`);
  const row = page.locator('#pv li:first-child');
  const low = (await row.boundingBox()).height;
  await page.click('#pv li:first-child .expand');
  await until(async () => (await row.boundingBox()).height >= low && (await page.getAttribute('#pv li:first-child .expand', 'aria-expanded')) === 'true', 'the line is open');
  await page.reload();
  await page.waitForSelector('html:not(.starting)');
  await page.waitForFunction(d => Number(document.getElementById('engine').dataset.depth) >= d, Math.min(after, 12), { timeout: 20000 });
});

run('an endless search asks for no time', async () => {
  const page = await fresh();
  const asked = page.waitForRequest(r => r.url().includes('/stream?') && !r.url().includes('movetime'));
  await page.selectOption('#seconds', '0');
  await asked;
});

run('the wheel and the arrow keys step over the board, the moves and the engine alike', async () => {
  const page = await fresh({ hash: '#moves=e2e4.e7e5.g1f3&ply=0' });
  for (const selector of ['#moves .move >> nth=0', '#tab-report', '#flip']) {
    await page.click(selector);
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate(() => window.samara.node.san), '', selector);
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.evaluate(() => window.samara.node.san), 'e4', selector);
  }
});

run('moves that were added are undone and done again', async () => {
  const page = await fresh();
  await type(page, 'e4');
  await type(page, 'e5');
  await page.locator('#typed').blur();
  await page.keyboard.press('Control+z');
  assert.deepEqual(await sans(page), ['e4']);
  await page.keyboard.press('Control+Shift+z');
  assert.deepEqual(await sans(page), ['e4', 'e5']);
});

run('a file of games is searched by name, opening and result, whether or not it names openings', async () => {
  const page = await fresh();
  const file = games.map(g => `[Event "Club"]\n${g}`).join('\n');
  await page.setInputFiles('#import-file', { name: 'club.pgn', mimeType: 'text/plain', buffer: Buffer.from(file) });
  await page.waitForFunction(() => document.querySelectorAll('#library li').length === 4);
  const found = async (query, count) => {
    await page.fill('#library-search', query);
    await page.waitForFunction(n => document.querySelectorAll('#library li').length === n, count);
  };
  await found('rival 3', 1);
  await found('0-1', 1);
  await found('sicilian', 1);
  await found("queen's gambit", 1);
  await found('ruy lopez 1-0', 1);
  await found('nobody', 0);
});
