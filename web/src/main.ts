// SPDX-License-Identifier: GPL-3.0-or-later
/* main.ts -- the page put together: one state, the effects that follow it, the views that show it, and what buttons
 * and keys do. */

import { loadOpenings, openingOf } from './chess/openings.ts';
import { type PgnEntry, readGame, readPgn, writePgn } from './chess/pgn.ts';
import { turnOf } from './chess/rules.ts';
import type { Score } from './chess/score.ts';
import { GameTree, type MoveNode, pathTo } from './chess/tree.ts';
import { analysisEffect } from './effects/analysis.ts';
import { connectionEffect } from './effects/connection.ts';
import { Database } from './effects/database.ts';
import { Evaluations } from './effects/evaluations.ts';
import { explorerEffect } from './effects/explorer.ts';
import { offlineEffect } from './effects/offline.ts';
import { Opponent } from './effects/opponent.ts';
import { loadGame, Records, type SavedGame } from './effects/records.ts';
import { judgementNag, reportEffect } from './effects/report.ts';
import { soundEffect } from './effects/sound.ts';
import { reasonText, resultText, scoreWords, speechEffect, verdict } from './effects/speech.ts';
import { setServerAddress } from './engine/address.ts';
import type { Engine } from './engine/engine.ts';
import { chosenEngine, engineThere } from './engine/choice.ts';
import { library } from './engine/http.ts';
import { Actions, type Opened } from './state/actions.ts';
import { languageOf, savePrefs } from './state/prefs.ts';
import { evalShown, fensTo, initialState, inProgress, judged, mayMove, type Mode, playing, samaraToMove, type State, type Tab } from './state/state.ts';
import { Store } from './state/store.ts';
import { fillTexts, setLanguage, t } from './texts/index.ts';
import { sanText, setNotation } from './texts/notation.ts';
import { type Badge, Board } from './view/board.ts';
import { ask, bindDialogs, closeDialog, openDialog } from './view/dialogs.ts';
import { byId, listen } from './view/dom.ts';
import { Editor } from './view/editor.ts';
import { engineArrows, EngineView } from './view/engine.ts';
import { ExplorerView } from './view/explorer.ts';
import { bindExport, bindImport, copyLink, type Exchange, openExport, openImport } from './view/exchange.ts';
import { gaugeView, scoreHere } from './view/gauge.ts';
import { Graph } from './view/graph.ts';
import { bindKeys } from './view/keys.ts';
import { Library } from './view/library.ts';
import { bindLines } from './view/lines.ts';
import { liveView, toastEffect, toastView } from './view/live.ts';
import { bindDetails, bindMoveDialog, editDetails, editMove } from './view/movedialog.ts';
import { Moves } from './view/moves.ts';
import { askNewGame, bindNewGame, endView, rematch } from './view/newgame.ts';
import { Players } from './view/players.ts';
import { ReportView } from './view/report.ts';
import { bindResizer } from './view/resizer.ts';
import { bindSettings, settingsView, themeView } from './view/settings.ts';
import { statusView } from './view/status.ts';

const tabs = ['moves', 'report', 'explorer'] as const satisfies Tab[];

class App {
  readonly store = new Store(initialState());
  readonly actions = new Actions(this.store);
  readonly engine: Engine = chosenEngine(() => this.store.state);
  readonly evaluations: Evaluations;
  readonly records: Records;
  readonly opponent: Opponent;
  readonly board: Board;
  readonly editor: Editor;
  readonly library: Library;
  private readonly players: Players;
  private readonly exchange: Exchange;

  constructor(database: Database) {
    const { store, actions } = this;
    document.body.append(byId<HTMLTemplateElement>('faces').content.cloneNode(true)); // the clocks wait here for their places
    this.players = new Players();
    this.evaluations = new Evaluations(database);
    this.records = new Records(store, actions, database);
    this.board = new Board(byId('board'), {
      move: uci => actions.userMove(uci) || store.draw(), // a move that is refused goes back
      drawn: shapes => actions.annotate(this.s.node, { shapes }),
      wheel: step => this.s.prefs.wheel && actions.step(step > 0 ? 'forward' : 'back'),
    });
    this.editor = new Editor(this.board, fen => void this.edited(fen), () => actions.flip());
    this.exchange = { state: () => this.s, actions, open: game => this.open({ tree: game.tree }, game.problem), browse: (entries, name) => this.library.browse(entries, name) };
    this.library = new Library({
      state: () => this.s, actions, records: this.records,
      openFile: entry => this.openFile(entry), openSaved: saved => this.openSaved(saved), openStored: id => this.openStored(id), saveToServer: () => this.saveToServer(),
    });
    this.opponent = new Opponent(store, actions, this.engine, () => this.players.showClocks(this.s));
  }

  get s(): Readonly<State> {
    return this.store.state;
  }

  async start(): Promise<void> {
    setLanguage(languageOf(this.s.prefs));
    setNotation(this.s.prefs.notation);
    this.effects();
    this.views();
    this.controls();
    const stored = /^#game=(\w+)$/.exec(location.hash); // the address is soon written anew
    await this.records.start();
    document.documentElement.classList.remove('starting');
    const check = connectionEffect(this.store);
    listen('token-done', 'click', () => {
      localStorage.setItem('samara.token', byId<HTMLInputElement>('token').value.trim());
      closeDialog('dialog-token');
      void check();
    });
    listen('server-done', 'click', () => {
      if (!setServerAddress(byId<HTMLInputElement>('server').value)) return;
      closeDialog('dialog-server');
      this.store.draw();
      void check();
    });
    await check();
    if (stored) void this.openStored(stored[1]!);
    const table = document.querySelector<HTMLMetaElement>('meta[name=samara-openings]')?.content;
    if (table) void loadOpenings(new URL(table, document.baseURI).href).then(() => this.store.draw());
    setTimeout(() => void this.evaluations.tidy(), 10000);
    offlineEffect();
  }

  /* --- state to effects --- */

  private effects(): void {
    const { store, actions } = this;
    store.effect((now, before) => {
      if (now.prefs !== before.prefs) savePrefs(now.prefs);
      if (now.prefs.language !== before.prefs.language) setLanguage(languageOf(now.prefs));
      setNotation(now.prefs.notation);
    });
    analysisEffect(store, actions, this.engine, this.evaluations);
    explorerEffect(store);
    reportEffect(store, actions, this.engine);
    soundEffect(store);
    speechEffect(store, actions);
    toastEffect(store);
    store.effect((now, before) => {
      if (now.mode === 'edit' && before.mode !== 'edit') this.editor.start(now.node.fen);
      if (now.mode !== 'edit' && before.mode === 'edit') this.editor.stop();
      if (now.play?.over && !before.play?.over && now.record === before.record) this.ended(now);
    });
    document.addEventListener('visibilitychange', () => store.set({ visible: !document.hidden }));
  }

  /* The game is over: say so, judge it, keep it. */
  private ended(now: State): void {
    const long = now.tree.mainline().length >= 4;
    setTimeout(() => {
      openDialog('dialog-end');
      if (long && engineThere(now)) this.store.set({ report: { ...this.s.report, wanted: this.s.report.wanted + 1 } });
      else if (now.server.online) library.add(writePgn(now.tree)).catch(() => undefined); // the library is a convenience
      this.store.draw();
    }, 400);
  }

  /* --- state to drawing --- */

  private views(): void {
    const { store, actions } = this;
    const moves = new Moves({ go: node => this.jump(node), edit: node => editMove(node) });
    const { players } = this;
    const graph = new Graph(node => this.jump(node));
    const report = new ReportView(node => this.jump(node));
    const engineView = new EngineView();
    const explorer = new ExplorerView(id => void this.openStored(id));
    let language = '';
    let last: State | undefined;
    store.view(s => {
      if (language !== languageOf(s.prefs)) {
        language = languageOf(s.prefs);
        document.documentElement.lang = language;
        fillTexts(document);
        this.board.relabel();
      }
      themeView(s);
      statusView(s, () => openDialog('dialog-token'));
      this.modeView(s);
      this.boardView(s, last);
      last = s;
      players.show(s);
      gaugeView(s);
      engineView.show(s);
      moves.show(s);
      graph.show(s, node => this.scoreAt(s, node));
      report.show(s);
      explorer.show(s);
      this.openingView(s);
      settingsView(s);
      endView(s);
      liveView(s);
      toastView(s);
    });
    void actions;
  }

  /* What the graph knows of a move: the report, the PGN, or an earlier search. Nothing during a game that hides it. */
  private scoreAt(s: Readonly<State>, node: MoveNode): Score | undefined {
    if (s.mode === 'play' && !evalShown(s) && playing(s)) return undefined;
    return judged(s, node)?.score ?? node.score ?? this.evaluations.known(node.fen, s.tree.chess960)?.lines[0]?.score;
  }

  private boardView(s: Readonly<State>, last: State | undefined): void {
    if (s.mode === 'edit') {
      if (last && last.orientation !== s.orientation) this.board.ground.set({ orientation: s.orientation });
      return;
    }
    const inGame = s.mode === 'play' && playing(s);
    this.board.show({
      fen: s.node.fen, lastMove: s.node.uci, chess960: s.tree.chess960, orientation: s.orientation,
      movable: inGame ? (s.node === s.tree.tip() ? s.play!.challenge.side : undefined) : mayMove(s) ? turnOf(s.node.fen) : undefined,
      premove: inGame && s.node === s.tree.tip() && samaraToMove(s),
      answered: inGame && !!last && s.node.parent === last.node && turnOf(s.node.fen) === s.play!.challenge.side,
      shapes: s.node.shapes, arrows: engineArrows(s), badge: badgeOf(s),
    });
  }

  private modeView(s: Readonly<State>): void {
    document.body.dataset.mode = s.mode;
    document.body.dataset.side = s.orientation;
    for (const name of ['analyse', 'play', 'edit'] as const) byId(`mode-${name}`).setAttribute('aria-pressed', String(name === s.mode));
    byId('editor').hidden = s.mode !== 'edit';
    byId('panel').hidden = s.mode === 'edit';
    byId<HTMLButtonElement>('undo').disabled = !s.undo.length;
    byId('sheets').dataset.tab = s.tab;
    for (const tab of tabs) {
      byId(`tab-${tab}`).setAttribute('aria-selected', String(s.tab === tab));
      byId(`tab-${tab}`).tabIndex = s.tab === tab ? 0 : -1;
    }
    this.gameView(s);
  }

  private gameView(s: Readonly<State>): void {
    const { play } = s;
    byId('game-actions').hidden = s.mode !== 'play' || !play;
    if (!play) return;
    const over = !!play.over;
    for (const id of ['hint', 'offer-draw', 'resign']) byId(id).hidden = over || play.paused;
    byId('take-back').hidden = play.paused;
    for (const id of ['end-report', 'rematch', 'another']) byId(id).hidden = !over;
    byId('go-on').hidden = !play.paused;
    byId('game-state').textContent = play.over ? `${verdict(play.over.result, play.challenge.side)} · ${resultText(play.over.result)} · ${reasonText(play.over.reason)}` : turnText(s);
  }

  private openingView(s: Readonly<State>): void {
    const opening = s.tree.chess960 ? undefined : openingOf(fensTo(s.node));
    const text = opening ? `${opening.eco} · ${opening.name}` : s.node === s.tree.root ? t('startOfGame') : '';
    if (byId('opening').textContent !== text) byId('opening').textContent = text;
  }

  /* --- the person --- */

  /** To a move somewhere in the page; on a small screen the board comes into view. */
  jump(node: MoveNode): void {
    this.actions.go(node);
    this.showBoard();
  }

  private showBoard(): void {
    const box = byId('board').getBoundingClientRect();
    if (box.top < 0 || box.top > innerHeight - 120) byId('board').scrollIntoView({ block: 'start' });
  }

  /** Puts another game on the board, after a question if one is going on. Returns whether it did. */
  async open(opened: Opened, problem?: Parameters<Actions['toast']>[0]['text']): Promise<boolean> {
    if (inProgress(this.s) && !(await ask('askLeaveGame', 'leaveGame', 'stay'))) return false;
    this.actions.open(opened);
    if (problem) this.actions.toast({ text: problem, kind: 'error' });
    return true;
  }

  private openFile(entry: PgnEntry): Promise<boolean> {
    const { tree, problem } = readGame(entry);
    return this.open({ tree }, problem);
  }

  private async openSaved(saved: SavedGame): Promise<boolean> {
    if (saved.id === this.s.record) return true;
    if (inProgress(this.s) && !(await ask('askLeaveGame', 'leaveGame', 'stay'))) return false;
    this.records.save();
    this.actions.resume({ ...loadGame(saved, false), threat: false });
    return true;
  }

  private async openStored(id: string): Promise<boolean> {
    try {
      const stored = await library.get(id);
      const read = readPgn(stored.pgn ?? '')[0];
      if (!read) throw new Error(t('importNothing'));
      return await this.open({ tree: read.tree, report: stored.state === 'done' ? stored.report : undefined, reportId: stored.report ? id : undefined }, read.problem);
    } catch (error) {
      this.actions.fail(error as Error);
      return false;
    }
  }

  private async saveToServer(): Promise<void> {
    try {
      await library.add(writePgn(this.s.tree));
    } catch (error) {
      this.actions.fail(error as Error);
    }
  }

  async setMode(mode: Mode): Promise<void> {
    if (mode === this.s.mode) return;
    if (this.s.play && inProgress(this.s) && mode === 'analyse') {
      if (!(await ask('askLeaveGame', 'leaveGame', 'stay'))) return;
      this.actions.leaveGame(mode);
    } else if (inProgress(this.s) && !(await ask('askLeaveGame', 'leaveGame', 'stay'))) return;
    else this.actions.setMode(mode);
  }

  /** The Play button: back to the game that is going on, or a new one. */
  async play(): Promise<void> {
    if (playing(this.s) && this.s.mode !== 'play') return this.actions.setMode('play');
    await this.newGame();
  }

  async newGame(): Promise<void> {
    const challenge = await askNewGame(this.s, prefs => this.actions.setPrefs(prefs));
    if (!challenge || (inProgress(this.s) && !(await ask('askLeaveGame', 'leaveGame', 'stay')))) return;
    this.actions.startGame(challenge);
  }

  private async resign(): Promise<void> {
    if (playing(this.s) && (await ask('askResign', 'resign'))) this.actions.resign();
  }

  private again(): void {
    closeDialog('dialog-end');
    if (this.s.play) this.actions.startGame(rematch(this.s.play.challenge));
  }

  private report(): void {
    closeDialog('dialog-end');
    if (this.s.play?.over) this.actions.leaveGame('analyse');
    if (this.s.report.running) this.actions.setTab('report');
    else if (this.s.report.data) this.actions.setTab('report');
    else this.actions.wantReport();
  }

  private async edited(fen: string | undefined): Promise<void> {
    if (fen && fen !== this.s.node.fen) this.actions.open({ tree: new GameTree(fen) });
    else this.actions.setMode('analyse');
  }

  private sayEvaluation(): void {
    const score = evalShown(this.s) ? scoreHere(this.s) : undefined;
    this.actions.announce(score ? t('sayEvaluation', { words: scoreWords(score) }) : t('sayNoEvaluation'));
  }

  private typed(): void {
    const box = byId<HTMLInputElement>('typed');
    if (!box.value.trim()) return;
    if (this.actions.typedMove(box.value)) box.value = '';
    else {
      this.actions.toast({ text: { key: 'notLegal', values: { move: box.value } }, kind: 'error' });
      box.select();
    }
  }

  private controls(): void {
    const { actions, exchange } = this;
    bindDialogs();
    bindSettings(prefs => actions.setPrefs(prefs));
    bindNewGame();
    bindMoveDialog(actions);
    bindDetails(actions, () => this.s);
    bindImport(exchange);
    bindExport(exchange);
    bindResizer(size => actions.setPrefs({ size }), () => this.s.prefs.size);
    bindLines({ follow: (line, from) => this.follow(line, from), orientation: () => this.s.orientation });
    this.bindButtons();
    this.bindKeys();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.store.draw());
    addEventListener('languagechange', () => this.store.set({ prefs: { ...this.s.prefs } }));
  }

  private follow(line: string[], from: number | undefined): void {
    const node = from === undefined ? this.s.node : this.s.tree.find(from);
    if (node && !this.s.threat) this.actions.follow(line, node);
    this.showBoard();
  }

  private bindButtons(): void {
    const { actions, opponent, exchange } = this;
    const commands: Record<string, () => void> = {
      'new-board': () => void this.open({ tree: new GameTree() }),
      import: openImport, export: () => openExport(exchange), link: () => void copyLink(exchange), details: () => editDetails(this.s), flip: () => actions.flip(),
      redo: () => actions.redo(), settings: () => openDialog('dialog-settings'), help: () => openDialog('dialog-help'),
    };
    for (const button of document.querySelectorAll<HTMLElement>('[data-do]'))
      button.addEventListener('click', () => {
        byId('menu').hidePopover();
        commands[button.dataset.do!]!();
      });
    const buttons: Record<string, () => void> = {
      first: () => actions.step('first'), back: () => actions.step('back'), forward: () => actions.step('forward'), last: () => actions.step('last'), flip: () => actions.flip(),
      'move-menu': () => editMove(this.s.node), undo: () => actions.undo(), 'open-import': openImport, 'open-export': () => openExport(exchange),
      'open-settings': () => openDialog('dialog-settings'), 'open-library': () => this.library.open(),
      'mode-analyse': () => void this.setMode('analyse'), 'mode-edit': () => void this.setMode('edit'), 'mode-play': () => void this.play(),
      'take-back': () => actions.takeBack(), hint: () => void opponent.giveHint(), 'offer-draw': () => opponent.offerDraw(), resign: () => void this.resign(), 'go-on': () => actions.goOn(),
      rematch: () => this.again(), another: () => void this.newGame(), 'end-again': () => this.again(), 'end-report': () => this.report(), 'end-review': () => this.report(),
      'run-report': () => (this.s.report.running ? actions.cancelReport() : actions.wantReport()), threat: () => actions.toggleThreat(), deeper: () => actions.goDeeper(),
      'toast-action': () => this.toastAction(), 'limits-toggle': toggleLimits,
    };
    for (const [id, action] of Object.entries(buttons)) listen(id, 'click', action);
    for (const tab of tabs) listen(`tab-${tab}`, 'click', () => actions.setTab(tab));
    listen('engine-toggle', 'change', (box: HTMLInputElement) => actions.setPrefs({ engine: box.checked }));
    for (const name of ['lines', 'depth', 'seconds', 'threads', 'hash'] as const) listen(name, 'change', (box: HTMLSelectElement) => actions.setPrefs({ [name]: Number(box.value) }));
    listen('where', 'change', (box: HTMLSelectElement) => actions.setPrefs({ where: box.value as 'server' | 'browser' }));
    listen('entry', 'submit', (_form, e) => {
      e.preventDefault();
      this.typed();
    });
    byId('sheets').querySelector('[role=tablist]')!.addEventListener('keydown', e => {
      if (!['ArrowLeft', 'ArrowRight'].includes((e as KeyboardEvent).key)) return;
      const shown = tabs.filter(tab => byId(`tab-${tab}`).checkVisibility());
      const by = (e as KeyboardEvent).key === 'ArrowRight' ? 1 : -1;
      const next = shown[(shown.indexOf(this.s.tab) + by + shown.length) % shown.length]!;
      actions.setTab(next);
      byId(`tab-${next}`).focus();
    });
  }

  private toastAction(): void {
    if (this.s.toast?.action === 'undo') this.actions.undo();
    else this.actions.open({ tree: new GameTree() });
  }

  private bindKeys(): void {
    const { actions } = this;
    bindKeys({
      step: d => actions.step(d), aside: by => actions.stepAside(by), best: () => actions.playBest(), flip: () => actions.flip(),
      engine: () => actions.setPrefs({ engine: !this.s.prefs.engine }), arrows: () => actions.setPrefs({ arrows: !this.s.prefs.arrows }), threat: () => actions.toggleThreat(),
      comment: () => editMove(this.s.node), board: () => this.board.focusGrid(), say: () => this.sayEvaluation(), help: () => openDialog('dialog-help'),
      undo: () => actions.undo(), redo: () => actions.redo(),
    });
  }
}

/* On a phone the engine's limits are out of the way until they are wanted. */
function toggleLimits(): void {
  const open = byId('engine').classList.toggle('adjusting');
  byId('limits-toggle').setAttribute('aria-expanded', String(open));
}

function turnText(s: Readonly<State>): string {
  if (s.play!.paused) return t('gamePaused');
  if (!samaraToMove(s)) return t('yourMove');
  return t(engineThere(s) ? 'samaraThinks' : 'samaraAway');
}

/* What the report or the annotator thinks of the move that led here, on the square where it ended. */
function badgeOf(s: Readonly<State>): Badge | undefined {
  if (!s.node.uci || (s.mode === 'play' && playing(s))) return undefined;
  const judgement = judged(s, s.node)?.judgement;
  const nag = judgement ? judgementNag[judgement] : s.node.nags.find(n => n >= 1 && n <= 6);
  const kinds: Record<number, [string, Badge['kind']]> = { 1: ['!', 'good'], 2: ['?', 'mistake'], 3: ['!!', 'good'], 4: ['??', 'blunder'], 5: ['!?', 'good'], 6: ['?!', 'inaccuracy'] };
  const found = nag ? kinds[nag] : undefined;
  return found && { square: s.node.uci.slice(2, 4), text: found[0], kind: found[1] };
}

async function start(): Promise<void> {
  const app = new App(new Database());
  /* For the curious, and for tests. */
  Object.assign(window, {
    samara: {
      app,
      get state() { return app.s; },
      get tree() { return app.s.tree; },
      get node() { return app.s.node; },
      get playing() { return playing(app.s); },
      get orientation() { return app.s.orientation; },
      path: () => pathTo(app.s.node),
      sanText,
    },
  });
  await app.start();
}

void start();
