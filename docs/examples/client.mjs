// SPDX-License-Identifier: GPL-3.0-or-later
/* A client of `samara serve` in thirty lines: node client.mjs [http://127.0.0.1:8000] */
import { writeFileSync } from 'node:fs';

const server = (process.argv[2] ?? 'http://127.0.0.1:8000').replace(/\/$/, '');

async function ask(path, query = {}, body) {
  const init = body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${server}${path}?${new URLSearchParams(query)}`, init);
  if (!answer.ok) throw new Error((await answer.json()).error.message);
  return answer;
}

const best = await (await ask('/api/v1/analyse', { moves: 'e4,e5,Nf3', depth: 10 })).json();
console.log('best:', best.san, 'score:', best.lines[0].score);

const batch = await (await ask('/api/v1/batch', {}, { positions: [{ moves: ['e4'] }, { moves: ['d4'] }], depth: 8 })).json();
for (const result of batch.results) console.log('after', result.fen.split(' ')[0], 'comes', result.san);

let text = ''; // server-sent events: "event: ...", "data: ...", an empty line
for await (const part of (await ask('/api/v1/stream', { depth: 8, multipv: 2 })).body.pipeThrough(new TextDecoderStream())) text += part;
for (const line of text.split('\n'))
  if (line.startsWith('data: ')) console.log('depth', JSON.parse(line.slice(6)).depth);

writeFileSync('board.svg', await (await ask('/api/v1/board.svg', { moves: 'e4,e5,Nf3' })).text());
