#!/usr/bin/env node
// SPDX-License-Identifier: GPL-3.0-or-later
/* A UCI engine for node: node uci.mjs [single]. Any chess program can use it. */
import { createInterface } from 'node:readline';
import { Engine } from '../index.js';

const engine = new Engine({ threads: 1, ...(process.argv[2] === 'single' ? { threaded: false } : {}) });
engine.onLine(line => process.stdout.write(`${line}\n`));
engine.closed.then(() => process.stdout.write('', () => process.exit()));
await engine.start();
createInterface({ input: process.stdin }).on('line', line => engine.send(line)).on('close', () => engine.send('quit'));
