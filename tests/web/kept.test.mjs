// SPDX-License-Identifier: GPL-3.0-or-later
/* Nothing is lost: reload, back, a closed tab, another browser; and whatever takes a game away asks or can be undone. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { click, drag, exported, fen, paste, play, plies, reload, sans, serve, type } from './page.mjs';
import { fresh, run, s, tab } from './suite.mjs';

const study = readFileSync(new URL('study.pgn', import.meta.url), 'utf8');
const words = pgn => pgn.replace(/([{}()])/g, ' $1 ').replace(/\s+/g, ' ').trim();
const saved = page => page.evaluate(() => window.samara.app.records.save());
const clock = page => page.evaluate(() => window.samara.state.play.clock.remaining('white', performance.now()));

run('a study with arrows: import, reload, share, open elsewhere, export: the PGN is equal', async () => {
  const page = await fresh({ permissions: ['clipboard-read', 'clipboard-write'] });
  await paste(page, study);
  await page.waitForFunction(() => window.samara.tree.mainline().length > 10);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('.cg-shapes line').count() > 0, true, 'its arrows are on the board');
  assert.equal(words(await exported(page)), words(study));
  await reload(page);
  assert.equal(await page.evaluate(() => window.samara.node.san), 'Nf3', 'the place is the same');
  assert.equal(words(await exported(page)), words(study));
  await page.click('#open-menu');
  await page.click('[data-do=link]');
  await page.waitForFunction(() => /Link copied/.test(document.getElementById('toast-text').textContent));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.length < 2500, `${link.length} characters`);
  const elsewhere = await fresh({ hash: new URL(link).hash });
  assert.equal(words(await exported(elsewhere)), words(study));
  assert.equal(await elsewhere.evaluate(() => window.samara.node.san), 'Nf3');
  assert.match(await elsewhere.textContent('#player-bottom'), /WIM Ada "The Queen" Lovelace\s*2210/);
});

run('ratings, clocks, circles and marks of a PGN are shown', async () => {
  const page = await fresh();
  await paste(page, study);
  await page.waitForFunction(() => window.samara.tree.mainline().length > 10);
  assert.ok((await page.locator('.cg-shapes circle').count()) >= 3, 'circles of the start position');
  for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowRight');
  assert.match(await page.textContent('#clock-white'), /10:00/);
  assert.match(await page.textContent('#clock-black'), /9:58/);
  const list = await page.textContent('#moves');
  assert.match(list, /Bc4\+= ↑/);
  assert.match(list, /\?! ⊕ =\/∞/);
  assert.match(list, /Nc3± \$255/);
});

run('arrows are drawn with the right button, kept, and go when they are drawn again', async () => {
  const page = await fresh();
  const right = async (from, to) => {
    const { at } = await import('./page.mjs');
    await page.mouse.move(...(await at(page, from)));
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(...(await at(page, to)), { steps: 4 });
    await page.mouse.up({ button: 'right' });
  };
  await right('e2', 'e4');
  await right('d4', 'd4');
  await page.waitForFunction(() => window.samara.node.shapes.length === 2);
  await click(page, 'e2');
  await click(page, 'e4');
  await page.waitForFunction(() => window.samara.node.san === 'e4');
  await reload(page);
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual(await page.evaluate(() => window.samara.node.shapes), [{ brush: 'green', from: 'e2', to: 'e4' }, { brush: 'green', from: 'd4' }]);
  await right('d4', 'd4');
  await page.waitForFunction(() => window.samara.node.shapes.length === 1);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => window.samara.node.shapes.length === 2);
});

run('a game against Samara comes back after a reload and goes on at once', async () => {
  const page = await fresh();
  await play(page, { time: '300+3' });
  await type(page, 'e4');
  await plies(page, 2);
  await page.waitForTimeout(1200);
  const before = await clock(page);
  await reload(page);
  assert.equal(await page.evaluate(() => window.samara.playing), true);
  assert.equal(await page.evaluate(() => document.body.dataset.mode), 'play');
  const after = await clock(page);
  assert.ok(after <= before && after > before - 4000, `${before} then ${after}`);
  assert.match(await page.textContent('#player-top'), /Samara \(\d+\)/);
  await type(page, 'd4');
  await plies(page, 4);
});

run('a closed tab comes back in a new one, paused until its player wants to go on', async () => {
  const page = await fresh();
  await play(page, { time: '300+3', side: 'white' });
  await type(page, 'c4');
  await plies(page, 2);
  const moves = await sans(page);
  await page.close({ runBeforeUnload: true });
  await page.waitForEvent('close').catch(() => undefined);
  const again = await tab(page);
  assert.deepEqual(await sans(again), moves);
  assert.equal(await again.isVisible('#go-on'), true);
  const before = await clock(again);
  await again.waitForTimeout(700);
  assert.equal(await clock(again), before, 'the clock waits');
  await again.click('#go-on');
  await again.waitForTimeout(700);
  assert.ok((await clock(again)) < before, 'and runs again');
});

run('a killed browser loses at most the last moment', async () => {
  const page = await fresh();
  await type(page, 'e4');
  await type(page, 'c6');
  await page.waitForTimeout(600);
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  session.send('Page.crash').catch(() => undefined);
  await crashed;
  const again = await tab(page);
  assert.deepEqual(await sans(again), ['e4', 'c6']);
  page.faults.length = 0;
});

run('two tabs do not disturb each other', async () => {
  const one = await fresh();
  await type(one, 'e4');
  await saved(one);
  const two = await tab(one);
  assert.deepEqual(await sans(two), [], 'the game of a tab that is open is not taken');
  await type(two, 'd4');
  await saved(two);
  await reload(one);
  await reload(two);
  assert.deepEqual(await sans(one), ['e4']);
  assert.deepEqual(await sans(two), ['d4']);
});

run('the back button returns to the game before, forward to the next', async () => {
  const page = await fresh();
  await paste(page, study);
  await page.waitForFunction(() => window.samara.tree.mainline().length > 10);
  await page.click('#open-menu');
  await page.click('[data-do=new-board]');
  await type(page, 'a3');
  await saved(page);
  await page.goBack();
  await page.waitForFunction(() => window.samara.tree.mainline().length > 10);
  assert.equal(words(await exported(page)), words(study));
  await page.goForward();
  await page.waitForFunction(() => window.samara.tree.mainline().length === 1);
  assert.deepEqual(await sans(page), ['a3']);
});

run('leaving the page and coming back by the back button finds the game', async () => {
  const page = await fresh();
  await type(page, 'f4');
  await page.goto(`${s.server.address}api/v1/health`);
  await page.goBack();
  await page.waitForSelector('html:not(.starting)');
  assert.deepEqual(await sans(page), ['f4']);
});

run('whatever replaces a game in progress asks first', async () => {
  const page = await fresh();
  await play(page);
  await type(page, 'e4');
  await plies(page, 2);
  const record = await page.evaluate(() => window.samara.state.record);
  const ways = {
    'new board': async () => { await page.click('#open-menu'); await page.click('[data-do=new-board]'); },
    paste: () => paste(page, '8/8/4k3/8/8/4K3/4P3/8 w - - 0 1'),
    file: () => page.setInputFiles('#import-file', { name: 'x.pgn', mimeType: 'text/plain', buffer: Buffer.from('1. d4 *') }),
    drop: () => page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['1. d4 *'], 'game.pgn'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }),
    analyse: () => page.click('#mode-analyse'),
    'set up': () => page.click('#mode-edit'),
    'new game': async () => { await page.click('#mode-play'); await page.click('#dialog-new button.primary'); },
  };
  for (const [name, way] of Object.entries(ways)) {
    await way();
    await page.waitForSelector('#dialog-ask[open]', undefined, name);
    await page.click('#ask-no');
    assert.equal(await page.evaluate(() => window.samara.state.record), record, name);
    assert.equal(await page.evaluate(() => window.samara.playing), true, name);
  }
  await page.click('#resign');
  await page.click('#ask-no');
  assert.equal(await page.evaluate(() => window.samara.playing), true, 'resign asks too');
});

run('a replaced game and a resignation can be undone', async () => {
  const page = await fresh();
  await paste(page, study);
  await page.waitForFunction(() => window.samara.tree.mainline().length > 10);
  await paste(page, '8/8/4k3/8/8/4K3/4P3/8 w - - 0 1');
  await page.waitForFunction(() => window.samara.node.fen.startsWith('8/8/4k3'));
  await page.click('#toast-action');
  await page.waitForFunction(() => window.samara.tree.mainline().length > 10);
  assert.equal(words(await exported(page)), words(study));
  await play(page, { time: '300+3' });
  await type(page, 'e4');
  await plies(page, 2);
  await page.click('#resign');
  await page.click('#ask-yes');
  await page.waitForSelector('#dialog-end[open]');
  await page.click('#dialog-end .close');
  await page.click('#undo');
  await page.waitForFunction(() => window.samara.playing);
  await type(page, 'd4');
  await plies(page, 4);
});

run('games of this device are found again, by name too', async () => {
  const page = await fresh();
  await paste(page, study);
  await page.waitForFunction(() => window.samara.tree.mainline().length > 10);
  await page.click('#open-menu');
  await page.click('[data-do=new-board]');
  await type(page, 'g3');
  await page.click('#open-library');
  await page.waitForFunction(() => document.querySelectorAll('#library li').length === 2);
  await page.fill('#library-search', 'babbage italian');
  await page.waitForFunction(() => document.querySelectorAll('#library li').length === 1);
  await page.click('#library .open');
  await page.waitForFunction(() => window.samara.tree.mainline().length > 10);
  assert.equal(words(await exported(page)), words(study));
});

run('details of a game can be changed, and the order of the tags stays', async () => {
  const page = await fresh();
  await paste(page, study);
  await page.waitForFunction(() => window.samara.tree.mainline().length > 10);
  await page.click('#open-menu');
  await page.click('[data-do=details]');
  await page.fill('[data-tag=BlackElo]', '2100');
  await page.click('#details-done');
  assert.equal(words(await exported(page)), words(study.replace('2034', '2100')));
});

run('a short link brings a game that the server keeps', async () => {
  const page = await fresh({ permissions: ['clipboard-read', 'clipboard-write'] });
  await paste(page, study);
  await page.waitForFunction(() => window.samara.tree.mainline().length > 10);
  await page.click('#open-export');
  if (!(await page.isVisible('#share-short'))) {
    const { id } = await page.evaluate(async pgn => (await fetch('/api/v1/games', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ pgn }) })).json(), study);
    const other = await fresh({ hash: `#game=${id}` });
    await other.waitForFunction(() => window.samara.tree.mainline().length > 10);
    assert.equal(words(await exported(other)), words(study));
  }
});
