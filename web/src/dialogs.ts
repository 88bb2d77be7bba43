// SPDX-License-Identifier: GPL-3.0-or-later
/* dialogs.ts -- opening and closing the page's dialogs. */

import { byId, listen } from './dom.ts';

export function openDialog(id: string): HTMLDialogElement {
  const dialog = byId<HTMLDialogElement>(id);
  if (!dialog.open) dialog.showModal();
  return dialog;
}

export const closeDialog = (id: string): void => byId<HTMLDialogElement>(id).close();

export function bindDialogs(): void {
  for (const dialog of document.querySelectorAll('dialog')) {
    dialog.addEventListener('click', event => {
      const target = event.target as HTMLElement;
      if (target === dialog || target.closest('.close')) dialog.close();
    });
    dialog.querySelector('form')?.addEventListener('submit', e => dialog.id !== 'dialog-new' && e.preventDefault());
  }
  listen('open-help', 'click', () => openDialog('dialog-help'));
  listen('open-settings', 'click', () => openDialog('dialog-settings'));
}
