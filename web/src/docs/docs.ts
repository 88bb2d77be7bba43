// SPDX-License-Identifier: GPL-3.0-or-later
/* docs.ts -- the page /docs: every route of the server's own OpenAPI document, with an example that can be tried.
 * Nothing is fetched from anywhere else. */

import { h } from '../view/dom.ts';

interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  example?: unknown;
  description?: string;
}
interface Parameter {
  name: string;
  in: string;
  schema: Schema;
  required?: boolean;
  example?: unknown;
  description?: string;
}
type Content = Record<string, { schema?: Schema; example?: unknown }>;
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}
interface Document {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation | Parameter[]>>;
  components: { schemas: Record<string, Schema> };
}
export interface Route {
  method: string;
  path: string;
  operation: Operation;
  parameters: Parameter[];
}

const tokenKey = 'samara.token';
const mostEvents = 12; // of a stream, in the answer shown
const longest = 20000; // characters of an answer

export function routesOf(document: Document): Route[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const shared = (item.parameters ?? []) as Parameter[];
    return Object.entries(item).filter(([method]) => method !== 'parameters').map(([method, operation]) => {
      const own = operation as Operation;
      return { method: method.toUpperCase(), path, operation: own, parameters: [...shared, ...(own.parameters ?? [])] };
    });
  });
}

/** "integer 1..60, default 3" */
export function typeText(schema: Schema, document: Document): string {
  const { $ref, type, items, minimum, maximum, oneOf } = schema;
  if ($ref) return $ref.split('/').pop()!;
  if (oneOf) return oneOf.map(part => typeText(part, document)).join(' or ');
  const range = minimum !== undefined && maximum !== undefined ? ` ${minimum}..${maximum}` : minimum !== undefined ? ` from ${minimum}` : '';
  const choices = schema.enum ? ` ${schema.enum.map(String).join(' | ')}` : '';
  const usual = schema.default !== undefined ? `, default ${String(schema.default)}` : '';
  return `${type === 'array' && items ? `list of ${typeText(items, document)}` : (type ?? '')}${range}${choices}${usual}`;
}

/** The address with what was filled in. */
export function urlOf(route: Route, values: ReadonlyMap<string, string>): string {
  let path = route.path;
  const query: string[] = [];
  for (const { name, in: place } of route.parameters) {
    const value = values.get(name)?.trim() ?? '';
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value || '1'));
    else if (value) query.push(`${name}=${encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%2C', ',').replaceAll('%20', '+')}`);
  }
  return path + (query.length ? `?${query.join('&')}` : '');
}

/** The same as a line for a shell. */
export function curlOf(origin: string, method: string, url: string, body: string): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const stream = url.includes('/stream') ? ' -N' : '';
  const verb = method === 'GET' || (method === 'POST' && body) ? '' : ` -X ${method}`;
  return `curl -s${stream}${verb} ${quoted(origin + url)}${body ? ` -H 'Content-Type: application/json' -d ${quoted(body.replace(/\s*\n\s*/g, ' '))}` : ''}`;
}

const anchor = (route: Route): string => route.operation.operationId;

function parameterTable(route: Route, document: Document, values: Map<string, string>, changed: () => void): HTMLElement | string {
  if (!route.parameters.length) return '';
  const rows = route.parameters.map(({ name, schema, description, example, in: place }) => {
    const first = example ?? schema.example;
    const input = h('input', { value: first === undefined ? '' : String(first), 'aria-label': name, spellcheck: 'false', autocomplete: 'off' });
    values.set(name, input.value);
    input.addEventListener('input', () => (values.set(name, input.value), changed()));
    return h('tr', {}, h('td', {}, h('code', {}, name), place === 'path' ? ' (path)' : ''), h('td', {}, input), h('td', {}, typeText(schema, document)), h('td', {}, description ?? schema.description ?? ''));
  });
  return h('table', {}, h('thead', {}, h('tr', {}, ...['Field', 'Value', 'Type', 'Meaning'].map(t => h('th', { scope: 'col' }, t)))), h('tbody', {}, ...rows));
}

function bodyFields(schema: Schema | undefined, document: Document): HTMLElement | string {
  if (!schema?.properties) return '';
  const needed = new Set(schema.required);
  const rows = Object.entries(schema.properties).map(([name, field]) =>
    h('tr', {}, h('td', {}, h('code', {}, name), needed.has(name) ? ' (needed)' : ''), h('td', {}, typeText(field, document)), h('td', {}, field.description ?? '')));
  return h('details', {}, h('summary', {}, 'Fields of the body'), h('table', {}, h('tbody', {}, ...rows)));
}

function headers(body: boolean): Record<string, string> {
  const token = localStorage.getItem(tokenKey);
  return { ...(body ? { 'Content-Type': 'application/json' } : {}), ...(token ? { Authorization: `Bearer ${token}` } : {}) };
}

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
};

/* Reads a stream until it has shown enough. */
async function readEvents(response: Response, show: (text: string) => void, stop: AbortController): Promise<void> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    show(text);
    if (text.split('\n\n').length > mostEvents) {
      show(`${text}…`);
      stop.abort();
      return;
    }
  }
}

async function attempt(method: string, url: string, body: string, answer: HTMLElement): Promise<void> {
  const head = h('p', {}, '…');
  const text = h('pre', { tabindex: 0 });
  answer.replaceChildren(head, text);
  const began = performance.now();
  const stop = new AbortController();
  try {
    const response = await fetch(url, { method, signal: stop.signal, headers: headers(!!body), ...(body ? { body } : {}) });
    const type = response.headers.get('Content-Type') ?? '';
    const tell = () => (head.textContent = `${response.status} ${response.statusText} · ${type} · ${(performance.now() - began).toFixed(0)} ms`);
    tell();
    if (type.startsWith('text/event-stream')) await readEvents(response, events => (text.textContent = events), stop);
    else {
      const content = await response.text();
      text.textContent = (type.includes('json') ? pretty(content) : content).slice(0, longest);
      if (type.startsWith('image/svg')) text.before(h('img', { src: `data:image/svg+xml,${encodeURIComponent(content)}`, alt: 'The board' }));
    }
    tell();
  } catch (error) {
    if ((error as Error).name !== 'AbortError') head.textContent = `The server cannot be reached: ${(error as Error).message}`;
  }
}

function routeView(route: Route, document: Document): HTMLElement {
  const { method, path, operation } = route;
  const values = new Map<string, string>();
  const content = operation.requestBody?.content['application/json'];
  const body = content ? h('textarea', { 'aria-label': `Body of ${method} ${path}`, spellcheck: 'false' }) : undefined;
  if (body) body.value = JSON.stringify(content!.example ?? {}, null, 1);
  const curl = h('pre', { tabindex: 0, class: 'curl' });
  const answer = h('div', { class: 'answer', role: 'status' });
  const draw = (): void => void (curl.textContent = curlOf(location.origin, method, urlOf(route, values), body?.value ?? ''));
  body?.addEventListener('input', draw);
  const section = h('section', { class: 'route', id: anchor(route) },
    h('h3', {}, h('span', { class: 'method' }, method), h('code', {}, path), h('span', { class: 'id' }, operation.operationId)),
    h('p', {}, operation.summary), operation.description ? h('p', {}, operation.description) : null,
    parameterTable(route, document, values, draw), bodyFields(content?.schema, document), body ?? null, curl,
    h('button', { type: 'button', class: 'try', onclick: () => void attempt(method, urlOf(route, values), body?.value ?? '', answer) }, 'Try it'), answer,
    h('details', {}, h('summary', {}, 'Answers'), h('table', {}, h('tbody', {}, ...Object.entries(operation.responses).map(([status, { description, content: types }]) =>
      h('tr', {}, h('td', {}, status), h('td', {}, description), h('td', {}, Object.values(types ?? {}).map(t => (t.schema ? typeText(t.schema, document) : '')).join(', '))))))));
  draw();
  return section;
}

function schemaView(name: string, schema: Schema, document: Document): HTMLElement {
  return h('section', { class: 'route', id: `schema-${name}` }, h('h3', {}, h('code', {}, name)), schema.description ? h('p', {}, schema.description) : null, bodyFields(schema, document));
}

async function start(): Promise<void> {
  const find = (id: string): HTMLElement => document.getElementById(id)!;
  const described = (await (await fetch('/api/v1/openapi.json')).json()) as Document;
  const routes = routesOf(described);
  find('about').textContent = described.info.description;
  const token = find('token') as HTMLInputElement;
  token.value = localStorage.getItem(tokenKey) ?? '';
  token.addEventListener('change', () => localStorage.setItem(tokenKey, token.value.trim()));
  for (const { name, description } of described.tags) {
    const own = routes.filter(r => r.operation.tags.includes(name));
    find('list').append(h('h2', {}, name), ...own.map(r => h('a', { href: `#${anchor(r)}` }, h('span', { class: 'method' }, r.method), r.path)));
    find('routes').append(h('section', {}, h('h2', {}, name), h('p', {}, description), ...own.map(r => routeView(r, described))));
  }
  find('list').append(h('h2', {}, 'Shapes'), ...Object.keys(described.components.schemas).map(name => h('a', { href: `#schema-${name}` }, name)));
  find('routes').append(h('section', {}, h('h2', {}, 'Shapes'), ...Object.entries(described.components.schemas).map(([name, schema]) => schemaView(name, schema, described))));
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

if (typeof document !== 'undefined') void start();
