// SPDX-License-Identifier: GPL-3.0-or-later
/* What everybody does with the page, in a real browser against the real server. */

import assert from 'node:assert/strict';
import { arrows, at, click, depth, drag, exported, fen, paste, play, plies, sans, serve, shoot, type } from './page.mjs';
import { fresh, live, noSeriousFault, run } from './suite.mjs';

const scholar = '[White "Ada"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 (3... g6 4. Qf3 Nf6 {solid}) 4. Qxf7# 1-0\n';

run('it connects by itself and loads little', async () => {
  const page = await fresh();
  assert.match(await page.textContent('#status-text'), /^Samara \d/);
  assert.equal(await page.isVisible('#away'), false);
  const bytes = await page.evaluate(() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).filter(e => !e.name.includes('/api/')).reduce((sum, e) => sum + e.encodedBodySize, 0));
  assert.ok(bytes > 10000 && bytes < 200000, `${bytes} bytes`);
});

run('pieces move by drag, click and typing; arrow keys walk the game', async () => {
  const page = await fresh();
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
  const page = await fresh({ hash: '#fen=8/P3k3/8/8/8/8/8/4K3_w_-_-_0_1' });
  await drag(page, 'a7', 'a8');
  await page.waitForSelector('dialog.promotion[open]');
  await shoot(page, 'promotion');
  await page.click('dialog.promotion [data-piece=n]');
  await page.waitForFunction(() => window.samara.node.san === 'a8=N');
});

run('live analysis shows lines, a bar and arrows, and the limits can be changed', async () => {
  const page = await fresh({ hash: '#moves=e2e4.e7e5.g1f3.b8c6.f1b5.a7a6&ply=6' });
  await depth(page, 6);
  assert.equal(await page.locator('#pv li').count(), 3);
  assert.match(await page.textContent('#pv li'), /^[+-]?[\d.]+\s*4\. \w/);
  assert.match(await page.textContent('#engine-stats'), /depth \d+(\/\d+)? · .*n\/s/);
  await arrows(page, 1);
  await shoot(page, 'analyse');
  await page.selectOption('#lines', '5');
  await page.waitForFunction(() => document.querySelectorAll('#pv li').length === 5);
  await page.selectOption('#depth', '3');
  await page.waitForFunction(() => document.getElementById('engine').dataset.depth === '3');
  await page.locator('#lines').blur();
  await page.keyboard.press('a');
  await arrows(page, 0, 0);
  const before = await fen(page);
  await page.click('#pv li:first-child button:first-child');
  assert.notEqual(await fen(page), before, 'a click on a line plays it');
});

run('the engine can be silenced, the threat shown, the best move played', async () => {
  const page = await fresh({ hash: '#moves=e2e4.e7e5.d1h5&ply=3' });
  await depth(page, 5);
  await page.keyboard.press('x');
  await page.waitForFunction(() => /Threat/.test(document.getElementById('engine-note').textContent));
  await page.waitForFunction(() => /Qx/.test(document.querySelector('#pv li')?.textContent ?? ''));
  await page.keyboard.press('x');
  await page.keyboard.press('l');
  await page.waitForFunction(() => document.getElementById('engine').classList.contains('off'));
  await arrows(page, 0, 0);
  await page.keyboard.press('l');
  await depth(page, 5);
  await page.waitForFunction(() => document.querySelectorAll('#pv li').length === 3);
  await page.keyboard.press(' ');
  assert.equal((await sans(page)).length, 4);
});

run('a game is played: clock, take-back, hint, draw offer, resignation', async () => {
  const page = await fresh();
  await page.click('#mode-play');
  await page.waitForSelector('#dialog-new[open]');
  await shoot(page, 'new-game');
  await page.keyboard.press('Escape');
  await play(page, { time: '300+3' });
  await type(page, 'e4');
  await plies(page, 2);
  assert.match(await page.textContent('#clock-white'), /^[45]:\d\d$/);
  await shoot(page, 'play');
  await page.click('#take-back');
  await page.waitForFunction(() => window.samara.tree.mainline().length === 0);
  await type(page, 'd4');
  await plies(page, 2);
  await page.click('#hint');
  await arrows(page, 1, 1);
  await page.click('#offer-draw');
  await page.waitForFunction(() => /plays on/.test(document.getElementById('toast-text').textContent));
  await page.click('#resign');
  await page.click('#ask-yes');
  await page.waitForSelector('#dialog-end[open]');
  assert.match(await page.textContent('#end-title'), /Samara wins/);
  assert.match(await page.textContent('#game-state'), /Samara wins.*0–1.*resignation/);
});

run('black is played from below, Chess960 by its number', async () => {
  const page = await fresh();
  await play(page, { side: 'black', from: '960', number: 1 });
  await plies(page, 1);
  assert.equal(await page.evaluate(() => window.samara.orientation), 'black');
  assert.equal(await page.evaluate(() => window.samara.tree.chess960), true);
  assert.match(await page.evaluate(() => window.samara.tree.root.fen), /^bqnbnrkr/);
});

run('a PGN is imported by paste and exported again, with its variation and comment', async () => {
  const page = await fresh();
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
  const page = await fresh();
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
  const page = await fresh();
  await page.click('#open-import');
  await page.fill('#import-text', scholar);
  await page.click('#import-done');
  await page.click('#tab-report');
  await page.click('#run-report');
  await page.waitForSelector('#report .sides');
  assert.match(await page.textContent('#report .sides'), /Ada\s*\d+ %/);
  assert.match(await page.textContent('.turning'), /3\.\.\. Nf6/);
  assert.ok((await page.locator('.move.blunder').count()) >= 1, 'the move is marked');
  assert.match(await live(page), /Report ready/);
  await page.click('.turning button');
  assert.equal(await page.evaluate(() => window.samara.node.san), 'Nf6');
  const graph = await page.locator('#graph').boundingBox();
  await page.mouse.click(graph.x + 2, graph.y + 20);
  assert.equal(await page.evaluate(() => window.samara.node.san), '');
  await shoot(page, 'report', true);
  await page.click('#open-library');
  await page.click('[data-source=server]');
  await page.waitForSelector('#library li');
  assert.match(await page.textContent('#library li'), /Ada – Bob.*with report/s);
  await shoot(page, 'library');
  await page.click('#library .open >> nth=0');
  await page.waitForSelector('#dialog-library', { state: 'hidden' });
  await page.waitForSelector('#report .sides');
  const games = () => page.evaluate(async () => (await (await fetch('/api/v1/games')).json()).games.length);
  const before = await games();
  await page.click('#open-library');
  await page.waitForSelector('#library li');
  await page.click('#library .delete >> nth=0');
  await page.click('#library .link');
  await page.click('#dialog-library .close');
  assert.equal(await games(), before, 'a deletion can be taken back');
  await page.click('#open-library');
  await page.waitForSelector('#library li');
  await page.click('#library .delete >> nth=0');
  await page.click('#dialog-library .close');
  await page.waitForFunction(async n => (await (await fetch('/api/v1/games')).json()).games.length === n - 1, before);
});

run('a position is set up by hand', async () => {
  const page = await fresh();
  await page.click('#mode-edit');
  await page.click('#edit-clear');
  assert.match(await page.textContent('#edit-problem'), /cannot be played/);
  assert.equal(await page.isDisabled('#edit-done'), true);
  for (const [piece, square] of [['white king', 'e1'], ['black king', 'e8'], ['white queen', 'd1'], ['white queen', 'a5']]) {
    await page.click(`[data-piece="${piece}"]`);
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
  const page = await fresh();
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
  assert.match(await live(page), /1, e4/);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('m');
  await page.keyboard.type('Nf6');
  await page.keyboard.press('Enter');
  assert.match(await live(page), /knight f6/);
  await page.evaluate(() => document.activeElement.blur());
  await depth(page, 8);
  await page.keyboard.press('e');
  /* The engine starts anew after the move; on a busy machine its first word takes a while. */
  for (let tries = 0; tries < 60 && !/Evaluation: /.test(await live(page)); tries++) {
    await page.waitForTimeout(500);
    await page.keyboard.press('e');
  }
  assert.match(await live(page), /Evaluation: /);
  await page.keyboard.press('?');
  await page.waitForSelector('#dialog-help[open]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#dialog-help', { state: 'hidden' });
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('f');
  assert.equal(await page.evaluate(() => window.samara.orientation), 'black');
  await page.keyboard.press('Tab');
  const first = await page.evaluate(() => document.activeElement.textContent);
  assert.ok(first.length > 0, 'Tab reaches something');
});

run('a link brings the game back', async () => {
  const page = await fresh();
  await type(page, 'e4');
  await type(page, 'c5');
  await page.waitForFunction(() => location.hash.endsWith('ply=2'));
  const url = await page.evaluate(() => location.href);
  assert.match(url, /#moves=e2e4\.c7c5&ply=2$/);
  const again = await fresh({ hash: new URL(url).hash });
  assert.deepEqual(await sans(again), ['e4', 'c5']);
  assert.equal(await again.evaluate(() => window.samara.node.san), 'c5');
});

run('moves are marked, promoted and deleted', async () => {
  const page = await fresh({ hash: '#moves=e2e4.e7e5&ply=0' });
  await type(page, 'd4');
  assert.equal(await page.locator('.variation').count(), 1);
  await page.click('#move-menu');
  await page.fill('#move-comment', 'my own\nsecond line');
  await page.click('#move-marks [data-nag="1"]');
  await page.click('#move-marks [data-nag="14"]');
  await page.fill('#move-shapes', 'Gd4 Rd2d4');
  await page.fill('#move-nags', '$99');
  await page.fill('#move-clock', '1:02:03');
  await page.click('#move-promote');
  assert.deepEqual(await sans(page), ['d4']);
  assert.match(await page.textContent('#moves'), /d4! \+= \$99.*my own/s);
  assert.match(await exported(page), /1\. d4 \$1 \$14 \$99 \{ \[%clk 1:02:03\] \[%csl Gd4\] \[%cal Rd2d4\] my own\nsecond line \}/);
  assert.match(await page.textContent('#player-bottom'), /1:02:03/);
  await page.click('#move-menu');
  await page.click('#move-delete');
  assert.deepEqual(await sans(page), ['e4', 'e5']);
  await page.click('#toast-action');
  assert.deepEqual(await sans(page), ['d4']);
  await page.keyboard.press('Control+Shift+z');
  assert.deepEqual(await sans(page), ['e4', 'e5']);
});

run('dark and light are chosen, remembered and readable', async () => {
  const page = await fresh({ colorScheme: 'dark', hash: '#moves=e2e4.e7e5.g1f3&ply=3' });
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await depth(page, 6);
  await shoot(page, 'dark');
  await noSeriousFault(page, 'dark');
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
  const page = await fresh({ hash: '#moves=e2e4.e7e5.g1f3&ply=3' });
  await depth(page, 5);
  await noSeriousFault(page, 'analysis');
  for (const [button, dialog] of [['#mode-play', 'new'], ['#open-import', 'import'], ['#open-export', 'export'], ['#open-settings', 'settings'], ['#open-library', 'library'], ['#move-menu', 'move']]) {
    await page.click(button);
    await page.waitForSelector(`#dialog-${dialog}[open]`);
    await noSeriousFault(page, dialog);
    await page.keyboard.press('Escape');
  }
  await page.click('#mode-edit');
  await noSeriousFault(page, 'editor');
});

run('it says when the server is away, and goes on when it is back', async () => {
  const other = await serve();
  const page = await fresh({ engine: false, address: other.address });
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
