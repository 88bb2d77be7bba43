// SPDX-License-Identifier: GPL-3.0-or-later
/* keys.ts -- shortcuts for the whole page; they keep out of text fields, dialogs and the board's own grid. */

import type { Direction } from '../state/actions.ts';
import { byId } from './dom.ts';

export interface KeyActions {
  step(direction: Direction): void;
  aside(by: 1 | -1): void;
  best(): void;
  flip(): void;
  engine(): void;
  arrows(): void;
  threat(): void;
  comment(): void;
  board(): void;
  say(): void;
  help(): void;
  undo(): void;
  redo(): void;
}

export function bindKeys(actions: KeyActions): void {
  const keys: Record<string, () => void> = {
    ArrowLeft: () => actions.step('back'),
    ArrowRight: () => actions.step('forward'),
    ArrowUp: () => actions.step('first'),
    ArrowDown: () => actions.step('last'),
    Home: () => actions.step('first'),
    End: () => actions.step('last'),
    'Shift ArrowUp': () => actions.aside(-1),
    'Shift ArrowDown': () => actions.aside(1),
    'Control z': () => actions.undo(),
    'Control y': () => actions.redo(),
    'Control Shift z': () => actions.redo(),
    ' ': () => actions.best(),
    f: () => actions.flip(),
    l: () => actions.engine(),
    x: () => actions.threat(),
    b: () => actions.board(),
    e: () => actions.say(),
    c: () => actions.comment(),
    m: () => byId('typed').focus(),
    a: () => actions.arrows(),
    '?': () => actions.help(),
  };
  document.addEventListener('keydown', event => {
    if (event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (target.closest('input:not([type=checkbox], [type=radio]), textarea, select, dialog, [role=grid], [role=tablist], [popover]:popover-open')) return;
    if (event.key === ' ' && target.closest('button, input, a, summary')) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const held = `${event.ctrlKey || event.metaKey ? 'Control ' : ''}${event.shiftKey && key !== '?' ? 'Shift ' : ''}`;
    const action = keys[held + key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  /* Who chooses with the mouse is done with the box or the tab: the arrow keys go back to the game. */
  let byPointer = false;
  document.addEventListener('pointerdown', () => (byPointer = true), true);
  document.addEventListener('keydown', () => (byPointer = false), true);
  document.addEventListener('change', event => {
    const box = event.target as HTMLElement;
    if (byPointer && box.matches('select, [type=checkbox]') && !box.closest('dialog, #editor')) box.blur();
  });
  document.addEventListener('click', event => {
    const tab = byPointer && event.target instanceof Element ? event.target.closest<HTMLElement>('[role=tab]') : null;
    if (tab && !tab.closest('dialog')) tab.blur();
  });
}
