// SPDX-License-Identifier: GPL-3.0-or-later
/* offline.ts -- the page without a network: registers the service worker (src/sw.ts), takes a new version at the start of a
 * visit, never during one, and has the engine's files kept once the page is at rest. */

const engineAfter = 3000; // milliseconds after the start

export function offlineEffect(): void {
  const workers = navigator.serviceWorker;
  if (!workers || !document.querySelector('meta[name=samara-offline]')) return;
  const hadOne = !!workers.controller;
  let reloading = false;
  workers.addEventListener('controllerchange', () => {
    if (!hadOne || reloading || performance.now() > 10000) return;
    reloading = true;
    location.reload();
  });
  void workers.register(new URL('sw.js', document.baseURI), { updateViaCache: 'none' }).then(registration => {
    registration.waiting?.postMessage('take-over'); // done only if no other tab uses the old one
    const saving = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData;
    if (!saving) setTimeout(() => void workers.ready.then(ready => ready.active?.postMessage('keep-engine')), engineAfter);
  }).catch(() => undefined); // a browser that forbids it
}
