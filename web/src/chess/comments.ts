// SPDX-License-Identifier: GPL-3.0-or-later
/* comments.ts -- what stands in the braces of a PGN: words for people, and commands for programs
 * ([%eval], [%clk], [%csl], [%cal]; others are kept as they came). */

import type { Score } from './score.ts';
import type { Brush, Notes, Shape, Source } from './tree.ts';

const brushes: Record<string, Brush> = { G: 'green', R: 'red', B: 'blue', Y: 'yellow' };

/** Turns the comments of one move into notes. */
export function readComments(after: readonly string[], before: readonly string[] = []): Pick<Notes, 'comment' | 'before' | 'score' | 'clock' | 'shapes' | 'extra' | 'source'> {
  const notes: Notes = { comment: '', before: '', nags: [], shapes: [], extra: [] };
  const words = (texts: readonly string[]) => texts.map(text => takeCommands(text, notes)).filter(Boolean).join('\n');
  notes.before = words(before);
  notes.comment = words(after);
  const { nags: _none, ...read } = notes;
  return after.length || before.length ? { ...read, source: { after: [...after], before: [...before], print: fingerprint(notes) } } : read;
}

/** Changes when anything does that comments say. */
const fingerprint = (n: Notes): string => JSON.stringify([n.comment, n.before, n.shapes, n.score ?? null, n.clock ?? null, n.extra]);

function takeCommands(text: string, notes: Notes): string {
  const rest = text.replace(/\[%(\w+)\s*([^\]]*)\]/g, (all, command: string, value: string) => {
    if (!takeCommand(command, value, notes)) notes.extra.push(all);
    return ' ';
  });
  return rest.split('\n').map(line => line.replace(/[ \t\r]+/g, ' ').trim()).join('\n').trim();
}

function takeCommand(command: string, value: string, notes: Notes): boolean {
  if (command === 'eval') {
    const score = readScore(value);
    if (score) notes.score = score;
    return !!score;
  }
  if (command === 'clk') {
    const clock = readClock(value);
    if (clock !== undefined) notes.clock = clock;
    return clock !== undefined;
  }
  if (command !== 'csl' && command !== 'cal') return false;
  const shapes = readShapes(value.replaceAll(',', ' '));
  notes.shapes.push(...shapes);
  return true;
}

function readScore(value: string): Score | undefined {
  const first = value.split(',')[0]!.trim();
  const mate = /^#([+-]?\d+)$/.exec(first);
  if (mate) return { mate: Number(mate[1]) };
  const pawns = Number(first);
  return first && Number.isFinite(pawns) ? { cp: Math.round(pawns * 100) } : undefined;
}

function readClock(value: string): number | undefined {
  const parts = value.trim().split(':').map(Number);
  if (parts.length !== 3 || parts.some(p => !Number.isFinite(p))) return undefined;
  return Math.round((parts[0]! * 3600 + parts[1]! * 60 + parts[2]!) * 1000);
}

/** "Gd4 Re2e4": circles and arrows as people may type them; what is neither is left out. */
export function readShapes(text: string): Shape[] {
  return text.split(/\s+/).flatMap((word): Shape[] => {
    const found = /^([GRBY])([a-h][1-8])([a-h][1-8])?$/.exec(word);
    if (!found) return [];
    const brush = brushes[found[1]!]!;
    return [found[3] && found[3] !== found[2] ? { brush, from: found[2]!, to: found[3] } : { brush, from: found[2]! }];
  });
}

export const shapeText = (shape: Shape): string => `${shape.brush[0]!.toUpperCase()}${shape.from}${shape.to ?? ''}`;

/** The comments to write for a move: its own words if nothing has changed, else one block of ours. */
export function writeComments(notes: Notes): Pick<Source, 'after' | 'before'> {
  if (notes.source && notes.source.print === fingerprint(notes)) return notes.source;
  const circles = notes.shapes.filter(s => !s.to).map(shapeText);
  const arrows = notes.shapes.filter(s => s.to).map(shapeText);
  const parts = [
    notes.score ? `[%eval ${scoreValue(notes.score)}]` : '',
    notes.clock !== undefined ? `[%clk ${clockValue(notes.clock)}]` : '',
    circles.length ? `[%csl ${circles.join(',')}]` : '',
    arrows.length ? `[%cal ${arrows.join(',')}]` : '',
    ...notes.extra,
    notes.comment,
  ].filter(Boolean);
  return { after: parts.length ? [parts.join(' ')] : [], before: notes.before ? [notes.before] : [] };
}

const scoreValue = (score: Score): string => (score.mate !== undefined ? `#${score.mate}` : (score.cp / 100).toFixed(2));

function clockValue(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  const two = (n: number) => String(n).padStart(2, '0');
  return `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}
