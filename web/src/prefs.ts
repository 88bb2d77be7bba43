// SPDX-License-Identifier: GPL-3.0-or-later
/* prefs.ts -- what the person likes, kept in the browser. */

export interface Prefs {
  theme: 'auto' | 'light' | 'dark';
  board: 'sage' | 'walnut' | 'slate' | 'contrast';
  sound: boolean;
  arrows: boolean;
  gauge: boolean;
  lines: number; // 1..5
  depth: number; // 0: no limit
  seconds: number; // of one analysis; 0: as long as the server allows
  engine: boolean;
}

const defaults: Prefs = { theme: 'auto', board: 'sage', sound: true, arrows: true, gauge: true, lines: 3, depth: 0, seconds: 60, engine: true };
const key = 'samara.prefs';

function load(): Prefs {
  try {
    const saved = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Prefs>;
    const prefs = { ...defaults };
    for (const name of Object.keys(defaults) as (keyof Prefs)[])
      if (typeof saved[name] === typeof defaults[name]) Object.assign(prefs, { [name]: saved[name] });
    prefs.lines = Math.max(1, Math.min(5, Math.round(prefs.lines)));
    return prefs;
  } catch {
    return { ...defaults };
  }
}

export const prefs: Prefs = load();

export function savePrefs(change: Partial<Prefs>): void {
  Object.assign(prefs, change);
  try {
    localStorage.setItem(key, JSON.stringify(prefs));
  } catch {
    /* private mode: they last as long as the page */
  }
}

/** Dresses the page. */
export function applyTheme(): void {
  const dark = prefs.theme === 'dark' || (prefs.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.documentElement.dataset.board = prefs.board;
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', dark ? '#141a18' : '#f6f3ec');
}
