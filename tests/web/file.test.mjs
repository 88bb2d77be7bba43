// SPDX-License-Identifier: GPL-3.0-or-later
/* The page opened as a file: it finds a server that allows it, and says what to do otherwise. */

import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { depth, launch, patience, sans, serve, shoot, type, web } from './page.mjs';

const file = pathToFileURL(join(dirname(process.env.SAMARA), 'web/page.html')).href;
const template = pathToFileURL(join(web, 'static/index.html')).href;

/** Opens a file that looks for its server at `address`, and hears of every fault but the requests that fail. */
async function openFile(browser, address, state, where = file) {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(patience);
  page.faults = [];
  page.on('pageerror', error => page.faults.push(error.message));
  page.on('console', m => m.type() === 'error' && !/ERR_|CORS|Failed to load/.test(m.text()) && page.faults.push(m.text()));
  await page.goto(where);
  if (state) {
    await page.evaluate(a => localStorage.setItem('samara.server', a), address);
    await page.reload();
    await page.waitForSelector(`#status[data-state=${state}]`, { state: 'attached' });
  }
  return page;
}

test('a page opened as a file', { timeout: 3 * patience }, async t => {
  const browser = await launch();
  const willing = await serve(0, '--origin', 'null');
  const closed = await serve();
  const stop = new URL(closed.address).origin;
  const pages = [];
  const look = async (...args) => (pages.push(await openFile(browser, ...args)), pages.at(-1));
  try {
    await t.test('finds a server that allows it, and analyses and plays', async () => {
      const page = await look(new URL(willing.address).origin, 'online');
      assert.equal(await page.isHidden('#away'), true);
      await depth(page, 6);
      await type(page, 'e4');
      await page.waitForFunction(() => document.getElementById('opening').textContent.startsWith('B00'));
      await page.reload();
      await page.waitForSelector('#status[data-state=online]', { state: 'attached' });
      await page.waitForFunction(() => window.samara.tree.mainline().length === 1);
      assert.deepEqual(await sans(page), ['e4']);
      await shoot(page, 'file');
    });
    await t.test('says what to do where the server does not allow it, and takes another address', async () => {
      const page = await look(stop, 'away');
      assert.match(await page.textContent('#away'), /opened as a file.*samara serve --origin null.*or open the page of a server/);
      assert.equal(await page.getAttribute('#away a', 'href'), `${stop}/`);
      await shoot(page, 'file-closed');
      await page.click('#away button');
      await page.fill('#server', new URL(willing.address).host);
      await page.click('#server-done');
      await page.waitForSelector('#status[data-state=online]', { state: 'attached' });
    });
    await t.test('says that no server is there', async () => {
      const page = await look('http://127.0.0.1:9', 'away');
      assert.match(await page.textContent('#away'), /opened as a file, and no Samara at http:\/\/127\.0\.0\.1:9 answers it/);
      await type(page, 'd4');
      assert.deepEqual(await sans(page), ['d4']);
    });
    await t.test('the template among the sources says where the page is', async () => {
      const page = await look('', '', template);
      assert.equal(await page.isVisible('.unserved'), true);
      assert.match(await page.textContent('.unserved'), /samara serve/);
    });
    assert.deepEqual(pages.flatMap(page => page.faults), []);
  } finally {
    await browser.close();
    await Promise.all([willing.stop(), closed.stop()]);
  }
});
