// SPDX-License-Identifier: GPL-3.0-or-later
/* players.ts -- the strips above and below the board: name, rating, captured men, clock. */

import { clockFace } from '../chess/clock.ts';
import { lead } from '../chess/material.ts';
import { type Color, opposite, turnOf } from '../chess/rules.ts';
import { pathTo } from '../chess/tree.ts';
import type { State } from '../state/state.ts';
import { t } from '../texts/index.ts';
import { pieceName } from '../texts/notation.ts';
import { byId, h } from './dom.ts';

const lowTime = 10000;

/** A player's clock as the PGN knows it at this move. */
function readClock(s: Readonly<State>, side: Color): number | undefined {
  const path = pathTo(s.node);
  for (let i = path.length - 1; i > 0; i--) if (turnOf(path[i]!.fen) !== side && path[i]!.clock !== undefined) return path[i]!.clock;
  return undefined;
}

function whoView(s: Readonly<State>, side: Color): HTMLElement {
  const tag = side === 'white' ? 'White' : 'Black';
  const known = (name: string): string => {
    const value = s.mode === 'edit' ? '' : (s.tree.tags.get(name) ?? '');
    return value === '?' || value === '-' ? '' : value;
  };
  const who = h('div', { class: 'who' }, h('span', { class: `disc ${side}`, 'aria-hidden': 'true' }), h('span', { class: 'name' }, [known(`${tag}Title`), known(tag)].filter(Boolean).join(' ') || t(side)));
  const rating = known(`${tag}Elo`);
  if (rating) who.append(h('span', { class: 'rating' }, rating));
  if (s.mode === 'edit') return who;
  const { men, points } = lead(s.node.fen, side);
  if (men.length) {
    const words = men.map(role => pieceName(opposite(side), role)).join(', ');
    who.append(h('span', { class: 'captured', role: 'img', 'aria-label': t('ahead', { men: words }) }, ...men.map(role => h('i', { class: `man ${role}` }))));
  }
  if (points > 0) who.append(h('span', { class: 'points' }, `+${points}`));
  return who;
}

export class Players {
  private print = '';
  private readonly faces = { white: byId('clock-white'), black: byId('clock-black') };

  /** The clocks alone: they change ten times a second. */
  showClocks(s: Readonly<State>): void {
    const clock = s.mode === 'edit' ? undefined : s.play?.clock;
    const now = performance.now();
    for (const side of ['white', 'black'] as const) {
      const face = this.faces[side];
      const left = clock && s.mode === 'play' ? clock.remaining(side, now) : s.mode === 'edit' ? undefined : readClock(s, side);
      face.hidden = left === undefined;
      if (left === undefined) continue;
      const text = clockFace(clock ? left : Math.floor(left / 1000) * 1000);
      if (face.textContent !== text) face.textContent = text;
      face.classList.toggle('running', !!clock && clock.side === side);
      face.classList.toggle('low', !!clock && left < lowTime);
    }
  }

  show(s: Readonly<State>): void {
    this.showClocks(s);
    const bottom = s.orientation;
    const print = JSON.stringify([s.node.fen, bottom, s.mode, s.revision, s.record, s.prefs.language]);
    if (print === this.print) return;
    this.print = print;
    for (const [place, side] of [['top', opposite(bottom)], ['bottom', bottom]] as const) {
      const strip = byId(`player-${place}`);
      strip.replaceChildren(whoView(s, side), this.faces[side]);
      strip.classList.toggle('turn', turnOf(s.node.fen) === side);
    }
  }
}
