// SPDX-License-Identifier: GPL-3.0-or-later
/* page.mjs -- a server, a browser and small words for what a person does with the page. */

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const web = join(fileURLToPath(import.meta.url), '../../../web');
const require = createRequire(pathToFileURL(join(web, 'package.json')));
const { chromium } = require('playwright-core');

const chromiumPath = process.env.SAMARA_CHROMIUM ?? '/usr/bin/chromium';
const switches = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--autoplay-policy=no-user-gesture-required'];
export const patience = 120000; // the machine may be busy with many other things
export const shots = process.env.SAMARA_SHOTS; // a folder for pictures, or undefined

/** Starts `samara serve` on a free port (or the given one). */
export async function serve(port = 0, ...options) {
  const child = spawn(process.env.SAMARA, ['serve', '--port', String(port), '--no-store', '--hash', '8', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', data => {
      text += data;
      const found = /http:\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on('exit', code => reject(new Error(`the server ended with ${code}`)));
  });
  const stop = () => new Promise(resolve => {
    if (child.exitCode !== null) return resolve(child.exitCode);
    child.on('exit', resolve);
    child.kill('SIGTERM');
  });
  return { address, port: Number(new URL(address).port), stop };
}

export const launch = () => chromium.launch({ executablePath: chromiumPath, args: switches });

/* As if the page had been built without an engine of its own, which would step in for the server. */
const withoutEngine = () => new MutationObserver(() => document.querySelector('meta[name=samara-engine]')?.remove()).observe(document, { childList: true, subtree: true });

/** A page that fails the test on any error, complaint of the browser or request to elsewhere. */
export async function open(browser, address, options = {}) {
  const { hash = '', engine = true, ...context } = options;
  const profile = browser.newContext ? await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...context }) : browser;
  const page = await profile.newPage();
  if (!engine) await page.addInitScript(withoutEngine);
  page.setDefaultTimeout(patience);
  page.faults = [];
  page.on('pageerror', error => page.faults.push(`error: ${error.message}`));
  page.on('console', message => {
    if (message.type() === 'error' && !/ERR_CONNECTION|Failed to load resource/.test(message.text())) page.faults.push(`console: ${message.text()}`);
  });
  page.on('request', request => {
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) page.faults.push(`outside: ${request.url()}`);
  });
  await page.goto(address + hash);
  await page.waitForSelector('#status[data-state=online]', { state: 'attached' });
  await page.waitForSelector('html:not(.starting)');
  return page;
}

export const sans = page => page.evaluate(() => window.samara.tree.mainline().map(n => n.san));
export const fen = page => page.evaluate(() => window.samara.node.fen);

export async function type(page, move) {
  await page.fill('#typed', move);
  await page.press('#typed', 'Enter');
}

/** Where a square is on the screen, whichever way the board stands. */
export async function at(page, square) {
  const box = await page.locator('cg-board').boundingBox();
  const black = await page.evaluate(() => window.samara.orientation === 'black');
  const file = square.charCodeAt(0) - 97;
  const rank = Number(square[1]) - 1;
  const column = black ? 7 - file : file;
  const row = black ? rank : 7 - rank;
  return [box.x + ((column + 0.5) * box.width) / 8, box.y + ((row + 0.5) * box.height) / 8];
}

export async function drag(page, from, to) {
  await page.mouse.move(...(await at(page, from)));
  await page.mouse.down();
  await page.mouse.move(...(await at(page, to)), { steps: 5 });
  await page.mouse.up();
}

export async function click(page, square) {
  await page.mouse.click(...(await at(page, square)));
}

export const depth = (page, least) =>
  page.waitForFunction(d => Number(document.getElementById('engine').dataset.depth ?? 0) >= d && document.querySelectorAll('#pv li').length > 0, least);

/** Arrows on the board; they are drawn with the next frame. */
export const arrows = (page, least, most = Infinity) =>
  page.waitForFunction(([a, b]) => (n => n >= a && n <= (b ?? Infinity))(document.querySelectorAll('.cg-shapes line').length), [least, most === Infinity ? null : most]);

/** Loads the page again and waits until it speaks with the server. */
export async function reload(page) {
  await page.reload();
  await page.waitForSelector('#status[data-state=online]', { state: 'attached' });
}

/** Takes a game in by paste. */
export async function paste(page, text) {
  await page.evaluate(pgn => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pgn);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, text);
}

/** The game as the page exports it, without the report. */
export async function exported(page) {
  await page.click('#open-export');
  const pgn = await page.inputValue('#export-pgn');
  await page.click('#dialog-export .close');
  return pgn;
}

/** Samara's answers to come, each only when the test says so. */
export async function answers(page, ...moves) {
  const waiting = [];
  await page.route('**/api/v1/analyse', route => waiting.push(route));
  return async () => {
    while (!waiting.length) await page.waitForTimeout(20);
    const body = { status: 'ok', fen: '', bestmove: moves.shift(), depth: 1, seldepth: 1, nodes: 1, nps: 1, time_ms: 1, lines: [] };
    await waiting.shift().fulfill({ json: body });
  };
}

/** Starts a game against Samara. */
export async function play(page, { side = 'white', time = 'none', level, depth: plies, from = 'start', showEval = false, number } = {}) {
  await page.click('#mode-play');
  await page.waitForSelector('#dialog-new[open]');
  await page.locator(`input[name=side][value=${side}]`).check({ force: true });
  await page.locator(`input[name=opponent][value=${plies ? 'depth' : 'level'}]`).check({ force: true });
  if (plies) await page.locator('#play-depth').fill(String(plies));
  else await page.locator('#level').fill(level ?? (await page.getAttribute('#level', 'min')));
  await page.selectOption('#time', time);
  await page.selectOption('#from', from);
  if (number !== undefined) await page.fill('#number-960', String(number));
  await page.locator('#play-eval').setChecked(showEval);
  await page.click('#dialog-new button.primary');
  await page.waitForFunction(() => window.samara.playing);
}

export const plies = (page, count) => page.waitForFunction(n => window.samara.tree.mainline().length >= n, count);

export async function shoot(page, name, whole = false) {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: whole });
}
