// SPDX-License-Identifier: GPL-3.0-or-later
/* moves.ts -- the move list: main line in two columns, variations indented, comments and marks in place. */

import { byId, h } from './dom.ts';
import { sanWords } from './rules.ts';
import { nagSign } from './score.ts';
import { evalText, type GameTree, type MoveNode, moveNumber, onMainline } from './tree.ts';

export interface MoveActions {
  go(node: MoveNode): void;
  menu(node: MoveNode, at: HTMLElement): void;
}

const badMarks = new Map([[2, 'mistake'], [4, 'blunder'], [6, 'inaccuracy'], [1, 'good'], [3, 'good'], [5, 'interesting']]);

function moveButton(node: MoveNode, current: MoveNode, actions: MoveActions, numbered: boolean): HTMLElement {
  const mark = node.nags.map(nagSign).join('');
  const kind = node.nags.map(n => badMarks.get(n)).find(Boolean) ?? '';
  const score = evalText(node);
  const button = h('button', {
    type: 'button',
    class: `move ${kind} ${node === current ? 'current' : ''}`,
    'aria-current': node === current ? 'step' : undefined,
    'aria-label': `${node.san}, ${moveNumber(node.ply)} ${sanWords(node.san)}${kind ? ', ' + kind : ''}${score ? ', ' + score : ''}`,
    onclick: () => actions.go(node),
    oncontextmenu: ((e: Event) => {
      e.preventDefault();
      actions.menu(node, button);
    }) as EventListener,
  });
  if (numbered) button.append(h('span', { class: 'number', 'aria-hidden': 'true' }, moveNumber(node.ply)));
  button.append(node.san);
  if (mark) button.append(h('span', { class: 'mark', 'aria-hidden': 'true' }, mark));
  if (score && onMainline(node)) button.append(h('span', { class: 'eval', 'aria-hidden': 'true' }, score));
  return button;
}

/* A side line as running text, its own side lines in brackets. */
function inlineLine(start: MoveNode, current: MoveNode, actions: MoveActions): (Node | string)[] {
  const out: (Node | string)[] = [];
  let numbered = true;
  for (let node: MoveNode | undefined = start; node; node = node.children[0]) {
    out.push(moveButton(node, current, actions, numbered || node.ply % 2 === 1));
    numbered = false;
    if (node.comment) {
      out.push(h('span', { class: 'comment' }, node.comment));
      numbered = true;
    }
    const siblings: MoveNode[] = node.children.slice(1);
    if (siblings.length && node.children[0]) {
      const next: MoveNode = node.children[0];
      out.push(moveButton(next, current, actions, next.ply % 2 === 1));
      for (const side of siblings) out.push(h('span', { class: 'nested' }, '(', ...inlineLine(side, current, actions), ')'));
      if (next.comment) out.push(h('span', { class: 'comment' }, next.comment));
      node = next;
      numbered = true;
      const more: MoveNode[] = node.children.slice(1);
      for (const side of more) out.push(h('span', { class: 'nested' }, '(', ...inlineLine(side, current, actions), ')'));
    }
  }
  return out;
}

export function showMoves(tree: GameTree, current: MoveNode, actions: MoveActions): void {
  const list = byId('moves');
  const rows: HTMLElement[] = [];
  if (tree.root.comment) rows.push(h('p', { class: 'comment wide' }, tree.root.comment));
  let row: HTMLElement | undefined;
  for (const node of tree.mainline()) {
    const white = node.ply % 2 === 1;
    if (white || !row) {
      row = h('div', { class: 'row' }, h('span', { class: 'number', 'aria-hidden': 'true' }, `${Math.ceil(node.ply / 2)}`));
      if (!white) row.append(h('span', { class: 'dots', 'aria-hidden': 'true' }, '…'));
      rows.push(row);
    }
    row.append(moveButton(node, current, actions, false));
    const sides = node.parent!.children.slice(1);
    if (node.comment) rows.push(h('p', { class: 'comment wide' }, node.comment));
    for (const side of sides) rows.push(h('div', { class: 'variation' }, ...inlineLine(side, current, actions)));
    if (node.comment || sides.length) row = undefined;
    if (!white) row = undefined;
  }
  if (!rows.length) rows.push(h('p', { class: 'empty' }, 'Move a piece, type a move, or drop a PGN file here.'));
  if (tree.result !== '*') rows.push(h('p', { class: 'result' }, tree.result.replaceAll('-', '–').replaceAll('1/2', '½')));
  list.replaceChildren(...rows);
  const active = list.querySelector<HTMLElement>('.current');
  if (active) {
    const [box, item] = [list.getBoundingClientRect(), active.getBoundingClientRect()];
    if (item.top < box.top || item.bottom > box.bottom) list.scrollTop += item.top - box.top - box.height / 2;
  } else list.scrollTop = 0;
}
