// SPDX-License-Identifier: GPL-3.0-or-later
/* evaluations.ts -- what is known of positions, the deepest search of each: in memory, and in the browser's store for
 * another day. Nothing here goes into the game itself: a PGN has only evaluations that came with it or from a report. */

import type { Analysis } from '../engine/engine.ts';
import type { Database } from './database.ts';

const mostInMemory = 2000;
const mostInStore = 5000;
const worthKeeping = 12; // depth

export interface SavedEvaluation {
  key: string;
  when: number;
  analysis: Analysis;
}

export const evaluationKey = (fen: string, chess960: boolean): string => fen.split(' ').slice(0, 4).join(' ') + (chess960 ? ' 960' : '');

export class Evaluations {
  private readonly memory = new Map<string, Analysis>();
  private readonly asked = new Set<string>();

  onFound: () => void = () => undefined;

  constructor(private readonly database: Database) {}

  /** What is known now. What the store knows comes a moment later, by onFound. */
  get(fen: string, chess960: boolean): Analysis | undefined {
    const key = evaluationKey(fen, chess960);
    if (!this.memory.has(key)) this.ask(key);
    return this.memory.get(key);
  }

  /** What is known without asking the store. */
  known(fen: string, chess960: boolean): Analysis | undefined {
    return this.memory.get(evaluationKey(fen, chess960));
  }

  put(fen: string, chess960: boolean, analysis: Analysis): void {
    const key = evaluationKey(fen, chess960);
    const old = this.memory.get(key);
    if (old && (old === analysis || old.depth > analysis.depth || (old.depth === analysis.depth && old.lines.length > analysis.lines.length))) return;
    this.memory.delete(key);
    this.memory.set(key, analysis);
    if (this.memory.size > mostInMemory) this.memory.delete(this.memory.keys().next().value!);
    if (analysis.depth >= worthKeeping) this.database.put('evaluations', { key, when: Date.now(), analysis } satisfies SavedEvaluation);
  }

  private ask(key: string): void {
    if (this.asked.has(key)) return;
    this.asked.add(key);
    void this.database.get<SavedEvaluation>('evaluations', key).then(saved => {
      const now = this.memory.get(key);
      if (!saved || (now && now.depth >= saved.analysis.depth)) return;
      this.memory.set(key, saved.analysis);
      this.onFound();
    });
  }

  /** Forgets the oldest, so that the store does not grow for ever. */
  async tidy(): Promise<void> {
    await this.database.keepNewest('evaluations', mostInStore);
  }
}
