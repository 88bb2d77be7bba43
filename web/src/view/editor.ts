// SPDX-License-Identifier: GPL-3.0-or-later
/* editor.ts -- setting up a position: pieces from a tray, castling rights, side to move. */

import type { Role } from '@lichess-org/chessground/types';
import { INITIAL_FEN, isPosition, readFen } from '../chess/rules.ts';
import { say, type TextKey } from '../texts/index.ts';
import type { Board } from './board.ts';
import { byId, h, listen } from './dom.ts';

const roles: Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];
type Tool = { role: Role; color: 'white' | 'black' } | 'move' | 'erase';

const men: Record<'white' | 'black', Record<Role, TextKey>> = {
  white: { king: 'whiteKing', queen: 'whiteQueen', rook: 'whiteRook', bishop: 'whiteBishop', knight: 'whiteKnight', pawn: 'whitePawn' },
  black: { king: 'blackKing', queen: 'blackQueen', rook: 'blackRook', bishop: 'blackBishop', knight: 'blackKnight', pawn: 'blackPawn' },
};

const rowsOf = (boardFen: string): string[] => boardFen.split('/').map(row => row.replace(/\d/g, n => '.'.repeat(Number(n))));

/** Squares that a pawn may just have jumped over, given who is to move. */
export function enPassantSquares(boardFen: string, turn: string): string[] {
  const rows = rowsOf(boardFen);
  const at = (file: number, rank: number): string => rows[8 - rank]?.[file] ?? '.';
  const [pawn, from, over, to] = turn === 'w' ? (['p', 7, 6, 5] as const) : (['P', 2, 3, 4] as const);
  return [...'abcdefgh'].filter((_, f) => at(f, to) === pawn && at(f, over) === '.' && at(f, from) === '.').map(f => f + over);
}

/** Board, side and rights as FEN; what the pieces contradict is left out. */
export function editorFen(boardFen: string, turn: string, rights: string, enPassant = '-'): string {
  const rows = rowsOf(boardFen);
  const at = (file: number, rank: number): string => rows[8 - rank]?.[file] ?? '.';
  const possible: Record<string, boolean> = {
    K: at(4, 1) === 'K' && at(7, 1) === 'R',
    Q: at(4, 1) === 'K' && at(0, 1) === 'R',
    k: at(4, 8) === 'k' && at(7, 8) === 'r',
    q: at(4, 8) === 'k' && at(0, 8) === 'r',
  };
  const castling = [...'KQkq'].filter(c => rights.includes(c) && possible[c]).join('') || '-';
  return `${boardFen} ${turn} ${castling} ${enPassantSquares(boardFen, turn).includes(enPassant) ? enPassant : '-'} 0 1`;
}

export class Editor {
  active = false;
  private tool: Tool = 'move';
  private last = '';

  constructor(private readonly board: Board, private readonly done: (fen: string | undefined) => void, private readonly flip: () => void) {
    for (const color of ['white', 'black'] as const) {
      const tray = byId(`tray-${color}`);
      for (const role of roles) {
        const button = h('button', { type: 'button', class: 'tool cg-wrap', 'data-t-label': men[color][role], 'data-piece': `${color} ${role}`, 'aria-pressed': 'false', onclick: () => this.choose({ role, color }, button) });
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
    listen('edit-cancel', 'click', () => this.done(undefined));
    for (const id of ['edit-turn', 'edit-ep', 'right-K', 'right-Q', 'right-k', 'right-q']) listen(id, 'change', () => this.update());
    byId('board').addEventListener('mousedown', e => e.button === 0 && this.paint(e, [e.clientX, e.clientY]), true);
    byId('board').addEventListener('touchstart', e => this.paint(e, [e.touches[0]!.clientX, e.touches[0]!.clientY]), { capture: true, passive: false });
  }

  start(fen: string): void {
    this.active = true;
    this.last = '';
    this.set(fen);
    this.choose('move', byId('tool-move'));
  }

  stop(): void {
    if (!this.active) return;
    this.active = false;
    this.board.forget();
  }

  private set(fen: string): void {
    const [board, turn, rights, enPassant] = fen.split(' ');
    this.board.ground.set({
      fen: board!,
      lastMove: [],
      check: false,
      movable: { free: true, color: 'both', dests: new Map() },
      premovable: { enabled: false },
      draggable: { enabled: true, deleteOnDropOff: true },
      events: { change: () => this.update() },
    });
    this.board.ground.setShapes([]);
    this.board.ground.setAutoShapes([]);
    byId<HTMLSelectElement>('edit-turn').value = turn === 'b' ? 'b' : 'w';
    for (const c of 'KQkq') byId<HTMLInputElement>(`right-${c}`).checked = (rights ?? '').includes(c);
    this.offerEnPassant(enPassant ?? '-');
    this.update();
  }

  private offerEnPassant(chosen: string): void {
    const box = byId<HTMLSelectElement>('edit-ep');
    const squares = enPassantSquares(this.board.ground.getFen(), byId<HTMLSelectElement>('edit-turn').value);
    while (box.options.length > 1) box.remove(1);
    box.append(...squares.map(square => h('option', { value: square }, square)));
    box.value = squares.includes(chosen) ? chosen : '-';
  }

  private fen(): string {
    const rights = [...'KQkq'].filter(c => byId<HTMLInputElement>(`right-${c}`).checked).join('');
    return editorFen(this.board.ground.getFen(), byId<HTMLSelectElement>('edit-turn').value, rights, byId<HTMLSelectElement>('edit-ep').value);
  }

  private update(): void {
    if (!this.active) return;
    this.offerEnPassant(byId<HTMLSelectElement>('edit-ep').value);
    const fen = this.fen();
    if (fen === this.last) return;
    this.last = fen;
    byId<HTMLInputElement>('edit-fen').value = fen;
    const position = readFen(fen);
    const problem = isPosition(position) ? '' : say(position);
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
    if (!isPosition(position)) byId('edit-problem').textContent = say(position);
    else this.set(text.trim());
  }

  private finish(): void {
    const fen = this.fen();
    if (isPosition(readFen(fen))) this.done(fen);
  }
}
