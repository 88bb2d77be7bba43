// SPDX-License-Identifier: GPL-3.0-or-later
/* main.ts -- the page put together: one game tree, one place in it, and the parts that show and change them. */

import { Board } from './board.ts';
import { connection } from './connection.ts';
import { bindDialogs } from './dialogs.ts';
import { byId, h, listen } from './dom.ts';
import { Editor } from './editor.ts';
import { Engine } from './engine.ts';
import { showGauge } from './gauge.ts';
import { showGraph } from './graph.ts';
import { bindExchange, type Exchange } from './exchange.ts';
import { bindKeys } from './keys.ts';
import { announce, toast } from './live.ts';
import { showMoves } from './moves.ts';
import { askNewGame } from './newgame.ts';
import { bindMoveDialog, editMove } from './movedialog.ts';
import { loadOpenings, openingOf } from './openings.ts';
import { Play, verdict } from './play.ts';
import { applyTheme, prefs } from './prefs.ts';
import { Report } from './report.ts';
import { bindSettings } from './settings.ts';
import { type Color, ending, playText, playUci, sanWords, turnOf } from './rules.ts';
import { type Score, scoreWords } from './score.ts';
import { makeLink, readLink } from './share.ts';
import { play as playSound, soundOf } from './sound.ts';
import { GameTree, lineFrom, type MoveNode, moveNumber, onMainline, pathTo } from './tree.ts';

type Mode = 'analyse' | 'play' | 'edit';

class App {
  tree = new GameTree();
  node: MoveNode = this.tree.root;
  mode: Mode = 'analyse';
  readonly board = new Board(byId('board'), uci => this.userMove(uci));
  readonly engine = new Engine({
    arrows: list => this.board.arrows(list),
    scored: (score, depth) => this.scored(score, depth),
    playLine: line => this.follow(line),
    preview: line => this.preview(line),
  });
  readonly play = new Play({
    tree: () => this.tree,
    tip: () => this.tip(),
    played: node => this.go(node, true),
    takenBack: node => this.go(node),
    hint: uci => this.hint(uci),
    changed: () => this.showGame(),
  });
  readonly report = new Report({ tree: () => this.tree, go: node => this.go(node), changed: () => this.draw() });
  readonly editor = new Editor(this.board, fen => this.open(new GameTree(fen)), () => this.board.flip());
  private readonly players = { white: h('div', { class: 'who' }), black: h('div', { class: 'who' }) };
  private readonly clocks = { white: byId('clock-white'), black: byId('clock-black') };

  /* --- moving through the game --- */

  /** Puts another game on the board, at its start or at `node`. */
  open(tree: GameTree, node: MoveNode = tree.root): void {
    this.play.leave();
    this.tree = tree;
    this.report.clear();
    this.setMode('analyse');
    this.go(node);
  }

  go(node: MoveNode, loud = false): void {
    const arrived = node.parent === this.node;
    this.node = node;
    if (loud || arrived) playSound(soundOf(node.san));
    if (this.mode === 'play') this.board.arrows([]); // a hint is for one move
    this.announceMove();
    this.draw();
  }

  step(direction: 'first' | 'back' | 'forward' | 'last'): void {
    if (this.mode === 'edit') return;
    const line = lineFrom(this.node);
    const target = { first: this.tree.root, back: this.node.parent, forward: line[0], last: line[line.length - 1] }[direction];
    if (target && target !== this.node) this.go(target);
  }

  /** The last move of the main line: where a game against Samara stands. */
  private tip(): MoveNode {
    const line = this.tree.mainline();
    return line[line.length - 1] ?? this.tree.root;
  }

  private userMove(uci: string): boolean {
    const move = playUci(this.node.fen, uci);
    if (!move) {
      this.draw();
      return false;
    }
    return this.made(this.tree.add(this.node, move));
  }

  typedMove(text: string): boolean {
    const move = playText(this.node.fen, text);
    if (!move || !this.mayMove()) return false;
    return this.made(this.tree.add(this.node, move));
  }

  private made(node: MoveNode): boolean {
    this.go(node, true);
    if (this.play.active) this.play.moved();
    return true;
  }

  private mayMove(): boolean {
    if (!this.play.active) return this.mode !== 'edit';
    return this.node === this.tip() && turnOf(this.node.fen) === this.play.challenge!.side;
  }

  private follow(line: readonly string[]): void {
    this.go(this.tree.addLine(this.node, line));
  }

  playBest(): void {
    const best = this.engine.best;
    if (best && this.engine.on && this.mayMove()) this.userMove(best);
  }

  private preview(line: readonly string[] | undefined): void {
    if (!line) {
      this.drawBoard();
      this.engine.redraw();
      return;
    }
    let fen = this.node.fen;
    for (const uci of line) fen = playUci(fen, uci)?.fen ?? fen;
    this.board.arrows([]);
    this.board.ground.set({ fen, lastMove: [], check: false });
  }

  private hint(uci: string): void {
    this.board.arrows([{ uci, brush: 'hint', width: 11 }]);
    const move = playUci(this.node.fen, uci);
    if (move) announce(`Hint: ${sanWords(move.san)}`);
  }

  private scored(score: Score, depth: number): void {
    if (depth >= 8) this.node.score = score;
    showGauge(score);
    this.drawGraph();
  }

  /* --- modes --- */

  setMode(mode: Mode): void {
    this.mode = mode;
    document.body.dataset.mode = mode;
    if (mode !== 'edit') this.editor.stop();
    for (const name of ['analyse', 'play', 'edit'] as const) byId(`mode-${name}`).setAttribute('aria-pressed', String(name === mode));
    byId('editor').hidden = mode !== 'edit';
    document.querySelector<HTMLElement>('main > .panel:not(#editor)')!.hidden = mode === 'edit';
    this.engine.allow(mode === 'analyse');
    this.showGame();
    if (mode === 'edit') {
      this.editor.start(this.node.fen);
      this.drawPlayers();
    } else this.draw();
  }

  async newGame(): Promise<void> {
    const challenge = await askNewGame(this.node.fen, this.tree.chess960);
    if (!challenge) return;
    this.play.leave();
    this.tree = new GameTree(challenge.fen, challenge.chess960);
    this.node = this.tree.root;
    this.report.clear();
    this.board.flip(challenge.side);
    this.play.challenge = challenge;
    this.setMode('play');
    this.play.start(challenge);
  }

  /* --- showing --- */

  draw(): void {
    this.drawBoard();
    showMoves(this.tree, this.node, { go: node => this.go(node), menu: node => editMove(node) });
    this.drawGraph();
    this.drawPlayers();
    const fens = pathTo(this.node).map(n => n.fen);
    const opening = this.tree.chess960 ? undefined : openingOf(fens);
    byId('opening').textContent = opening ? `${opening.eco} · ${opening.name}` : this.node === this.tree.root ? 'Start of the game' : '';
    if (this.node.score) showGauge(this.node.score);
    else if (this.mode === 'play') showGauge(undefined);
    if (this.mode === 'analyse')
      this.engine.look({ fen: this.tree.root.fen, moves: pathTo(this.node).slice(1).map(n => n.uci), fens, chess960: this.tree.chess960, ply: this.node.ply });
    const link = makeLink(this.tree, this.node, this.board.orientation);
    history.replaceState(null, '', link || location.pathname);
  }

  private drawBoard(): void {
    if (this.mode === 'edit') return;
    this.board.show({ fen: this.node.fen, lastMove: this.node.uci, chess960: this.tree.chess960, movable: this.mayMove() ? turnOf(this.node.fen) : 'none' });
  }

  private drawGraph(): void {
    const line = onMainline(this.node) ? [this.tree.root, ...this.tree.mainline()] : [...pathTo(this.node), ...lineFrom(this.node)];
    showGraph(line, this.node, node => this.go(node));
  }

  drawPlayers(): void {
    const bottom = this.board.orientation;
    const top: Color = bottom === 'white' ? 'black' : 'white';
    for (const [place, side] of [['top', top], ['bottom', bottom]] as const) {
      const name = (this.mode !== 'edit' && this.tree.tags.get(side === 'white' ? 'White' : 'Black')) || '';
      const who = this.players[side];
      who.replaceChildren(h('span', { class: `disc ${side}`, 'aria-hidden': 'true' }), name && name !== '?' ? name : side === 'white' ? 'White' : 'Black');
      const strip = byId(`player-${place}`);
      const clock = this.clocks[side];
      if (clock.parentElement !== strip || who.parentElement !== strip) strip.replaceChildren(who, clock);
      strip.classList.toggle('turn', turnOf(this.node.fen) === side);
    }
  }

  private showGame(): void {
    const { challenge, over, active } = this.play;
    byId('game-actions').hidden = this.mode !== 'play' || !challenge;
    for (const id of ['hint', 'offer-draw', 'resign']) byId(id).hidden = !!over;
    for (const id of ['review', 'rematch']) byId(id).hidden = !over;
    if (challenge) {
      const thinking = active && turnOf(this.tip().fen) !== challenge.side;
      const away = thinking && !connection.online;
      const turn = away ? 'Samara is away; the game goes on when it is back.' : thinking ? 'Samara is thinking…' : 'Your move.';
      byId('game-state').textContent = over ? `${verdict(this.tree.result, challenge.side)} · ${over}` : turn;
    }
    if (this.mode === 'play') this.draw();
  }

  private announceMove(): void {
    if (!this.node.san) return;
    const end = ending(pathTo(this.node).map(n => n.fen));
    announce(`${moveNumber(this.node.ply).replace(/\.+$/, '')}, ${sanWords(this.node.san)}${end && end.reason !== 'checkmate' ? `. Draw by ${end.reason}` : ''}`);
  }

  sayEvaluation(): void {
    announce(this.node.score ? `Evaluation: ${scoreWords(this.node.score)}` : 'No evaluation yet.');
  }
}

function start(): void {
  applyTheme();
  document.body.append(byId<HTMLTemplateElement>('faces').content.cloneNode(true)); // clocks wait here for their places
  const app = new App();
  const exchange: Exchange = { tree: () => app.tree, node: () => app.node, open: tree => app.open(tree, tree.root), orientation: () => app.board.orientation };
  bindDialogs();
  bindExchange(exchange, (tree, stored) => {
    app.open(tree);
    if (stored.report) app.report.show(tree, stored.report);
  });
  bindSettings(() => {
    applyTheme();
    byId('gauge').hidden = !prefs.gauge;
    app.engine.redraw();
    app.draw();
  });
  bindMoveDialog({
    changed: () => app.draw(),
    promote: node => app.tree.promote(node),
    remove: node => app.go(app.tree.remove(node)),
  });
  bindKeys({
    step: d => app.step(d),
    best: () => app.playBest(),
    flip: () => flip(app),
    engine: () => app.engine.toggle(),
    threat: () => app.engine.toggleThreat(),
    board: () => app.board.focusGrid(),
    say: () => app.sayEvaluation(),
    redraw: () => app.engine.redraw(),
  });
  listen('entry', 'submit', (_form, e) => {
    e.preventDefault();
    const box = byId<HTMLInputElement>('typed');
    if (!box.value.trim()) return;
    if (app.typedMove(box.value)) box.value = '';
    else {
      toast(`“${box.value}” is not a legal move here.`, 'error');
      box.select();
    }
  });
  for (const id of ['first', 'back', 'forward', 'last'] as const) listen(id, 'click', () => app.step(id));
  listen('flip', 'click', () => flip(app));
  listen('move-menu', 'click', () => (app.node.parent ? editMove(app.node) : toast('The start position has no move to edit.')));
  listen('mode-analyse', 'click', () => leavePlay(app, 'analyse'));
  listen('mode-edit', 'click', () => leavePlay(app, 'edit'));
  listen('mode-play', 'click', () => void app.newGame());
  listen('rematch', 'click', () => void app.newGame());
  listen('review', 'click', () => {
    leavePlay(app, 'analyse');
    byId('run-report').click();
  });
  listen('new-board', 'click', () => app.open(new GameTree()));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
  addEventListener('hashchange', () => openLink(app, location.hash));
  byId('gauge').hidden = !prefs.gauge;
  const link = location.hash; // drawing writes its own
  app.setMode('analyse');
  openLink(app, link);
  connection.watch();
  const table = document.querySelector<HTMLMetaElement>('meta[name=samara-openings]')?.content;
  if (table) void loadOpenings(table).then(() => app.draw());
  Object.assign(window, { samara: app }); // for the curious, and for tests
}

function flip(app: App): void {
  app.board.flip();
  app.drawPlayers();
  document.body.dataset.side = app.board.orientation;
}

function leavePlay(app: App, mode: Mode): void {
  if (app.play.active && app.tree.mainline().length && !confirm('Leave the game that is going on?')) return;
  app.play.leave();
  app.setMode(mode);
}

function openLink(app: App, link: string): void {
  const shared = readLink(link);
  if (!shared || makeLink(app.tree, app.node, app.board.orientation) === link) return;
  app.board.flip(shared.orientation);
  document.body.dataset.side = shared.orientation;
  app.open(shared.tree, shared.node);
}

start();
export type { App };
