// SPDX-License-Identifier: GPL-3.0-or-later
/* server.mjs -- a stand-in for `samara serve` while working on the page: node dev/server.mjs [PORT] [DIST].
 * Same routes, same shapes; it "searches" by counting material one move deep, slowly. */

import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Chess } from 'chessops/chess';
import { makeFen, parseFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import { parsePgn, startingPosition } from 'chessops/pgn';
import { makeUci, parseUci } from 'chessops/util';

const port = Number(process.argv[2] ?? 8000);
const dist = process.argv[3] ?? join(dirname(fileURLToPath(import.meta.url)), '../dist');
const types = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', txt: 'text/plain', html: 'text/html' };
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const values = { pawn: 100, knight: 310, bishop: 320, rook: 500, queen: 950, king: 0 };
const stored = new Map();

const fail = (status, code, message) => Object.assign(new Error(message), { status, code });

function positionOf({ fen, moves = [] }) {
  const setup = parseFen(!fen || fen === 'startpos' ? makeFen(Chess.default().toSetup()) : fen);
  if (setup.isErr) throw fail(400, 'bad_fen', 'The FEN cannot be read.');
  const position = Chess.fromSetup(setup.value);
  if (position.isErr) throw fail(422, 'bad_position', 'This position cannot be played.');
  for (const uci of moves) position.value.play(parseUci(uci));
  return position.value;
}

function material(position) {
  let sum = 0;
  for (const square of position.board.occupied) {
    const piece = position.board.get(square);
    sum += (piece.color === 'white' ? 1 : -1) * (values[piece.role] + 4 * (3.5 - Math.abs(3.5 - (square & 7))));
  }
  return Math.round(sum);
}

function scored(position) {
  const own = position.turn === 'white' ? 1 : -1;
  const list = [];
  for (const [from, targets] of position.allDests())
    for (const to of targets) {
      const pawn = position.board.pawn.has(from) && (to < 8 || to >= 56);
      const move = { from, to, ...(pawn ? { promotion: 'queen' } : {}) };
      const after = position.clone();
      after.play(move);
      const score = after.isCheckmate() ? { mate: own } : { cp: material(after) };
      list.push({ move, score, worth: score.mate ? 1e6 : own * score.cp });
    }
  return list.sort((a, b) => b.worth - a.worth);
}

function analysis(position, multipv, depth) {
  const lines = scored(position).slice(0, multipv).map((m, i) => ({
    multipv: i + 1, depth, score: m.score, wdl: [300, 400, 300], uci: [makeUci(m.move)], san: [makeSan(position, m.move)],
  }));
  return { status: lines.length ? 'ok' : 'game_over', fen: makeFen(position.toSetup()), pov: 'white', bestmove: lines[0]?.uci[0], depth, seldepth: depth + 4, nodes: depth * 12345, nps: 1234567, time_ms: depth * 40, lines };
}

function report(pgn) {
  const game = parsePgn(pgn)[0];
  const position = startingPosition(game.headers).unwrap();
  const moves = [...game.moves.mainline()].map((node, i) => {
    const move = parseSan(position, node.san);
    const best = scored(position)[0];
    const best_san = makeSan(position, best.move);
    const uci = makeUci(move);
    position.play(move);
    const judgement = i % 7 === 5 ? ['inaccuracy', 'mistake', 'blunder'][i % 3] : undefined;
    return { ply: i + 1, san: node.san, uci, score: { cp: material(position) }, best: makeUci(best.move), best_san, line: [makeUci(best.move)], judgement, accuracy: judgement ? 60 : 97 };
  });
  const side = { accuracy: 88.2, average_loss: 24, inaccuracies: 2, mistakes: 1, blunders: 1 };
  return { game, report: { white: side, black: side, moves, turning_points: moves.filter(m => m.judgement === 'blunder').map(m => m.ply) } };
}

const summary = g => ({ ...g, pgn: undefined, report: undefined });

function progress(g) {
  const total = g.plies;
  const done = Math.min(total, Math.floor((Date.now() - g.started) / 60));
  return { ...g, state: g.analysed ? (done < total ? 'running' : 'done') : 'saved', progress: { done, total }, report: g.analysed ? { ...g.report, moves: g.report.moves.slice(0, done) } : undefined };
}

const routes = {
  'GET /api/v1/health': () => ({ status: 'ok', version: 'dev', elo_min: 800, elo_max: 3000 }),
  'POST /api/v1/analyse': async body => {
    await new Promise(r => setTimeout(r, 300));
    return analysis(positionOf(body), body.multipv ?? 1, 8);
  },
  'POST /api/v1/games': body => {
    const { game, report: result } = report(body.pgn);
    const id = String(stored.size + 1);
    const entry = { id, created: new Date().toISOString(), white: game.headers.get('White') ?? '?', black: game.headers.get('Black') ?? '?', result: game.headers.get('Result') ?? '*', plies: result.moves.length, pgn: body.pgn, report: result, analysed: !!body.analyse, started: Date.now() };
    stored.set(id, entry);
    return progress(entry);
  },
  'GET /api/v1/games': () => ({ games: [...stored.values()].map(g => summary(progress(g))) }),
};

async function stream(request, response, query) {
  const position = positionOf({ fen: query.get('fen'), moves: query.get('moves')?.split(',') });
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  for (let depth = 1; depth <= Math.min(24, Number(query.get('depth') ?? 24)) && !request.destroyed; depth++) {
    response.write(`event: info\ndata: ${JSON.stringify(analysis(position, Number(query.get('multipv') ?? 1), depth))}\n\n`);
    await new Promise(r => setTimeout(r, 60));
  }
  response.end('event: done\ndata: ' + JSON.stringify(analysis(position, Number(query.get('multipv') ?? 1), 24)) + '\n\n');
}

function asset(path, response) {
  const name = path === '/' || path === '/ui/' ? 'index.html' : path.slice(1);
  const file = join(dist, name.replaceAll('..', ''));
  if (!existsSync(file)) throw fail(404, 'not_found', 'There is nothing here.');
  response.writeHead(200, { 'Content-Type': types[name.split('.').pop()] ?? 'text/plain', 'Content-Security-Policy': policy });
  response.end(readFileSync(file));
}

createServer(async (request, response) => {
  const url = new URL(request.url, 'http://x');
  try {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (url.pathname === '/api/v1/stream') return void (await stream(request, response, url.searchParams));
    const one = /^\/api\/v1\/games\/(\d+)$/.exec(url.pathname);
    const route = routes[`${request.method} ${url.pathname}`];
    if (!route && !one) return void asset(url.pathname, response);
    let answer;
    if (one && request.method === 'DELETE') answer = { deleted: stored.delete(one[1]) };
    else if (one) answer = progress(stored.get(one[1]));
    else answer = await route(body ? JSON.parse(body) : {});
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  } catch (error) {
    response.writeHead(error.status ?? 500, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error: { code: error.code ?? 'internal', message: error.message } }));
  }
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/`));
