// SPDX-License-Identifier: GPL-3.0-or-later
/* suite.mjs -- a server, a browser, and one fresh page per test that must stay without any fault. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { launch, open, patience, serve, web } from './page.mjs';

export const s = { server: undefined, browser: undefined, pages: [] };

before(async () => {
  s.server = await serve();
  s.browser = await launch();
});
after(async () => {
  await s.browser?.close();
  assert.equal(await s.server?.stop(), 0);
});
afterEach(async () => {
  const faults = s.pages.flatMap(page => page.faults);
  for (const context of new Set(s.pages.map(page => page.context()))) await context.close();
  s.pages = [];
  assert.deepEqual(faults, []);
});

export const run = (name, body) => test(name, { timeout: 3 * patience }, body);

/** A page of its own browser profile; closed and looked over for faults after the test. */
export async function fresh(options = {}) {
  const { address = s.server.address, ...rest } = options;
  const page = await open(s.browser, address, rest);
  s.pages.push(page);
  return page;
}

/** Another tab of the same profile. */
export async function tab(page, options = {}) {
  const other = await open(page.context(), options.address ?? s.server.address, options);
  s.pages.push(other);
  return other;
}

/** Waits until a question has the answer yes: what the page does with its next frame cannot be asked at once. */
export async function until(question, what) {
  for (const end = Date.now() + patience; !(await question()); await new Promise(resolve => setTimeout(resolve, 25)))
    assert.ok(Date.now() < end, `not within ${patience / 1000} s: ${what}`);
}

export const live = page => page.textContent('#live');

const axe = readFileSync(join(web, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** No serious finding of axe-core, colour contrast included. */
export async function noSeriousFault(page, where) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations);
  const serious = found.filter(v => v.impact === 'serious' || v.impact === 'critical');
  assert.deepEqual(serious.map(v => `${where}: ${v.id}: ${v.nodes.map(n => n.target).join(' ')}`), []);
}
