// SPDX-License-Identifier: GPL-3.0-or-later
/* grid.ts -- the board for keyboard and screen reader: 64 labelled cells over the picture.
 * Arrows walk, Space or Enter lifts and drops, Escape puts back. The pointer goes through to the board below. */

import type { Color } from '../chess/rules.ts';
import { t } from '../texts/index.ts';
import { pieceName } from '../texts/notation.ts';
import { h } from './dom.ts';

export interface GridActions {
  canMove(from: string, to: string): boolean;
  targets(from: string): string[];
  move(from: string, to: string): void;
}

const roles: Record<string, string> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

/** "e4" -> "white knight" for every man on the board. */
export function menOf(fen: string): Map<string, string> {
  const men = new Map<string, string>();
  const rows = fen.split(' ')[0]!.split('/');
  rows.forEach((row, r) => {
    let file = 0;
    for (const c of row) {
      if (c >= '1' && c <= '8') file += Number(c);
      else men.set('abcdefgh'[file++]! + (8 - r), pieceName(c === c.toUpperCase() ? 'white' : 'black', roles[c.toLowerCase()]!));
    }
  });
  return men;
}

export class Grid {
  private readonly root: HTMLElement;
  private readonly cells: HTMLElement[] = [];
  private fen = '8/8/8/8/8/8/8/8';
  private men = new Map<string, string>();
  private orientation: Color = 'white';
  private at = 52; // e2, as White sees the board
  private lifted = '';

  constructor(host: HTMLElement, private readonly actions: GridActions) {
    this.root = h('div', { class: 'grid', role: 'grid', 'data-t-label': 'chessBoard' });
    for (let row = 0; row < 8; row++) {
      const line = h('div', { role: 'row' });
      for (let column = 0; column < 8; column++) {
        const cell = h('div', { role: 'gridcell', tabindex: -1 });
        this.cells.push(cell);
        line.append(cell);
      }
      this.root.append(line);
    }
    this.root.addEventListener('keydown', e => this.key(e));
    this.root.addEventListener('focusin', e => {
      const index = this.cells.indexOf(e.target as HTMLElement);
      if (index >= 0) this.walk(index, false);
    });
    this.cells[this.at]!.tabIndex = 0;
    host.append(this.root);
  }

  show(fen: string, orientation: Color): void {
    this.fen = fen;
    this.men = menOf(fen);
    this.orientation = orientation;
    this.lifted = '';
    this.label();
  }

  relabel(): void {
    this.men = menOf(this.fen);
    this.label();
  }

  focus(): void {
    this.cells[this.at]!.focus();
  }

  private square(index: number): string {
    const [row, column] = [index >> 3, index & 7];
    return this.orientation === 'white' ? 'abcdefgh'[column]! + (8 - row) : 'hgfedcba'[column]! + (row + 1);
  }

  private label(): void {
    const targets = this.lifted ? this.actions.targets(this.lifted) : [];
    this.cells.forEach((cell, index) => {
      const square = this.square(index);
      const man = this.men.get(square) ?? t('emptySquare');
      const note = square === this.lifted ? `, ${t('lifted')}` : targets.includes(square) ? `, ${t('canMoveHere')}` : '';
      cell.setAttribute('aria-label', `${square}, ${man}${note}`);
      cell.setAttribute('aria-selected', String(square === this.lifted));
      cell.classList.toggle('target', targets.includes(square));
    });
  }

  private walk(to: number, focus = true): void {
    this.cells[this.at]!.tabIndex = -1;
    this.at = to;
    this.cells[to]!.tabIndex = 0;
    if (focus) this.cells[to]!.focus();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, column] = [this.at >> 3, this.at & 7];
    const steps: Record<string, [number, number]> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, 7],
      PageUp: [0, column],
      PageDown: [7, column],
    };
    const step = steps[event.key];
    if (step) {
      if (step[0] >= 0 && step[0] < 8 && step[1] >= 0 && step[1] < 8) this.walk(step[0] * 8 + step[1]);
    } else if (event.key === 'Enter' || event.key === ' ') this.press(this.square(this.at));
    else if (event.key === 'Escape' && this.lifted) this.lift('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private press(square: string): void {
    if (this.lifted && this.actions.canMove(this.lifted, square)) {
      const from = this.lifted;
      this.lift('');
      this.actions.move(from, square);
    } else if (square === this.lifted) this.lift('');
    else if (this.actions.targets(square).length) this.lift(square);
  }

  private lift(square: string): void {
    this.lifted = square;
    this.label();
  }
}
