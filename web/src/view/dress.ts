// SPDX-License-Identifier: GPL-3.0-or-later
/* dress.ts -- colours and sizes as the person likes them. */

import type { Prefs } from '../state/prefs.ts';

export function dress({ theme, board, coordinates, size }: Readonly<Prefs>): void {
  const dark = theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  const root = document.documentElement;
  root.dataset.theme = dark ? 'dark' : 'light';
  root.dataset.board = board;
  root.classList.toggle('no-coordinates', !coordinates);
  root.style.setProperty('--scale', String(size / 100));
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', dark ? '#141a18' : '#f6f3ec');
}
