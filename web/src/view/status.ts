// SPDX-License-Identifier: GPL-3.0-or-later
/* status.ts -- whether the server is there, in the header and, when it is away, in a line of its own. */

import { fromFile, pageAddress, serverAddress } from '../engine/address.ts';
import { inBrowser } from '../engine/choice.ts';
import type { State } from '../state/state.ts';
import { t } from '../texts/index.ts';
import { openDialog } from './dialogs.ts';
import { byId, h } from './dom.ts';

let shown = '';

export function statusView(s: Readonly<State>, askToken: () => void): void {
  const { online, known, version, message, needsToken } = s.server;
  const print = JSON.stringify([online, known, version, message, needsToken, serverAddress(), inBrowser(s), document.documentElement.lang]);
  if (print === shown) return;
  shown = print;
  const here = inBrowser(s);
  byId('status').dataset.state = online || here ? 'online' : known ? 'away' : 'connecting';
  const text = byId('status-text');
  if (needsToken) text.replaceChildren(h('button', { type: 'button', class: 'link', onclick: askToken }, t('enterToken')));
  else if (here) text.textContent = t('engineInBrowser');
  else text.textContent = online ? `Samara ${version}` : known ? message || t('serverAway') : t('connecting');
  byId('away').hidden = online || !known || needsToken || here;
  if (fromFile) byId('away').replaceChildren(...fileWords());
  else byId('away').textContent = t('awayText');
}

/* What to do about a page that was opened as a file: start a server that hears it, or open the server's own page. A browser
 * does not tell a server that refuses from one that is not there. */
function fileWords(): (Node | string)[] {
  const address = serverAddress();
  const elsewhere = () => {
    byId<HTMLInputElement>('server').value = serverAddress();
    openDialog('dialog-server');
  };
  return [
    t('fileAlone', { address, command: 'samara serve --origin null' }), ' ',
    h('a', { href: pageAddress() }, t('fileOpen', { address })), ' · ',
    h('button', { type: 'button', class: 'link', onclick: elsewhere }, t('fileElsewhere')),
  ];
}
