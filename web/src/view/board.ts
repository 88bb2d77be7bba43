// SPDX-License-Identifier: GPL-3.0-or-later
/* board.ts -- the board: chessground for the eye and the pointer, a grid of cells for keyboard and screen reader. */

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { type Color, dests, inCheck, needsPromotion, squaresOf, turnOf } from '../chess/rules.ts';
import type { Brush, Shape } from '../chess/tree.ts';
import { t, type TextKey } from '../texts/index.ts';
import { h } from './dom.ts';
import { Grid } from './grid.ts';

export interface Arrow {
  uci: string;
  brush: 'best' | 'other' | 'threat' | 'hint';
  width: number;
}

/** A mark on a square: what the report thinks of the move that ended there. */
export interface Badge {
  square: string;
  text: string;
  kind: 'good' | 'inaccuracy' | 'mistake' | 'blunder';
}

export interface BoardState {
  fen: string;
  lastMove: string; // UCI, '' for none
  chess960: boolean;
  orientation: Color;
  movable: Color | undefined; // who may move, if it is his turn
  premove: boolean; // he may plan his move while the other side thinks
  answered: boolean; // this position came from the other side's move: what is in hand stays in hand
  shapes: readonly Shape[];
  arrows: readonly Arrow[];
  badge: Badge | undefined;
}

export interface BoardEvents {
  move(uci: string): void;
  drawn(shapes: Shape[]): void;
  wheel(step: 1 | -1): void;
}

const badgeColours = { good: '#1f6f5c', inaccuracy: '#2b6a99', mistake: '#8a6a00', blunder: '#b13a24' };
const brushes: readonly string[] = ['green', 'red', 'blue', 'yellow'];
const smallest = 40; // pixels; arrows on less have no direction
const wheelStep = 40;

export class Board {
  readonly ground: Api;
  private readonly grid: Grid;
  private state: BoardState | undefined;
  private shown = '';
  private drawn = '';

  constructor(private readonly host: HTMLElement, private readonly events: BoardEvents) {
    const surface = h('div', { class: 'surface' });
    host.append(surface);
    const brush = (key: string, color: string, opacity: number, lineWidth: number) => ({ key, color, opacity, lineWidth });
    this.ground = Chessground(surface, {
      coordinates: true,
      ranksPosition: 'left',
      animation: { enabled: !matchMedia('(prefers-reduced-motion: reduce)').matches, duration: 180 },
      highlight: { lastMove: true, check: true },
      draggable: { showGhost: true, distance: 4 },
      premovable: { enabled: true, showDests: true, castle: true },
      movable: { free: false, showDests: true, events: { after: (from, to, meta) => void this.moved(from, to, meta.premove) } },
      drawable: {
        eraseOnMovablePieceClick: false,
        onChange: shapes => this.events.drawn(shapes.filter(s => brushes.includes(s.brush ?? '')).map(ours)),
        brushes: {
          green: brush('g', '#15781b', 0.85, 10),
          red: brush('r', '#b5321f', 0.85, 10),
          blue: brush('b', '#1d5fa8', 0.85, 10),
          yellow: brush('y', '#d08b00', 0.85, 10),
          best: brush('best', '#0d4f9e', 0.85, 11),
          other: brush('other', '#0d4f9e', 0.4, 8),
          threat: brush('threat', '#b5321f', 0.8, 10),
          hint: brush('hint', '#d07c00', 0.9, 11),
        },
      },
    });
    this.grid = new Grid(host, {
      canMove: (from, to) => this.legalTargets(from).includes(to),
      targets: from => this.legalTargets(from),
      move: (from, to) => void this.moved(from as Key, to as Key, false),
    });
    new ResizeObserver(() => this.resized()).observe(host);
    this.bindWheel();
  }

  show(state: BoardState): void {
    if (!this.state) this.host.querySelector('.first')?.remove(); // the picture that the document brought
    const { fen, lastMove, chess960, orientation, movable, premove } = state;
    const position = JSON.stringify([fen, lastMove, orientation, movable, premove]);
    if (position !== this.shown) {
      const turn = turnOf(fen);
      const mine = movable === turn;
      if (this.state && this.state.fen !== fen && !state.answered) this.ground.cancelMove();
      if (this.state && this.state.fen !== fen && !state.answered) this.ground.cancelPremove();
      this.ground.set({
        fen,
        orientation,
        turnColor: turn,
        check: inCheck(fen) ? turn : false,
        lastMove: lastMove ? (squaresOf(lastMove) as Key[]) : [],
        movable: { free: false, color: mine || premove ? movable : undefined, dests: mine ? (dests(fen, chess960) as Map<Key, Key[]>) : new Map() },
        premovable: { enabled: premove },
        draggable: { enabled: true, deleteOnDropOff: false },
        selectable: { enabled: true },
        events: {},
      });
      this.grid.show(fen, orientation);
      this.shown = position;
      this.drawn = '';
    }
    this.state = state;
    this.drawShapes();
    if (movable === turnOf(fen)) this.ground.playPremove();
  }

  /** Somebody else has changed the surface (the editor): show everything again next time. */
  forget(): void {
    this.shown = '';
    this.drawn = '';
  }

  /** The words on the board have changed. */
  relabel(): void {
    this.grid.relabel();
  }

  focusGrid(): void {
    this.grid.focus();
  }

  private resized(): void {
    if (this.host.clientWidth < smallest) {
      this.ground.setShapes([]);
      this.ground.setAutoShapes([]);
      this.drawn = '';
      return;
    }
    this.ground.redrawAll();
    this.drawn = '';
    this.drawShapes();
  }

  private drawShapes(): void {
    if (!this.state || this.host.clientWidth < smallest) return;
    const { shapes, arrows, badge } = this.state;
    const drawn = JSON.stringify([shapes, arrows, badge]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.ground.setShapes(shapes.map(s => ({ orig: s.from as Key, brush: s.brush, ...(s.to ? { dest: s.to as Key } : {}) })));
    const auto: DrawShape[] = arrows.map(a => {
      const [orig, dest] = squaresOf(a.uci);
      return { orig: orig as Key, dest: dest as Key, brush: a.brush, modifiers: { lineWidth: a.width } };
    });
    if (badge) auto.push({ orig: badge.square as Key, label: { text: badge.text, fill: badgeColours[badge.kind] } });
    this.ground.setAutoShapes(auto);
  }

  private bindWheel(): void {
    let turned = 0;
    this.host.addEventListener('wheel', e => {
      if (e.ctrlKey) return; // zooming
      e.preventDefault();
      turned += e.deltaMode ? e.deltaY * wheelStep : e.deltaY;
      if (Math.abs(turned) < wheelStep) return;
      this.events.wheel(turned > 0 ? 1 : -1);
      turned = 0;
    }, { passive: false });
  }

  private legalTargets(from: string): string[] {
    if (!this.state || this.state.movable !== turnOf(this.state.fen)) return [];
    return (dests(this.state.fen, this.state.chess960).get(from as never) as string[] | undefined) ?? [];
  }

  private async moved(from: Key, to: Key, planned: boolean): Promise<void> {
    const { fen, orientation } = this.state!;
    let uci = from + to;
    if (needsPromotion(fen, from, to)) {
      const piece = planned ? 'q' : await this.askPromotion(to, turnOf(fen), orientation);
      if (!piece) {
        const { state } = this;
        this.forget();
        if (state) this.show(state);
        return;
      }
      uci += piece;
    }
    this.forget(); // the surface has moved the piece already; if the move is refused, show() puts it back
    this.events.move(uci);
  }

  /* A column of four pieces over the promotion square. */
  private askPromotion(square: string, color: Color, orientation: Color): Promise<string | undefined> {
    return new Promise(resolve => {
      const file = square.charCodeAt(0) - 97;
      const column = orientation === 'white' ? file : 7 - file;
      const top = (square[1] === '8') === (orientation === 'white');
      const names: [string, TextKey][] = [['q', 'queen'], ['n', 'knight'], ['r', 'rook'], ['b', 'bishop']];
      const dialog = h('dialog', { class: 'promotion', 'aria-label': t('promoteTo') });
      let chosen: string | undefined;
      for (const [letter, name] of top ? names : [...names].reverse()) {
        const button = h('button', { type: 'button', class: 'cg-wrap', 'aria-label': t(name), 'data-piece': letter, onclick: () => ((chosen = letter), dialog.close()) });
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
      dialog.querySelector<HTMLButtonElement>('[data-piece=q]')?.focus();
    });
  }
}

const ours = (s: DrawShape): Shape => ({ brush: s.brush as Brush, from: s.orig, ...(s.dest && s.dest !== s.orig ? { to: s.dest } : {}) });
