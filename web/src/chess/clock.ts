// SPDX-License-Identifier: GPL-3.0-or-later
/* clock.ts -- a chess clock without timers of its own: the caller says what time it is. */

import { type Color, opposite } from './rules.ts';

export interface TimeControl {
  initial: number; // milliseconds
  increment: number;
}

/** A clock at rest, for the browser's store. */
export interface SavedClock {
  white: number;
  black: number;
  running: Color | undefined; // whose turn it was
}

export class Clock {
  private left: Record<Color, number>;
  private running: Color | undefined;
  private since = 0;

  constructor(readonly control: TimeControl) {
    this.left = { white: control.initial, black: control.initial };
  }

  /** Milliseconds left, never below zero. */
  remaining(side: Color, now: number): number {
    const used = this.running === side ? now - this.since : 0;
    return Math.max(0, this.left[side] - used);
  }

  start(side: Color, now: number): void {
    this.pause(now);
    this.running = side;
    this.since = now;
  }

  /** The running side has moved: it gets its increment and the other clock runs. */
  press(now: number): void {
    if (!this.running) return;
    const mover = this.running;
    this.pause(now);
    this.left[mover] += this.control.increment;
    this.start(opposite(mover), now);
  }

  pause(now: number): void {
    if (!this.running) return;
    this.left[this.running] = this.remaining(this.running, now);
    this.running = undefined;
  }

  set(side: Color, ms: number): void {
    this.left[side] = ms;
  }

  get side(): Color | undefined {
    return this.running;
  }

  /** The side whose flag has fallen, if any. */
  fallen(now: number): Color | undefined {
    return this.running && this.remaining(this.running, now) <= 0 ? this.running : undefined;
  }

  save(now: number): SavedClock {
    return { white: this.remaining('white', now), black: this.remaining('black', now), running: this.running };
  }

  /** The clock as it was, standing still. */
  static load(control: TimeControl, saved: SavedClock): Clock {
    const clock = new Clock(control);
    clock.left = { white: saved.white, black: saved.black };
    return clock;
  }
}

/** 3661000 -> "1:01:01", 61000 -> "1:01", 9400 -> "0:09.4". */
export function clockFace(ms: number): string {
  const tenths = Math.ceil(ms / 100);
  const seconds = Math.floor(tenths / 10);
  const two = (n: number) => String(n).padStart(2, '0');
  const [hh, mm, ss] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (hh) return `${hh}:${two(mm)}:${two(ss)}`;
  return seconds < 10 ? `${mm}:${two(ss)}.${tenths % 10}` : `${mm}:${two(ss)}`;
}
