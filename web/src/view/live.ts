// SPDX-License-Identifier: GPL-3.0-or-later
/* live.ts -- what is said once: the live region for screen readers, and short messages at the edge of the page. */

import type { State, Toast } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { say, t } from '../texts/index.ts';
import { byId } from './dom.ts';

const shownFor = { info: 4000, error: 7000, action: 12000 };

export function liveView(s: Readonly<State>): void {
  const region = byId('live');
  const text = s.said.number % 2 ? s.said.text : `${s.said.text}\u00a0`; // two equal sentences are both read
  if (region.textContent !== text) region.textContent = text;
}

export function toastView(s: Readonly<State>): void {
  const { toast } = s;
  const box = byId('toast');
  box.classList.toggle('shown', !!toast);
  if (!toast) return;
  box.classList.toggle('error', toast.kind === 'error');
  const text = typeof toast.text === 'string' ? toast.text : say(toast.text);
  if (byId('toast-text').textContent !== text) byId('toast-text').textContent = text;
  const button = byId('toast-action');
  button.hidden = !toast.action;
  if (toast.action) button.textContent = t(toast.action === 'undo' ? 'undo' : 'newBoard');
}

/** Messages leave by themselves. */
export function toastEffect(store: Store<State>): void {
  let timer = 0;
  let last: Toast | undefined;
  store.effect(now => {
    if (now.toast === last) return;
    last = now.toast;
    clearTimeout(timer);
    if (now.toast) timer = window.setTimeout(() => store.set({ toast: undefined }), now.toast.action ? shownFor.action : shownFor[now.toast.kind]);
  });
}
