// SPDX-License-Identifier: GPL-3.0-or-later
/* analysis.ts -- live analysis of the position on the board: one search at a time, none while the tab is hidden.
 * What was found stays known: a position that is seen again shows its deepest lines at once. */

import { passFen, turnOf } from '../chess/rules.ts';
import { pathTo } from '../chess/tree.ts';
import { engineLimits, engineThere, inBrowser, threadsOf } from '../engine/choice.ts';
import { aborted, type Analysis, deepest, type Engine, EngineError, type Limits, type Question } from '../engine/engine.ts';
import type { Actions } from '../state/actions.ts';
import { endingAt, evalShown, playing, samaraToMove, type State } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import type { Message } from '../texts/index.ts';
import type { Evaluations } from './evaluations.ts';

const quiet = 100; // milliseconds between a step and a search: who leafs through a game wants none
const longest = 300; // seconds; beyond it the server's own limit counts
const idleSearch = 5000; // an endless search that ends sooner has nothing left to find

interface Job {
  key: string;
  fen: string; // of the position that is searched
  question: Question;
  limits: Limits;
  threat: boolean;
  endless: boolean;
}

/** What should be searched now; a message if there is a reason why nothing can be; undefined if nothing is wanted. */
export function wantedSearch(s: Readonly<State>): Job | Message | undefined {
  if (!evalShown(s) || s.mode === 'edit') return undefined;
  if (!s.prefs.engine) return { key: 'engineRests' };
  const over = endingAt(s.node);
  if (over?.reason === 'checkmate') return { key: 'engineCheckmate' };
  if (over?.reason === 'stalemate') return { key: 'engineStalemate' };
  if (playing(s) && samaraToMove(s) && s.node === s.tree.tip()) return undefined;
  const { lines, depth, seconds } = s.prefs;
  const times = s.deeper.fen === s.node.fen ? s.deeper.times : 0;
  const time = seconds * 4 ** times;
  const { hashMax } = engineLimits(s);
  const threads = threadsOf(s);
  const hash = Math.min(s.prefs.hash, hashMax);
  const limits: Limits = {
    multipv: lines, ...(depth && !times ? { depth } : {}), ...(time && time <= longest ? { movetime: time * 1000 } : {}),
    ...(threads > 1 ? { threads } : {}), ...(hash ? { hash } : {}),
  };
  const path = pathTo(s.node);
  let question: Question = { fen: s.tree.root.fen, moves: path.slice(1).map(n => n.uci), chess960: s.tree.chess960 };
  let fen = s.node.fen;
  if (s.threat) {
    const passed = passFen(fen);
    if (!passed) return { key: 'engineNoThreat' };
    [fen, question] = [passed, { fen: passed, moves: [], chess960: s.tree.chess960 }];
  }
  return { key: JSON.stringify([question, limits, s.record, inBrowser(s)]), fen, question, limits, threat: s.threat, endless: !seconds && !depth };
}

const isMessage = (wanted: Job | Message): wanted is Message => !('question' in wanted);

export function analysisEffect(store: Store<State>, actions: Actions, engine: Engine, known: Evaluations): void {
  let current = ''; // key of what runs or is about to
  let abort: AbortController | undefined;
  let timer = 0;
  let frame = 0;

  const stop = (): void => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    abort?.abort();
    abort = undefined;
    current = '';
  };

  /* Who asks for a depth wants to see that depth, not a deeper search of another day. */
  let own: Analysis | undefined;
  const knownOf = (job: Job): Analysis | undefined => {
    const stored = known.get(job.fen, job.question.chess960);
    return job.limits.depth && stored && stored.depth > job.limits.depth ? own : stored;
  };
  const show = (job: Job, running: boolean, note?: Message): void => {
    const threat: Message | undefined = job.threat ? { key: turnOf(job.fen) === 'white' ? 'engineThreatWhite' : 'engineThreatBlack' } : undefined;
    store.set({ analysis: { known: knownOf(job), fen: job.fen, threat: job.threat, running, note: note ?? threat } });
  };

  const run = async (job: Job): Promise<void> => {
    const { signal } = (abort = new AbortController());
    const began = performance.now();
    try {
      await engine.analyse(job.question, job.limits, fresh => {
        if (signal.aborted || !fresh.lines.length || fresh.depth > (job.limits.depth ?? Infinity)) return;
        own = deepest(knownOf(job), fresh, job.limits.multipv ?? 1);
        known.put(job.fen, job.question.chess960, own);
        cancelAnimationFrame(frame); // lines may come faster than frames
        frame = requestAnimationFrame(() => show(job, true));
      }, signal);
      if (signal.aborted) return;
      cancelAnimationFrame(frame);
      show(job, false);
      if (job.endless && performance.now() - began > idleSearch) void run(job);
    } catch (error) {
      if (!signal.aborted && !aborted(error)) failed(job, error as Error);
    }
  };

  const failed = (job: Job, error: Error): void => {
    const passing = error instanceof EngineError && (error.away || error.busy);
    if (!passing) actions.fail(error);
    show(job, false, passing && !(error as EngineError).away ? { key: 'engineBusy' } : undefined);
    if (!passing) return;
    if ((error as EngineError).away) store.set({ server: { ...store.state.server, online: false } });
    else timer = window.setTimeout(() => void run(job), 1000 * Math.max(1, (error as EngineError).retryAfter));
  };

  store.effect(now => {
    const wanted = wantedSearch(now);
    if (!wanted || isMessage(wanted)) {
      if (current) stop();
      const note = wanted;
      const { analysis } = now;
      if (analysis.known && playing(now) && !wanted && evalShown(now)) return; // Samara thinks: the last lines stay
      if (analysis.known || analysis.running || analysis.note?.key !== note?.key)
        store.set({ analysis: { known: undefined, fen: now.node.fen, threat: false, running: false, note } });
      return;
    }
    if (!now.visible || !engineThere(now)) {
      if (current) stop();
      if (now.analysis.fen !== wanted.fen || now.analysis.running || now.analysis.threat !== wanted.threat) show(wanted, false);
      return;
    }
    if (wanted.key === current) return;
    stop();
    current = wanted.key;
    own = undefined;
    show(wanted, true);
    timer = window.setTimeout(() => void run(wanted), quiet);
  });
  known.onFound = () => {
    const wanted = wantedSearch(store.state);
    if (wanted && !isMessage(wanted)) show(wanted, store.state.analysis.running);
  };
}
