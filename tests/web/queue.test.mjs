// SPDX-License-Identifier: GPL-3.0-or-later
/* The page for administrators: what waits and works, a dead letter that is sent again and one that is dropped; at the size of a phone
 * and of a desk, without a serious fault of axe. The queue is a file here, so that no Redis is needed. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { patience, serve, shoot } from './page.mjs';
import { noSeriousFault, run, s, until } from './suite.mjs';

const folder = mkdtempSync(join(tmpdir(), 'samara-queue-'));
const broker = ['--broker', `sqlite:${join(folder, 'queue.db')}`];
const workers = [];
let front;

before(async () => { front = await serve(0, ...broker); });
after(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await front?.stop();
  rmSync(folder, { recursive: true });
});

/** One attempt for each job, so that a worker that is killed leaves a dead letter. */
function work() {
  const worker = spawn(process.env.SAMARA, ['work', ...broker, '--threads', '1', '--lease', '1000', '--attempts', '1'], { stdio: 'ignore' });
  workers.push(worker);
  return worker;
}

const status = async () => (await fetch(`${front.address}api/v1/queue`)).json();

/** A search whose worker is killed. */
async function deadLetter(number) {
  const worker = work();
  const answer = fetch(`${front.address}api/v1/analyse`, { method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ movetime: 9900 + number }) });
  await until(async () => (await status()).leased === 1, 'a worker takes the job');
  worker.kill('SIGKILL');
  const next = work(); // finds out that the first one is gone
  await answer;
  await until(async () => (await status()).dead.length > 0, 'a dead letter');
  next.kill('SIGKILL');
}

async function look(width, height) {
  const page = await (await s.browser.newContext({ viewport: { width, height } })).newPage();
  page.setDefaultTimeout(patience);
  page.faults = [];
  page.on('pageerror', error => page.faults.push(`error: ${error.message}`));
  page.on('console', message => message.type() === 'error' && page.faults.push(`console: ${message.text()}`));
  page.on('request', request => !request.url().startsWith(front.address) && !/^data:/.test(request.url()) && page.faults.push(`outside: ${request.url()}`));
  await page.goto(`${front.address}ui/queue.html`);
  await page.waitForFunction(() => /jobs are worked on/.test(document.querySelector('#state').textContent));
  s.pages.push(page);
  return page;
}

run('a dead letter is seen, sent again and dropped; nothing is wider than the screen', async () => {
  await deadLetter(1);
  for (const [width, height] of [[390, 844], [1366, 768]]) {
    const page = await look(width, height);
    await page.waitForSelector('#dead td');
    assert.match(await page.textContent('#dead'), /analyse.*its worker vanished/);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} pixels too wide at ${width}`);
    await noSeriousFault(page, `queue at ${width}`);
    await shoot(page, `queue-${width}`, true);
  }
  const page = s.pages.at(-1);
  await page.click('#dead button:text-is("Retry")');
  await until(async () => (await status()).dead.length === 0, 'it is sent again');
  const worker = work();
  await until(async () => (await status()).leased === 1, 'somebody takes it');
  await page.waitForFunction(() => /engine=Samara/.test(document.querySelector('#workers').textContent));
  worker.kill('SIGKILL');
  work();
  await page.waitForSelector('#dead td');
  await page.click('#dead button:text-is("Drop all")');
  await until(async () => (await status()).dead.length === 0, 'it is dropped');
  await page.waitForFunction(() => !document.querySelector('#dead td'));
});

run('a server that needs a token says so, and the token opens the page', async () => {
  const locked = await serve(0, ...broker, '--token', 'sesame-sesame-sesame');
  const page = await (await s.browser.newContext()).newPage();
  page.faults = [];
  s.pages.push(page);
  await page.goto(`${locked.address}ui/queue.html`);
  await page.waitForFunction(() => /token/i.test(document.querySelector('#state').textContent));
  await page.fill('#token', 'sesame-sesame-sesame');
  await page.press('#token', 'Tab');
  await page.waitForFunction(() => /jobs are worked on/.test(document.querySelector('#state').textContent));
  await page.context().close();
  s.pages = [];
  await locked.stop();
});
