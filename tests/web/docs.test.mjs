// SPDX-License-Identifier: GPL-3.0-or-later
/* The documentation page: every route is there, its example can be tried, and nothing comes from elsewhere. */

import assert from 'node:assert/strict';
import { patience, shoot } from './page.mjs';
import { noSeriousFault, run, s } from './suite.mjs';

async function docs(options = {}) {
  const page = await (await s.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage();
  page.setDefaultTimeout(patience);
  page.faults = [];
  page.on('pageerror', error => page.faults.push(`error: ${error.message}`));
  page.on('console', message => message.type() === 'error' && !/status of 4\d\d/.test(message.text()) && page.faults.push(`console: ${message.text()}`));
  page.on('request', request => !request.url().startsWith(s.server.address) && !/^data:/.test(request.url()) && page.faults.push(`outside: ${request.url()}`));
  await page.goto(`${s.server.address}docs`);
  await page.waitForSelector('.route');
  s.pages.push(page);
  return page;
}

run('every route of the description has its place, and it is light', async () => {
  const page = await docs();
  const paths = await page.evaluate(async () => {
    const { paths } = await (await fetch('/api/v1/openapi.json')).json();
    return Object.entries(paths).flatMap(([path, item]) => Object.keys(item).filter(m => m !== 'parameters').map(m => item[m].operationId));
  });
  for (const id of paths) assert.equal(await page.locator(`#${id}`).count(), 1, id);
  const bytes = await page.evaluate(() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).filter(e => !e.name.includes('/api/')).reduce((sum, e) => sum + e.encodedBodySize, 0));
  assert.ok(bytes > 1000 && bytes < 60000, `${bytes} bytes`);
});

run('the examples can be tried', async () => {
  const page = await docs();
  const attempt = async id => {
    await page.click(`#${id} .try`);
    await page.waitForFunction(i => /^\d{3} .* ms$/.test(document.querySelector(`#${i} .answer p`)?.textContent ?? ''), id);
    return { head: await page.textContent(`#${id} .answer p`), body: await page.textContent(`#${id} .answer pre`) };
  };
  for (const id of ['findMove', 'analysePosition', 'analyse', 'analyseBatch', 'listLegalMoves', 'explore', 'getHealth', 'addGames']) {
    const { head, body } = await attempt(id);
    assert.match(head, /^20\d/, `${id}: ${head} ${body}`);
    assert.match(body, /"status": "ok"/, id);
  }
  await attempt('drawBoard');
  await page.waitForSelector('#drawBoard .answer img');
  await page.click('#streamAnalysis .try');
  await page.waitForFunction(() => /event: (info|done)/.test(document.querySelector('#streamAnalysis .answer pre').textContent));
  await page.fill('#listLegalMoves input[aria-label=fen]', 'nonsense');
  assert.match(await page.textContent('#listLegalMoves .curl'), /legal\?fen=nonsense/);
  assert.match((await attempt('listLegalMoves')).head, /^400/);
  await shoot(page, 'docs');
});

for (const [width, height] of [[390, 844], [1440, 900]])
  for (const colorScheme of ['light', 'dark'])
    run(`no serious fault of accessibility, ${width}x${height}, ${colorScheme}`, async () => {
      const page = await docs({ viewport: { width, height }, colorScheme });
      await shoot(page, `docs-${width}-${colorScheme}`);
      await noSeriousFault(page, 'docs');
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    });
