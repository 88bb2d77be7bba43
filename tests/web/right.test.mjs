// SPDX-License-Identifier: GPL-3.0-or-later
/* Nothing is wrong: one test for each fault that people met. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { at, click, depth, drag, exported, fen, paste, play, plies, sans, serve, shoot, type } from './page.mjs';
import { fresh, run, until } from './suite.mjs';

const gauge = page => page.evaluate(() => {
  const [bar, white] = [document.getElementById('gauge').getBoundingClientRect(), document.querySelector('.gauge .white').getBoundingClientRect()];
  return { share: white.height / bar.height, whiteBelow: Math.abs(white.bottom - bar.bottom) < 3, hidden: document.getElementById('gauge').hidden };
});
const shownFen = page => page.evaluate(() => window.samara.app.board.ground.getFen());

run('a line under the pointer is shown on a small board; the real one stays', async () => {
  const page = await fresh();
  await depth(page, 8);
  const move = page.locator('#pv li:first-child .line-moves button').nth(2);
  await move.hover();
  await page.waitForSelector('#preview:not([hidden])');
  const before = await shownFen(page);
  assert.equal(before, await page.evaluate(() => window.samara.node.fen.split(' ')[0]));
  await shoot(page, 'preview');
  await page.locator('#pv li:first-child .line-moves button').nth(1).click();
  const played = await fen(page);
  assert.notEqual(played, before);
  await depth(page, 8); // a new line has come under the pointer, which rests
  await page.waitForTimeout(300);
  assert.equal(await shownFen(page), played.split(' ')[0], 'the board shows the game');
  assert.equal(await page.isVisible('#preview'), false, 'and nothing flickers up');
});

run('a report is followed by its stream, and found where the server has no place for a follower', async () => {
  const page = await fresh();
  const asked = [];
  page.on('request', r => /\/games\/\d+/.test(r.url()) && r.method() === 'GET' && asked.push(r.url().replace(/.*\/games\/\d+/, 'game')));
  const report = async () => {
    await page.click('#run-report');
    await page.waitForFunction(() => window.samara.state.report.running);
    await page.waitForFunction(() => window.samara.state.report.data && !window.samara.state.report.running);
  };
  await paste(page, '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#');
  await page.waitForFunction(() => window.samara.tree.mainline().length === 7);
  await page.click('#tab-report');
  const begun = Date.now();
  await report();
  assert.equal(asked[0], 'game/stream');
  assert.ok(asked.length <= 3 + (Date.now() - begun) / 1000, asked.join());
  await page.route('**/stream', route => route.fulfill({ status: 503, json: { status: 'error', error: { code: 'busy', message: 'busy' } } }));
  await report();
});

run('a second report takes the place of the first, in the game, in the list and on the server', async () => {
  const page = await fresh();
  await paste(page, '1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0');
  await page.waitForFunction(() => window.samara.tree.mainline().length === 7);
  const before = await page.evaluate(async () => (await (await fetch('/api/v1/games')).json()).games.length);
  await page.click('#tab-report');
  const texts = [];
  for (let i = 0; i < 2; i++) {
    await page.click('#run-report');
    await page.waitForFunction(() => window.samara.state.report.running);
    await page.waitForFunction(() => window.samara.state.report.data && !window.samara.state.report.running);
    texts.push(await exported(page));
  }
  assert.equal((texts[1].match(/Blunder/g) ?? []).length, (texts[0].match(/Blunder/g) ?? []).length);
  assert.ok((texts[1].match(/Blunder/g) ?? []).length >= 1);
  assert.match(texts[1].replace(/\s+/g, ' '), /Blunder\. Nf6 does not stop the mate/, "in the engine's words");
  assert.equal(texts[1], texts[0], 'the same report, to the last letter');
  assert.equal(await page.evaluate(() => window.samara.tree.root.children.length), 1, 'the game itself has no variation');
  assert.doesNotMatch(await page.textContent('#report .sides'), /\?(?![!?])\s*\d+ %/);
  assert.match(await page.textContent('#report .sides'), /White.*Black/s);
  await page.waitForFunction(async n => (await (await fetch('/api/v1/games')).json()).games.length === n + 1, before);
});

run('the same report three times over in page, API and at the command line', async () => {
  const page = await fresh();
  const pgn = '1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0';
  await paste(page, pgn);
  await page.waitForFunction(() => window.samara.tree.mainline().length === 5);
  await page.click('#tab-report');
  const reports = [];
  for (let i = 0; i < 3; i++) {
    await page.click('#run-report');
    await page.waitForFunction(() => window.samara.state.report.running);
    await page.waitForFunction(() => window.samara.state.report.data && !window.samara.state.report.running);
    reports.push(await page.evaluate(() => window.samara.state.report.data));
    reports.push(await page.evaluate(async text => {
      const ask = async (path, options) => (await fetch(path, options)).json();
      const { id } = await ask('/api/v1/games', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ pgn: text, report: {} }) });
      for (;;) {
        const game = await ask(`/api/v1/games/${id}`);
        if (game.state === 'done') return game.report;
        await new Promise(resolve => setTimeout(resolve, 100));
      }
    }, pgn));
    reports.push(JSON.parse(execFileSync(process.env.SAMARA, ['analyse', '-', '--json'], { input: pgn })).report);
  }
  assert.equal(reports[0].moves[3].judgement, 'blunder');
  for (const report of reports) assert.deepEqual(report, reports[0]);
});

run('depth does not run backwards when a position is seen again', async () => {
  const page = await fresh();
  await depth(page, 12);
  const reached = await page.evaluate(() => Number(document.getElementById('engine').dataset.depth));
  await type(page, 'e4');
  await page.locator('#typed').blur();
  await depth(page, 5);
  await page.evaluate(() => {
    window.depths = [];
    new MutationObserver(() => window.depths.push(Number(document.getElementById('engine').dataset.depth))).observe(document.getElementById('engine'), { attributes: true, attributeFilter: ['data-depth'] });
  });
  await page.keyboard.press('ArrowLeft');
  await page.waitForTimeout(1500);
  const depths = await page.evaluate(() => window.depths);
  assert.ok(depths.every((d, i) => d >= (i ? depths[i - 1] : reached)), depths.join(' '));
  assert.ok(Number(await page.getAttribute('#engine', 'data-depth')) >= reached);
});

run('a chosen depth is the depth that is shown, whatever was known before', async () => {
  const page = await fresh();
  await depth(page, 10);
  await page.selectOption('#depth', '3');
  await page.waitForFunction(() => document.getElementById('engine').dataset.depth === '3' && document.getElementById('engine').dataset.running === 'false');
  assert.match(await page.textContent('#engine-stats'), /finished/);
  assert.equal(await page.isVisible('#deeper'), true);
  await page.click('#deeper');
  await page.waitForFunction(() => Number(document.getElementById('engine').dataset.depth) > 3);
});

run('the gauge stands the right way up when Black starts a game, and lives while playing', async () => {
  const page = await fresh();
  await paste(page, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1');
  await page.waitForFunction(() => !window.samara.node.fen.includes('RNBQ'));
  await play(page, { side: 'black', from: 'here', showEval: true });
  await plies(page, 1);
  await page.waitForFunction(() => Number(document.getElementById('gauge').getAttribute('aria-valuenow')) < 25);
  await until(async () => (await gauge(page)).share < 0.25, 'the bar follows');
  assert.equal((await gauge(page)).whiteBelow, false, 'White is above');
  await page.waitForFunction(() => /depth/.test(document.getElementById('engine-stats').textContent)); // the gauge has Samara's score before
});

run('without evaluation there is no gauge in a game, rather than a wrong one', async () => {
  const page = await fresh();
  await play(page);
  assert.equal((await gauge(page)).hidden, true);
  assert.equal(await page.isVisible('#engine'), false);
});

run('the gauge is full at mate and half at stalemate', async () => {
  const page = await fresh();
  await paste(page, '1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0');
  await page.waitForFunction(() => window.samara.tree.mainline().length === 7);
  await page.keyboard.press('ArrowDown');
  await until(async () => (await gauge(page)).share > 0.99, 'full');
  await paste(page, '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1');
  await page.waitForFunction(() => window.samara.node.fen.startsWith('7k'));
  await until(async () => Math.abs((await gauge(page)).share - 0.5) < 0.02, 'half');
});

run('the glow of a check is on its square', async () => {
  const page = await fresh();
  await paste(page, '4k3/8/8/8/8/8/4r3/4K3 w - - 0 1');
  await page.waitForSelector('square.check');
  const [glow, board] = await page.evaluate(() => ['square.check', 'cg-board'].map(q => document.querySelector(q).getBoundingClientRect().toJSON()));
  const [x, y] = await at(page, 'e1');
  assert.ok(Math.abs(glow.x + glow.width / 2 - x) < 1 && Math.abs(glow.y + glow.height / 2 - y) < 1, JSON.stringify([glow, board]));
});

run('comments of side lines stand behind their move', async () => {
  const page = await fresh();
  await paste(page, '1. e4 (1. d4 d5 {first} (1... Nf6 {second}) 2. c4 {third}) e5 *');
  await page.waitForSelector('.variation');
  const text = (await page.textContent('.variation')).replace(/\s+/g, ' ');
  assert.match(text, /d5 ?first ?\( ?1\.\.\. Nf6 ?second ?\) ?2\. c4 ?third/);
});

run('the graph draws only what is known', async () => {
  const page = await fresh({ hash: '#moves=e2e4.e7e5.g1f3.b8c6.f1b5.a7a6.b5a4.g8f6&ply=0' });
  await depth(page, 8);
  await page.keyboard.press('ArrowDown');
  await depth(page, 8);
  await page.click('#tab-report');
  await page.waitForSelector('#graph:not([hidden])');
  await until(async () => (await page.locator('#graph .dot').count()) === 2, 'two dots');
  assert.equal(await page.locator('#graph .curve').count(), 0);
});

run('after a take-back no square stays lit', async () => {
  const page = await fresh();
  await play(page);
  await type(page, 'e4');
  await plies(page, 2);
  await click(page, 'd2');
  await page.waitForSelector('square.selected');
  await page.click('#take-back');
  await page.waitForFunction(() => window.samara.tree.mainline().length === 0);
  await until(async () => (await page.locator('square.selected:visible').count()) === 0, 'dark');
});

run("Samara's clock stands while the server is away", async () => {
  const other = await serve();
  const page = await fresh({ engine: false, address: other.address });
  await play(page, { time: '300+3', level: '2000' });
  await type(page, 'e4');
  await plies(page, 2);
  await other.stop();
  await type(page, 'd4');
  await page.waitForFunction(() => /away/.test(document.getElementById('game-state').textContent));
  const black = () => page.evaluate(() => window.samara.state.play.clock.remaining('black', performance.now()));
  const before = await black();
  await page.waitForTimeout(1500);
  assert.equal(await black(), before);
  const back = await serve(other.port);
  try {
    await plies(page, 4);
  } finally {
    await back.stop();
  }
});

run('after choosing a number of lines the arrow keys walk the game again', async () => {
  const page = await fresh({ hash: '#moves=e2e4.e7e5&ply=0' });
  await page.click('#lines');
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    const box = document.getElementById('lines');
    box.focus();
    document.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    box.value = '2';
    box.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => window.samara.node.san), 'e4');
  assert.equal(await page.inputValue('#lines'), '2');
});

run('the wheel over the board steps through the game and scrolls nothing', async () => {
  const page = await fresh({ hash: '#moves=e2e4.e7e5&ply=0' });
  await page.mouse.move(...(await at(page, 'e4')));
  await page.mouse.wheel(0, 120);
  await page.waitForFunction(() => window.samara.node.san === 'e4');
  await page.mouse.wheel(0, -120);
  await page.waitForFunction(() => window.samara.node.san === '');
  assert.equal(await page.evaluate(() => scrollY), 0);
});

run('a PGN with a word that is no move says so', async () => {
  const page = await fresh();
  await paste(page, '1.e4 e5 2.Zz9');
  await page.waitForFunction(() => /2\. Zz9 is not legal/.test(document.getElementById('toast-text').textContent));
  assert.deepEqual(await sans(page), ['e4', 'e5']);
});

run('a board of no size draws nothing wrong', async () => {
  const page = await fresh({ hash: '#moves=e2e4&ply=1' });
  await depth(page, 6);
  for (const width of [60, 20, 200, 1280]) {
    await page.setViewportSize({ width, height: width < 300 ? 40 : 800 });
    await page.waitForTimeout(150);
  }
});

run('without JavaScript the page says what it needs', async () => {
  const page = await fresh();
  const context = await page.context().browser().newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(page.url());
  assert.match(await plain.textContent('.noscript'), /needs JavaScript/);
  assert.equal(await plain.isVisible('.noscript'), true);
  await context.close();
});
