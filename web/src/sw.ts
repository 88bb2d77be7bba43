// SPDX-License-Identifier: GPL-3.0-or-later
/* sw.ts -- the service worker: the page from the browser's own store. A version of the page is one cache, filled as a whole when
 * it is installed and deleted as a whole when the next one takes over, so no visit sees parts of two. The engine's files join later,
 * by name and digest. Everything is sent with the headers that let threads share memory, also where the host does not send them.
 *
 * FILES and ENGINE are written by build.mjs: addresses relative to this script; VERSION is a digest of them all. */

declare const FILES: string[];
declare const ENGINE: string[];
declare const VERSION: string;

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Scope {
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'message', listener: (event: Extendable & { data: unknown }) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
  registration: { scope: string };
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void>; matchAll(options: object): Promise<unknown[]> };
}
const scope = self as unknown as Scope;

const prefix = `samara ${new URL(scope.registration.scope).pathname} `;
const current = prefix + VERSION;
const address = (file: string): string => new URL(file, scope.registration.scope).href;
const pages = address('./');
const known = new Set([...FILES, ...ENGINE].map(address));

const isolation: Record<string, string> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/* The body has been unpacked by now. */
function isolated(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.delete('Content-Encoding');
  headers.delete('Content-Length');
  for (const [key, value] of Object.entries(isolation)) headers.set(key, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

/* Past the browser's own cache: the server knows best what it has. */
async function keep(cache: Cache, files: string[]): Promise<void> {
  await Promise.all(files.map(async file => {
    const url = address(file);
    const response = await fetch(new Request(url, { cache: 'no-cache', headers: { Accept: 'text/html, */*' } }));
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    await cache.put(url, response);
  }));
}

/* An engine that has not changed since the last version is not fetched again. */
async function keepEngine(): Promise<void> {
  const cache = await caches.open(current);
  for (const file of ENGINE) {
    const url = address(file);
    if (await cache.match(url)) continue;
    const old = await caches.match(url);
    if (old) await cache.put(url, old);
    else await keep(cache, [file]);
  }
}

async function install(): Promise<void> {
  const cache = await caches.open(current);
  await keep(cache, FILES);
  for (const file of ENGINE) {
    const old = await caches.match(address(file));
    if (old) await cache.put(address(file), old);
  }
}

async function activate(): Promise<void> {
  for (const key of await caches.keys()) if (key.startsWith(prefix) && key !== current) await caches.delete(key);
  await scope.clients.claim();
}

async function answer(request: Request, url: string): Promise<Response> {
  const cache = await caches.open(current);
  const kept = await cache.match(url);
  if (kept) return isolated(kept);
  const response = await fetch(request);
  if (response.ok && ENGINE.map(address).includes(url)) await cache.put(url, response.clone());
  return isolated(response);
}

scope.addEventListener('install', event => event.waitUntil(install()));
scope.addEventListener('activate', event => event.waitUntil(activate()));
scope.addEventListener('message', event => {
  if (event.data === 'keep-engine') event.waitUntil(keepEngine().catch(() => undefined));
  if (event.data === 'take-over')
    event.waitUntil(scope.clients.matchAll({ type: 'window', includeUncontrolled: true }).then(all => (all.length <= 1 ? scope.skipWaiting() : undefined)));
});
scope.addEventListener('fetch', event => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const url = request.url.split(/[?#]/)[0]!;
  if (url === pages || url === address('index.html')) event.respondWith(answer(request, pages));
  else if (known.has(url)) event.respondWith(answer(request, url));
});

export {}; // a module of its own, for the compiler
