// SPDX-License-Identifier: GPL-3.0-or-later
/* live.ts -- the live region: what happens on the board, said once, in order. */

import { byId } from './dom.ts';

export function announce(text: string): void {
  const region = byId('live');
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

let timer = 0;

/** A short message at the bottom of the page, spoken too. */
export function toast(text: string, kind: 'info' | 'error' = 'info'): void {
  const box = byId('toast');
  box.textContent = text;
  box.className = `toast ${kind} shown`;
  clearTimeout(timer);
  timer = window.setTimeout(() => box.classList.remove('shown'), kind === 'error' ? 6000 : 3000);
}
