// SPDX-License-Identifier: GPL-3.0-or-later
/* editor.ts -- setting up a position: pieces from a tray, castling rights, side to move. */

import type { Role } from '@lichess-org/chessground/types';
import type { Board } from './board.ts';
import { byId, h, listen } from './dom.ts';
import { INITIAL_FEN, readFen } from './rules.ts';

const roles: Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];
type Tool = { role: Role; color: 'white' | 'black' } | 'move' | 'erase';

/** Board, side and rights as FEN; rights that the pieces contradict are left out. */
export function editorFen(boardFen: string, turn: string, rights: string): string {
  const rows = boardFen.split('/').map(row => row.replace(/\d/g, n => '.'.repeat(Number(n))));
  const at = (file: number, rank: number): string => rows[8 - rank]?.[file] ?? '.';
  const possible: Record<string, boolean> = {
    K: at(4, 1) === 'K' && at(7, 1) === 'R',
    Q: at(4, 1) === 'K' && at(0, 1) === 'R',
    k: at(4, 8) === 'k' && at(7, 8) === 'r',
    q: at(4, 8) === 'k' && at(0, 8) === 'r',
  };
  const castling = [...'KQkq'].filter(c => rights.includes(c) && possible[c]).join('') || '-';
  return `${boardFen} ${turn} ${castling} - 0 1`;
}

export class Editor {
  active = false;
  private tool: Tool = 'move';
  private last = '';

  constructor(private readonly board: Board, private readonly done: (fen: string) => void, private readonly flip: () => void) {
    for (const color of ['white', 'black'] as const) {
      const tray = byId(`tray-${color}`);
      for (const role of roles) {
        const button = h('button', { type: 'button', class: 'tool cg-wrap', 'aria-label': `${color} ${role}`, 'aria-pressed': 'false', onclick: () => this.choose({ role, color }, button) });
        const piece = document.createElement('piece');
        piece.className = `${role} ${color}`;
        button.append(piece);
        const drag = (e: Event) => this.board.ground.dragNewPiece({ role, color }, e as MouseEvent, true);
        button.addEventListener('mousedown', drag);
        button.addEventListener('touchstart', drag, { passive: false });
        tray.append(button);
      }
    }
    listen('tool-move', 'click', b => this.choose('move', b));
    listen('tool-erase', 'click', b => this.choose('erase', b));
    listen('edit-clear', 'click', () => this.set('8/8/8/8/8/8/8/8 w - - 0 1'));
    listen('edit-start', 'click', () => this.set(INITIAL_FEN));
    listen('edit-flip', 'click', () => this.flip());
    listen('edit-done', 'click', () => this.finish());
    listen('edit-fen', 'change', (box: HTMLInputElement) => this.readBox(box.value));
    for (const id of ['edit-turn', 'right-K', 'right-Q', 'right-k', 'right-q']) listen(id, 'change', () => this.update());
    byId('board').addEventListener('mousedown', e => e.button === 0 && this.paint(e, [e.clientX, e.clientY]), true);
    byId('board').addEventListener('touchstart', e => this.paint(e, [e.touches[0]!.clientX, e.touches[0]!.clientY]), { capture: true, passive: false });
  }

  start(fen: string): void {
    this.active = true;
    this.set(fen);
    this.choose('move', byId('tool-move'));
  }

  stop(): void {
    this.active = false;
  }

  private set(fen: string): void {
    const [board, turn, rights] = fen.split(' ');
    this.board.ground.set({
      fen: board!,
      lastMove: [],
      check: false,
      movable: { free: true, color: 'both', dests: new Map() },
      draggable: { enabled: true, deleteOnDropOff: true },
      events: { change: () => this.update() },
    });
    this.board.ground.setAutoShapes([]);
    byId<HTMLSelectElement>('edit-turn').value = turn === 'b' ? 'b' : 'w';
    for (const c of 'KQkq') byId<HTMLInputElement>(`right-${c}`).checked = (rights ?? '').includes(c);
    this.update();
  }

  private fen(): string {
    const rights = [...'KQkq'].filter(c => byId<HTMLInputElement>(`right-${c}`).checked).join('');
    return editorFen(this.board.ground.getFen(), byId<HTMLSelectElement>('edit-turn').value, rights);
  }

  private update(): void {
    if (!this.active) return;
    const fen = this.fen();
    if (fen === this.last) return;
    this.last = fen;
    byId<HTMLInputElement>('edit-fen').value = fen;
    const position = readFen(fen);
    const problem = typeof position === 'string' ? position : '';
    byId('edit-problem').textContent = problem;
    byId<HTMLButtonElement>('edit-done').disabled = !!problem;
  }

  private choose(tool: Tool, button: HTMLElement): void {
    this.tool = tool;
    for (const other of document.querySelectorAll('#editor .tool')) other.setAttribute('aria-pressed', String(other === button));
  }

  /* With a piece or the eraser in hand a press on a square puts it there, whatever stood there before. */
  private paint(event: Event, at: [number, number]): void {
    if (!this.active || this.tool === 'move') return;
    const key = this.board.ground.getKeyAtDomPos(at);
    if (!key) return;
    event.preventDefault();
    event.stopPropagation();
    const same = this.board.ground.state.pieces.get(key);
    const erase = this.tool === 'erase' || (same && same.role === this.tool.role && same.color === this.tool.color);
    this.board.ground.setPieces(new Map([[key, erase ? undefined : (this.tool as { role: Role; color: 'white' | 'black' })]]));
    this.update();
  }

  private readBox(text: string): void {
    const position = readFen(text);
    if (typeof position === 'string') byId('edit-problem').textContent = position;
    else this.set(text.trim());
  }

  private finish(): void {
    const fen = this.fen();
    if (typeof readFen(fen) !== 'string') this.done(fen);
  }
}
