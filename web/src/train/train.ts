// SPDX-License-Identifier: GPL-3.0-or-later
/* train.ts -- the page /train: puzzles from one's own games, repeated at growing intervals. One puzzle at a time, one
 * sentence at a time: a child should never wonder what to do. */

import { INITIAL_FEN, playUci as play, squaresOf, turnOf } from '../chess/rules.ts';
import { languageOf, loadPrefs } from '../state/prefs.ts';
import { language, setLanguage } from '../texts/index.ts';
import { sanText, setNotation } from '../texts/notation.ts';
import { type Arrow, Board } from '../view/board.ts';
import { byId, h } from '../view/dom.ts';
import { dress } from '../view/dress.ts';
import { type Attempt, habits, isDue, learn, nextDue, type Puzzle, queue } from './memory.ts';
import * as server from './server.ts';
import { isTheme, type TrainKey, word } from './texts.ts';

const session = 10; // puzzles in a row of stars
const asGood = 4; // points of winning chances that a move may lose and still be right
const replyPause = 450; // milliseconds before the opponent's move
const pollPause = 1500;

type Mood = 'ask' | 'good' | 'bad' | 'think';
type Choice = [TrainKey, () => unknown, boolean?];

class Trainer {
  private all: Puzzle[] = [];
  private puzzle: Puzzle | undefined;
  private fen = INITIAL_FEN;
  private step = 0; // of the solution: the solver's next move
  private last = '';
  private orientation: 'white' | 'black' = 'white';
  private open = false; // a move is expected
  private arrows: Arrow[] = [];
  private attempt: Attempt = { wrong: 0, helped: false, shown: false, seconds: 0 };
  private began = 0;
  private stars: boolean[] = [];
  private readonly board = new Board(byId('board'), { move: uci => void this.tried(uci), drawn: () => undefined, wheel: () => undefined });

  async start(): Promise<void> {
    const prefs = loadPrefs();
    setLanguage(languageOf(prefs));
    setNotation(prefs.notation);
    document.documentElement.lang = language();
    dress(prefs);
    document.title = `Samara: ${this.t('title')}`;
    for (const element of document.querySelectorAll<HTMLElement>('[data-t]')) element.textContent = this.t(element.dataset.t as TrainKey);
    this.board.relabel();
    byId('find').addEventListener('click', () => void this.guard(() => this.find()));
    byId<HTMLInputElement>('file').addEventListener('change', e => void this.guard(() => this.openFile((e.target as HTMLInputElement).files?.[0])));
    await this.guard(async () => {
      this.all = await server.puzzles();
      await this.fillPlayers();
      this.next();
    });
    document.documentElement.dataset.ready = 'yes';
  }

  private t(key: TrainKey, values: Record<string, string | number> = {}): string {
    return word(language(), key, values);
  }

  /** Runs what asks the server; a failure is said, not swallowed. */
  private async guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.say('bad', this.t('trouble'), error instanceof Error ? error.message : '');
    }
  }

  /* --- what is seen --- */

  private say(mood: Mood, text: string, detail = ''): void {
    byId('bubble').textContent = text;
    byId('bubble').dataset.mood = mood;
    byId('detail').textContent = detail;
  }

  private offer(...choices: Choice[]): void {
    byId('buttons').replaceChildren(...choices.map(([key, action, main]) =>
      h('button', { type: 'button', class: main ? 'primary' : '', 'data-key': key, onclick: () => void action() }, this.t(key))));
  }

  private draw(): void {
    this.board.show({
      fen: this.fen, lastMove: this.last, chess960: false, orientation: this.orientation, movable: this.open ? this.orientation : undefined,
      premove: false, answered: false, shapes: [], arrows: this.arrows, badge: undefined,
    });
    const now = new Date();
    const due = this.all.filter(p => isDue(p, now)).length;
    byId('counts').textContent = this.all.length ? this.t('due', { n: due, all: this.all.length }) : '';
    byId('stars').replaceChildren(...Array.from({ length: session }, (_, i) =>
      h('li', { class: this.stars[i] === undefined ? '' : this.stars[i] ? 'won' : 'lost' }, this.stars[i] ? '★' : '☆')));
    byId('stars').hidden = !this.puzzle;
    const common = habits(this.all);
    byId('habits').replaceChildren(...(common.length ? [h('h2', {}, this.t('often')),
      h('ul', {}, ...common.map(([theme, n]) => h('li', {}, `${isTheme(theme) ? this.t(theme) : theme}: ${n}`)))] : []));
  }

  /* --- one puzzle --- */

  private next(): void {
    if (this.stars.length >= session) this.stars = [];
    const now = new Date();
    const [first] = queue(this.all, now);
    this.puzzle = first;
    this.arrows = [];
    if (!first) {
      this.open = false;
      const due = nextDue(this.all);
      this.say('ask', due ? this.t('done', { when: this.when(due, now) }) : this.t('nothing'));
      this.offer();
      if (!due) byId<HTMLDetailsElement>('games').open = true;
      this.draw();
      return;
    }
    this.fen = first.fen;
    this.last = '';
    this.step = 0;
    this.orientation = turnOf(first.fen);
    this.attempt = { wrong: 0, helped: false, shown: false, seconds: 0 };
    this.began = Date.now();
    this.ask(first.kind === 'punish' ? (this.orientation === 'white' ? 'punishWhite' : 'punishBlack') : this.orientation);
  }

  /** "in 3 days" as the language says it. */
  private when(due: Date, now: Date): string {
    const minutes = Math.max(1, Math.round((due.getTime() - now.getTime()) / 60000));
    const format = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });
    if (minutes < 60) return format.format(minutes, 'minute');
    return minutes < 36 * 60 ? format.format(Math.round(minutes / 60), 'hour') : format.format(Math.round(minutes / 1440), 'day');
  }

  private ask(key: TrainKey): void {
    this.open = true;
    this.arrows = [];
    const { puzzle } = this;
    this.say('ask', this.t(key), puzzle && this.step === 0 ? `${puzzle.title} · ${this.t('level', { n: puzzle.rating })}` : '');
    this.offer(['hint', () => this.hint()], ['show', () => this.show()]);
    this.draw();
  }

  /** First the piece, then the whole move. */
  private hint(): void {
    const move = this.puzzle!.solution[this.step]!;
    const [from, to] = squaresOf(move) as [string, string];
    this.arrows = [{ uci: this.attempt.helped ? from + to : from + from, brush: 'hint', width: 11 }];
    this.attempt.helped = true;
    this.say('ask', this.t('watch'));
    this.draw();
  }

  private show(): void {
    const { puzzle } = this;
    this.attempt.shown = true;
    const { solution, solution_san } = puzzle!;
    this.arrows = [{ uci: solution[this.step]!, brush: 'best', width: 11 }];
    this.finish(this.t('answer', { move: solution_san.slice(this.step).map(sanText).join(' ') }));
  }

  private async tried(uci: string): Promise<void> {
    const { puzzle } = this;
    if (!puzzle || !this.open) return this.draw();
    const before = this.fen;
    const move = play(before, uci);
    if (!move) return this.draw();
    this.open = false;
    this.fen = move.fen;
    this.last = move.uci;
    this.arrows = [];
    if (move.uci === puzzle.solution[this.step]) return this.goOn(move.san.endsWith('#'));
    this.say('think', this.t('thinking'));
    this.offer();
    this.draw();
    await this.guard(() => this.judge(before, move.uci, move.san));
  }

  /** Another move than the one we know: as good, or why not. */
  private async judge(before: string, uci: string, san: string): Promise<void> {
    const mate = san.endsWith('#');
    const answer = mate ? { loss: 0 } : await server.explain(before, uci, language());
    if (!answer.judgement && answer.loss <= asGood) return this.finish(mate ? this.t('right') : this.t('asGood'));
    this.attempt.wrong++;
    this.say('bad', this.t('wrong'), answer.effect ?? '');
    this.offer(['again', () => { this.fen = before; this.last = ''; this.ask(this.step ? 'goOn' : this.orientation); }, true], ['show', () => { this.fen = before; this.last = ''; this.show(); }]);
    this.draw();
  }

  private goOn(mate: boolean): void {
    const { solution } = this.puzzle!;
    const reply = solution[this.step + 1];
    if (!reply || mate) return this.finish(this.t('right'));
    this.draw();
    setTimeout(() => {
      const answered = play(this.fen, reply);
      if (!answered) return this.finish(this.t('right'));
      this.fen = answered.fen;
      this.last = answered.uci;
      this.step += 2;
      this.ask('goOn');
    }, replyPause);
  }

  private finish(text: string): void {
    const puzzle = this.puzzle!;
    this.open = false;
    this.attempt.seconds = (Date.now() - this.began) / 1000;
    const clean = !this.attempt.shown && this.attempt.wrong === 0;
    this.stars.push(clean);
    const usual = this.all.flatMap(p => p.card?.times ?? []);
    puzzle.card = learn(puzzle.card, this.attempt, usual, new Date());
    const themes = puzzle.themes.filter(isTheme).map(theme => this.t(theme)).join(', ');
    this.say(this.attempt.shown ? 'ask' : 'good', text, [this.t('played', { move: sanText(puzzle.played_san) }), themes].filter(Boolean).join(' · '));
    this.offer(['next', () => this.next(), true], ['remove', () => this.guard(() => this.forget(puzzle))]);
    this.draw();
    void this.guard(async () => void (await server.keepCard(puzzle.id, puzzle.card!)));
  }

  private async forget(puzzle: Puzzle): Promise<void> {
    await server.remove(puzzle.id);
    this.all = this.all.filter(p => p !== puzzle);
    this.next();
  }

  /* --- puzzles from games --- */

  private async fillPlayers(): Promise<void> {
    const counts = new Map<string, number>();
    for (const game of await server.games()) for (const name of [game.white, game.black]) if (name && name !== '?') counts.set(name, (counts.get(name) ?? 0) + 1);
    const names = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 50).map(([name]) => name);
    const select = byId<HTMLSelectElement>('player');
    const chosen = select.value || localStorage.getItem('samara.trainer.player') || '';
    select.replaceChildren(h('option', { value: '' }, this.t('anyone')), ...names.map(name => h('option', { value: name, selected: name === chosen }, name)));
    select.onchange = () => localStorage.setItem('samara.trainer.player', select.value);
  }

  private tell(text: string): void {
    byId('finding').textContent = text;
  }

  private async find(): Promise<void> {
    const player = byId<HTMLSelectElement>('player').value;
    const list = (await server.games()).filter(g => g.state === 'done' && (!player || g.white === player || g.black === player));
    if (list.length === 0) return this.tell(this.t('noGames'));
    await this.makeFrom(list.map(g => g.id));
  }

  private async openFile(file: File | undefined): Promise<void> {
    if (!file) return;
    const ids = await server.addGames(await file.text(), language());
    await this.fillPlayers();
    await this.makeFrom(ids);
  }

  /** Waits for each report, then makes a puzzle of each fault. */
  private async makeFrom(ids: readonly string[]): Promise<void> {
    const player = byId<HTMLSelectElement>('player').value;
    const find = byId<HTMLButtonElement>('find');
    const known = new Set(this.all.map(p => p.id));
    let made = 0;
    find.disabled = true;
    try {
      for (const [i, id] of ids.entries()) {
        this.tell(this.t('looking', { n: i + 1, all: ids.length }));
        let faults = await server.faultsOf(id);
        for (; !faults; faults = await server.faultsOf(id)) await new Promise(resolve => setTimeout(resolve, pollPause));
        const names = (await server.games()).find(g => g.id === id);
        for (const fault of faults) {
          if (player && player !== (fault.white ? names?.white : names?.black)) continue;
          const puzzle = await server.makePuzzle(fault);
          if (!puzzle || known.has(puzzle.id)) continue;
          known.add(puzzle.id);
          this.all.push(puzzle);
          made++;
          this.draw();
        }
      }
    } finally {
      find.disabled = false;
    }
    this.tell(this.t('made', { n: made }));
    if (!this.puzzle) this.next();
  }
}

const trainer = new Trainer();
Object.assign(window, { trainer });
void trainer.start();
