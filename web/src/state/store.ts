// SPDX-License-Identifier: GPL-3.0-or-later
/* store.ts -- the order of things: state, then effects, then drawing.
 * A change is collected; when the current event is over, effects compare old and new state and start or stop what
 * has to be (searches, saving, sounds), and may change the state again; at last views draw what there is. A view that
 * changes the state is a mistake and throws. */

export type Effect<S> = (now: S, before: S) => void;
export type View<S> = (now: S) => void;

const mostRounds = 25; // effects that keep waking each other up are a mistake

export class Store<S extends object> {
  private before: S;
  private waiting = false;
  private drawing = false;
  private readonly effects: Effect<S>[] = [];
  private readonly views: View<S>[] = [];

  constructor(private now: S) {
    this.before = now;
  }

  get state(): Readonly<S> {
    return this.now;
  }

  set(change: Partial<S>): void {
    if (this.drawing) throw new Error('a view changes the state');
    this.now = { ...this.now, ...change };
    if (this.waiting) return;
    this.waiting = true;
    queueMicrotask(() => this.flush());
  }

  effect(effect: Effect<S>): void {
    this.effects.push(effect);
  }

  view(view: View<S>): void {
    this.views.push(view);
  }

  /** Effects until nothing changes, then one drawing. */
  flush(): void {
    this.waiting = true;
    for (let round = 0; this.before !== this.now; round++) {
      if (round === mostRounds) throw new Error('effects do not come to rest');
      const [now, before] = [this.now, this.before];
      this.before = now;
      for (const effect of this.effects) effect(now, before);
    }
    this.waiting = false;
    this.draw();
  }

  draw(): void {
    this.drawing = true;
    try {
      for (const view of this.views) view(this.now);
    } finally {
      this.drawing = false;
    }
  }
}
