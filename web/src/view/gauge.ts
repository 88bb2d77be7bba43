// SPDX-License-Identifier: GPL-3.0-or-later
/* gauge.ts -- the bar beside the board, driven by winning chances; CSS damps its motion. */

import { type Score, scoreText, winPercent } from '../chess/score.ts';
import { overScore } from '../engine/engine.ts';
import { endingAt, evalShown, judged, type State } from '../state/state.ts';
import { t } from '../texts/index.ts';
import { byId } from './dom.ts';

/** What is known of the position on the board: its end, the live search, the report, the PGN. */
export function scoreHere(s: Readonly<State>): Score | undefined {
  const over = overScore(endingAt(s.node));
  if (over) return over;
  const { known, fen, threat } = s.analysis;
  if (known?.lines[0] && !threat && fen === s.node.fen) return known.lines[0].score;
  const stored = judged(s, s.node)?.score ?? s.node.score;
  return stored ?? (s.mode === 'play' ? s.play?.score : undefined);
}

export function gaugeView(s: Readonly<State>): void {
  const gauge = byId('gauge');
  gauge.hidden = !s.prefs.gauge || !evalShown(s);
  const score = scoreHere(s);
  const percent = score ? winPercent(score) : 50;
  gauge.style.setProperty('--white', `${percent.toFixed(1)}%`);
  gauge.setAttribute('aria-valuenow', percent.toFixed(0));
  gauge.setAttribute('aria-valuetext', score ? t('gaugeText', { score: scoreText(score), percent: percent.toFixed(0) }) : t('unknown'));
}
