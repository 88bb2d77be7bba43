// SPDX-License-Identifier: GPL-3.0-or-later
/* worker.js -- around the WebAssembly module, in a worker. Two parts are played here: the engine's own worker, which talks
 * to the page, and, where memory can be shared, its threads, each a worker that runs one loop of the module for ever.
 *
 * With threads this worker is always ready to hear. Without, a search keeps it busy, and the module asks from time to
 * time (poll) whether the client has said something: node can look at its messages then; a browser cannot, so the page
 * holds up a flag instead: an address that it revokes, which a synchronous request notices. */

const inNode = typeof process === 'object' && !!process.versions?.node;
const node = inNode ? await import('node:worker_threads') : undefined;
const port = inNode ? node.parentPort : globalThis;
const post = message => port.postMessage(message);

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const page = 65536; // bytes of WebAssembly memory
const firstPages = 256;
const stackBytes = 8 << 20;

let memory, exports, session;
let threaded = false;
let flag; // address that the page revokes to stop a search
let bell; // shared word that a client in node changes with every message
let endless = false; // the search of the last `go` may not answer before it is told to
let held; // its answer, which came too early

/* --- text --- */

/* A copy: neither a memory that is shared nor one that grows can be decoded in place. */
const textAt = (start, length) => decoder.decode(new Uint8Array(memory.buffer, start, length).slice());

function putText(text) {
  const bytes = encoder.encode(text);
  const block = exports.samara_allocate(bytes.length + 1);
  if (!block) throw new Error('not enough memory');
  const target = new Uint8Array(memory.buffer, block, bytes.length + 1);
  target.set(bytes);
  target[bytes.length] = 0;
  return block;
}

function withText(texts, use) {
  const blocks = texts.map(putText);
  try {
    return use(...blocks);
  } finally {
    for (const block of blocks) exports.samara_release(block);
  }
}

/* --- what the module asks for --- */

const EBADF = 8, ENOENT = 44, ENOSYS = 52;

/* There are no files. Clocks of different workers begin at different times, so the time of day is added. */
const system = () => ({
  clock_time_get: (_clock, _precision, out) => {
    const now = performance.timeOrigin + performance.now();
    new DataView(memory.buffer).setBigUint64(out, BigInt(Math.round(now * 1000)) * 1000n, true);
    return 0;
  },
  environ_sizes_get: (count, size) => {
    const view = new DataView(memory.buffer);
    view.setUint32(count, 0, true);
    view.setUint32(size, 0, true);
    return 0;
  },
  environ_get: () => 0,
  fd_write: (_fd, vectors, count, written) => {
    const view = new DataView(memory.buffer);
    let total = 0;
    for (let i = 0; i < count; i++) total += view.getUint32(vectors + 8 * i + 4, true);
    view.setUint32(written, total, true);
    return 0;
  },
  proc_exit: code => {
    throw new Error(`the engine ended with ${code}`);
  },
  path_open: () => ENOENT,
});

/* Functions of the system that the module names but has no use for here. */
function systemFor(module) {
  const own = system();
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module))
    if (from === 'wasi_snapshot_preview1' && kind === 'function') own[name] ??= name.startsWith('fd_') ? () => EBADF : () => ENOSYS;
  return own;
}

const kinds = ['news', 'done', 'error'];
const answer = (id, kind, start, length) => post({ type: 'answer', id, kind: kinds[kind], json: textAt(start, length) });

/* --- listening while a search runs, without threads --- */

const lookEvery = 4, flagEvery = 60; // milliseconds
let lastLook = 0;

function poll() {
  const now = performance.now();
  if (now - lastLook < (inNode ? lookEvery : flagEvery)) return;
  lastLook = now;
  if (inNode) hearMessages();
  else if (flag && revoked(flag)) interrupt();
  exports.samara_hear(session, 0); // lines that waited for an earlier search
}

function hearMessages() {
  for (let got; (got = node.receiveMessageOnPort(port)); ) onMessage(got.message);
}

function revoked(address) {
  try {
    const request = new XMLHttpRequest();
    request.open('GET', address, false);
    request.send();
    return request.status !== 200;
  } catch {
    return true;
  }
}

function interrupt() {
  flag = undefined;
  endless = false;
  exports.samara_cancel(session);
  withText(['stop'], line => exports.samara_hear(session, line));
}

/* Sleeps until the next message; a browser cannot, and the answer is held back instead. */
function wait() {
  if (!bell) return 0;
  const seen = Atomics.load(bell, 0);
  hearMessages();
  Atomics.wait(bell, 0, seen, 1000);
  hearMessages();
  return 1;
}

/* --- the two parts --- */

function write(start, length) {
  for (const line of textAt(start, length - 1).split('\n'))
    if (endless && !threaded && !bell && line.startsWith('bestmove')) held = line;
    else post({ type: 'line', line });
}

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (inNode) {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(new URL(source)));
  }
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source}: ${response.status}`);
  if (response.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(response); // while it arrives
  return WebAssembly.compile(await response.arrayBuffer());
}

const spawn = () => {
  const worker = inNode ? new node.Worker(new URL(import.meta.url)) : new Worker(import.meta.url, { type: 'module', name: 'samara thread' });
  if (inNode) worker.unref();
  return worker;
};

/* A thread speaks only to this worker, which passes it on. Resolves when it is up: a browser loads it through this worker, which
 * must not wait for it inside the module before. */
function startThread(module, index) {
  const worker = spawn();
  const stack = exports.samara_allocate(stackBytes);
  if (!stack) throw new Error('not enough memory for a thread');
  let isUp;
  const up = new Promise(resolve => (isUp = resolve));
  const relay = message => {
    if (message.type === 'wake') hear();
    else if (message.type === 'up') isUp();
    else post(message);
  };
  const failed = reason => post({ type: 'failed', message: `a thread failed: ${reason}` });
  if (inNode) {
    worker.on('message', relay);
    worker.on('error', error => failed(error.message));
  } else {
    worker.onmessage = event => relay(event.data);
    worker.onerror = event => failed(event.message);
  }
  worker.postMessage({ type: 'thread', module, memory, index, stack: stack + stackBytes });
  return up;
}

async function open({ source, threads, workers, cores, hash, most, wake }) {
  const module = await compile(source);
  threaded = threads > 0;
  bell = !threaded && wake ? new Int32Array(wake) : undefined;
  if (threaded) memory = new WebAssembly.Memory({ initial: firstPages, maximum: Math.floor((most << 20) / page), shared: true });
  const instance = await WebAssembly.instantiate(module, {
    env: { memory },
    samara: { write, answer, wake: () => undefined, poll, wait },
    wasi_snapshot_preview1: systemFor(module),
  });
  exports = instance.exports;
  memory ??= exports.memory;
  exports.__wasm_call_ctors();
  if (threaded) {
    await Promise.all(Array.from({ length: workers }, (_, i) => startThread(module, i)));
    exports.samara_threads(workers, cores);
  }
  session = exports.samara_open(hash, threaded ? threads : 1);
  if (!session) throw new Error('not enough memory for the engine');
  post({ type: 'ready' });
}

async function thread({ module, memory: shared, index, stack }) {
  memory = shared;
  const instance = await WebAssembly.instantiate(module, {
    env: { memory },
    samara: { write: () => undefined, answer, wake: () => post({ type: 'wake' }) },
    wasi_snapshot_preview1: systemFor(module),
  });
  instance.exports.__stack_pointer.value = stack;
  post({ type: 'up' });
  instance.exports.samara_thread_serve(index);
}

/* --- messages of the page --- */

/* The module is asked to go through what waits; 0: the client said `quit`. */
function hear(line) {
  const goesOn = line === undefined ? exports.samara_hear(session, 0) : withText([line], start => exports.samara_hear(session, start));
  if (!goesOn) post({ type: 'quit' });
}

function release() {
  endless = false;
  if (held) post({ type: 'line', line: held });
  held = undefined;
}

function sayLine(line) {
  const words = line.trim().split(/\s+/);
  if (words[0] === 'go') endless = words.includes('infinite') || words.includes('ponder');
  else if (held && !['isready', 'uci', 'debug'].includes(words[0])) release();
  hear(line);
}

/* The body lives as long as the call, which with threads is longer than this function. */
let body = 0;
function call({ id, name, fields, text }) {
  if (body) exports.samara_release(body);
  body = putText(text ?? '');
  withText([name, fields], (nameAt, fieldsAt) => exports.samara_call(session, id, nameAt, fieldsAt, body));
}

function onMessage(message) {
  if (message.flag) flag = message.flag;
  switch (message.type) {
    case 'open':
      return void open(message).catch(error => post({ type: 'failed', message: error.message }));
    case 'thread':
      return void thread(message);
    case 'line':
      return sayLine(message.line);
    case 'call':
      return call(message);
    case 'cancel':
      return exports.samara_cancel(session);
    case 'ping':
      return post({ type: 'pong' });
  }
}

if (inNode) port.on('message', onMessage);
else port.onmessage = event => onMessage(event.data);
