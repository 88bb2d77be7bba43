// SPDX-License-Identifier: GPL-3.0-or-later
/* state.ts -- everything that the page shows and remembers, in one value. Parts are replaced, not changed, except for
 * the tree and the clock, which are large or run: `revision` counts the changes of the tree. */

import type { Clock, TimeControl } from '../chess/clock.ts';
import type { Score } from '../chess/score.ts';
import { type Color, ending, turnOf } from '../chess/rules.ts';
import { GameTree, type MoveNode, onMainline, pathTo, type SavedTree } from '../chess/tree.ts';
import type { Analysis, GameReport, MoveReport } from '../engine/engine.ts';
import type { ExplorerAnswer, TableAnswer } from '../engine/http.ts';
import type { Message } from '../texts/index.ts';
import { loadPrefs, type Prefs } from './prefs.ts';

export type Mode = 'analyse' | 'play' | 'edit';
export type Tab = 'moves' | 'report' | 'explorer';

/** What a game against Samara was agreed on. */
export interface Challenge {
  fen: string;
  chess960: boolean;
  side: Color; // the person's
  elo: number | undefined; // undefined: full strength
  depth: number | undefined; // searches this deep instead of by time
  control: TimeControl | undefined; // undefined: no clocks
  showEval: boolean; // evaluation and depth during the game
}

export type OverReason = 'checkmate' | 'stalemate' | 'repetition' | 'fifty moves' | 'insufficient material' | 'time' | 'resignation' | 'agreement';
export interface GameOver {
  result: '1-0' | '0-1' | '1/2-1/2';
  reason: OverReason;
}

export interface Play {
  challenge: Challenge;
  over: GameOver | undefined;
  clock: Clock | undefined;
  paused: boolean; // brought back from the store, waiting for the person
  score: Score | undefined; // of Samara's last search
}

export interface ReportState {
  data: GameReport | undefined; // the last one made, or as much as is known of the one that runs
  id: string | undefined; // under which the engine keeps it
  running: { queued: boolean; done: number; total: number } | undefined;
  wanted: number; // counts the demands for a report
}

export interface AnalysisState {
  known: Analysis | undefined; // of the position `fen`
  fen: string;
  threat: boolean; // the lines are those of the other side
  running: boolean;
  note: Message | undefined;
}

export interface ServerState {
  online: boolean;
  known: boolean; // whether we have heard from it at all
  version: string;
  message: string; // why it is away, if it says so
  needsToken: boolean;
  elo: { min: number; max: number };
  stored: boolean; // it keeps games
  tableMen: number; // of its largest endgame table; 0: none
  book: boolean;
  threadsMax: number; // of one live analysis
  hash: number; // megabytes, unless asked for others
  hashMax: number;
}

/** What games, book and tables know of the position `fen`. */
export interface ExplorerState {
  fen: string;
  moves: ExplorerAnswer | undefined;
  tables: TableAnswer | undefined;
  asking: boolean;
  problem: string;
}

/** All that undo brings back. */
export interface Snapshot {
  label: Message;
  record: string;
  tree: SavedTree;
  place: number[];
  mode: Mode;
  orientation: Color;
  play: Play | undefined;
  report: GameReport | undefined;
  reportId: string | undefined;
}

export interface State {
  mode: Mode;
  tab: Tab;
  tree: GameTree;
  revision: number;
  node: MoveNode;
  orientation: Color;
  play: Play | undefined;
  report: ReportState;
  analysis: AnalysisState;
  explorer: ExplorerState;
  threat: boolean;
  deeper: { fen: string; times: number }; // how often the person wanted to search on, and where
  hint: string; // UCI, for one move
  server: ServerState;
  undo: readonly Snapshot[];
  redo: readonly Snapshot[];
  record: string; // under which the browser keeps this game
  prefs: Prefs;
  visible: boolean; // the tab is in front
  toast: Toast | undefined;
  said: Said;
}

/** A short message at the edge of the page. */
export interface Toast {
  text: Message | string;
  kind: 'info' | 'error';
  action?: 'undo' | 'fresh';
}

/** What the live region says to a screen reader; the number tells two equal sentences apart. */
export interface Said {
  number: number;
  text: string;
}

export const noReport: ReportState = { data: undefined, id: undefined, running: undefined, wanted: 0 };
export const noAnalysis: AnalysisState = { known: undefined, fen: '', threat: false, running: false, note: undefined };

export function initialState(): State {
  const tree = new GameTree();
  return {
    mode: 'analyse', tab: 'moves', tree, revision: 0, node: tree.root, orientation: 'white', play: undefined, report: noReport, analysis: noAnalysis,
    explorer: { fen: '', moves: undefined, tables: undefined, asking: false, problem: '' }, threat: false, deeper: { fen: '', times: 0 }, hint: '', undo: [], redo: [], record: '', prefs: loadPrefs(), visible: true, toast: undefined, said: { number: 0, text: '' },
    server: { online: false, known: false, version: '', message: '', needsToken: false, elo: { min: 500, max: 3500 }, stored: false, tableMen: 0, book: false, threadsMax: 1, hash: 16, hashMax: 16 },
  };
}

/* --- questions about the state --- */

/** Whether a game against Samara is going on. */
export const playing = (s: Readonly<State>): boolean => !!s.play && !s.play.over;

/** Whether leaving this game needs a question: it goes on and somebody has moved. */
export const inProgress = (s: Readonly<State>): boolean => playing(s) && s.tree.root.children.length > 0;

export const samaraToMove = (s: Readonly<State>): boolean => playing(s) && turnOf(s.tree.tip().fen) !== s.play!.challenge.side;

/** Whether the person may move on the board now. */
export function mayMove(s: Readonly<State>): boolean {
  if (s.mode === 'edit') return false;
  if (!s.play || s.mode !== 'play') return true;
  return playing(s) && s.node === s.tree.tip() && !samaraToMove(s);
}

/** The engine may speak: always in analysis, in games only if that was agreed on. */
export const evalShown = (s: Readonly<State>): boolean => s.mode === 'analyse' || (s.mode === 'play' && !!s.play?.challenge.showEval);

export const fensTo = (node: MoveNode): string[] => pathTo(node).map(n => n.fen);

export const endingAt = (node: MoveNode) => ending(fensTo(node));

const movesByPly = new WeakMap<GameReport, Map<number, MoveReport>>();

/** What the report says of a move; only where the game is still the one it is about. */
export function judged(s: Readonly<Pick<State, 'report' | 'tree'>>, node: MoveNode): MoveReport | undefined {
  const { data } = s.report;
  if (!data || !node.parent || !onMainline(node)) return undefined;
  let moves = movesByPly.get(data);
  if (!moves) movesByPly.set(data, (moves = new Map(data.moves.map(m => [m.ply, m]))));
  const move = moves.get(node.ply - s.tree.root.ply);
  return move?.uci === node.uci ? move : undefined;
}
