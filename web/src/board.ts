// SPDX-License-Identifier: GPL-3.0-or-later
/* board.ts -- the board: chessground for the eye and the pointer, a grid of cells for keyboard and screen reader. */

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { h } from './dom.ts';
import { Grid } from './grid.ts';
import { type Color, dests, inCheck, needsPromotion, squaresOf, turnOf } from './rules.ts';

export interface BoardState {
  fen: string;
  lastMove: string; // UCI, '' for none
  chess960: boolean;
  movable: Color | 'both' | 'none';
}

export interface Arrow {
  uci: string;
  brush: 'best' | 'other' | 'threat' | 'hint';
  width: number;
}

type OnMove = (uci: string) => void;

export class Board {
  readonly ground: Api;
  private readonly grid: Grid;
  private state: BoardState = { fen: '', lastMove: '', chess960: false, movable: 'none' };
  orientation: Color = 'white';

  constructor(private readonly host: HTMLElement, private readonly onMove: OnMove) {
    const surface = h('div', { class: 'surface' });
    host.append(surface);
    this.ground = Chessground(surface, {
      coordinates: true,
      animation: { enabled: !matchMedia('(prefers-reduced-motion: reduce)').matches, duration: 180 },
      highlight: { lastMove: true, check: true },
      draggable: { showGhost: true, distance: 4 },
      premovable: { enabled: false },
      movable: { free: false, showDests: true, events: { after: (from, to) => this.moved(from, to) } },
      drawable: {
        brushes: {
          green: { key: 'g', color: '#2f8f5b', opacity: 0.9, lineWidth: 10 },
          red: { key: 'r', color: '#b5412f', opacity: 0.9, lineWidth: 10 },
          blue: { key: 'b', color: '#2b6a99', opacity: 0.9, lineWidth: 10 },
          yellow: { key: 'y', color: '#c98a1b', opacity: 0.9, lineWidth: 10 },
          best: { key: 'best', color: '#1f6f5c', opacity: 0.85, lineWidth: 11 },
          other: { key: 'other', color: '#3d6f93', opacity: 0.45, lineWidth: 8 },
          threat: { key: 'threat', color: '#b5412f', opacity: 0.8, lineWidth: 10 },
          hint: { key: 'hint', color: '#c98a1b', opacity: 0.9, lineWidth: 11 },
        },
      },
    });
    this.grid = new Grid(host, {
      canMove: (from, to) => this.legalTargets(from).includes(to),
      targets: from => this.legalTargets(from),
      move: (from, to) => this.moved(from as Key, to as Key),
    });
    new ResizeObserver(() => this.ground.redrawAll()).observe(host);
  }

  show(state: BoardState): void {
    this.state = state;
    const turn = turnOf(state.fen);
    const mine = state.movable === 'both' || state.movable === turn;
    this.ground.set({
      fen: state.fen,
      orientation: this.orientation,
      turnColor: turn,
      check: inCheck(state.fen) ? turn : false,
      lastMove: state.lastMove ? (squaresOf(state.lastMove) as Key[]) : [],
      viewOnly: false,
      movable: { free: false, color: mine ? turn : undefined, dests: mine ? (dests(state.fen, state.chess960) as Map<Key, Key[]>) : new Map() },
      draggable: { enabled: true, deleteOnDropOff: false },
      selectable: { enabled: true },
      events: {},
    });
    this.grid.show(state.fen, this.orientation);
  }

  arrows(list: readonly Arrow[]): void {
    const shapes: DrawShape[] = list.map(a => {
      const [orig, dest] = squaresOf(a.uci);
      return { orig: orig as Key, dest: dest as Key, brush: a.brush, modifiers: { lineWidth: a.width } };
    });
    this.ground.setAutoShapes(this.ground.state.dom.bounds().width ? shapes : []); // before the first layout there is no place for them
  }

  flip(to?: Color): void {
    this.orientation = to ?? (this.orientation === 'white' ? 'black' : 'white');
    this.ground.set({ orientation: this.orientation });
    this.grid.show(this.state.fen || '8/8/8/8/8/8/8/8 w - - 0 1', this.orientation);
  }

  focusGrid(): void {
    this.grid.focus();
  }

  private legalTargets(from: string): string[] {
    const turn = turnOf(this.state.fen);
    if (this.state.movable !== 'both' && this.state.movable !== turn) return [];
    return (dests(this.state.fen, this.state.chess960).get(from as never) as string[] | undefined) ?? [];
  }

  private async moved(from: Key, to: Key): Promise<void> {
    let uci = from + to;
    if (needsPromotion(this.state.fen, from, to)) {
      const piece = await this.askPromotion(to, turnOf(this.state.fen));
      if (!piece) {
        this.show(this.state);
        return;
      }
      uci += piece;
    }
    this.onMove(uci);
  }

  /* A column of four pieces over the promotion square. */
  private askPromotion(square: string, color: Color): Promise<string | undefined> {
    return new Promise(resolve => {
      const file = square.charCodeAt(0) - 97;
      const column = this.orientation === 'white' ? file : 7 - file;
      const top = (square[1] === '8') === (this.orientation === 'white');
      const names: [string, string][] = [['q', 'queen'], ['n', 'knight'], ['r', 'rook'], ['b', 'bishop']];
      const dialog = h('dialog', { class: `promotion column-${column} ${top ? 'top' : 'bottom'}`, 'aria-label': 'Promote to' });
      let chosen: string | undefined;
      for (const [letter, name] of top ? names : [...names].reverse()) {
        const button = h('button', { type: 'button', class: 'cg-wrap', 'aria-label': name, onclick: () => ((chosen = letter), dialog.close()) });
        const piece = document.createElement('piece');
        piece.className = `${name} ${color}`;
        button.append(piece);
        dialog.append(button);
      }
      dialog.addEventListener('click', e => e.target === dialog && dialog.close());
      dialog.addEventListener('close', () => {
        dialog.remove();
        resolve(chosen);
      });
      this.host.append(dialog);
      dialog.showModal();
      const box = this.host.getBoundingClientRect();
      const size = box.width / 8;
      dialog.style.left = `${box.left + column * size}px`;
      dialog.style.top = `${top ? box.top : box.top + 4 * size}px`;
      dialog.style.width = `${size}px`;
      dialog.querySelector<HTMLButtonElement>('[aria-label=queen]')?.focus();
    });
  }
}
