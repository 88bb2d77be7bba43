// SPDX-License-Identifier: GPL-3.0-or-later
/* openings.ts -- names of openings by position. The table is made at build time (build.mjs) and fetched once. */

export interface Opening {
  eco: string;
  name: string;
}

/** 32-bit FNV-1a over board and side to move: how the table knows a position. */
export function openingKey(fen: string): number {
  const [board, turn] = fen.split(' ');
  let hash = 0x811c9dc5;
  for (const c of `${board} ${turn}`) hash = Math.imul(hash ^ c.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
}

let table: Map<number, Opening> | undefined;

/** Lines of "key in base 36 TAB eco TAB name"; an empty name repeats the one before. */
export function readTable(text: string): Map<number, Opening> {
  const openings = new Map<number, Opening>();
  let last: Opening = { eco: '', name: '' };
  for (const line of text.split('\n')) {
    const [key, eco, name] = line.split('\t');
    if (!key) continue;
    last = { eco: eco || last.eco, name: name || last.name };
    openings.set(parseInt(key, 36), last);
  }
  return openings;
}

export async function loadOpenings(url: string): Promise<void> {
  try {
    const response = await fetch(url);
    if (response.ok) table = readTable(await response.text());
  } catch {
    /* a board without names is still a board */
  }
}

/** The deepest name on the way to the last of these positions. */
export function openingOf(fens: readonly string[], names = table): Opening | undefined {
  if (!names) return undefined;
  for (let i = Math.min(fens.length, 41) - 1; i > 0; i--) {
    const found = names.get(openingKey(fens[i]!));
    if (found) return found;
  }
  return undefined;
}
