// SPDX-License-Identifier: GPL-3.0-or-later
/* prefs.ts -- what the person likes, kept in the browser. */

import { chooseLanguage, isLanguage, type Language } from '../texts/choose.ts';
import type { Notation } from '../texts/notation.ts';

export interface Prefs {
  theme: 'auto' | 'light' | 'dark';
  board: 'sage' | 'walnut' | 'slate' | 'contrast';
  coordinates: boolean;
  size: number; // of the board, percent of what there is room for
  sound: boolean;
  arrows: boolean;
  gauge: boolean;
  language: 'auto' | Language;
  notation: Notation;
  engine: boolean;
  where: 'server' | 'browser'; // the engine runs
  lines: number; // 1..5
  depth: number; // 0: no limit
  seconds: number; // of one analysis; 0: endless
  threads: number; // of one analysis, as far as the server allows it; 0: all but one
  hash: number; // megabytes; 0: as the server likes
  level: number;
  opponent: 'level' | 'depth';
  opponentDepth: number;
  side: 'white' | 'random' | 'black';
  time: string; // "300+3", "none", "custom"
  minutes: number; // of the custom control
  increment: number;
  showEval: boolean; // while playing
  wheel: boolean; // over the board steps through the game
}

export const defaults: Prefs = {
  theme: 'auto', board: 'sage', coordinates: true, size: 100, sound: true, arrows: true, gauge: true, language: 'auto', notation: 'local',
  engine: true, where: 'server', lines: 3, depth: 0, seconds: 60, threads: 0, hash: 0, level: 1500, opponent: 'level', opponentDepth: 6, side: 'white', time: 'none', minutes: 15,
  increment: 10, showEval: false, wheel: true,
};
const key = 'samara.prefs';

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(max, Math.round(value)));

/** Prefs from whatever was saved: by this version, an older one, or somebody else. */
export function readPrefs(text: string | null): Prefs {
  const prefs = { ...defaults };
  try {
    const saved = JSON.parse(text ?? '{}') as Record<string, unknown>;
    for (const name of Object.keys(defaults) as (keyof Prefs)[])
      if (typeof saved[name] === typeof defaults[name]) Object.assign(prefs, { [name]: saved[name] });
  } catch {
    /* not ours */
  }
  if (prefs.where !== 'browser') prefs.where = 'server';
  prefs.lines = clamp(prefs.lines, 1, 5);
  prefs.threads = clamp(prefs.threads, 0, 1024);
  prefs.size = clamp(prefs.size, 40, 100);
  if (prefs.language !== 'auto' && !isLanguage(prefs.language)) prefs.language = 'auto';
  return prefs;
}

export function loadPrefs(): Prefs {
  try {
    return readPrefs(localStorage.getItem(key));
  } catch {
    return { ...defaults };
  }
}

export function savePrefs(prefs: Prefs): void {
  try {
    localStorage.setItem(key, JSON.stringify(prefs));
  } catch {
    /* private mode: they last as long as the page */
  }
}

export const languageOf = (prefs: Prefs): Language => (prefs.language === 'auto' ? chooseLanguage(navigator.languages) : prefs.language);
