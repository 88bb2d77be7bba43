// SPDX-License-Identifier: GPL-3.0-or-later
/* newgame.ts -- the dialog before a game: side, strength, time, start. */

import { connection } from './connection.ts';
import { openDialog } from './dialogs.ts';
import { byId } from './dom.ts';
import type { Challenge } from './play.ts';
import { chess960Fen, INITIAL_FEN, isChess960 } from './rules.ts';

/** "300+3" -> five minutes and three seconds in milliseconds; anything else is no clock. */
export function readControl(text: string): Challenge['control'] {
  const match = /^(\d+)\+(\d+)$/.exec(text);
  return match ? { initial: Number(match[1]) * 1000, increment: Number(match[2]) * 1000 } : undefined;
}

/** The words beside the slider. The last notch is full strength. */
export function levelText(value: number, max: number): string {
  if (value > max) return 'full strength';
  const names: [number, string][] = [[1000, 'beginner'], [1400, 'casual'], [1800, 'club player'], [2200, 'expert'], [2500, 'master'], [9999, 'grandmaster']];
  return `${value} · ${names.find(([limit]) => value < limit)![1]}`;
}

/** undefined if the person thought better of it. */
export function askNewGame(fen: string, chess960: boolean): Promise<Challenge | undefined> {
  const dialog = openDialog('dialog-new');
  const form = byId<HTMLFormElement>('form-new');
  const slider = byId<HTMLInputElement>('level');
  const { min, max } = connection.range;
  slider.min = String(min);
  slider.max = String(max + 50);
  const label = () => (byId('level-text').textContent = levelText(Number(slider.value), max));
  slider.oninput = label;
  label();
  dialog.returnValue = '';
  return new Promise(resolve => {
    dialog.addEventListener('close', () => {
      if (dialog.returnValue !== 'start') {
        resolve(undefined);
        return;
      }
      const data = new FormData(form);
      const from = data.get('from');
      const side = data.get('side');
      const start = from === '960' ? chess960Fen(Math.floor(Math.random() * 960)) : from === 'here' ? fen : INITIAL_FEN;
      const level = Number(data.get('level'));
      resolve({
        fen: start,
        chess960: from === '960' || (from === 'here' && (chess960 || isChess960(fen))),
        side: side === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : side === 'black' ? 'black' : 'white',
        elo: level > max ? undefined : level,
        control: readControl(String(data.get('time'))),
        moveTime: 1000,
      });
    }, { once: true });
  });
}
