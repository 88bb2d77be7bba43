// SPDX-License-Identifier: GPL-3.0-or-later
/* browser.test.mjs -- the engine inside the page, in Chromium: both builds, a plain host of files, no network, two tabs, a worker that dies,
 * and a server that goes away in the middle of a game. SAMARA_PAGE is the folder of a built page, SAMARA the server. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, patience, serve } from '../web/page.mjs';
import { hostFiles } from './host.mjs';

const { SAMARA_PACKAGE: folder, SAMARA_PAGE: pageFolder, SAMARA_SIGNATURE: signatureFile } = process.env;
if (!existsSync(join(folder, 'samara.wasm')) || !/samara-engine/.test(readFileSync(join(pageFolder, 'index.html'), 'utf8'))) {
  console.log('skipped: the page was built without an engine (cmake --preset wasm, then build again)');
  process.exit(77);
}
const signature = Number(readFileSync(signatureFile, 'utf8'));
const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

const run = (name, ...rest) => test(name, { timeout: 3 * patience, ...(rest.length > 1 ? rest[0] : {}) }, rest.at(-1));

/* A tab of a profile of its own, or of the given one. Errors of the page fail the test that looks at `faults`. */
async function visit(address, context) {
  const page = await (context ?? (await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' }))).newPage();
  page.setDefaultTimeout(patience);
  page.faults = [];
  page.on('pageerror', error => page.faults.push(error.message));
  await page.goto(address);
  await page.waitForSelector('#status[data-state=online]', { state: 'attached' });
  return page;
}

const state = (page, what) => page.evaluate(`window.samara.state.${what}`);
const until = (page, condition) => page.waitForFunction(`window.samara && (() => { const s = window.samara.state; return ${condition}; })()`, undefined, { polling: 200 }); // a tab behind others draws no frames

/* Resolves when the browser has kept the page and the engine. */
async function kept(page) {
  for (let i = 0; ; i++) {
    const files = await page.evaluate(async () => {
      const names = (await caches.keys()).filter(name => name.startsWith('samara'));
      return names.length ? (await (await caches.open(names[0])).keys()).map(request => request.url) : [];
    });
    if (files.filter(url => url.endsWith('.wasm')).length === 2) return files;
    assert.ok(i < 300, `the engine is not kept: ${files}`);
    await new Promise(resolve => setTimeout(resolve, 300));
  }
}

const startGame = page => page.evaluate(fen => window.samara.app.actions.startGame({ fen, chess960: false, side: 'white', elo: 1500, depth: undefined, control: { initial: 300000, increment: 3000 }, showEval: false }), start);
const playMove = (page, uci) => page.evaluate(move => window.samara.app.actions.userMove(move), uci);
const plies = (page, count) => page.waitForFunction(n => window.samara.tree.mainline().length >= n, count, { polling: 200 });

for (const [name, headers, threaded] of [['one thread', {}, false], ['threads', isolation, true]])
  run(`the signature in Chromium, ${name}`, async () => {
    const host = await hostFiles(folder, '/', headers);
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${host.address}example/index.html`);
    const found = await page.evaluate(async () => {
      const { Engine } = await import('../index.js');
      const engine = new Engine({ threads: 2 });
      const bench = await engine.bench();
      const began = performance.now();
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 500);
      await engine.analyse({}, {}, { signal: abort.signal }).catch(() => undefined);
      const next = await engine.analyse({}, { depth: 2 });
      const ended = performance.now() - began;
      const infinite = [];
      engine.onLine(line => line.startsWith('bestmove') && infinite.push(line));
      engine.send('position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1');
      engine.send('go infinite');
      await new Promise(resolve => setTimeout(resolve, 1500));
      const early = infinite.length;
      engine.send('stop');
      for (let i = 0; i < 100 && !infinite.length; i++) await new Promise(resolve => setTimeout(resolve, 50));
      return { threaded: engine.threaded, nodes: bench.nodes, nps: bench.nps, next: next.bestmove, ended, early, infinite };
    });
    console.log(`# ${name}: ${found.nps} nodes/s`);
    assert.equal(found.threaded, threaded);
    assert.equal(found.nodes, signature);
    assert.ok(found.next && found.ended < 20000, `a stopped search ends (${found.ended} ms)`);
    assert.equal(found.early, 0, 'an infinite search keeps its answer back');
    assert.equal(found.infinite.length, 1, 'and gives it when it is stopped');
    await page.context().close();
    await host.stop();
  });

run('a plain host, a subfolder, no network: analysis, game, report, explanation', async () => {
  const host = await hostFiles(pageFolder, '/games/samara/');
  const page = await visit(host.address);
  await until(page, "s.analysis.known?.depth >= 6 && s.analysis.known.lines.length === 3");
  assert.equal(await page.evaluate(() => crossOriginIsolated), false, 'this host sends no headers');
  const files = await kept(page);
  assert.ok(files.every(url => url.startsWith(host.address)), files.join());
  assert.ok(!host.requests.some(path => !path.startsWith('/games/samara/')), 'nothing is asked for outside the folder');
  await host.stop();

  const began = Date.now();
  await page.reload();
  await page.waitForSelector('#status[data-state=online]', { state: 'attached' });
  assert.equal(await page.evaluate(() => crossOriginIsolated), true, 'the service worker adds the headers');
  await startGame(page);
  await playMove(page, 'f2f3');
  await plies(page, 2);
  const firstMove = Date.now() - began;
  console.log(`# first move ${firstMove} ms after the reload`);
  if (process.env.SAMARA_IDLE === '1') assert.ok(firstMove < 1000, `${firstMove} ms`);

  for (const move of ['g2g4']) await playMove(page, move);
  await plies(page, 4);
  await page.evaluate(() => window.samara.app.actions.resign());
  await page.evaluate(() => window.samara.app.actions.leaveGame('analyse'));
  await page.evaluate(() => window.samara.app.actions.wantReport());
  await until(page, "s.report.data && !s.report.running");
  const report = await state(page, 'report.data');
  assert.equal(report.moves[0].san, 'f3');
  assert.ok(report.white.accuracy !== null && report.moves.length >= 4);

  const why = await page.evaluate(fen => window.samara.app.engine.explain({ fen, moves: ['f2f3', 'e7e5'], chess960: false }, 'g2g4', 'en', new AbortController().signal), start);
  assert.match(why.text, /mate/);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

run('two tabs share nothing but the files', async () => {
  const host = await hostFiles(pageFolder, '/');
  const one = await visit(host.address);
  const two = await visit(host.address, one.context());
  await one.bringToFront();
  await playMove(one, 'e2e4');
  await until(one, "s.analysis.known?.fen?.includes(' b ') && s.analysis.known.depth >= 5");
  await two.bringToFront();
  await until(two, "s.analysis.known?.fen?.includes(' w ') && s.analysis.known.depth >= 5");
  assert.equal((await two.evaluate(() => window.samara.tree.mainline().length)), 0);
  assert.deepEqual([...one.faults, ...two.faults], []);
  await one.context().close();
  await host.stop();
});

run('a worker that is ended is started again', async () => {
  const host = await hostFiles(pageFolder, '/', isolation);
  const page = await visit(host.address);
  await until(page, 's.analysis.known?.depth >= 5');
  const workers = page.workers();
  assert.ok(workers.length >= 1);
  const session = await page.context().newCDPSession(page);
  const { targetInfos } = await session.send('Target.getTargets');
  for (const { targetId } of targetInfos.filter(info => info.type === 'worker' || info.type === 'service_worker')) await session.send('Target.closeTarget', { targetId }).catch(() => undefined);
  await Promise.all(workers.map(worker => worker.evaluate(() => self.close()).catch(() => undefined)));
  await playMove(page, 'd2d4');
  await until(page, "s.analysis.known?.fen?.includes(' b ') && s.analysis.known.depth >= 5");
  await page.context().close();
  await host.stop();
});

run('a hidden tab does not search', async () => {
  const host = await hostFiles(pageFolder, '/', isolation);
  const page = await visit(host.address);
  await until(page, 's.analysis.running && s.analysis.known?.depth >= 3');
  await page.evaluate(() => window.samara.app.store.set({ visible: false }));
  await until(page, '!s.analysis.running');
  await page.evaluate(() => window.samara.app.store.set({ visible: true }));
  await until(page, 's.analysis.running');
  await page.context().close();
  await host.stop();
});

run('the server goes in the middle of a game, the game goes on', { skip: !process.env.SAMARA }, async () => {
  const server = await serve();
  const page = await visit(server.address);
  await until(page, 's.server.online');
  assert.equal(await page.evaluate(() => crossOriginIsolated), true, 'samara serve sends the headers');
  await kept(page);
  await startGame(page);
  await playMove(page, 'e2e4');
  await plies(page, 2);
  assert.equal(await page.evaluate(() => window.samara.app.engine.kind), 'server');
  await server.stop();
  await playMove(page, 'd2d4').then(done => done || playMove(page, 'd2d3'));
  await plies(page, 4);
  assert.equal(await page.evaluate(() => window.samara.app.engine.kind), 'browser');
  await page.reload();
  await page.waitForSelector('#status[data-state=online]', { state: 'attached' });
  assert.equal(await page.evaluate(() => window.samara.tree.mainline().length), 4, 'and is there after a reload');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

run('the switch: the browser is preferred although the server is there', { skip: !process.env.SAMARA }, async () => {
  const server = await serve();
  const page = await visit(server.address);
  await until(page, "s.server.online && s.analysis.known?.depth >= 3");
  await page.selectOption('#where', 'browser');
  await until(page, 's.analysis.running || s.analysis.known?.depth >= 5');
  assert.equal(await page.evaluate(() => window.samara.app.engine.kind), 'browser');
  assert.match(await page.textContent('#status-text'), /browser/);
  await page.context().close();
  assert.equal(await server.stop(), 0);
});

run('a server that refuses: the browser answers', { skip: !process.env.SAMARA }, async () => {
  const server = await serve();
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  let status = 401;
  const asked = [];
  const refuse = route => (asked.push(status), route.fulfill({ status, json: { error: { code: 'refused', message: 'not now' } } }));
  await page.route('**/api/v1/analyse', refuse);
  await page.route('**/api/v1/stream*', refuse);
  await page.goto(server.address);
  await page.waitForFunction(() => window.samara?.state.server.online && window.samara.state.analysis.known?.depth >= 3, undefined, { polling: 200 });
  assert.ok(asked.includes(401), 'the stream was refused, and the browser has analysed');
  await startGame(page);
  const moves = [['e2e4'], ['d2d4', 'd2d3'], ['h2h3', 'h2h4'], ['a2a3', 'a2a4']];
  for (const [i, choices] of moves.entries()) {
    status = [401, 403, 429, 503][i];
    for (const move of choices) if (await playMove(page, move)) break;
    await plies(page, 2 * i + 2);
    assert.equal(asked.at(-1), status, `the server was asked and said ${status}`);
    assert.equal(await page.evaluate(() => window.samara.app.engine.kind), 'server', 'and is asked again next time');
  }
  await context.close();
  assert.equal(await server.stop(), 0);
});

/* The page as its next version would be: another script, another style, another service worker; the old files are gone. */
function nextVersion(folder) {
  const next = mkdtempSync(join(tmpdir(), 'samara-next-'));
  cpSync(folder, next, { recursive: true });
  let [page, worker] = ['index.html', 'sw.js'].map(name => readFileSync(join(next, name), 'utf8'));
  for (const [pattern, change] of [[/^board-(\w+)\.js$/, 'window.pageVersion = 2;'], [/^board-(\w+)\.css$/, ':root { --page-version: 2; }']]) {
    const old = readdirSync(join(next, 'ui')).find(name => pattern.test(name));
    const name = old.replace(pattern.exec(old)[1], '222222222222');
    renameSync(join(next, 'ui', old), join(next, 'ui', name));
    writeFileSync(join(next, 'ui', name), change + readFileSync(join(next, 'ui', name), 'utf8'));
    [page, worker] = [page, worker].map(text => text.replaceAll(old, name));
  }
  writeFileSync(join(next, 'index.html'), page);
  writeFileSync(join(next, 'sw.js'), `${worker.replace(/"[0-9a-f]{12}"/, '"222222222222"')}`);
  return next;
}

run('the next version of the page comes as a whole', async () => {
  const next = nextVersion(pageFolder);
  const host = await hostFiles(pageFolder, '/');
  const page = await visit(host.address);
  const version = () => page.evaluate(() => [window.pageVersion ?? 1, Number(getComputedStyle(document.documentElement).getPropertyValue('--page-version') || 1)].join());
  const stores = () => page.evaluate(async () => (await caches.keys()).filter(name => name.startsWith('samara')));
  await kept(page);
  assert.equal(await version(), '1,1');
  const [old] = await stores();
  await playMove(page, 'e2e4');
  await page.waitForTimeout(600); // it is kept

  host.folder = next;
  await page.reload();
  await page.waitForSelector('html:not(.starting)');
  assert.equal(await version(), '1,1', 'this visit has the old page, all of it');
  await page.waitForFunction(async () => !!(await navigator.serviceWorker.getRegistration())?.waiting, undefined, { polling: 200 });

  const other = await visit(host.address, page.context());
  await other.waitForTimeout(500);
  assert.deepEqual((await stores()).length, 2, 'not while two tabs are open');
  await other.close();
  await page.reload();
  await page.waitForFunction(() => window.pageVersion === 2, undefined, { polling: 100 });
  await page.waitForSelector('html:not(.starting)');
  assert.equal(await version(), '2,2');
  for (let i = 0; (await stores()).includes(old); i++) {
    assert.ok(i < 100, 'the old one is still kept');
    await page.waitForTimeout(100);
  }
  await page.reload();
  await page.waitForSelector('html:not(.starting)');
  assert.equal(await version(), '2,2');
  assert.deepEqual(await page.evaluate(() => window.samara.tree.mainline().map(n => n.san)), ['e4'], 'the game has stayed');
  await host.stop();
  await page.reload();
  await page.waitForSelector('html:not(.starting)');
  assert.equal(await version(), '2,2', 'without a network, too');
  assert.deepEqual(page.faults, []);
  await page.context().close();
  rmSync(next, { recursive: true });
});
