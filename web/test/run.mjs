// SPDX-License-Identifier: GPL-3.0-or-later
/* run.mjs -- bundles test/*.test.ts into one file each and hands them to node:test. */

import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'samara-web-'));
const entryPoints = readdirSync(here).filter(f => f.endsWith('.test.ts')).map(f => join(here, f));
await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', outdir: out, outExtension: { '.js': '.mjs' } });
const files = readdirSync(out).map(f => join(out, f));
const { status } = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit', env: { ...process.env, SAMARA_WEB: dirname(here) } });
rmSync(out, { recursive: true });
process.exit(status ?? 1);
