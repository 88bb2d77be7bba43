// SPDX-License-Identifier: GPL-3.0-or-later
/* memory.ts -- when a puzzle comes back: FSRS (ts-fsrs), and how an answer is graded for it. Pure: no page, no server. */

import { type Card, createEmptyCard, fsrs, type Grade, Rating } from 'ts-fsrs';

export interface Puzzle {
  id: string;
  title: string;
  kind: 'retry' | 'punish';
  exact: boolean;
  fen: string;
  played: string;
  played_san: string;
  solution: string[];
  solution_san: string[];
  rating: number;
  themes: string[];
  gain: number;
  card?: Saved;
}

/** A card as the server keeps it: dates are texts there. */
export interface Saved {
  due: string;
  last_review?: string;
  times?: number[]; // seconds of the last right answers, for the median
  missed?: number; // answers that were wrong
  [field: string]: unknown;
}

export interface Attempt {
  wrong: number; // tries that were wrong
  helped: boolean; // a hint was taken
  shown: boolean; // the solution was shown
  seconds: number;
}

const keptTimes = 9;
const scheduler = fsrs({ enable_fuzz: false });

export const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted.length ? sorted[Math.floor(sorted.length / 2)]! : Infinity;
};

/** Wrong or shown: again. A hint: hard. Quick for this person: easy. */
export function gradeOf(attempt: Attempt, usual: readonly number[]): Grade {
  if (attempt.shown || attempt.wrong > 1) return Rating.Again;
  if (attempt.helped || attempt.wrong > 0) return Rating.Hard;
  return usual.length >= 3 && attempt.seconds < median(usual) / 2 ? Rating.Easy : Rating.Good;
}

const cardOf = (saved: Saved | undefined, now: Date): Card =>
  saved ? ({ ...saved, due: new Date(saved.due), last_review: saved.last_review ? new Date(saved.last_review) : undefined } as unknown as Card) : createEmptyCard(now);

/** The card after an answer. */
export function learn(saved: Saved | undefined, attempt: Attempt, usual: readonly number[], now: Date): Saved {
  const grade = gradeOf(attempt, usual);
  const { card } = scheduler.next(cardOf(saved, now), now, grade);
  const times = grade >= Rating.Good ? [...(saved?.times ?? []), Math.round(attempt.seconds)].slice(-keptTimes) : saved?.times ?? [];
  const { due, last_review, ...rest } = card;
  return { ...rest, due: due.toISOString(), last_review: last_review?.toISOString(), times, missed: (saved?.missed ?? 0) + (grade === Rating.Again ? 1 : 0) };
}

export const isDue = (puzzle: Puzzle, now: Date): boolean => !puzzle.card || new Date(puzzle.card.due) <= now;

/** What to do now: what is due first and longest, then new ones, easy ones first. */
export function queue(puzzles: readonly Puzzle[], now: Date): Puzzle[] {
  const known = puzzles.filter(p => p.card && isDue(p, now)).sort((a, b) => a.card!.due.localeCompare(b.card!.due));
  const fresh = puzzles.filter(p => !p.card).sort((a, b) => a.rating - b.rating);
  return [...known, ...fresh];
}

/** When the next one is due; undefined: there is none. */
export function nextDue(puzzles: readonly Puzzle[]): Date | undefined {
  const times = puzzles.filter(p => p.card).map(p => new Date(p.card!.due).getTime());
  return times.length ? new Date(Math.min(...times)) : undefined;
}

/** Themes by how many puzzles have them: a habit. */
export function habits(puzzles: readonly Puzzle[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const puzzle of puzzles) for (const theme of puzzle.themes) counts.set(theme, (counts.get(theme) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 5);
}
