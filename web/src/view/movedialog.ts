// SPDX-License-Identifier: GPL-3.0-or-later
/* movedialog.ts -- comment, marks, arrows and clock of one move; the details of the game. */

import { readComments, readShapes, shapeText, writeComments } from '../chess/comments.ts';
import { isMoveMark, isPositionMark, moveMarks, nagSign, otherMarks, positionMarks, readNags } from '../chess/nags.ts';
import { type MoveNode, moveNumber, type Notes } from '../chess/tree.ts';
import type { Actions } from '../state/actions.ts';
import type { State } from '../state/state.ts';
import { t, type TextKey } from '../texts/index.ts';
import { sanText } from '../texts/notation.ts';
import { closeDialog, openDialog } from './dialogs.ts';
import { byId, h, listen } from './dom.ts';

const markNames: Partial<Record<number, TextKey>> = {
  1: 'markGood', 2: 'markMistake', 3: 'markBrilliant', 4: 'markBlunder', 5: 'markInteresting', 6: 'markInaccuracy', 7: 'markOnly', 10: 'markEqual',
  13: 'markUnclear', 14: 'markWhiteSlightly', 15: 'markBlackSlightly', 16: 'markWhiteBetter', 17: 'markBlackBetter', 18: 'markWhiteWinning',
  19: 'markBlackWinning', 22: 'markZugzwang', 32: 'markDevelopment', 36: 'markInitiative', 40: 'markAttack', 44: 'markCompensation', 132: 'markCounterplay',
  138: 'markTimeTrouble', 140: 'markIdea', 146: 'markNovelty',
};
const offered: readonly number[] = [...moveMarks, ...positionMarks, ...otherMarks];

let edited: MoveNode | undefined;
let marks = new Set<number>();

const field = (id: string): HTMLInputElement => byId<HTMLInputElement>(id);

/* A move has one mark for itself and one for the position; the others may be as many as they like. */
function toggleMark(nag: number): void {
  if (marks.delete(nag)) return drawMarks();
  for (const other of marks) if ((isMoveMark(nag) && isMoveMark(other)) || (isPositionMark(nag) && isPositionMark(other))) marks.delete(other);
  marks.add(nag);
  drawMarks();
}

function drawMarks(): void {
  for (const button of byId('move-marks').querySelectorAll<HTMLElement>('button')) button.setAttribute('aria-pressed', String(marks.has(Number(button.dataset.nag))));
}

export function editMove(node: MoveNode): void {
  edited = node;
  byId('move-title').textContent = node.parent ? `${moveNumber(node.ply)} ${sanText(node.san)}` : t('startPosition');
  byId<HTMLTextAreaElement>('move-comment').value = node.comment;
  marks = new Set(node.nags.filter(n => offered.includes(n)));
  byId('move-marks').replaceChildren(...offered.map(nag =>
    h('button', { type: 'button', class: 'small', 'data-nag': nag, 'aria-pressed': 'false', title: t(markNames[nag] ?? 'marks'), onclick: () => toggleMark(nag) }, nagSign(nag), h('span', { class: 'sr' }, ` ${t(markNames[nag] ?? 'marks')}`))));
  drawMarks();
  field('move-nags').value = node.nags.filter(n => !offered.includes(n)).map(n => `$${n}`).join(' ');
  field('move-shapes').value = node.shapes.map(shapeText).join(' ');
  const clock = /\[%clk ([^\]]*)\]/.exec(writeComments({ comment: '', before: '', nags: [], shapes: [], extra: [], ...(node.clock === undefined ? {} : { clock: node.clock }) }).after[0] ?? '');
  field('move-clock').value = clock?.[1] ?? '';
  byId('move-actions').hidden = byId('move-marks').hidden = !node.parent;
  field('move-clock').closest('label')!.hidden = field('move-nags').closest('label')!.hidden = !node.parent;
  openDialog('dialog-move');
  byId('move-comment').focus();
}

function notesOf(node: MoveNode): Partial<Notes> {
  const kept = node.nags.filter(n => marks.has(n)); // their order stays
  const nags = [...kept, ...[...marks].filter(n => !kept.includes(n)), ...readNags(field('move-nags').value)];
  const text = field('move-clock').value.trim();
  const { clock } = text ? readComments([`[%clk ${text.split(':').length === 2 ? `0:${text}` : text}]`]) : { clock: undefined };
  return { comment: byId<HTMLTextAreaElement>('move-comment').value.trim(), nags: [...new Set(nags)], shapes: readShapes(field('move-shapes').value), clock };
}

export function bindMoveDialog(actions: Actions): void {
  byId('dialog-move').addEventListener('close', () => {
    if (!edited) return;
    const node = edited;
    edited = undefined;
    actions.annotate(node, notesOf(node));
  });
  listen('move-promote', 'click', () => {
    const node = edited;
    closeDialog('dialog-move');
    if (node) actions.promote(node);
  });
  listen('move-delete', 'click', () => {
    const node = edited;
    edited = undefined;
    closeDialog('dialog-move');
    if (node) actions.remove(node);
  });
}

/* --- the game's details --- */

const details: [string, TextKey][] = [
  ['White', 'white'], ['WhiteElo', 'whiteElo'], ['Black', 'black'], ['BlackElo', 'blackElo'], ['Event', 'event'], ['Site', 'site'], ['Date', 'date'], ['Round', 'round'],
];
const results = ['*', '1-0', '0-1', '1/2-1/2'];
const fixed = ['FEN', 'SetUp', 'Variant'];

export function editDetails(s: Readonly<State>): void {
  const { tags } = s.tree;
  const rows = details.map(([tag, key]) => h('label', { class: 'field' }, t(key), h('input', { type: 'text', 'data-tag': tag, value: tags.get(tag) ?? '', autocomplete: 'off' })));
  const result = h('select', { 'data-tag': 'Result' }, ...results.map(r => h('option', { value: r, selected: s.tree.result === r }, r)));
  byId('details').replaceChildren(...rows, h('label', { class: 'field' }, t('result'), result));
  const named = new Set([...details.map(([tag]) => tag), 'Result', ...fixed]);
  byId<HTMLTextAreaElement>('details-more').value = [...tags].filter(([name]) => !named.has(name)).map(([name, value]) => `${name}: ${value}`).join('\n');
  openDialog('dialog-details');
}

/** The tags as the dialog has them, in the order they had. */
function tagsOf(old: Map<string, string>): Map<string, string> {
  const given = new Map<string, string>();
  for (const box of byId('details').querySelectorAll<HTMLInputElement>('[data-tag]')) if (box.value.trim()) given.set(box.dataset.tag!, box.value.trim());
  for (const line of byId<HTMLTextAreaElement>('details-more').value.split('\n')) {
    const found = /^\s*(\w+)\s*:\s*(.*\S)\s*$/.exec(line);
    if (found && !given.has(found[1]!)) given.set(found[1]!, found[2]!);
  }
  for (const name of fixed) if (old.has(name)) given.set(name, old.get(name)!);
  const order = [...[...old.keys()].filter(name => given.has(name)), ...[...given.keys()].filter(name => !old.has(name))];
  return new Map(order.map(name => [name, given.get(name)!]));
}

export function bindDetails(actions: Actions, state: () => Readonly<State>): void {
  listen('details-done', 'click', () => {
    closeDialog('dialog-details');
    actions.setTags(tagsOf(state().tree.tags));
  });
}
