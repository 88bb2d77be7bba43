// SPDX-License-Identifier: GPL-3.0-or-later
/* Everything that the page promises, in a real browser against the real server. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { at, click, depth, drag, fen, launch, open, patience, sans, serve, shoot, type, web } from './page.mjs';

const scholar = '[White "Ada"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 (3... g6 4. Qf3 Nf6 {solid}) 4. Qxf7# 1-0\n';
let server, browser, page;

before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  assert.equal(await server?.stop(), 0);
});
afterEach(async () => {
  const faults = page?.faults ?? [];
  await page?.context().close();
  page = undefined;
  assert.deepEqual(faults, []);
});

const run = (name, body) => test(name, { timeout: 3 * patience }, body);
const live = () => page.textContent('#live');

async function noSeriousFault(where) {
  await page.evaluate(readFileSync(join(web, 'node_modules/axe-core/axe.min.js'), 'utf8'));
  const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations);
  const serious = found.filter(v => v.impact === 'serious' || v.impact === 'critical');
  assert.deepEqual(serious.map(v => `${where}: ${v.id}: ${v.nodes.map(n => n.target).join(' ')}`), []);
}

run('it connects by itself and loads little', async () => {
  page = await open(browser, server.address);
  assert.match(await page.textContent('#status-text'), /^Samara \d/);
  assert.equal(await page.isVisible('#away'), false);
  const bytes = await page.evaluate(() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).filter(e => !e.name.includes('/api/')).reduce((sum, e) => sum + e.encodedBodySize, 0));
  assert.ok(bytes > 10000 && bytes < 300000, `${bytes} bytes`);
});

run('pieces move by drag, click and typing; arrow keys walk the game', async () => {
  page = await open(browser, server.address);
  await drag(page, 'e2', 'e4');
  await page.waitForFunction(() => window.samara.node.san === 'e4');
  await click(page, 'e7');
  assert.equal(await page.locator('square.move-dest').count(), 2, 'legal moves are shown');
  await click(page, 'e5');
  await page.waitForFunction(() => window.samara.node.san === 'e5');
  await type(page, 'Nf3');
  assert.deepEqual(await sans(page), ['e4', 'e5', 'Nf3']);
  assert.match(await page.textContent('#opening'), /C40|King/i);
  await drag(page, 'a7', 'a2');
  assert.equal((await sans(page)).length, 3, 'an illegal move snaps back');
  await page.locator('#typed').blur();
  for (const [key, san] of [['ArrowLeft', 'e5'], ['ArrowUp', ''], ['ArrowRight', 'e4'], ['ArrowDown', 'Nf3']]) {
    await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => window.samara.node.san), san, key);
  }
  await type(page, 'Ke5');
  assert.match(await page.textContent('#toast'), /not a legal move/);
});

run('a pawn asks what to become', async () => {
  page = await open(browser, server.address, { hash: '#fen=8/P3k3/8/8/8/8/8/4K3_w_-_-_0_1' });
  await drag(page, 'a7', 'a8');
  await page.waitForSelector('dialog.promotion[open]');
  await shoot(page, 'promotion');
  await page.click('dialog.promotion [aria-label=knight]');
  await page.waitForFunction(() => window.samara.node.san === 'a8=N');
});

run('live analysis shows lines, a bar and arrows, and the limits can be changed', async () => {
  page = await open(browser, server.address, { hash: '#moves=e2e4.e7e5.g1f3.b8c6.f1b5.a7a6&ply=6' });
  await depth(page, 6);
  assert.equal(await page.locator('#pv li').count(), 3);
  assert.match(await page.textContent('#pv li'), /^[+-]?[\d.]+\s*4\. \w/);
  assert.match(await page.textContent('#engine-stats'), /depth \d+\/\d+ · .*n\/s/);
  assert.ok((await page.locator('.cg-shapes line').count()) >= 1, 'arrows');
  await shoot(page, 'analyse');
  await page.selectOption('#lines', '5');
  await page.waitForFunction(() => document.querySelectorAll('#pv li').length === 5);
  await page.selectOption('#depth', '3');
  await page.waitForFunction(() => document.getElementById('engine').dataset.depth === '3');
  await page.locator('#lines').blur();
  await page.keyboard.press('a');
  await page.waitForFunction(() => document.querySelectorAll('.cg-shapes line').length === 0); // drawn with the next frame
  const before = await fen(page);
  await page.click('#pv li:first-child button:first-child');
  assert.notEqual(await fen(page), before, 'a click on a line plays it');
});

run('the engine can be silenced, the threat shown, the best move played', async () => {
  page = await open(browser, server.address, { hash: '#moves=e2e4.e7e5.d1h5&ply=3' });
  await depth(page, 5);
  await page.keyboard.press('x');
  await page.waitForFunction(() => /Threat/.test(document.getElementById('engine-note').textContent));
  await page.waitForFunction(() => /Qx/.test(document.querySelector('#pv li')?.textContent ?? ''));
  await page.keyboard.press('x');
  await page.keyboard.press('l');
  await page.waitForFunction(() => document.getElementById('engine').classList.contains('off'));
  await page.waitForFunction(() => document.querySelectorAll('.cg-shapes line').length === 0);
  await page.keyboard.press('l');
  await depth(page, 5);
  await page.waitForFunction(() => document.querySelectorAll('#pv li').length === 3);
  await page.keyboard.press(' ');
  assert.equal((await sans(page)).length, 4);
});

run('a whole game is played by clicks until somebody is mated', async () => {
  page = await open(browser, server.address);
  await page.click('#mode-play');
  await page.waitForSelector('#dialog-new[open]');
  await shoot(page, 'new-game');
  await page.locator('#level').fill(await page.getAttribute('#level', 'min'));
  await page.selectOption('#time', '300+3');
  await page.click('#dialog-new button.primary');
  await page.waitForFunction(() => window.samara.play.active);
  await type(page, 'e4');
  await page.waitForFunction(() => window.samara.tree.mainline().length === 2);
  assert.match(await page.textContent('#clock-white'), /^[45]:\d\d$/);
  await shoot(page, 'play');
  await page.click('#take-back');
  await page.waitForFunction(() => window.samara.tree.mainline().length === 0);
  await type(page, 'd4');
  await page.waitForFunction(() => window.samara.tree.mainline().length === 2);
  await page.click('#hint');
  await page.waitForFunction(() => document.querySelectorAll('.cg-shapes line').length === 1);
  await page.click('#offer-draw');
  await page.waitForFunction(() => /plays on/.test(document.getElementById('toast').textContent));
  // the person plays what the server finds best: the weakest level loses within a hundred moves
  for (let i = 0; i < 100 && (await page.evaluate(() => window.samara.play.active)); i++) {
    const answer = await page.evaluate(async () => {
      const fen = window.samara.node.fen;
      const r = await fetch('/move', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ fen, depth: 6 }) });
      return r.json();
    });
    await type(page, answer.move);
    const count = 2 * i + 3;
    await page.waitForFunction(n => window.samara.tree.mainline().length > n || !window.samara.play.active, count);
  }
  const result = await page.evaluate(() => window.samara.tree.tags.get('Result'));
  assert.ok(['1-0', '1/2-1/2'].includes(result), result);
  assert.match(await page.textContent('#game-state'), /You win|Draw/);
  await shoot(page, 'game-over');
});

run('black is played from below, and resigning ends the game', async () => {
  page = await open(browser, server.address);
  await page.click('#mode-play');
  await page.locator('input[name=side][value=black]').check({ force: true });
  await page.selectOption('#from', '960');
  await page.click('#dialog-new button.primary');
  await page.waitForFunction(() => window.samara.tree.mainline().length === 1);
  assert.equal(await page.evaluate(() => window.samara.board.orientation), 'black');
  assert.equal(await page.evaluate(() => window.samara.tree.chess960), true);
  await page.click('#resign');
  assert.match(await page.textContent('#game-state'), /Samara wins.*1–0.*resignation/);
});

run('a PGN is imported by paste and exported again, with its variation and comment', async () => {
  page = await open(browser, server.address);
  await page.click('#open-import');
  await page.fill('#import-text', 'this is not chess');
  await page.click('#import-done');
  assert.match(await page.textContent('#import-problem'), /neither/);
  await page.fill('#import-text', scholar);
  await page.click('#import-done');
  assert.deepEqual(await sans(page), ['e4', 'e5', 'Bc4', 'Nc6', 'Qh5', 'Nf6', 'Qxf7#']);
  assert.match(await page.textContent('.variation'), /3\.\.\.\s*g6.*Qf3.*Nf6.*solid/s);
  assert.match(await page.textContent('#player-bottom'), /Ada/);
  await page.click('#open-export');
  const pgn = await page.inputValue('#export-pgn');
  assert.match(pgn, /\(3\.\.\. g6 4\. Qf3 Nf6 \{ solid \}\)/);
  await page.click('#dialog-export .close');
});

run('a file dropped on the page opens, and FEN by paste too', async () => {
  page = await open(browser, server.address);
  await page.evaluate(text => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'game.pgn'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, scholar);
  await page.waitForFunction(() => window.samara.tree.mainline().length === 7);
  await page.setInputFiles('#import-file', { name: 'x.fen', mimeType: 'text/plain', buffer: Buffer.from('8/8/4k3/8/8/4K3/4P3/8 w - - 0 1') });
  await page.waitForFunction(() => window.samara.node.fen.startsWith('8/8/4k3'));
});

run('a game report tells accuracy and turning points, and the graph jumps', async () => {
  page = await open(browser, server.address);
  await page.click('#open-import');
  await page.fill('#import-text', scholar);
  await page.click('#import-done');
  await page.click('#run-report');
  await page.waitForSelector('.sides');
  assert.match(await page.textContent('.sides'), /Ada\s*\d+ %/);
  assert.match(await page.textContent('.turning'), /3\.\.\. Nf6/);
  assert.ok((await page.locator('.move.blunder').count()) >= 1);
  assert.match(await live(), /Report ready/);
  await page.click('.turning button');
  assert.equal(await page.evaluate(() => window.samara.node.san), 'Nf6');
  const graph = await page.locator('#graph').boundingBox();
  await page.mouse.click(graph.x + 2, graph.y + 20);
  assert.equal(await page.evaluate(() => window.samara.node.san), '');
  await shoot(page, 'report', true);
  await page.click('#open-library');
  await page.waitForSelector('#library li');
  assert.match(await page.textContent('#library li'), /Ada – Bob.*analysed/s);
  await shoot(page, 'library');
  await page.click('#library .open >> nth=0');
  await page.waitForSelector('.sides');
  await page.click('#open-library');
  await page.waitForSelector('#library li');
  const games = await page.locator('#library li').count();
  await page.click('#library .delete >> nth=0');
  await page.waitForFunction(n => document.querySelectorAll('#library li').length === n - 1, games);
});

run('a position is set up by hand', async () => {
  page = await open(browser, server.address);
  await page.click('#mode-edit');
  await page.click('#edit-clear');
  assert.match(await page.textContent('#edit-problem'), /cannot be played/);
  assert.equal(await page.isDisabled('#edit-done'), true);
  for (const [piece, square] of [['white king', 'e1'], ['black king', 'e8'], ['white queen', 'd1'], ['white queen', 'a5']]) {
    await page.click(`[aria-label="${piece}"]`);
    await page.mouse.up();
    await click(page, square);
  }
  await page.click('#tool-erase');
  await click(page, 'a5');
  await page.selectOption('#edit-turn', 'b');
  assert.equal(await page.inputValue('#edit-fen'), '4k3/8/8/8/8/8/8/3QK3 b - - 0 1');
  await shoot(page, 'editor');
  await page.click('#edit-done');
  assert.equal(await fen(page), '4k3/8/8/8/8/8/8/3QK3 b - - 0 1');
  await depth(page, 4);
});

run('everything works by keyboard alone', async () => {
  page = await open(browser, server.address);
  await page.keyboard.press('b');
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^e2, white pawn/);
  await page.keyboard.press('Enter');
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /lifted/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /e4, empty, can move here/);
  await shoot(page, 'keyboard');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.samara.node.san === 'e4');
  assert.match(await live(), /1, e4/);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('m');
  await page.keyboard.type('Nf6');
  await page.keyboard.press('Enter');
  assert.match(await live(), /knight f6/);
  await page.evaluate(() => document.activeElement.blur());
  await depth(page, 8);
  await page.keyboard.press('e');
  /* The engine starts anew after the move; on a busy machine its first word takes a while. */
  for (let tries = 0; tries < 60 && !/Evaluation: /.test(await live()); tries++) {
    await page.waitForTimeout(500);
    await page.keyboard.press('e');
  }
  assert.match(await live(), /Evaluation: /);
  await page.keyboard.press('?');
  await page.waitForSelector('#dialog-help[open]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#dialog-help', { state: 'hidden' });
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('f');
  assert.equal(await page.evaluate(() => window.samara.board.orientation), 'black');
  await page.keyboard.press('Tab');
  const first = await page.evaluate(() => document.activeElement.textContent);
  assert.ok(first.length > 0, 'Tab reaches something');
});

run('a link brings the game back', async () => {
  page = await open(browser, server.address);
  await type(page, 'e4');
  await type(page, 'c5');
  const url = await page.evaluate(() => location.href);
  assert.match(url, /#moves=e2e4\.c7c5&ply=2$/);
  const again = await open(browser, server.address, { hash: new URL(url).hash });
  assert.deepEqual(await sans(again), ['e4', 'c5']);
  assert.equal(await again.evaluate(() => window.samara.node.san), 'c5');
  await again.context().close();
});

run('moves are marked, promoted and deleted', async () => {
  page = await open(browser, server.address, { hash: '#moves=e2e4.e7e5&ply=0' });
  await type(page, 'd4');
  assert.equal(await page.locator('.variation').count(), 1);
  await page.click('#move-menu');
  await page.fill('#move-comment', 'my own');
  await page.selectOption('#move-nag', '1');
  await page.click('#move-promote');
  assert.deepEqual(await sans(page), ['d4']);
  assert.match(await page.textContent('#moves'), /d4!.*my own/s);
  await page.click('#move-menu');
  await page.click('#move-delete');
  assert.deepEqual(await sans(page), ['e4', 'e5']);
});

run('dark and light are chosen, remembered and readable', async () => {
  page = await open(browser, server.address, { colorScheme: 'dark', hash: '#moves=e2e4.e7e5.g1f3&ply=3' });
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await depth(page, 6);
  await shoot(page, 'dark');
  await noSeriousFault('dark');
  await page.click('#open-settings');
  await shoot(page, 'settings');
  await page.selectOption('#set-theme', 'light');
  await page.selectOption('#set-board', 'walnut');
  await page.click('#dialog-settings .close');
  await page.reload();
  await page.waitForSelector('#status[data-state=online]');
  assert.deepEqual(await page.evaluate(() => [document.documentElement.dataset.theme, document.documentElement.dataset.board]), ['light', 'walnut']);
});

run('no serious fault of accessibility anywhere', async () => {
  page = await open(browser, server.address, { hash: '#moves=e2e4.e7e5.g1f3&ply=3' });
  await depth(page, 5);
  await noSeriousFault('analysis');
  for (const [button, dialog] of [['#mode-play', 'new'], ['#open-import', 'import'], ['#open-export', 'export'], ['#open-settings', 'settings'], ['#open-help', 'help'], ['#open-library', 'library'], ['#move-menu', 'move']]) {
    await page.click(button);
    await page.waitForSelector(`#dialog-${dialog}[open]`);
    await noSeriousFault(dialog);
    await page.keyboard.press('Escape');
  }
  await page.click('#mode-edit');
  await noSeriousFault('editor');
});

run('a phone gets the whole board and nothing wider than the screen', async () => {
  page = await open(browser, server.address, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const size = await page.evaluate(() => [document.documentElement.scrollWidth, document.querySelector('cg-board').getBoundingClientRect().width]);
  assert.ok(size[0] <= 390, `page is ${size[0]} wide`);
  assert.ok(size[1] > 330, `board is ${size[1]} wide`);
  await page.touchscreen.tap(...(await at(page, 'e2')));
  await page.touchscreen.tap(...(await at(page, 'e4')));
  await page.waitForFunction(() => window.samara.node.san === 'e4');
  const before = await page.locator('.steps').boundingBox();
  await depth(page, 8);
  assert.deepEqual(await page.locator('.steps').boundingBox(), before, 'nothing moves under the finger');
  await shoot(page, 'phone', true);
});

run('it says when the server is away, and goes on when it is back', async () => {
  const other = await serve();
  page = await open(browser, other.address);
  await depth(page, 3);
  await other.stop();
  await type(page, 'e4');
  await page.waitForSelector('#status[data-state=away]');
  assert.equal(await page.isVisible('#away'), true);
  await type(page, 'e5');
  assert.deepEqual(await sans(page), ['e4', 'e5'], 'the board works on');
  await shoot(page, 'away');
  const back = await serve(other.port);
  try {
    await page.waitForSelector('#status[data-state=online]');
    assert.equal(await page.isVisible('#away'), false);
    await depth(page, 3);
  } finally {
    await back.stop();
  }
});
