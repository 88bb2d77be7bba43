// SPDX-License-Identifier: GPL-3.0-or-later
/* opponent.ts -- the other side of a game against Samara: thinking, clocks, draws, the end. */

import { position, type Color, opposite, turnOf } from '../chess/rules.ts';
import type { Score } from '../chess/score.ts';
import { type MoveNode, pathTo } from '../chess/tree.ts';
import { engineThere } from '../engine/choice.ts';
import { aborted, type Engine, EngineError, type Limits, type Question } from '../engine/engine.ts';
import type { Actions } from '../state/actions.ts';
import { endingAt, type GameOver, playing, samaraToMove, type State } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { t } from '../texts/index.ts';
import { play as playSound } from './sound.ts';

const moveTime = 1000; // of a game without clocks
const hintTime = 700;
const tickEvery = 100;
const lowTime = 10000;

/** Whether Samara takes a draw: it is not better and the opening is over. */
export function acceptsDraw(score: Score | undefined, samara: Color, ply: number): boolean {
  if (!score || ply < 40) return false;
  const own = samara === 'white' ? 1 : -1;
  if (score.mate !== undefined) return score.mate * own < 0;
  return score.cp * own <= 10;
}

/** A flag has fallen: a loss, unless the other side could never mate. */
export function timeOver(fallen: Color, fen: string): GameOver {
  const winner = opposite(fallen);
  if (position(fen).hasInsufficientMaterial(winner)) return { result: '1/2-1/2', reason: 'time' };
  return { result: winner === 'white' ? '1-0' : '0-1', reason: 'time' };
}

const questionAt = (s: Readonly<State>, node: MoveNode): Question => ({ fen: s.tree.root.fen, moves: pathTo(node).slice(1).map(n => n.uci), chess960: s.tree.chess960 });

function limitsOf(s: Readonly<State>): Limits {
  const { challenge, clock } = s.play!;
  if (challenge.depth) return { depth: challenge.depth };
  const elo = challenge.elo ? { elo: challenge.elo } : {};
  if (!clock) return { ...elo, movetime: moveTime };
  const now = performance.now();
  const { increment } = clock.control;
  return { ...elo, clock: { wtime: Math.max(1, Math.round(clock.remaining('white', now))), btime: Math.max(1, Math.round(clock.remaining('black', now))), winc: increment, binc: increment } };
}

export class Opponent {
  private asked: MoveNode | undefined; // the position that Samara thinks about
  private abort: AbortController | undefined;
  private retry = 0;
  private ticker = 0;
  private warned = false;

  constructor(private readonly store: Store<State>, private readonly actions: Actions, private readonly engine: Engine, private readonly drawClocks: () => void) {
    store.effect((now, before) => this.update(now, before));
  }

  private update(now: State, before: State): void {
    const tip = now.tree.tip();
    if (playing(now)) {
      const end = endingAt(tip);
      if (end) this.actions.finish(end);
    }
    this.runClock(now, before);
    const wanted = samaraToMove(now) && !now.play!.paused && engineThere(now) && !endingAt(tip) ? tip : undefined;
    if (wanted === this.asked) return;
    this.abort?.abort();
    clearTimeout(this.retry);
    this.asked = wanted;
    if (wanted) void this.think(wanted);
  }

  /* Samara's clock stands while the server is away: that is not Samara's fault. */
  private runClock(now: State, before: State): void {
    const clock = now.play?.clock;
    const runs = !!clock && playing(now) && !now.play!.paused;
    if (runs && !this.ticker) this.ticker = window.setInterval(() => this.tick(), tickEvery);
    if (!runs && this.ticker) {
      clearInterval(this.ticker);
      this.ticker = 0;
    }
    if (now.play?.challenge !== before.play?.challenge) this.warned = false;
    if (!clock || !runs) return;
    const time = performance.now();
    const started = pathTo(now.tree.tip()).length > 2;
    if (samaraToMove(now) && !engineThere(now)) clock.pause(time);
    else if (!clock.side && started) clock.start(turnOf(now.tree.tip().fen), time);
  }

  private async think(node: MoveNode): Promise<void> {
    const own = (this.abort = new AbortController());
    const s = this.store.state;
    try {
      const answer = await this.engine.move(questionAt(s, node), limitsOf(s), own.signal);
      if (own.signal.aborted || this.asked !== node) return;
      this.asked = undefined;
      if (answer.bestmove) this.actions.engineMove(node, answer.bestmove, answer);
    } catch (error) {
      if (own.signal.aborted || aborted(error)) return;
      this.failed(error as Error);
    }
  }

  private failed(error: Error): void {
    const passing = error instanceof EngineError && (error.away || error.busy);
    if (!passing) this.actions.fail(error);
    if (error instanceof EngineError && error.away) {
      this.asked = undefined;
      this.store.set({ server: { ...this.store.state.server, online: false } });
    } else this.retry = window.setTimeout(() => this.asked && void this.think(this.asked), passing ? 1000 : 5000);
  }

  private tick(): void {
    const { play, tree } = this.store.state;
    if (!play?.clock || play.over) return;
    const now = performance.now();
    const { side } = play.challenge;
    if (!this.warned && play.clock.side === side && play.clock.remaining(side, now) < lowTime && play.clock.control.initial > 3 * lowTime) {
      this.warned = true;
      playSound('low-time', this.store.state.prefs.sound);
      this.actions.announce(t('sayTenSeconds'));
    }
    const fallen = play.clock.fallen(now);
    if (fallen) this.actions.finish(timeOver(fallen, tree.tip().fen));
    this.drawClocks();
  }

  async giveHint(): Promise<void> {
    const s = this.store.state;
    if (!playing(s) || samaraToMove(s)) return;
    const tip = s.tree.tip();
    try {
      const answer = await this.engine.move(questionAt(s, tip), { movetime: hintTime }, new AbortController().signal);
      if (answer.bestmove && this.store.state.node === tip) this.store.set({ hint: answer.bestmove });
    } catch (error) {
      if (error instanceof EngineError && error.away) this.store.set({ server: { ...this.store.state.server, online: false } });
      else this.actions.fail(error as Error);
    }
  }

  offerDraw(): void {
    const s = this.store.state;
    if (!playing(s)) return;
    if (acceptsDraw(s.play!.score, opposite(s.play!.challenge.side), s.tree.tip().ply)) this.actions.finish({ result: '1/2-1/2', reason: 'agreement' });
    else this.actions.toast({ text: { key: 'drawDeclined' }, kind: 'info' });
  }
}
