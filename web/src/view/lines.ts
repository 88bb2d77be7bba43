// SPDX-License-Identifier: GPL-3.0-or-later
/* lines.ts -- a line of moves as buttons: a click plays it up to there, the pointer over it shows the position on a
 * small board beside it. The real board stays as it is. */

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key } from '@lichess-org/chessground/types';
import { type Color, lineToSan, playUci, squaresOf } from '../chess/rules.ts';
import { moveNumber } from '../chess/tree.ts';
import { sanText } from '../texts/notation.ts';
import { byId, h } from './dom.ts';

/** Moves of `line` behind `from`, numbered. What a press or the pointer means is decided by bindLines. */
export function lineButtons(from: { fen: string; ply: number; id?: number }, line: readonly string[], san: readonly string[] = []): HTMLElement[] {
  const sans = san.length ? san : lineToSan(from.fen, line);
  return sans.map((word, i) => {
    const number = (from.ply + i) % 2 === 0 || i === 0 ? `${moveNumber(from.ply + i + 1)} ` : '';
    return h('button', { type: 'button', 'data-line': line.slice(0, i + 1).join(' '), 'data-from': from.id, 'data-fen': from.fen },
      number ? h('span', { class: 'number' }, number) : null, sanText(word));
  });
}

export interface LineEvents {
  follow(line: string[], from: number | undefined): void; // id of the node the line starts from, if it has one
  orientation(): Color;
}

class Preview {
  private ground: Api | undefined;
  private shown = '';

  show(button: HTMLElement, orientation: Color): void {
    const { line = '', fen: start = '' } = button.dataset;
    const box = byId('preview');
    if (this.shown !== line + start) {
      this.shown = line + start;
      const words = line.split(' ');
      let fen = start;
      for (const uci of words) fen = playUci(fen, uci)?.fen ?? fen;
      box.hidden = false;
      this.ground ??= Chessground(box, { viewOnly: true, coordinates: false, animation: { enabled: false }, drawable: { enabled: false, visible: false } });
      this.ground.set({ fen, orientation, lastMove: squaresOf(words[words.length - 1]!) as Key[] });
    }
    box.hidden = false;
    const [at, size] = [button.getBoundingClientRect(), box.offsetWidth];
    const left = Math.max(8, Math.min(innerWidth - size - 8, at.left));
    const top = at.bottom + 8 + size < innerHeight ? at.bottom + 8 : Math.max(8, at.top - size - 8);
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
    this.ground?.redrawAll();
  }

  hide(): void {
    byId('preview').hidden = true;
    this.shown = '';
  }
}

/* What counts is what was under the pointer when it went down: a new line may arrive before it comes up. And a line
 * that slides under a pointer that rests shows nothing until the pointer moves. */
export function bindLines(events: LineEvents): void {
  const preview = new Preview();
  let pressed: HTMLElement | null = null;
  const lineAt = (e: Event): HTMLElement | null => (e.target instanceof Element ? e.target.closest<HTMLElement>('[data-line]') : null);
  document.addEventListener('pointerdown', e => (pressed = lineAt(e)));
  document.addEventListener('click', e => {
    const button = (e as MouseEvent).detail ? pressed : lineAt(e);
    pressed = null;
    if (!button || !button.dataset.line || (e.target instanceof Element && !e.target.closest('.pv, .better, .explorer'))) return;
    preview.hide();
    events.follow(button.dataset.line.split(' '), button.dataset.from === undefined ? undefined : Number(button.dataset.from));
  });
  document.addEventListener('pointermove', e => {
    if (e.pointerType !== 'mouse') return;
    const button = e.buttons ? null : lineAt(e);
    if (button) preview.show(button, events.orientation());
    else preview.hide();
  });
  document.addEventListener('scroll', () => preview.hide(), true);
}
