// SPDX-License-Identifier: GPL-3.0-or-later
/* node.mjs -- the package in node, both builds: signature, typed calls, ends, levels, errors. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.SAMARA_PACKAGE;
if (!existsSync(join(folder, 'samara.wasm'))) {
  console.log('skipped: there is no package (cmake --preset wasm)');
  process.exit(77);
}
const { Engine } = await import(join(folder, 'index.js'));
const signature = Number(readFileSync(process.env.SAMARA_SIGNATURE, 'utf8'));
const scholar = '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0';
const reports = [];

for (const threaded of [false, true]) {
  const engine = new Engine({ threaded, threads: 2 });
  const name = threaded ? 'threads' : 'single';
  assert.equal(engine.threaded, threaded);

  assert.equal((await engine.bench()).nodes, signature, `${name}: the bench signature`);

  const depths = [];
  const found = await engine.analyse({ moves: ['e4', 'e5'] }, { depth: 9, multipv: 3 }, { onInfo: a => depths.push(a.depth) });
  assert.equal(found.lines.length, 3);
  assert.equal(found.depth, 9);
  assert.equal(found.bestmove, found.lines[0].uci[0]);
  assert.ok(depths.includes(5) && depths.includes(9), `${name}: iterations are heard: ${depths}`);

  const black = await engine.analyse({ fen: '4k3/8/8/8/8/8/8/q3K3 w - - 0 1' }, { depth: 6 });
  assert.ok(black.lines[0].score.mate < 0 || black.lines[0].score.cp < -500, 'scores are the view of White');

  const over = await engine.analyse({ moves: ['f3', 'e5', 'g4', 'Qh4'] }, { depth: 4 });
  assert.deepEqual([over.status, over.reason, over.result], ['game_over', 'checkmate', '0-1']);

  const level = await engine.analyse({}, { elo: 800, seed: 3, movetime: 2000 });
  assert.ok(level.bestmove && level.depth < 8, `${name}: a level searches little`);

  const began = performance.now();
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 300);
  await assert.rejects(engine.analyse({}, {}, { signal: abort.signal }), { name: 'AbortError' });
  await engine.analyse({}, { depth: 1 });
  assert.ok(performance.now() - began < 5000, `${name}: an endless search ends`);

  const why = await engine.explain({ moves: ['f3', 'e5'] }, 'g4');
  assert.equal(why.judgement, 'blunder');
  assert.match(why.text, /mate/);
  assert.match((await engine.explain({ moves: ['f3', 'e5'] }, 'g4', { language: 'fi' })).text, /mat/);

  const steps = [];
  const report = await engine.report(scholar, { nodes: 20000, onProgress: p => steps.push(p) });
  assert.equal(report.moves[5].judgement, 'blunder');
  assert.ok(steps.length >= 7 && steps.at(-1).done === 7);
  reports.push(JSON.stringify(report));

  const giveUp = new AbortController();
  await assert.rejects(engine.report(scholar, { nodes: 5000000, signal: giveUp.signal, onProgress: () => giveUp.abort() }), { name: 'AbortError' });

  await assert.rejects(engine.analyse({ fen: 'nonsense' }, { depth: 1 }), error => error.code !== undefined);
  await assert.rejects(engine.analyse({}, { depth: 1, searchmoves: ['e2e5'] }), { code: 'ILLEGAL_MOVE' });
  await assert.rejects(engine.analyse({}, { depth: -1 }), { code: 'out_of_range' });
  await assert.rejects(engine.analyse({}, { pony: 1 }), { code: 'bad_field' });
  await assert.rejects(engine.report('no game here'), { code: 'bad_pgn' });
  await assert.rejects(engine.explain({}, 'e2e4', { language: 'xx' }), { code: 'out_of_range' });
  await assert.rejects(engine.analyse({}, { depth: 1, threads: 1000 }), { code: 'NO_THREADS' });

  await assert.rejects(engine.analyse({}, { depth: 1, hash: 4096 }), { name: 'EngineError' }, `${name}: more memory than the ceiling is refused`);
  assert.ok((await engine.analyse({}, { depth: 1 })).bestmove, `${name}: and the engine goes on`);

  const knight = await engine.analyse({ fen: '8/8/8/3k4/8/8/8/KBN5 w - - 0 1' }, { depth: 3 });
  assert.ok(knight.bestmove, 'bishop and knight are solved here, too');

  if (threaded) assert.equal((await engine.ask('go depth 12', 'bestmove')).filter(line => line.startsWith('bestmove')).length, 1);
  engine.close();
  await assert.rejects(engine.analyse({}, { depth: 1 }), { code: 'closed' });
  console.log(`${name}: ok`);
}
assert.equal(reports[0], reports[1], 'the same report from both builds');
process.exit(0);
