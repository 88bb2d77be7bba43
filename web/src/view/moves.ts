// SPDX-License-Identifier: GPL-3.0-or-later
/* moves.ts -- the move list: main line in two columns, variations indented, comments and marks in place, and what the
 * report says beside the move it is about. */

import { isMoveMark, nagSign } from '../chess/nags.ts';
import { type Score, scoreText } from '../chess/score.ts';
import { type MoveNode, moveNumber, onMainline } from '../chess/tree.ts';
import { judgementNag, wordsOf } from '../effects/report.ts';
import { resultText } from '../effects/speech.ts';
import { judged, type State } from '../state/state.ts';
import { t } from '../texts/index.ts';
import { sanText, sanWords } from '../texts/notation.ts';
import { byId, h } from './dom.ts';
import { lineButtons } from './lines.ts';

export interface MoveActions {
  go(node: MoveNode): void;
  edit(node: MoveNode): void;
}

const kinds = new Map([[2, 'mistake'], [4, 'blunder'], [6, 'inaccuracy'], [1, 'good'], [3, 'good'], [5, 'interesting']]);

export class Moves {
  private print = '';
  private buttons = new Map<MoveNode, HTMLElement>();
  private current: HTMLElement | undefined;

  constructor(private readonly actions: MoveActions) {}

  show(s: Readonly<State>): void {
    const print = JSON.stringify([s.record, s.revision, s.prefs.language, s.prefs.notation, s.report.data?.moves.length, s.report.running?.done, s.mode === 'play' && !s.play?.over]);
    if (print !== this.print) {
      this.print = print;
      this.draw(s);
    }
    const next = this.buttons.get(s.node);
    if (next === this.current) return;
    for (const [button, on] of [[this.current, false], [next, true]] as const) {
      button?.classList.toggle('current', on);
      if (on) button?.setAttribute('aria-current', 'step');
      else button?.removeAttribute('aria-current');
    }
    this.current = next;
    this.bringIntoView(next);
  }

  private bringIntoView(item: HTMLElement | undefined): void {
    const list = byId('moves');
    if (!item) list.scrollTop = 0;
    else {
      const [box, place] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
      if (place.top < box.top || place.bottom > box.bottom) list.scrollTop += place.top - box.top - box.height / 2;
    }
  }

  private draw(s: Readonly<State>): void {
    const rows: HTMLElement[] = [];
    this.buttons = new Map();
    this.current = undefined;
    if (s.tree.root.comment) rows.push(comment(s.tree.root.comment, 'wide'));
    let row: HTMLElement | undefined;
    for (const node of s.tree.mainline()) {
      const white = node.ply % 2 === 1;
      if (node.before) rows.push(comment(node.before, 'wide'));
      if (white || !row || node.before) {
        row = h('div', { class: 'row' }, h('span', { class: 'number', 'aria-hidden': 'true' }, `${Math.ceil(node.ply / 2)}`));
        if (!white) row.append(h('span', { class: 'dots', 'aria-hidden': 'true' }, '…'));
        rows.push(row);
      }
      row.append(this.button(s, node, false));
      const below = this.below(s, node);
      rows.push(...below);
      if (below.length || !white) row = undefined;
    }
    if (!rows.length) rows.push(h('p', { class: 'empty' }, t('movesEmpty')));
    if (s.tree.result !== '*') rows.push(h('p', { class: 'result' }, resultText(s.tree.result)));
    byId('moves').replaceChildren(...rows);
  }

  /* What stands under a move of the main line: its comment, the report's words, its side lines. */
  private below(s: Readonly<State>, node: MoveNode): HTMLElement[] {
    const out: HTMLElement[] = [];
    if (node.comment) out.push(comment(node.comment, 'wide'));
    const move = judged(s, node);
    const words = move && move.judgement ? wordsOf(move, sanText) : '';
    if (move && words && !node.comment.includes(words)) {
      out.push(h('div', { class: `words ${move.judgement ?? ''}` }, h('span', {}, words),
        move.line?.length ? h('span', { class: 'better' }, ...lineButtons(node.parent!, move.line.slice(0, 8))) : null));
    }
    for (const side of node.parent!.children.slice(1)) out.push(h('div', { class: 'variation' }, ...this.inline(s, side)));
    return out;
  }

  /* A side line as running text. The alternatives of a move stand in brackets behind it and its comment. */
  private inline(s: Readonly<State>, start: MoveNode): (Node | string)[] {
    const out: (Node | string)[] = [];
    let numbered = true;
    for (let node: MoveNode | undefined = start; node; node = node.children[0]) {
      if (node.before) out.push(comment(node.before));
      out.push(this.button(s, node, numbered || node.ply % 2 === 1));
      numbered = !!node.comment;
      if (node.comment) out.push(comment(node.comment));
      const others: MoveNode[] = node === start ? [] : node.parent!.children.slice(1);
      for (const side of others) out.push(h('span', { class: 'nested' }, '(', ...this.inline(s, side), ')'));
      if (others.length) numbered = true;
    }
    return out;
  }

  private button(s: Readonly<State>, node: MoveNode, numbered: boolean): HTMLElement {
    const move = judged(s, node);
    const nags = move?.judgement && !node.nags.some(isMoveMark) ? [judgementNag[move.judgement], ...node.nags] : node.nags;
    const kind = nags.map(n => kinds.get(n)).find(Boolean) ?? '';
    const score: Score | undefined = move?.score ?? node.score;
    const shown = score && onMainline(node) && !(s.mode === 'play' && !s.play?.over) ? scoreText(score) : '';
    const button = h('button', {
      type: 'button',
      class: `move ${kind}`,
      title: sanWords(node.san),
      onclick: () => this.actions.go(node),
      oncontextmenu: ((e: Event) => {
        e.preventDefault();
        this.actions.edit(node);
      }) as EventListener,
    });
    if (numbered) button.append(h('span', { class: 'number' }, `${moveNumber(node.ply)} `));
    button.append(sanText(node.san));
    if (nags.length) button.append(h('span', { class: 'mark' }, nags.map(nagSign).join(' ')));
    if (shown) button.append(h('span', { class: 'eval' }, shown));
    this.buttons.set(node, button);
    return button;
  }
}

const comment = (text: string, kind = ''): HTMLElement => h(kind ? 'p' : 'span', { class: `comment ${kind}` }, text);
