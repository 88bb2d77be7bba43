// SPDX-License-Identifier: GPL-3.0-or-later
/* settings.ts -- the settings dialog. */

import { byId, listen } from './dom.ts';
import { prefs, type Prefs, savePrefs } from './prefs.ts';

export function bindSettings(changed: () => void): void {
  byId<HTMLSelectElement>('set-theme').value = prefs.theme;
  byId<HTMLSelectElement>('set-board').value = prefs.board;
  for (const name of ['sound', 'arrows', 'gauge'] as const) {
    byId<HTMLInputElement>(`set-${name}`).checked = prefs[name];
    listen(`set-${name}`, 'change', (box: HTMLInputElement) => {
      savePrefs({ [name]: box.checked });
      changed();
    });
  }
  listen('set-theme', 'change', (box: HTMLSelectElement) => {
    savePrefs({ theme: box.value as Prefs['theme'] });
    changed();
  });
  listen('set-board', 'change', (box: HTMLSelectElement) => {
    savePrefs({ board: box.value as Prefs['board'] });
    changed();
  });
}
