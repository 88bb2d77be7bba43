// SPDX-License-Identifier: GPL-3.0-or-later
/* settings.ts -- the settings dialog, and dressing the page by them. */

import type { Prefs } from '../state/prefs.ts';
import type { State } from '../state/state.ts';
import { languageNames, t } from '../texts/index.ts';
import { byId, h, listen } from './dom.ts';
import { dress } from './dress.ts';

const choices = ['language', 'notation', 'theme', 'board'] as const;
const switches = ['coordinates', 'sound', 'arrows', 'gauge', 'wheel'] as const;

export function bindSettings(change: (prefs: Partial<Prefs>) => void): void {
  const list = byId('set-language');
  list.append(h('option', { value: 'auto', 'data-t': 'languageAuto' }), ...Object.entries(languageNames).map(([code, name]) => h('option', { value: code, lang: code }, name)));
  for (const name of choices) listen(`set-${name}`, 'change', (box: HTMLSelectElement) => change({ [name]: box.value }));
  for (const name of switches) listen(`set-${name}`, 'change', (box: HTMLInputElement) => change({ [name]: box.checked }));
  listen('set-size', 'input', (box: HTMLInputElement) => change({ size: Number(box.value) }));
}

export function settingsView(s: Readonly<State>): void {
  for (const name of choices) byId<HTMLSelectElement>(`set-${name}`).value = s.prefs[name];
  for (const name of switches) byId<HTMLInputElement>(`set-${name}`).checked = s.prefs[name];
  byId<HTMLInputElement>('set-size').value = String(s.prefs.size);
  byId('size-text').textContent = `${s.prefs.size} %`;
}

/** Colours, size and title of the page. */
export function themeView(s: Readonly<State>): void {
  dress(s.prefs);
  document.title = titleOf(s);
}

function titleOf(s: Readonly<State>): string {
  const [white, black] = [s.tree.tags.get('White') ?? '', s.tree.tags.get('Black') ?? ''];
  return [white, black].every(n => n && n !== '?') ? `${white} – ${black} · Samara` : `${t(s.mode === 'play' ? 'play' : 'analyse')} · Samara`;
}
