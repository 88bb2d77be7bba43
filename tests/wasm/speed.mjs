// SPDX-License-Identifier: GPL-3.0-or-later
/* speed.mjs -- the engine in Chromium against the same search natively, in one run: SAMARA_NATIVE is a native program, held to its
 * SSE4.1 kernels. Times mean something on an idle machine only; with SAMARA_IDLE=1 the figures must hold. */
import { spawnSync } from 'node:child_process';
import assert from 'node:assert/strict';
import { launch } from '../web/page.mjs';
import { hostFiles } from './host.mjs';

const rounds = 3;
const middlegame = 'r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R2Q1RK1 w - - 0 9';
const idle = process.env.SAMARA_IDLE === '1';

function native() {
  const { stdout } = spawnSync(process.env.SAMARA_NATIVE, ['bench'], { encoding: 'utf8', env: { ...process.env, SAMARA_SIMD: 'sse4.1' } });
  return Number(/Nodes\/second: (\d+)/.exec(stdout)[1]);
}

const host = await hostFiles(process.env.SAMARA_PACKAGE, '/', { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' });
const browser = await launch();
const page = await (await browser.newContext()).newPage();
await page.goto(`${host.address}example/index.html`);

/* The second of two runs: the browser has optimised the module by then. */
const bench = threaded => page.evaluate(async threaded => {
  const { Engine } = await import('../index.js');
  const engine = new Engine({ threaded, threads: 1 });
  await engine.bench();
  const { nps } = await engine.bench();
  engine.close();
  return nps;
}, threaded);

/* Nodes a second of three seconds with so many threads. */
const searched = threads => page.evaluate(async ([threads, fen]) => {
  const { Engine } = await import('../index.js');
  const engine = new Engine({ threaded: true, threads });
  await engine.analyse({ fen }, { movetime: 1000, threads });
  const { nodes, time_ms: time } = await engine.analyse({ fen }, { movetime: 3000, threads });
  engine.close();
  return (1000 * nodes) / time;
}, [threads, middlegame]);

const median = values => values.sort((a, b) => a - b)[values.length >> 1];
const found = { native: [], single: [], threaded: [], one: [], two: [] };
for (let i = 0; i < rounds; i++) {
  found.native.push(native());
  found.single.push(await bench(false));
  found.threaded.push(await bench(true));
  found.one.push(await searched(1));
  found.two.push(await searched(2));
}
await browser.close();
await host.stop();
const nps = Object.fromEntries(Object.entries(found).map(([name, values]) => [name, median(values)]));
const shares = { single: nps.single / nps.native, threaded: nps.threaded / nps.native, two: nps.two / nps.one };
console.log(`nodes a second: native ${nps.native}, Chromium ${nps.single} (one thread), ${nps.threaded} (build with threads)`);
console.log(`of native: ${shares.single.toFixed(2)} and ${shares.threaded.toFixed(2)}; two threads against one: ${shares.two.toFixed(2)}`);
if (idle) {
  assert.ok(shares.single >= 0.5 && shares.threaded >= 0.5, 'at least half of the native speed');
  assert.ok(shares.two >= 1.6, 'two threads are 1.6 times one');
}
process.exit(0);
