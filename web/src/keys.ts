// SPDX-License-Identifier: GPL-3.0-or-later
/* keys.ts -- shortcuts for the whole page; they keep out of text fields, dialogs and the board's own grid. */

import { openDialog } from './dialogs.ts';
import { byId } from './dom.ts';
import { prefs, savePrefs } from './prefs.ts';

export interface KeyActions {
  step(direction: 'first' | 'back' | 'forward' | 'last'): void;
  best(): void;
  flip(): void;
  engine(): void;
  threat(): void;
  board(): void;
  say(): void;
  redraw(): void;
}

export function bindKeys(actions: KeyActions): void {
  const keys: Record<string, () => void> = {
    ArrowLeft: () => actions.step('back'),
    ArrowRight: () => actions.step('forward'),
    ArrowUp: () => actions.step('first'),
    ArrowDown: () => actions.step('last'),
    ' ': () => actions.best(),
    f: () => actions.flip(),
    l: () => actions.engine(),
    x: () => actions.threat(),
    b: () => actions.board(),
    e: () => actions.say(),
    m: () => byId('typed').focus(),
    a: () => {
      savePrefs({ arrows: !prefs.arrows });
      byId<HTMLInputElement>('set-arrows').checked = prefs.arrows;
      actions.redraw();
    },
    '?': () => openDialog('dialog-help'),
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (target.closest('input:not([type=checkbox]), textarea, select, dialog, [role=grid]')) return;
    if (event.key === ' ' && target.closest('button, input, a, summary')) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
