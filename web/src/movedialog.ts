// SPDX-License-Identifier: GPL-3.0-or-later
/* movedialog.ts -- comment, mark, promote or delete one move. */

import { closeDialog, openDialog } from './dialogs.ts';
import { byId, listen } from './dom.ts';
import { type MoveNode, moveNumber } from './tree.ts';

export interface MoveEdits {
  changed(): void;
  promote(node: MoveNode): void;
  remove(node: MoveNode): void;
}

let edited: MoveNode | undefined;

export function editMove(node: MoveNode): void {
  edited = node;
  byId('move-title').textContent = `${moveNumber(node.ply)} ${node.san}`;
  byId<HTMLInputElement>('move-comment').value = node.comment;
  byId<HTMLSelectElement>('move-nag').value = String(node.nags.find(n => n >= 1 && n <= 6) ?? 0);
  openDialog('dialog-move');
}

export function bindMoveDialog(edits: MoveEdits): void {
  byId('dialog-move').addEventListener('close', () => {
    if (!edited) return;
    edited.comment = byId<HTMLInputElement>('move-comment').value.trim();
    const nag = Number(byId<HTMLSelectElement>('move-nag').value);
    edited.nags = [...(nag ? [nag] : []), ...edited.nags.filter(n => n > 6)];
    edited = undefined;
    edits.changed();
  });
  listen('move-promote', 'click', () => {
    if (edited) edits.promote(edited);
    closeDialog('dialog-move');
  });
  listen('move-delete', 'click', () => {
    const node = edited;
    edited = undefined;
    closeDialog('dialog-move');
    if (node) edits.remove(node);
  });
}
