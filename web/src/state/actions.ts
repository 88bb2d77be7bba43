// SPDX-License-Identifier: GPL-3.0-or-later
/* actions.ts -- everything that can happen to the state because a person, the engine or the clock wants it.
 * Whatever takes something away remembers it first, so that undo can bring it back. */

import { Clock } from '../chess/clock.ts';
import { type Color, opposite, type Played, playText, playUci, turnOf } from '../chess/rules.ts';
import { GameTree, lineFrom, type MoveNode, type Notes, pathTo, placeOf } from '../chess/tree.ts';
import type { GameReport } from '../engine/engine.ts';
import { type Message, t } from '../texts/index.ts';
import { fromTyped } from '../texts/notation.ts';
import type { Prefs } from './prefs.ts';
import { type Challenge, type GameOver, type Mode, noAnalysis, noReport, type Play, playing, mayMove, type Snapshot, type State, type Tab, type Toast } from './state.ts';
import type { Store } from './store.ts';

export type Direction = 'first' | 'back' | 'forward' | 'last';
export interface Opened {
  tree: GameTree;
  node?: MoveNode;
  orientation?: Color;
  report?: GameReport | undefined;
  reportId?: string | undefined;
}

const mostUndo = 100;

export const newRecordId = (): string => `${Date.now().toString(36)}-${Math.floor(Math.random() * 0x7fffffff).toString(36)}`;

export class Actions {
  constructor(private readonly store: Store<State>) {}

  private get s(): Readonly<State> {
    return this.store.state;
  }

  /* --- the place in the game --- */

  go(node: MoveNode): void {
    if (node !== this.s.node) this.store.set({ node, hint: '' });
  }

  step(direction: Direction): void {
    if (this.s.mode === 'edit') return;
    const { node, tree } = this.s;
    const line = lineFrom(node);
    const target = { first: tree.root, back: node.parent, forward: line[0], last: line[line.length - 1] }[direction];
    if (target) this.go(target);
  }

  /** To the next or previous side line at this move. */
  stepAside(by: 1 | -1): void {
    const { node } = this.s;
    const siblings = node.parent?.children ?? [];
    const next = siblings[siblings.indexOf(node) + by];
    if (next) this.go(next);
  }

  flip(to: Color = opposite(this.s.orientation)): void {
    this.store.set({ orientation: to });
  }

  /* --- moves --- */

  /** A move on the board. False if it is not legal or not this person's turn. */
  userMove(uci: string): boolean {
    return this.make(mayMove(this.s) ? playUci(this.s.node.fen, uci) : undefined);
  }

  typedMove(text: string): boolean {
    return this.make(mayMove(this.s) ? (playText(this.s.node.fen, fromTyped(text)) ?? playText(this.s.node.fen, text)) : undefined);
  }

  private make(move: Played | undefined): boolean {
    if (!move) return false;
    const { node: from, play, tree } = this.s;
    if (!playing(this.s) && !from.children.some(c => c.uci === move.uci)) this.remember({ key: 'undoMove', values: { move: move.san } });
    const node = tree.add(from, move);
    if (playing(this.s)) this.pressClock(node);
    this.touch({ node, hint: '', ...(play ? { play: { ...play, paused: false } } : {}) });
    return true;
  }

  /** Plays a line of the engine, the report or the explorer into the tree. */
  follow(line: readonly string[], from: MoveNode = this.s.node): void {
    if (playing(this.s) || this.s.mode === 'edit') return;
    this.remember({ key: 'undoLine' });
    this.touch({ node: this.s.tree.addLine(from, line) });
  }

  playBest(): void {
    const { known, threat, fen } = this.s.analysis;
    const best = known?.lines[0]?.uci[0];
    if (best && !threat && fen === this.s.node.fen && this.s.prefs.engine) this.userMove(best);
  }

  /* --- the tree --- */

  /** The tree has changed. */
  private touch(change: Partial<State> = {}): void {
    this.store.set({ revision: this.s.revision + 1, ...change });
  }

  annotate(node: MoveNode, notes: Partial<Notes>): void {
    if ((Object.keys(notes) as (keyof Notes)[]).every(k => JSON.stringify(notes[k]) === JSON.stringify(node[k]))) return;
    this.remember({ key: 'undoAnnotate' });
    Object.assign(node, notes);
    this.touch();
  }

  setTags(tags: Map<string, string>): void {
    this.remember({ key: 'undoDetails' });
    this.s.tree.tags = tags;
    this.touch();
  }

  promote(node: MoveNode): void {
    this.remember({ key: 'undoPromote' });
    this.s.tree.promote(node);
    this.touch();
  }

  remove(node: MoveNode): void {
    const label: Message = { key: 'undoDelete' };
    this.remember(label);
    const parent = this.s.tree.remove(node);
    const inside = pathTo(this.s.node).includes(node);
    this.touch({ ...(inside ? { node: parent } : {}), toast: { text: label, kind: 'info', action: 'undo' } });
  }

  /* --- undo --- */

  private snapshot(label: Message): Snapshot {
    const { tree, node, mode, orientation, play, report, record } = this.s;
    const frozen: Play | undefined = play && { ...play, clock: play.clock && Clock.load(play.clock.control, play.clock.save(performance.now())) };
    return { label, record, tree: tree.save(), place: placeOf(node), mode, orientation, play: frozen, report: report.data, reportId: report.id };
  }

  private remember(label: Message): void {
    this.store.set({ undo: [...this.s.undo, this.snapshot(label)].slice(-mostUndo), redo: [] });
  }

  undo(): void {
    const last = this.s.undo[this.s.undo.length - 1];
    if (!last) return;
    if (playing(this.s) && last.record !== this.s.record) {
      this.toast({ text: { key: 'undoInGame' }, kind: 'info' });
      return;
    }
    this.store.set({ redo: [...this.s.redo, this.snapshot(last.label)], undo: this.s.undo.slice(0, -1) });
    this.restore(last);
    this.toast({ text: { key: 'undone', values: { what: t(last.label.key, last.label.values) } }, kind: 'info' });
  }

  redo(): void {
    const last = this.s.redo[this.s.redo.length - 1];
    if (!last) return;
    this.store.set({ undo: [...this.s.undo, this.snapshot(last.label)], redo: this.s.redo.slice(0, -1) });
    this.restore(last);
  }

  private restore(snap: Snapshot): void {
    const tree = GameTree.load(snap.tree);
    const mode = snap.mode === 'edit' ? 'analyse' : snap.mode;
    const play = snap.play && { ...snap.play };
    if (play?.clock && !play.over) play.clock.start(turnOf(tree.tip().fen), performance.now());
    this.touch({
      tree, node: tree.at(snap.place), mode, orientation: snap.orientation, record: snap.record, analysis: noAnalysis, hint: '',
      play, report: { ...noReport, data: snap.report, id: snap.reportId }, toast: undefined,
    });
  }

  /* --- whole games --- */

  /** Puts another game on the board. The one that was there stays in the browser's store, and undo brings it back. */
  open(opened: Opened, label: Message = { key: 'undoOpen' }): void {
    const replaced = !this.s.tree.empty;
    if (replaced) this.remember(label);
    this.touch({
      tree: opened.tree, node: opened.node ?? opened.tree.root, mode: 'analyse', play: undefined, record: newRecordId(), analysis: noAnalysis, hint: '',
      orientation: opened.orientation ?? this.s.orientation, report: { ...noReport, data: opened.report, id: opened.reportId }, threat: false,
      toast: replaced ? { text: label, kind: 'info', action: 'undo' } : undefined,
    });
  }

  /** Brings back what the browser's store had, without a word of undo. */
  resume(change: Partial<State>): void {
    this.touch({ analysis: noAnalysis, hint: '', ...change });
  }

  setMode(mode: Mode): void {
    if (mode === 'play' && !this.s.play) return;
    this.store.set({ mode, hint: '' });
  }

  /** Ends the game against Samara without a result; its moves stay. */
  leaveGame(mode: Mode): void {
    const { play } = this.s;
    play?.clock?.pause(performance.now());
    this.touch({ play: undefined, mode });
  }

  /* --- games against Samara --- */

  startGame(challenge: Challenge): void {
    if (!this.s.tree.empty) this.remember({ key: 'undoNewGame' });
    const tree = new GameTree(challenge.fen, challenge.chess960);
    tree.tags = gameTags(challenge);
    const play: Play = { challenge, over: undefined, clock: challenge.control && new Clock(challenge.control), paused: false, score: undefined };
    this.touch({
      tree, node: tree.root, mode: 'play', orientation: challenge.side, play, record: newRecordId(), report: noReport, analysis: noAnalysis, hint: '',
      threat: false, toast: undefined, tab: 'moves',
    });
    this.announce(t('sayNewGame', { side: t(challenge.side) }));
  }

  /** Samara has answered. */
  engineMove(node: MoveNode, uci: string, score: State['analysis']['known']): void {
    const move = playUci(node.fen, uci);
    const { play, tree } = this.s;
    if (!move || !play) return;
    const child = tree.add(node, move);
    this.pressClock(child);
    this.touch({ node: child, hint: '', play: { ...play, score: score?.lines[0]?.score } });
  }

  /* Both clocks stand until each side has moved once. */
  private pressClock(node: MoveNode): void {
    const clock = this.s.play?.clock;
    if (!clock) return;
    const now = performance.now();
    if (clock.side) clock.press(now);
    else if (pathTo(node).length > 2) clock.start(turnOf(node.fen), now);
    node.clock = clock.remaining(opposite(turnOf(node.fen)), now);
  }

  finish(over: GameOver): void {
    const { play, tree } = this.s;
    if (!play || play.over) return;
    play.clock?.pause(performance.now());
    tree.tags.set('Result', over.result).set('Termination', over.reason);
    this.touch({ play: { ...play, over } });
  }

  resign(): void {
    if (!playing(this.s)) return;
    this.remember({ key: 'undoResign' });
    this.finish({ result: this.s.play!.challenge.side === 'white' ? '0-1' : '1-0', reason: 'resignation' });
  }

  /** The last move of the person and what Samara answered. */
  takeBack(): void {
    const { play, tree } = this.s;
    if (!play || !tree.root.children.length) return;
    const tip = tree.tip();
    const steps = turnOf(tip.fen) === play.challenge.side ? 2 : 1;
    let node = tip;
    for (let i = 0; i < steps && node.parent; i++) node = tree.remove(node);
    tree.tags.delete('Termination');
    tree.tags.set('Result', '*');
    this.restoreClock(node);
    this.touch({ node, hint: '', play: { ...play, over: undefined, paused: false }, report: noReport });
    this.announce(t('sayTakenBack'));
  }

  private restoreClock(node: MoveNode): void {
    const clock = this.s.play?.clock;
    if (!clock) return;
    const now = performance.now();
    clock.pause(now);
    if (node.clock !== undefined) clock.set(opposite(turnOf(node.fen)), node.clock);
    if (node.parent?.clock !== undefined) clock.set(turnOf(node.fen), node.parent.clock);
    if (pathTo(node).length > 2) clock.start(turnOf(node.fen), now);
  }

  /** A game that came back from the store goes on. */
  goOn(): void {
    const { play, tree } = this.s;
    if (!play) return;
    if (play.clock && pathTo(tree.tip()).length > 2) play.clock.start(turnOf(tree.tip().fen), performance.now());
    this.store.set({ play: { ...play, paused: false }, node: tree.tip() });
  }

  /* --- the rest --- */

  setPrefs(change: Partial<Prefs>): void {
    this.store.set({ prefs: { ...this.s.prefs, ...change } });
  }

  setTab(tab: Tab): void {
    this.store.set({ tab });
  }

  toggleThreat(): void {
    this.store.set({ threat: !this.s.threat });
  }

  goDeeper(): void {
    const { deeper, node } = this.s;
    this.store.set({ deeper: { fen: node.fen, times: deeper.fen === node.fen ? deeper.times + 1 : 1 } });
  }

  wantReport(): void {
    this.store.set({ report: { ...this.s.report, wanted: this.s.report.wanted + 1 }, tab: 'report' });
  }

  cancelReport(): void {
    this.store.set({ report: { ...this.s.report, running: undefined } });
  }

  toast(toast: Toast): void {
    this.store.set({ toast });
  }

  fail(error: Error): void {
    this.toast({ text: error.message, kind: 'error' });
  }

  announce(text: string): void {
    this.store.set({ said: { number: this.s.said.number + 1, text } });
  }
}

function gameTags({ side, elo, depth, control }: Challenge): Map<string, string> {
  const samara = elo ? `Samara (${elo})` : depth ? t('samaraAtDepth', { depth }) : 'Samara';
  const today = new Date();
  const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map(n => String(n).padStart(2, '0')).join('.');
  const tags = new Map([['Event', t('eventName')], ['Site', '?'], ['Date', date], ['Round', '-']]);
  tags.set('White', side === 'white' ? t('you') : samara).set('Black', side === 'black' ? t('you') : samara).set('Result', '*');
  if (control) tags.set('TimeControl', `${control.initial / 1000}+${control.increment / 1000}`);
  return tags;
}
