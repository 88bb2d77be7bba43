// SPDX-License-Identifier: GPL-3.0-or-later
/* report.ts -- having a game judged: the engine does it, the page waits. A new report takes the place of the old one. */

import { writePgn } from '../chess/pgn.ts';
import { type GameTree } from '../chess/tree.ts';
import { aborted, type Engine, type GameReport, type Judgement, type MoveReport } from '../engine/engine.ts';
import type { Actions } from '../state/actions.ts';
import { judged, type ReportState, type State } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { language, numberText, t } from '../texts/index.ts';

export const judgementNag: Record<Judgement, number> = { inaccuracy: 6, mistake: 2, blunder: 4 };

export const percent = (n: number | null): string => (n === null ? '–' : `${numberText(n)} %`);

export function reportEffect(store: Store<State>, actions: Actions, engine: Engine): void {
  let abort: AbortController | undefined;

  const set = (change: Partial<ReportState>): void => store.set({ report: { ...store.state.report, ...change } });

  const run = async (s: Readonly<State>): Promise<void> => {
    const own = (abort = new AbortController());
    const earlier = s.report.data;
    set({ running: { queued: true, done: 0, total: s.tree.mainline().length } });
    try {
      await engine.report(writePgn(s.tree), language(), s.report.id, progress => {
        if (own.signal.aborted) return;
        const { state, done, total, report, id } = progress;
        const finished = state === 'done';
        set({ id, data: finished ? report : (earlier ?? report), running: finished ? undefined : { queued: state === 'queued', done, total } });
        if (finished && report) announceReport(report);
      }, own.signal);
    } catch (error) {
      if (!own.signal.aborted && !aborted(error)) actions.fail(error as Error);
    }
    if (abort !== own) return;
    abort = undefined;
    if (store.state.report.running) set({ running: undefined, data: earlier });
  };

  const announceReport = (report: GameReport): void =>
    actions.announce(t('sayReport', { white: percent(report.white.accuracy), black: percent(report.black.accuracy) }));

  store.effect((now, before) => {
    const cancelled = now.record !== before.record || (before.report.running && !now.report.running);
    if (abort && cancelled) {
      abort.abort();
      abort = undefined;
    }
    if (now.record !== before.record || now.report.wanted <= before.report.wanted) return;
    if (now.tree.mainline().length < 2) actions.toast({ text: { key: 'reportTooShort' }, kind: 'info' });
    else void run(now);
  });
}

/* The engine explains in English; in other languages the page says what it can. */
export const engineSpeaks = (): boolean => language() === 'en';

/** What to say about a judged move: the engine's own words, or its verdict and the better move. */
export function wordsOf(move: MoveReport, sanText: (san: string) => string): string {
  const verdict = move.judgement ? t(move.judgement) : '';
  if (move.text && engineSpeaks()) return !verdict || move.text.startsWith(verdict) ? move.text : `${verdict}. ${move.text}`;
  if (!verdict) return '';
  return move.best_san ? `${verdict}. ${t('bestWas', { move: sanText(move.best_san) })}` : `${verdict}.`;
}

/** A copy of the game with the report written into it, as other programs read it: evaluations, marks, words and the
 * better line. The game itself stays as it is, so that a second report cannot pile up on the first. */
export function withReport(s: Readonly<Pick<State, 'tree' | 'report'>>, copy: GameTree, sanText: (san: string) => string): GameTree {
  const nodes = s.tree.mainline();
  copy.mainline().forEach((node, i) => {
    const move = judged(s, nodes[i]!);
    if (!move) return;
    if (move.score) node.score = move.score;
    if (!move.judgement) return;
    node.nags = [judgementNag[move.judgement], ...node.nags.filter(n => n > 6)];
    const words = wordsOf(move, sanText);
    if (words && !node.comment.includes(words)) node.comment = `${node.comment}\n${words}`.trim();
    if (move.line?.length && node.parent) copy.addLine(node.parent, move.line);
  });
  return copy;
}
