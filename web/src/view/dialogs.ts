// SPDX-License-Identifier: GPL-3.0-or-later
/* dialogs.ts -- opening and closing the page's dialogs, and asking yes or no. */

import { t, type TextKey } from '../texts/index.ts';
import { byId } from './dom.ts';

export function openDialog(id: string): HTMLDialogElement {
  const dialog = byId<HTMLDialogElement>(id);
  if (!dialog.open) dialog.showModal();
  return dialog;
}

export const closeDialog = (id: string): void => byId<HTMLDialogElement>(id).close();

/** A press outside or on a .close button closes; forms that only hold a dialog's contents send nothing. */
export function bindDialogs(): void {
  for (const dialog of document.querySelectorAll('dialog')) {
    let pressedOutside = false;
    dialog.addEventListener('pointerdown', event => (pressedOutside = event.target === dialog));
    dialog.addEventListener('click', event => {
      const target = event.target as HTMLElement;
      if ((target === dialog && pressedOutside) || target.closest('.close')) dialog.close();
    });
    if (!['dialog-new', 'dialog-ask'].includes(dialog.id)) dialog.querySelector('form')?.addEventListener('submit', e => e.preventDefault());
  }
}

/** Whether the person says yes. */
export function ask(question: TextKey, yes: TextKey, no: TextKey = 'cancel'): Promise<boolean> {
  byId('ask-text').textContent = t(question);
  byId('ask-yes').textContent = t(yes);
  byId('ask-no').textContent = t(no);
  const dialog = byId<HTMLDialogElement>('dialog-ask');
  dialog.returnValue = '';
  openDialog('dialog-ask');
  byId('ask-yes').focus();
  return new Promise(resolve => dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true }));
}
