// SPDX-License-Identifier: GPL-3.0-or-later
/* Playing against Samara, as people expect it. */

import assert from 'node:assert/strict';
import { answers, arrows, depth, drag, paste, play, plies, sans, shoot, type } from './page.mjs';
import { fresh, run } from './suite.mjs';

const planned = page => page.evaluate(() => window.samara.app.board.ground.state.premovable.current?.join(''));

run('a move can be made before the answer has come; one that is no longer legal is forgotten', async () => {
  const page = await fresh();
  const answer = await answers(page, 'd7d5', 'e7e6');
  await play(page);
  await drag(page, 'e2', 'e4');
  await page.waitForFunction(() => window.samara.node.san === 'e4');
  await drag(page, 'e4', 'd5'); // Samara still thinks
  assert.equal(await planned(page), 'e4d5');
  await shoot(page, 'premove');
  await answer();
  await page.waitForFunction(() => window.samara.tree.mainline()[2]?.san === 'exd5');
  await drag(page, 'd5', 'c6');
  assert.equal(await planned(page), 'd5c6');
  await answer();
  await plies(page, 4);
  await page.waitForFunction(() => !window.samara.app.board.ground.state.premovable.current);
  assert.deepEqual(await sans(page), ['e4', 'd5', 'exd5', 'e6']);
});

run('evaluation and depth are shown while playing if that was wanted, and only then', async () => {
  const page = await fresh();
  await play(page, { showEval: true });
  await depth(page, 4);
  assert.equal(await page.isVisible('#gauge'), true);
  assert.match(await page.textContent('#score'), /^[+-]?\d/);
  await type(page, 'e4');
  await plies(page, 2);
  await depth(page, 4);
  await arrows(page, 1);
});

run('Samara plays to a depth', async () => {
  const page = await fresh();
  await play(page, { depth: 3 });
  const asked = page.waitForRequest(r => r.url().endsWith('/api/v1/analyse'));
  await type(page, 'e4');
  assert.deepEqual(JSON.parse((await asked).postData()).depth, 3);
  await plies(page, 2);
  assert.match(await page.textContent('#player-top'), /depth 3/);
});

run('a level opens as people do: 1. d4 is answered from the book, and not always in the same way', async () => {
  const page = await fresh();
  const replies = new Set();
  for (let game = 0; game < 8; game++) {
    await play(page, { level: '1500' });
    await type(page, 'd4');
    await plies(page, 2);
    replies.add((await sans(page))[1]);
    await page.click('#resign');
    await page.click('#ask-yes');
    await page.waitForSelector('#dialog-end[open]');
    await page.click('#dialog-end .close');
  }
  assert.ok(!replies.has('h5') && replies.size > 1, [...replies].join());
  for (const reply of replies) assert.ok(['Nf6', 'd5', 'e6', 'c5', 'd6', 'g6', 'c6', 'f5'].includes(reply), reply);
});

run('captured men and who is ahead', async () => {
  const page = await fresh();
  await paste(page, '4k3/pp6/8/8/8/8/PPP5/R3K3 w - - 0 1');
  await page.waitForSelector('#player-bottom .captured');
  assert.equal(await page.getAttribute('#player-bottom .captured', 'aria-label'), 'Ahead by: black rook, black pawn');
  assert.match(await page.textContent('#player-bottom'), /\+6/);
  assert.equal(await page.locator('#player-top .captured').count(), 0);
});

run('a control of one’s own, and a flag that falls', async () => {
  const page = await fresh();
  await page.click('#mode-play');
  await page.selectOption('#time', 'custom');
  await page.fill('#minutes', '0.25');
  await page.fill('#increment', '0');
  await page.click('#dialog-new button.primary');
  await page.waitForFunction(() => window.samara.playing);
  assert.deepEqual(await page.evaluate(() => window.samara.state.play.challenge.control), { initial: 15000, increment: 0 });
  await type(page, 'e4');
  await plies(page, 2);
  await page.evaluate(() => window.samara.state.play.clock.set('white', 500));
  await page.waitForSelector('#dialog-end[open]');
  assert.match(await page.textContent('#end-reason'), /0–1 · time/);
});

run('the end: result, accuracy, rematch with colours changed', async () => {
  const page = await fresh();
  await paste(page, 'r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4');
  await page.waitForFunction(() => window.samara.node.fen.startsWith('r1bqkb1r'));
  await play(page, { from: 'here', depth: 1 });
  await type(page, 'Qxf7#');
  await page.waitForSelector('#dialog-end[open]');
  assert.match(await page.textContent('#end-title'), /You win/);
  assert.match(await page.textContent('#end-reason'), /1–0 · checkmate/);
  await page.click('#end-again');
  await page.waitForFunction(() => window.samara.orientation === 'black' && window.samara.tree.tags.get('Black') === 'You');
  await plies(page, 1);
});

run('accuracy comes into the dialog at the end, and the report opens from it', async () => {
  const page = await fresh();
  await play(page, { depth: 1 });
  for (const [i, move] of ['e4', 'Nf3', 'd3'].entries()) {
    await type(page, move);
    await plies(page, 2 * i + 2);
  }
  await page.click('#resign');
  await page.click('#ask-yes');
  await page.waitForSelector('#end-sides .accuracy');
  assert.match(await page.textContent('#end-sides'), /You\s*\d+ %/);
  await shoot(page, 'end');
  await page.click('#end-review');
  assert.equal(await page.evaluate(() => document.body.dataset.mode), 'analyse');
  assert.equal(await page.isVisible('#report .sides'), true);
});

run('a whole game is played until somebody is mated', async () => {
  const page = await fresh();
  await play(page);
  await type(page, 'e4');
  await plies(page, 2);
  // the person plays what the server finds best: the weakest level loses within a hundred moves
  for (let i = 0; i < 100 && (await page.evaluate(() => window.samara.playing)); i++) {
    const answer = await page.evaluate(async () => {
      const r = await fetch('/move', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ fen: window.samara.node.fen, depth: 6 }) });
      return r.json();
    });
    await type(page, answer.move);
    await page.waitForFunction(n => window.samara.tree.mainline().length > n || !window.samara.playing, 2 * i + 3);
  }
  const result = await page.evaluate(() => window.samara.tree.tags.get('Result'));
  assert.ok(['1-0', '1/2-1/2'].includes(result), result);
  assert.match(await page.textContent('#game-state'), /You win|Draw/);
  await page.waitForSelector('#dialog-end[open]');
});
