// SPDX-License-Identifier: GPL-3.0-or-later
/* gauge.ts -- the bar beside the board, driven by winning chances; CSS damps its motion. */

import { byId } from './dom.ts';
import { type Score, scoreText, winPercent } from './score.ts';

export function showGauge(score: Score | undefined): void {
  const percent = score ? winPercent(score) : 50;
  const gauge = byId('gauge');
  gauge.style.setProperty('--white', `${percent.toFixed(1)}%`);
  gauge.setAttribute('aria-valuenow', percent.toFixed(0));
  gauge.setAttribute('aria-valuetext', score ? `${scoreText(score)}, White's winning chances ${percent.toFixed(0)} percent` : 'unknown');
}
