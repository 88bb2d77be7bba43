// SPDX-License-Identifier: GPL-3.0-or-later
/* newgame.ts -- the dialog before a game: side, strength or depth, time, start; and the one after it. */

import type { TimeControl } from '../chess/clock.ts';
import { chess960Fen, INITIAL_FEN, isChess960, opposite } from '../chess/rules.ts';
import { reasonText, resultText, verdict } from '../effects/speech.ts';
import type { Prefs } from '../state/prefs.ts';
import type { Challenge, State } from '../state/state.ts';
import { t, type TextKey } from '../texts/index.ts';
import { openDialog } from './dialogs.ts';
import { byId, listen } from './dom.ts';
import { nameOf, sideView } from './report.ts';

/** "300+3" -> five minutes and three seconds in milliseconds; anything else is no clock. */
export function readControl(text: string): TimeControl | undefined {
  const match = /^(\d+(?:\.\d+)?)\+(\d+)$/.exec(text);
  return match ? { initial: Number(match[1]) * 1000, increment: Number(match[2]) * 1000 } : undefined;
}

/** The words beside the slider. The last notch is full strength. */
export function levelText(value: number, max: number): string {
  if (value > max) return t('fullStrength');
  const names: [number, TextKey][] = [[1000, 'levelBeginner'], [1400, 'levelCasual'], [1800, 'levelClub'], [2200, 'levelExpert'], [2500, 'levelMaster'], [Infinity, 'levelGrandmaster']];
  return `${value} · ${t(names.find(([limit]) => value < limit)![1])}`;
}

const number = (id: string): HTMLInputElement => byId<HTMLInputElement>(id);
const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(max, Number.isFinite(value) ? value : min));

/** What the form says, as preferences for the next time. */
function formPrefs(): Partial<Prefs> {
  const data = new FormData(byId<HTMLFormElement>('form-new'));
  return {
    side: data.get('side') as Prefs['side'],
    opponent: data.get('opponent') as Prefs['opponent'],
    level: Number(data.get('level')),
    opponentDepth: clamp(Number(data.get('depth')), 1, 99),
    time: String(data.get('time')),
    minutes: clamp(Number(data.get('minutes')), 0.25, 300),
    increment: Math.round(clamp(Number(data.get('increment')), 0, 300)),
    showEval: data.has('eval'),
  };
}

function drawForm(max: number): void {
  const { opponent, level, opponentDepth, time } = formPrefs();
  byId('by-level').hidden = opponent !== 'level';
  byId('by-depth').hidden = opponent !== 'depth';
  byId('level-text').textContent = levelText(level!, max);
  byId('play-depth-text').textContent = String(opponentDepth);
  byId('custom-time').hidden = time !== 'custom';
  byId('which-960').hidden = byId<HTMLSelectElement>('from').value !== '960';
}

export const random960 = (): number => Math.floor(Math.random() * 960);

/** undefined if the person thought better of it. */
export function askNewGame(s: Readonly<State>, remember: (prefs: Partial<Prefs>) => void): Promise<Challenge | undefined> {
  const { prefs, server } = s;
  const slider = number('level');
  slider.min = String(server.elo.min);
  slider.max = String(server.elo.max + 50);
  slider.value = String(prefs.level);
  number('play-depth').value = String(prefs.opponentDepth);
  byId<HTMLSelectElement>('time').value = prefs.time;
  number('minutes').value = String(prefs.minutes);
  number('increment').value = String(prefs.increment);
  number('number-960').value ||= String(random960());
  number('play-eval').checked = prefs.showEval;
  for (const [name, value] of [['side', prefs.side], ['opponent', prefs.opponent]] as const)
    byId('form-new').querySelector<HTMLInputElement>(`[name=${name}][value=${value}]`)!.checked = true;
  const form = byId<HTMLFormElement>('form-new');
  form.oninput = () => drawForm(server.elo.max);
  drawForm(server.elo.max);
  const dialog = openDialog('dialog-new');
  dialog.returnValue = '';
  return new Promise(resolve => {
    dialog.addEventListener('close', () => {
      if (dialog.returnValue !== 'start') return resolve(undefined);
      const chosen = formPrefs();
      remember(chosen);
      resolve(challengeOf({ ...prefs, ...chosen }, s, byId<HTMLSelectElement>('from').value, number('number-960').value));
    }, { once: true });
  });
}

function challengeOf(prefs: Prefs, s: Readonly<State>, from: string, which: string): Challenge {
  const here = s.node.fen;
  const start = from === '960' ? chess960Fen(Math.round(clamp(Number(which), 0, 959))) : from === 'here' ? here : INITIAL_FEN;
  const byLevel = prefs.opponent === 'level';
  return {
    fen: start,
    chess960: from === '960' || (from === 'here' && (s.tree.chess960 || isChess960(here))),
    side: prefs.side === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : prefs.side,
    elo: byLevel && prefs.level <= s.server.elo.max ? prefs.level : undefined,
    depth: byLevel ? undefined : prefs.opponentDepth,
    control: readControl(prefs.time === 'custom' ? `${prefs.minutes * 60}+${prefs.increment}` : prefs.time),
    showEval: prefs.showEval,
  };
}

export function bindNewGame(): void {
  listen('random-960', 'click', () => (number('number-960').value = String(random960())));
}

/** The same game again, colours changed. */
export const rematch = (challenge: Challenge): Challenge => ({ ...challenge, side: opposite(challenge.side) });

export function endView(s: Readonly<State>): void {
  const play = s.play;
  if (!play?.over || !byId<HTMLDialogElement>('dialog-end').open) return;
  byId('end-title').textContent = verdict(play.over.result, play.challenge.side);
  byId('end-reason').textContent = `${resultText(play.over.result)} · ${reasonText(play.over.reason)}`;
  const { data, running } = s.report;
  const finished = data && !running;
  byId('end-sides').replaceChildren(...(finished ? [sideView(nameOf(s, 'white'), 'white', data.white), sideView(nameOf(s, 'black'), 'black', data.black)] : []));
  byId('end-note').textContent = running ? t('accuracyComing', { done: running.done, total: running.total }) : '';
}
