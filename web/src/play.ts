// SPDX-License-Identifier: GPL-3.0-or-later
/* play.ts -- a game against Samara: whose turn, clocks, take-back, hint, draw, resignation, the end. */

import { analyse, type Analysis, ApiError, sendGame } from './api.ts';
import { Clock, clockFace, type TimeControl } from './clock.ts';
import { connection } from './connection.ts';
import { byId, listen } from './dom.ts';
import { announce, toast } from './live.ts';
import { type Color, ending, playUci, turnOf } from './rules.ts';
import type { Score } from './score.ts';
import { play as playSound } from './sound.ts';
import { GameTree, type MoveNode, pathTo } from './tree.ts';

export interface Challenge {
  fen: string;
  chess960: boolean;
  side: Color;
  elo: number | undefined; // undefined: full strength
  control: TimeControl | undefined; // undefined: no clocks
  moveTime: number; // milliseconds per engine move when there are no clocks
}

export interface PlayHost {
  tree(): GameTree;
  tip(): MoveNode; // last move of the game
  played(node: MoveNode): void; // the engine has moved
  takenBack(node: MoveNode): void;
  hint(uci: string): void;
  changed(): void;
}

export const opponent = (side: Color): Color => (side === 'white' ? 'black' : 'white');

/** Whether Samara takes a draw: it is not better and the opening is over. */
export function acceptsDraw(score: Score | undefined, samara: Color, ply: number): boolean {
  if (!score || ply < 40) return false;
  const own = samara === 'white' ? 1 : -1;
  if (score.mate !== undefined) return score.mate * own < 0;
  return score.cp * own <= 10;
}

export class Play {
  private clock: Clock | undefined;
  private abort: AbortController | undefined;
  private lastScore: Score | undefined;
  private warned = false;
  private ticker = 0;
  challenge: Challenge | undefined;
  over = '';

  constructor(private readonly host: PlayHost) {
    listen('take-back', 'click', () => this.takeBack());
    listen('hint', 'click', () => void this.giveHint());
    listen('resign', 'click', () => this.resign());
    listen('offer-draw', 'click', () => this.offerDraw());
    connection.onChange(online => online && this.active && this.samaraToMove() && void this.think());
  }

  get active(): boolean {
    return !!this.challenge && !this.over;
  }

  start(challenge: Challenge): void {
    this.leave();
    this.challenge = challenge;
    this.over = '';
    this.warned = false;
    this.lastScore = undefined;
    this.clock = challenge.control && new Clock(challenge.control);
    const tree = this.host.tree();
    const name = challenge.elo ? `Samara (${challenge.elo})` : 'Samara';
    tree.tags.set('Event', 'Game against Samara').set('Date', new Date().toISOString().slice(0, 10).replaceAll('-', '.'));
    tree.tags.set('White', challenge.side === 'white' ? 'You' : name).set('Black', challenge.side === 'black' ? 'You' : name);
    if (challenge.control) tree.tags.set('TimeControl', `${challenge.control.initial / 1000}+${challenge.control.increment / 1000}`);
    this.ticker = window.setInterval(() => this.tick(), 100);
    this.showClocks();
    this.host.changed();
    announce(`New game. You play ${challenge.side}.`);
    if (this.samaraToMove()) void this.think();
  }

  /** Forgets the game; the tree keeps its moves. */
  leave(): void {
    this.abort?.abort();
    clearInterval(this.ticker);
    this.challenge = undefined;
    this.clock = undefined;
    this.over = '';
    this.showClocks();
  }

  /** The person's move is on the tree. */
  moved(): void {
    this.pressClock();
    if (!this.finishIfOver()) void this.think();
  }

  private samaraToMove(): boolean {
    return !!this.challenge && turnOf(this.host.tip().fen) !== this.challenge.side;
  }

  private pressClock(): void {
    if (!this.clock) return;
    const now = performance.now();
    const tip = this.host.tip();
    const mover = opponent(turnOf(tip.fen));
    if (this.clock.side) this.clock.press(now);
    else if (pathTo(tip).length > 2) this.clock.start(turnOf(tip.fen), now); // both have made a move
    tip.clock = this.clock.remaining(mover, now);
    this.showClocks();
  }

  private async think(): Promise<void> {
    const challenge = this.challenge!;
    this.abort?.abort();
    const abort = (this.abort = new AbortController());
    const tip = this.host.tip();
    this.host.changed();
    try {
      const answer = await analyse(this.request(tip), abort.signal);
      if (abort.signal.aborted || this.challenge !== challenge) return;
      this.answered(tip, answer);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.failed(error as Error);
    }
  }

  private request(tip: MoveNode) {
    const { elo, control, moveTime, chess960 } = this.challenge!;
    const now = performance.now();
    const moves = pathTo(tip).slice(1).map(n => n.uci);
    const clock = this.clock && control && {
      wtime: Math.round(this.clock.remaining('white', now)),
      btime: Math.round(this.clock.remaining('black', now)),
      winc: control.increment,
      binc: control.increment,
    };
    return { fen: this.host.tree().root.fen, moves, chess960, ...(elo ? { elo } : {}), ...(clock ? { clock } : { movetime: moveTime }) };
  }

  private answered(tip: MoveNode, answer: Analysis): void {
    const move = answer.bestmove ? playUci(tip.fen, answer.bestmove) : undefined;
    if (!move) {
      this.finishIfOver();
      return;
    }
    this.lastScore = answer.lines[0]?.score;
    const node = this.host.tree().add(tip, move);
    this.host.played(node);
    this.pressClock();
    this.finishIfOver();
    this.host.changed();
  }

  private failed(error: Error): void {
    const busy = error instanceof ApiError && (error.status === 429 || error.status === 503);
    if (error instanceof ApiError && error.status === 0) connection.lost();
    else if (busy) window.setTimeout(() => this.active && this.samaraToMove() && void this.think(), 1000);
    else toast(error.message, 'error');
  }

  private finishIfOver(): boolean {
    const end = ending(pathTo(this.host.tip()).map(n => n.fen));
    if (!end) return false;
    this.finish(end.result, end.reason);
    return true;
  }

  private finish(result: string, reason: string): void {
    if (!this.active) return;
    this.abort?.abort();
    this.clock?.pause(performance.now());
    this.showClocks();
    clearInterval(this.ticker);
    this.over = `${result.replaceAll('-', '–').replaceAll('1/2', '½')} · ${reason}`;
    this.host.tree().tags.set('Result', result).set('Termination', reason);
    playSound('end');
    announce(`Game over. ${verdict(result, this.challenge!.side)}, by ${reason}.`);
    this.host.changed();
    sendGame(this.host.tree().toPgn()).catch(() => undefined); // the library is a convenience
  }

  private takeBack(): void {
    if (!this.challenge) return;
    this.abort?.abort();
    const tip = this.host.tip();
    const steps = turnOf(tip.fen) === this.challenge.side ? 2 : 1;
    let node: MoveNode = tip;
    for (let i = 0; i < steps && node.parent; i++) node = this.host.tree().remove(node);
    if (this.over) {
      this.over = '';
      this.host.tree().tags.delete('Result');
      this.host.tree().tags.delete('Termination');
      this.ticker = window.setInterval(() => this.tick(), 100);
    }
    this.restoreClock(node);
    this.host.takenBack(node);
    announce('Move taken back.');
    if (this.samaraToMove()) void this.think();
  }

  private restoreClock(node: MoveNode): void {
    if (!this.clock) return;
    const now = performance.now();
    this.clock.pause(now);
    if (node.clock !== undefined) this.clock.set(opponent(turnOf(node.fen)), node.clock);
    if (node.parent?.clock !== undefined) this.clock.set(turnOf(node.fen), node.parent.clock);
    if (pathTo(node).length > 2) this.clock.start(turnOf(node.fen), now);
  }

  private async giveHint(): Promise<void> {
    if (!this.active || this.samaraToMove()) return;
    const tip = this.host.tip();
    const moves = pathTo(tip).slice(1).map(n => n.uci);
    try {
      const { chess960 } = this.challenge!;
      const answer = await analyse({ fen: this.host.tree().root.fen, moves, chess960, movetime: 700 });
      if (answer.bestmove && this.host.tip() === tip) this.host.hint(answer.bestmove);
    } catch (error) {
      this.failed(error as Error);
    }
  }

  private resign(): void {
    if (this.active) this.finish(this.challenge!.side === 'white' ? '0-1' : '1-0', 'resignation');
  }

  private offerDraw(): void {
    if (!this.active) return;
    const samara = opponent(this.challenge!.side);
    if (acceptsDraw(this.lastScore, samara, this.host.tip().ply)) this.finish('1/2-1/2', 'agreement');
    else toast('Samara plays on.');
  }

  private tick(): void {
    if (!this.clock || !this.active) return;
    const now = performance.now();
    this.showClocks();
    const side = this.challenge!.side;
    if (!this.warned && this.clock.side === side && this.clock.remaining(side, now) < 10000 && this.clock.control.initial > 30000) {
      this.warned = true;
      playSound('low-time');
      announce('Ten seconds left.');
    }
    const fallen = this.clock.fallen(now);
    if (fallen) this.finish(fallen === 'white' ? '0-1' : '1-0', 'time');
  }

  private showClocks(): void {
    const now = performance.now();
    for (const side of ['white', 'black'] as const) {
      const face = byId(`clock-${side}`);
      face.hidden = !this.clock;
      if (!this.clock) continue;
      const left = this.clock.remaining(side, now);
      face.textContent = clockFace(left);
      face.classList.toggle('running', this.clock.side === side);
      face.classList.toggle('low', left < 10000);
    }
  }
}

export function verdict(result: string, side: Color): string {
  if (result === '1/2-1/2') return 'Draw';
  return (result === '1-0') === (side === 'white') ? 'You win' : 'Samara wins';
}
