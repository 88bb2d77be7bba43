// SPDX-License-Identifier: GPL-3.0-or-later
/* The rules in play, as the page tells them; tests/protocol/test_rules.py asks UCI, XBoard and HTTP the same. */

import assert from 'node:assert/strict';
import { answers, drag, fen, paste, play, plies, sans, type } from './page.mjs';
import { fresh, run } from './suite.mjs';

/** A game against Samara from this position; the person has `side`. */
async function gameFrom(position, side) {
  const page = await fresh();
  await paste(page, position);
  await page.waitForFunction(text => window.samara.node.fen.startsWith(text), position.split(' ')[0]);
  await play(page, { from: 'here', side, depth: 20 });
  return page;
}

/** The dialog at the end gives this reason. */
async function ends(page, reason) {
  await page.waitForSelector('#dialog-end[open]');
  assert.match(await page.textContent('#end-reason'), reason);
  assert.equal(await page.evaluate(() => window.samara.playing), false);
}

for (const [name, position, moves] of [
  ['zugzwang: Samara waits with the rook', '8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1', ['Rf1']],
  ['a queen would be stalemate: Samara promotes to a rook', '8/6P1/7k/8/6K1/8/8/8 w - - 0 1', ['g8=R']],
  ['the next quiet move is a draw: Samara moves the pawn', '6k1/8/8/8/8/8/P7/K6R w - - 99 90', ['a3', 'a4']],
])
  run(name, async () => {
    const page = await gameFrom(position, 'black');
    await plies(page, 1);
    assert.ok(moves.includes((await sans(page))[0]), (await sans(page))[0]);
  });

run('stalemate ends the game', async () => {
  const page = await gameFrom('7k/8/8/5Q2/8/8/8/K7 w - - 0 1', 'white');
  await drag(page, 'f5', 'f7');
  await ends(page, /½–½ · stalemate/);
});

run('a person promotes to a knight', async () => {
  const page = await gameFrom('6rk/5P1p/8/6N1/8/8/8/K5R1 w - - 0 1', 'white');
  await drag(page, 'f7', 'g8');
  await page.waitForSelector('dialog.promotion[open]');
  await page.click('dialog.promotion [data-piece=n]');
  await plies(page, 1);
  assert.match(await fen(page), /^6Nk/);
});

run('fifty moves without pawn or capture end the game', async () => {
  const page = await gameFrom('6k1/8/8/8/8/8/P7/K6R w - - 99 90', 'white');
  await drag(page, 'h1', 'h2');
  await ends(page, /½–½ · fifty moves/);
});

run('a position that comes for the third time ends the game', async () => {
  const page = await fresh();
  const answer = await answers(page, 'g8f6', 'f6g8', 'g8f6', 'f6g8');
  await play(page, { depth: 1 });
  for (const [i, move] of ['Nf3', 'Ng1', 'Nf3', 'Ng1'].entries()) {
    assert.equal(await page.evaluate(() => window.samara.playing), true);
    await type(page, move);
    await answer();
    await plies(page, 2 * i + 2);
  }
  await ends(page, /½–½ · .*repetition/);
});

run('en passant: not where it opens the rank to the own king, and with check where it opens it to the other', async () => {
  const page = await fresh();
  await paste(page, '8/8/8/K2pP2r/8/8/8/7k w - d6 0 1');
  await page.waitForFunction(() => window.samara.node.fen.startsWith('8/8/8/K2p'));
  await drag(page, 'e5', 'd6');
  await page.waitForTimeout(200);
  assert.deepEqual(await sans(page), []);
  await paste(page, '8/8/8/R2pP2k/8/8/8/K7 w - d6 0 1');
  await page.waitForFunction(() => window.samara.node.fen.startsWith('8/8/8/R2p'));
  await drag(page, 'e5', 'd6');
  await plies(page, 1);
  assert.deepEqual(await sans(page), ['exd6+']);
  await page.waitForSelector('cg-board square.check');
});
