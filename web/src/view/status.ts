// SPDX-License-Identifier: GPL-3.0-or-later
/* status.ts -- whether the server is there, in the header and, when it is away, in a line of its own. */

import type { State } from '../state/state.ts';
import { t } from '../texts/index.ts';
import { byId, h } from './dom.ts';

let shown = '';

export function statusView(s: Readonly<State>, askToken: () => void): void {
  const { online, known, version, message, needsToken } = s.server;
  const print = JSON.stringify([online, known, version, message, needsToken, document.documentElement.lang]);
  if (print === shown) return;
  shown = print;
  byId('status').dataset.state = online ? 'online' : known ? 'away' : 'connecting';
  const text = byId('status-text');
  if (needsToken) text.replaceChildren(h('button', { type: 'button', class: 'link', onclick: askToken }, t('enterToken')));
  else text.textContent = online ? `Samara ${version}` : known ? message || t('serverAway') : t('connecting');
  byId('away').hidden = online || !known || needsToken;
  byId('away').textContent = t('awayText');
}
