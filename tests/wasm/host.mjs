// SPDX-License-Identifier: GPL-3.0-or-later
/* host.mjs -- a plain host of files, as anybody has one: no headers but the type, everything below a folder. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, normalize } from 'node:path';

const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', txt: 'text/plain', wasm: 'application/wasm', webmanifest: 'application/manifest+json', png: 'image/png', json: 'application/json' };

/** Serves `folder`, which may be changed, under `below`, "/games/samara/" for one. `headers` are added to every answer. */
export async function hostFiles(folder, below = '/', headers = {}) {
  const requests = [];
  const host = { folder, requests };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url.split(/[?#]/)[0]);
    requests.push(path);
    let file = path.startsWith(below) ? join(host.folder, normalize(path.slice(below.length))) : '';
    if (file && existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
    if (!file || !existsSync(file)) return void response.writeHead(404, { 'Content-Type': 'text/html' }).end('nothing here');
    response.writeHead(200, { 'Content-Type': types[file.split('.').pop()] ?? 'application/octet-stream', ...headers });
    createReadStream(file).pipe(response);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return Object.assign(host, {
    address: `http://127.0.0.1:${port}${below}`,
    stop: () => new Promise(resolve => (server.closeAllConnections(), server.close(resolve))),
  });
}
