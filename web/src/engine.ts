// SPDX-License-Identifier: GPL-3.0-or-later
/* engine.ts -- live analysis of the position on the board: one stream at a time, none while the tab is hidden. */

import { type Analysis, ApiError, type Line, stream } from './api.ts';
import { connection } from './connection.ts';
import { byId, debounce, h, listen } from './dom.ts';
import { toast } from './live.ts';
import { prefs, savePrefs } from './prefs.ts';
import { ending, lineToSan, passFen, turnOf } from './rules.ts';
import { type Score, scoreText, scoreWords, shortNumber, winPercent } from './score.ts';
import { moveNumber } from './tree.ts';
import type { Arrow } from './board.ts';

export interface Subject {
  fen: string; // of the start
  moves: string[]; // up to the position
  fens: string[]; // all positions, the last is the one to analyse
  chess960: boolean;
  ply: number;
}

export interface EngineEvents {
  arrows(list: Arrow[]): void;
  scored(score: Score, depth: number): void;
  playLine(line: readonly string[]): void;
  preview(line: readonly string[] | undefined): void;
}

export class Engine {
  private subject: Subject | undefined;
  private abort: AbortController | undefined;
  private latest: Analysis | undefined;
  private allowed = true; // off while a game is being played
  private retry = 0;
  threat = false;

  private readonly restart = debounce(120, () => void this.run());

  constructor(private readonly events: EngineEvents) {
    listen('engine-toggle', 'change', (box: HTMLInputElement) => this.toggle(box.checked));
    listen('lines', 'change', (box: HTMLSelectElement) => this.change({ lines: Number(box.value) }));
    listen('depth', 'change', (box: HTMLSelectElement) => this.change({ depth: Number(box.value) }));
    listen('seconds', 'change', (box: HTMLSelectElement) => this.change({ seconds: Number(box.value) }));
    listen('threat', 'click', () => this.toggleThreat());
    this.bindLines();
    byId<HTMLInputElement>('engine-toggle').checked = prefs.engine;
    byId<HTMLSelectElement>('lines').value = String(prefs.lines);
    byId<HTMLSelectElement>('depth').value = String(prefs.depth);
    byId<HTMLSelectElement>('seconds').value = String(prefs.seconds);
    document.addEventListener('visibilitychange', () => (document.hidden ? this.stop() : this.restart()));
    connection.onChange(() => this.restart());
  }

  /* What counts is what was under the pointer when it went down: a new line may arrive before it comes up. */
  private bindLines(): void {
    let pressed = '';
    const lineAt = (e: Event): string => (e.target as HTMLElement).closest<HTMLElement>('[data-line]')?.dataset.line ?? '';
    listen('pv', 'pointerdown', (_list, e) => (pressed = lineAt(e)));
    listen('pv', 'click', (_list, e) => {
      const line = (e as MouseEvent).detail ? pressed : lineAt(e);
      if (line && !this.threat) this.events.playLine(line.split(' '));
    });
  }

  get on(): boolean {
    return prefs.engine && this.allowed;
  }

  /** The best move now known, as UCI. */
  get best(): string | undefined {
    return this.threat ? undefined : this.latest?.lines[0]?.uci[0];
  }

  allow(allowed: boolean): void {
    this.allowed = allowed;
    byId('engine').hidden = !allowed;
    this.restart();
  }

  look(subject: Subject): void {
    const same = this.subject?.fens[this.subject.fens.length - 1] === subject.fens[subject.fens.length - 1];
    this.subject = subject;
    if (same && this.latest) return;
    this.latest = undefined;
    this.events.arrows([]);
    this.restart();
  }

  toggle(on = !prefs.engine): void {
    byId<HTMLInputElement>('engine-toggle').checked = on;
    this.change({ engine: on });
  }

  toggleThreat(): void {
    this.threat = !this.threat;
    byId('threat').setAttribute('aria-pressed', String(this.threat));
    this.latest = undefined;
    this.restart();
  }

  /** Arrows only: the lines stay as they are, under the pointer. */
  redraw(): void {
    this.events.arrows(this.latest && this.on && prefs.arrows ? arrowsOf(this.latest.lines, this.threat) : []);
  }

  private change(change: Partial<typeof prefs>): void {
    savePrefs(change);
    this.latest = undefined;
    this.restart();
  }

  private stop(): void {
    clearTimeout(this.retry);
    this.abort?.abort();
    this.abort = undefined;
  }

  private async run(): Promise<void> {
    this.stop();
    byId('engine').classList.toggle('off', !this.on);
    if (!this.on || !this.subject || document.hidden || !connection.online) {
      this.latest = undefined;
      this.idle(this.on ? '' : 'The engine rests.');
      return;
    }
    const { fens } = this.subject;
    const over = ending(fens);
    if (over && (over.reason === 'checkmate' || over.reason === 'stalemate')) {
      this.idle(over.reason === 'checkmate' ? 'Checkmate.' : 'Stalemate.');
      return;
    }
    const search = this.search(this.subject);
    if (!search) {
      this.idle('In check there is no threat to show.');
      return;
    }
    const abort = (this.abort = new AbortController());
    try {
      await stream(search, abort.signal, info => abort.signal.aborted || this.draw(info));
    } catch (error) {
      if (!abort.signal.aborted) this.failed(error as Error);
    }
  }

  private search(subject: Subject) {
    const limits = { multipv: prefs.lines, ...(prefs.depth ? { depth: prefs.depth } : {}), ...(prefs.seconds ? { movetime: prefs.seconds * 1000 } : {}) };
    if (!this.threat) return { fen: subject.fen, moves: subject.moves, chess960: subject.chess960, ...limits };
    const passed = passFen(subject.fens[subject.fens.length - 1]!);
    return passed ? { fen: passed, moves: [], chess960: subject.chess960, ...limits } : undefined;
  }

  private failed(error: Error): void {
    const status = error instanceof ApiError ? error.status : -1;
    if (status === 0) connection.lost();
    else if (status === 429 || status === 503) {
      byId('engine-note').textContent = 'The server is busy; trying again…';
      this.retry = window.setTimeout(this.restart, 1000 * Math.max(1, (error as ApiError).retryAfter));
    } else toast(error.message, 'error');
  }

  private idle(note: string): void {
    byId('engine-note').textContent = note;
    byId('pv').replaceChildren();
    byId('score').textContent = '–';
    byId('engine-stats').textContent = '';
    this.events.arrows([]);
  }

  private draw(info: Analysis): void {
    const first = info.lines[0];
    if (!this.subject || !first) return;
    this.latest = info;
    const fen = this.threat ? passFen(this.subject.fens[this.subject.fens.length - 1]!)! : this.subject.fens[this.subject.fens.length - 1]!;
    byId('score').textContent = scoreText(first.score);
    byId('score').dataset.side = winPercent(first.score) >= 50 ? 'white' : 'black';
    byId('engine-stats').textContent = `depth ${info.depth}/${info.seldepth} · ${shortNumber(info.nps)}n/s`;
    byId('engine-note').textContent = this.threat ? `Threat: if ${turnOf(fen) === 'white' ? 'White' : 'Black'} were to move` : '';
    byId('engine').dataset.depth = String(info.depth);
    this.drawLines(info.lines.slice(0, prefs.lines).map(line => this.lineView(line, fen)));
    this.redraw();
    if (!this.threat) this.events.scored(first.score, info.depth);
  }

  /* A line that says the same stays in place: it may be under a finger. */
  private drawLines(views: HTMLElement[]): void {
    const list = byId('pv');
    views.forEach((view, i) => {
      const old = list.children[i];
      if (!old) list.append(view);
      else if (old.textContent !== view.textContent) old.replaceWith(view);
    });
    while (list.children.length > views.length) list.lastElementChild!.remove();
  }

  private lineView(line: Line, fen: string): HTMLElement {
    const san = line.san.length ? line.san : lineToSan(fen, line.uci);
    const ply = this.subject!.ply + (this.threat ? 1 : 0);
    const words = san.map((word, i) => {
      const number = (ply + i) % 2 === 0 || i === 0 ? `${moveNumber(ply + i + 1)} ` : '';
      return h('button', {
        type: 'button',
        'data-line': line.uci.slice(0, i + 1).join(' '),
        onmouseenter: () => this.threat || this.events.preview(line.uci.slice(0, i + 1)),
      }, h('span', { class: 'number' }, number), word);
    });
    return h('li', { onmouseleave: () => this.events.preview(undefined) },
      h('span', { class: 'line-score', 'data-side': winPercent(line.score) >= 50 ? 'white' : 'black', 'aria-label': scoreWords(line.score) }, scoreText(line.score)),
      h('span', { class: 'line-moves' }, ...words));
  }
}

/** The best move in full colour; the others thinner, the more they lose. */
export function arrowsOf(lines: readonly Line[], threat: boolean): Arrow[] {
  const best = lines[0] ? winPercent(lines[0].score) : 50;
  const arrows: Arrow[] = [];
  lines.forEach((line, i) => {
    const uci = line.uci[0];
    if (!uci || (threat && i > 0)) return;
    const loss = Math.abs(best - winPercent(line.score));
    if (i === 0) arrows.push({ uci, brush: threat ? 'threat' : 'best', width: 11 });
    else if (loss < 12) arrows.push({ uci, brush: 'other', width: Math.max(3, 8 - loss / 2) });
  });
  return arrows.reverse(); // the best is drawn last, on top
}
