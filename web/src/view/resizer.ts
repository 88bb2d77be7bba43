// SPDX-License-Identifier: GPL-3.0-or-later
/* resizer.ts -- the corner of the board that makes it larger or smaller. The settings have the same as a slider. */

import { byId } from './dom.ts';

export function bindResizer(set: (percent: number) => void, now: () => number): void {
  const grip = byId('resizer');
  grip.addEventListener('pointerdown', start => {
    start.preventDefault();
    const width = byId('board').getBoundingClientRect().width;
    const whole = width / (now() / 100); // what 100 % would be
    grip.setPointerCapture(start.pointerId);
    grip.onpointermove = e => {
      const by = Math.max(e.clientX - start.clientX, e.clientY - start.clientY);
      set(Math.max(40, Math.min(100, Math.round(((width + by) / whole) * 100))));
    };
    grip.onpointerup = grip.onpointercancel = () => (grip.onpointermove = null);
  });
}
