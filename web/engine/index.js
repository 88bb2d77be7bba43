// SPDX-License-Identifier: GPL-3.0-or-later
/* index.js -- @samara/engine: Samara in a worker, in browsers and in node. index.d.ts says what everything means. */

const inNode = typeof process === 'object' && !!process.versions?.node;
const pongWithin = 4000; // milliseconds: a worker that is not searching answers at once
const watchEvery = 5000;
const startWithin = 30000;

/** Whether several threads can share a memory here: in pages that are cross-origin isolated, and in node. */
export const threadsWork = () => typeof SharedArrayBuffer === 'function' && (inNode || globalThis.crossOriginIsolated === true);

export class EngineError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
  }
}

const abortError = () => Object.assign(new Error('aborted'), { name: 'AbortError' });

/* A phone has little memory and browsers say so only roughly. */
function defaults() {
  const cores = globalThis.navigator?.hardwareConcurrency ?? 2;
  const memory = globalThis.navigator?.deviceMemory ?? 4; // gigabytes
  return { cores, threads: Math.max(1, Math.min(8, cores - 1)), hash: memory <= 2 ? 16 : 32, most: memory <= 2 ? 256 : 1024 };
}

async function newWorker(address) {
  if (!inNode) return new Worker(address, { type: 'module', name: 'samara' });
  const threads = await import('node:worker_threads');
  return new threads.Worker(new URL(address));
}

/* Fields become lines of a name and a value; what is absent is left out. */
function fieldText(fields) {
  let text = '';
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null && value !== false) text += `${name} ${String(Array.isArray(value) ? value.join(',') : value).replaceAll('\n', ' ')}\n`;
  return text;
}

const positionFields = ({ fen, moves, chess960 } = {}) => ({ fen, moves: moves?.length ? moves : undefined, chess960 });

export class Engine {
  #options;
  #worker;
  #starting;
  #listeners = new Set();
  #pongs = [];
  #calls = new Map();
  #queue = Promise.resolve();
  #nextId = 1;
  #flag;
  #bell;
  #closed = false;
  #whenClosed = () => undefined;
  /** Resolves when the engine was closed, or told to quit. */
  closed = new Promise(resolve => (this.#whenClosed = resolve));

  constructor(options = {}) {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    this.#options = { ...defaults(), worker: new URL('./worker.js', import.meta.url).href, single: new URL('./samara.wasm', import.meta.url).href, shared: new URL('./samara-threads.wasm', import.meta.url).href, ...given };
    if (!(this.#options.threaded ?? threadsWork())) Object.assign(this.#options, { threaded: false, threads: 1 });
    else this.#options.threaded = true;
  }

  /** Whether the build with threads is used. */
  get threaded() {
    return this.#options.threaded;
  }

  get threads() {
    return this.#options.threads;
  }

  /* --- life --- */

  /** Starts the worker, again if it was lost. Every other call does so by itself. */
  start() {
    if (this.#closed) return Promise.reject(new EngineError('closed', 'the engine was closed'));
    return (this.#starting ??= this.#open().catch(error => {
      this.#lost(error);
      throw error;
    }));
  }

  async #open() {
    const { threaded, threads, cores, hash, most } = this.#options;
    const worker = (this.#worker = await newWorker(this.#options.worker));
    const ready = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new EngineError('start', 'the engine does not start')), startWithin);
      this.#whenReady = error => (clearTimeout(late), error ? reject(error) : resolve());
    });
    const hear = message => worker === this.#worker && this.#onMessage(message);
    const lost = reason => worker === this.#worker && this.#lost(new EngineError('crashed', reason || 'the engine crashed'));
    if (inNode) {
      worker.on('message', hear);
      worker.on('error', error => lost(error.message));
      worker.on('exit', code => lost(`the engine ended with ${code}`));
    } else {
      worker.onmessage = event => hear(event.data);
      worker.onerror = event => lost(event.message);
    }
    this.#bell = inNode && !threaded ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
    worker.postMessage({
      type: 'open', source: threaded ? this.#options.shared : this.#options.single, threads: threaded ? threads : 0,
      workers: threads + 2, // besides those that search: a report and its second hand, or a bench
      cores: Math.max(cores, threads), hash, most, wake: this.#bell?.buffer,
    });
    await ready;
  }

  #whenReady = () => undefined;

  /* All that was asked of the worker fails; the next question starts another one. */
  #lost(error) {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#starting = undefined;
    this.#whenReady(error);
    this.#pongs = [];
    for (const call of this.#calls.values()) call.fail(error);
    this.#calls.clear();
  }

  close() {
    this.#closed = true;
    this.#lost(new EngineError('closed', 'the engine was closed'));
    this.#whenClosed();
  }

  #post(message) {
    if (!this.threaded && !inNode) {
      if (this.#flag) URL.revokeObjectURL(this.#flag);
      message.flag = this.#flag = URL.createObjectURL(new Blob(['.']));
    }
    this.#worker?.postMessage(message);
    this.#ring();
  }

  #ring() {
    if (!this.#bell) return;
    Atomics.add(this.#bell, 0, 1);
    Atomics.notify(this.#bell, 0);
  }

  /* Without threads a searching worker hears nothing but this. */
  #interrupt() {
    if (this.#flag) URL.revokeObjectURL(this.#flag);
    this.#flag = undefined;
  }

  #onMessage(message) {
    if (message.type === 'ready') this.#whenReady();
    else if (message.type === 'failed') this.#lost(new EngineError('start', message.message));
    else if (message.type === 'pong') this.#pongs.shift()?.();
    else if (message.type === 'line') for (const listener of [...this.#listeners]) listener(message.line);
    else if (message.type === 'quit') this.close();
    else if (message.type === 'answer') {
      const call = this.#calls.get(message.id);
      const data = JSON.parse(message.json);
      if (message.kind === 'news') return call?.news(data);
      this.#calls.delete(message.id);
      if (message.kind === 'done') call?.done(data);
      else call?.fail(new EngineError(data.error.code, data.error.message));
    }
  }

  /* A browser may end a worker without a word. One that is idle, or has threads, answers at once. */
  async #alive() {
    await this.start();
    if (!(await this.#answers()) && !this.#closed) await this.start();
  }

  /* Whether the worker says a word within some seconds; if not, it is given up. */
  async #answers() {
    const worker = this.#worker;
    const answered = await new Promise(resolve => {
      const late = setTimeout(() => resolve(false), pongWithin);
      this.#pongs.push(() => (clearTimeout(late), resolve(true)));
      worker?.postMessage({ type: 'ping' });
      this.#ring();
    });
    if (!answered && !this.#closed && worker === this.#worker) this.#lost(new EngineError('crashed', 'the engine was ended by the browser'));
    return answered;
  }

  /* --- UCI --- */

  /** One line to the engine, as in the UCI protocol. */
  send(line) {
    void this.start().then(() => {
      const word = line.trim().split(/\s+/)[0];
      if (['stop', 'quit', 'ponderhit'].includes(word)) this.#interrupt();
      if (this.threaded || inNode || !this.#flag || word === 'go' || word === 'bench') this.#post({ type: 'line', line });
      else this.#worker?.postMessage({ type: 'line', line });
    }).catch(error => {
      for (const listener of [...this.#listeners]) listener(`info string ${error.message}`);
    });
  }

  /** Calls `listener` with every line of the engine; returns a function that ends that. */
  onLine(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends a line and collects what comes, up to the first line that begins with `until`. */
  async ask(line, until) {
    await this.start();
    return new Promise((resolve, reject) => {
      const lines = [];
      const id = this.#nextId++;
      const end = this.onLine(said => {
        lines.push(said);
        if (!said.startsWith(until)) return;
        end();
        this.#calls.delete(id);
        resolve(lines);
      });
      this.#calls.set(id, { fail: error => (end(), reject(error)) });
      this.send(line);
    });
  }

  /* --- typed calls: one at a time, in the order in which they were made --- */

  analyse(position, limits = {}, { onInfo, signal } = {}) {
    const { clock, ...rest } = limits;
    return this.#call('analyse', { ...positionFields(position), ...rest, ...clock }, '', onInfo, signal);
  }

  explain(position, move, { signal, ...fields } = {}) {
    return this.#call('explain', { ...positionFields(position), move, ...fields }, '', undefined, signal);
  }

  report(pgn, { onProgress, signal, ...fields } = {}) {
    return this.#call('report', { jobs: this.threaded ? 2 : 1, ...fields }, pgn, onProgress, signal);
  }

  async bench(depth) {
    const lines = await this.ask(depth ? `bench ${depth}` : 'bench', 'Nodes/second');
    const number = name => Number(lines.find(line => line.startsWith(name)).split(': ')[1]);
    return { nodes: number('Nodes searched'), time_ms: number('Total time (ms)'), nps: number('Nodes/second') };
  }

  /* A search that is aborted ends with what it has found; its caller hears of the abortion at once. */
  #call(name, fields, text, news, signal) {
    const before = this.#queue;
    let over = () => undefined;
    this.#queue = new Promise(resolve => (over = resolve));
    const result = (async () => {
      await before;
      if (signal?.aborted) throw abortError();
      await this.#alive();
      if (signal?.aborted) throw abortError(); // while the worker started
      return this.#run(name, fields, text, news, signal);
    })();
    const end = () => over();
    result.then(end, end);
    if (!signal) return result;
    return Promise.race([result, new Promise((_, reject) => signal.addEventListener('abort', () => reject(abortError()), { once: true }))]);
  }

  #run(name, fields, text, news, signal) {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const worker = this.#worker;
      let late;
      /* With threads the worker can be asked at any time whether it lives; without, only when it should have ended. */
      const watch = this.threaded ? setInterval(() => worker === this.#worker && void this.#answers(), watchEvery) : undefined;
      const cancel = () => {
        this.#interrupt();
        worker?.postMessage({ type: 'cancel' });
        this.#ring();
        late = setTimeout(() => worker === this.#worker && void this.#answers(), pongWithin);
      };
      const settle = () => {
        signal?.removeEventListener('abort', cancel);
        clearInterval(watch);
        clearTimeout(late);
      };
      this.#calls.set(id, {
        news: data => signal?.aborted || news?.(data),
        done: data => (settle(), resolve(data)),
        fail: error => (settle(), reject(signal?.aborted ? abortError() : error)),
      });
      signal?.addEventListener('abort', cancel, { once: true });
      this.#post({ type: 'call', id, name, fields: fieldText(fields), text });
    });
  }
}
