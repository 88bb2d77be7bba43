// SPDX-License-Identifier: GPL-3.0-or-later
/* One screen size, by day and by night: SAMARA_SIZE=390x844 node --test screens.test.mjs. Every view is looked over for
 * accessibility, and nothing is cut off, off the board's edge or too small for a finger. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { depth, paste, play, plies, shoot, type } from './page.mjs';
import { fresh, noSeriousFault, run } from './suite.mjs';

const [width, height] = (process.env.SAMARA_SIZE ?? '1440x900').split('x').map(Number);
const touch = Math.min(width, height) < 500;
const least = { '390x844': 376, '844x390': 350, '1366x657': 496, '1440x900': 720, '3840x2160': 1800 }[`${width}x${height}`] ?? 300;
const study = readFileSync(new URL('study.pgn', import.meta.url), 'utf8');
const scholar = '[White "Ada"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 (3... g6 4. Qf3 Nf6 {solid}) 4. Qxf7# 1-0\n';
const screen = colorScheme => ({ viewport: { width, height }, colorScheme, ...(touch ? { hasTouch: true, isMobile: true } : {}) });

const boxes = (page, ...selectors) => page.evaluate(list => list.map(q => document.querySelector(q).getBoundingClientRect().toJSON()), selectors);
const inside = box => box.left >= -1 && box.top >= -1 && box.right <= width + 1 && box.bottom <= height + 1;

/** The board is whole, large and square, its neighbours stand at its edges, the steps are in reach, nothing is too wide. */
async function wellPlaced(page, where) {
  const [board, top, bottom] = await boxes(page, 'cg-board', '#player-top', '#player-bottom');
  assert.ok(board.width >= least, `${where}: the board is ${board.width} wide, not ${least}`);
  assert.ok(Math.abs(board.width - board.height) < 1, `${where}: the board is square`);
  assert.ok(inside(board), `${where}: the board is cut off: ${JSON.stringify(board)}`);
  for (const id of ['first', 'back', 'forward', 'last', 'flip', 'move-menu']) {
    const [button] = await boxes(page, `#${id}`);
    assert.ok(inside(button), `${where}: #${id} is out of sight`);
    if (touch) assert.ok(button.width >= 40 && button.height >= 40, `${where}: #${id} is ${button.width} x ${button.height}`);
  }
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= width, `${where}: the page is ${wide} wide`);
  for (const strip of [top, bottom]) assert.ok(strip.right <= Math.max(board.right + 1, width), `${where}: a player is off the edge`);
  const gauge = await page.evaluate(() => {
    const box = document.getElementById('gauge');
    return box.hidden ? null : box.getBoundingClientRect().toJSON();
  });
  if (gauge && gauge.height > gauge.width) assert.ok(Math.abs(gauge.top - board.top) <= 1 && Math.abs(gauge.bottom - board.bottom) <= 1, `${where}: the gauge is off the board's edge: ${JSON.stringify([gauge, board])}`);
  if (gauge && gauge.height < gauge.width) assert.ok(Math.abs(gauge.left - board.left) <= 1 && Math.abs(gauge.right - board.right) <= 1, `${where}: the gauge is off the board's edge`);
}

/** Whatever a finger is meant for is at least 40 pixels high and wide; links in running text may be lower. */
async function fingersFit(page, where) {
  if (!touch) return;
  const small = await page.evaluate(() => [...document.querySelectorAll('button, select, input:not([type=file])')]
    .filter(e => e.checkVisibility({ visibilityProperty: true }) && !e.closest('.variation, .nested, .better, .words, .turning, [role=gridcell], .toast'))
    .map(e => [e, (e.closest('label') ?? e).getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.height < 39.5 || box.width < 24))
    .map(([e, box]) => `${e.id || e.className || e.textContent}: ${box.width.toFixed(0)}x${box.height.toFixed(0)}`));
  assert.deepEqual(small, [], where);
}

async function dialogFits(page, id) {
  const [box] = await boxes(page, `#dialog-${id}`);
  assert.ok(inside(box), `the dialog ${id} is cut off: ${JSON.stringify(box)}`);
}

for (const scheme of ['light', 'dark']) {
  run(`analysis, ${width}x${height}, ${scheme}`, async () => {
    const page = await fresh({ ...screen(scheme), hash: '#moves=e2e4.e7e5.g1f3.b8c6.f1b5.a7a6.b5a4.g8f6.e1g1.f8e7&ply=6' });
    await depth(page, 6);
    await wellPlaced(page, 'analysis');
    await fingersFit(page, 'analysis');
    await shoot(page, `analyse-${width}-${scheme}`);
    await noSeriousFault(page, 'analysis');
    const before = await boxes(page, '.steps', 'cg-board');
    await page.click('#forward');
    await depth(page, 8);
    assert.deepEqual(await boxes(page, '.steps', 'cg-board'), before, 'nothing moves under the finger');
  });

  run(`the explorer, ${width}x${height}, ${scheme}`, async () => {
    const page = await fresh({ ...screen(scheme), hash: '#moves=e2e4.e7e5&ply=0' });
    await page.evaluate(pgn => fetch('/api/v1/games', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ pgn }) }), scholar);
    await page.click('#tab-explorer');
    await page.waitForSelector('#explorer .result-bar');
    if (touch) await page.locator('#explorer').scrollIntoViewIfNeeded();
    await shoot(page, `explorer-${width}-${scheme}`);
    await fingersFit(page, 'explorer');
    await noSeriousFault(page, 'explorer');
    await page.evaluate(() => scrollTo(0, 0));
    await wellPlaced(page, 'explorer');
  });

  run(`an annotated game, its report and its turning points, ${width}x${height}, ${scheme}`, async () => {
    const page = await fresh(screen(scheme));
    await paste(page, study);
    await page.waitForFunction(() => window.samara.tree.mainline().length > 10);
    await page.keyboard.press('ArrowRight');
    await shoot(page, `study-${width}-${scheme}`);
    await wellPlaced(page, 'study');
    await noSeriousFault(page, 'study');
    await paste(page, scholar);
    await page.waitForFunction(() => window.samara.tree.mainline().length === 7);
    if (await page.isVisible('#tab-report')) await page.click('#tab-report');
    await page.click('#run-report');
    await page.waitForSelector('#report .sides');
    await page.waitForFunction(() => !window.samara.state.report.running);
    await shoot(page, `report-${width}-${scheme}`);
    await noSeriousFault(page, 'report');
    await page.click('.turning button >> nth=0');
    assert.equal(await page.evaluate(() => window.samara.node.san), 'Nf6');
    await wellPlaced(page, 'after a click on a turning point');
    await shoot(page, `turning-${width}-${scheme}`);
  });

  run(`a game, ${width}x${height}, ${scheme}`, async () => {
    const page = await fresh(screen(scheme));
    await play(page, { time: '300+3', showEval: true });
    await type(page, 'e4');
    await plies(page, 2);
    await wellPlaced(page, 'game');
    await fingersFit(page, 'game');
    await shoot(page, `game-${width}-${scheme}`);
    await noSeriousFault(page, 'game');
    await page.click('#resign');
    await dialogFits(page, 'ask');
    await page.click('#ask-yes');
    await page.waitForSelector('#dialog-end[open]');
    await dialogFits(page, 'end');
    await shoot(page, `end-${width}-${scheme}`);
    await noSeriousFault(page, 'end');
  });

  run(`every dialog and the editor, ${width}x${height}, ${scheme}`, async () => {
    const page = await fresh({ ...screen(scheme), hash: '#moves=e2e4.e7e5.g1f3&ply=3' });
    const menu = name => async () => {
      await page.click('#open-menu');
      await page.click(`[data-do=${name}]`);
    };
    const ways = {
      new: () => page.click('#mode-play'), library: () => page.click('#open-library'), move: () => page.click('#move-menu'),
      import: menu('import'), export: menu('export'), settings: menu('settings'), help: menu('help'), details: menu('details'),
    };
    for (const [id, way] of Object.entries(ways)) {
      await way();
      await page.waitForSelector(`#dialog-${id}[open]`);
      await dialogFits(page, id);
      await fingersFit(page, id);
      await shoot(page, `dialog-${id}-${width}-${scheme}`);
      await noSeriousFault(page, id);
      await page.keyboard.press('Escape');
      await page.waitForSelector(`#dialog-${id}`, { state: 'hidden' });
    }
    await page.click('#open-menu');
    await shoot(page, `menu-${width}-${scheme}`);
    await noSeriousFault(page, 'menu');
    await page.keyboard.press('Escape');
    await page.click('#mode-edit');
    await shoot(page, `editor-${width}-${scheme}`);
    await noSeriousFault(page, 'editor');
    await fingersFit(page, 'editor');
    await page.click('#edit-clear');
    await page.click('#edit-start');
    await page.click('#edit-cancel');
    await wellPlaced(page, 'after the editor');
  });
}

run(`the board is made smaller and larger, ${width}x${height}`, async () => {
  const page = await fresh(screen('light'));
  const before = (await boxes(page, 'cg-board'))[0].width;
  if (touch) {
    await page.evaluate(() => window.samara.app.actions.setPrefs({ size: 70 }));
  } else {
    const [grip] = await boxes(page, '#resizer');
    await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
    await page.mouse.down();
    await page.mouse.move(grip.x - before * 0.3, grip.y - before * 0.3, { steps: 5 });
    await page.mouse.up();
  }
  await page.waitForFunction(w => document.querySelector('cg-board').getBoundingClientRect().width < w * 0.8, before);
  await page.reload();
  await page.waitForSelector('html:not(.starting)');
  const after = (await boxes(page, 'cg-board'))[0].width;
  assert.ok(after < before * 0.8, `${before} then ${after}`);
});
