// SPDX-License-Identifier: GPL-3.0-or-later
/* sound.ts -- wood on wood, made on the spot: no files to load. */

import type { State } from '../state/state.ts';
import type { Store } from '../state/store.ts';

let context: AudioContext | undefined;

/* A short burst of filtered noise is a piece put down; pitch and length tell the kinds apart. */
function knock(frequency: number, seconds: number, volume: number, delay = 0): void {
  context ??= new AudioContext();
  const start = context.currentTime + delay;
  const length = Math.floor(context.sampleRate * seconds);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp((-9 * i) / length);
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: 'bandpass', frequency, Q: 3 });
  const gain = new GainNode(context, { gain: volume });
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(start);
}

function tone(frequency: number, seconds: number, delay = 0): void {
  context ??= new AudioContext();
  const start = context.currentTime + delay;
  const oscillator = new OscillatorNode(context, { type: 'sine', frequency });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0.12, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}

export type Sound = 'move' | 'capture' | 'check' | 'end' | 'low-time';

export function play(sound: Sound, wanted: boolean): void {
  if (!wanted || !navigator.userActivation?.hasBeenActive) return;
  if (sound === 'move') knock(420, 0.09, 0.9);
  if (sound === 'capture') {
    knock(300, 0.1, 1);
    knock(620, 0.06, 0.7, 0.03);
  }
  if (sound === 'check') {
    knock(420, 0.09, 0.9);
    tone(660, 0.18, 0.04);
  }
  if (sound === 'end') {
    tone(392, 0.35);
    tone(523, 0.5, 0.16);
  }
  if (sound === 'low-time') tone(880, 0.12);
}

export const soundOf = (san: string): Sound =>
  san.endsWith('#') ? 'end' : san.endsWith('+') ? 'check' : san.includes('x') ? 'capture' : 'move';

/** A move that appears on the board is heard; leafing back is silent. */
export function soundEffect(store: Store<State>): void {
  store.effect((now, before) => {
    if (now.play?.over && !before.play?.over && now.record === before.record) play('end', now.prefs.sound);
    else if (now.node !== before.node && now.node.parent === before.node) play(soundOf(now.node.san), now.prefs.sound);
  });
}
