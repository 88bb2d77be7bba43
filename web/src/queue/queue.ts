// SPDX-License-Identifier: GPL-3.0-or-later
/* queue.ts -- the page /ui/queue.html for administrators: what waits, who works, what failed. It asks every two seconds
 * while it is seen, with the token that the board page keeps. */

import { h } from '../view/dom.ts';

interface Dead { id: string; kind: string; owner: string; tries: string; worker: string; reason: string }
interface Status {
  status: string;
  message?: string;
  leased: number;
  classes: { class: string; waiting?: number; oldest_seconds?: number }[];
  workers: string[];
  totals: Record<string, number>;
  dead: Dead[];
}

const tokenKey = 'samara.token';
const every = 2000;
let before: { at: number; positions: number } | undefined;

const place = (id: string) => document.getElementById(id)!;

async function ask(body?: unknown): Promise<Response> {
  const token = localStorage.getItem(tokenKey);
  return fetch('/api/v1/queue', {
    method: body ? 'POST' : 'GET',
    headers: { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

function table(title: string, head: string[], rows: (string | Node)[][]): HTMLElement {
  return h('table', {}, h('caption', {}, title), h('tr', {}, ...head.map(text => h('th', { scope: 'col' }, text))),
    ...rows.map(row => h('tr', {}, ...row.map(cell => h('td', {}, cell)))));
}

/** A button that acts on one dead letter, or on all. */
function button(text: string, action: string, job?: string): HTMLElement {
  const made = h('button', { type: 'button' }, text);
  made.addEventListener('click', () => void ask({ action, ...(job ? { job } : {}) }).then(look));
  return made;
}

/** Positions a second since the last look. */
function speed(positions: number): string {
  const now = { at: performance.now(), positions };
  const rate = before ? (1000 * (now.positions - before.positions)) / (now.at - before.at) : 0;
  before = now;
  return rate.toFixed(1);
}

function show(status: Status): void {
  place('state').textContent = status.status === 'ok'
    ? `${status.leased} jobs are worked on by ${status.workers.length} workers, ${speed(status.totals.positions ?? 0)} positions a second`
    : `The broker is away: ${status.message ?? ''}`;
  place('classes').replaceChildren(table('Waiting', ['Class', 'Jobs', 'Oldest, seconds'],
    status.classes.map(c => [c.class, String(c.waiting ?? 0), (c.oldest_seconds ?? 0).toFixed(1)])));
  place('workers').replaceChildren(table('Workers', ['Name and engine'], status.workers.map(name => [name])));
  const dead = status.dead.map(job => [job.id.slice(0, 12), job.kind, job.tries, job.reason,
    h('span', {}, button('Retry', 'retry', job.id), button('Drop', 'drop', job.id))]);
  place('dead').replaceChildren(table('Dead letters', ['Job', 'Kind', 'Tries', 'Reason', ''], dead),
    ...(dead.length > 0 ? [button('Retry all', 'retry'), button('Drop all', 'drop')] : []));
  place('totals').replaceChildren(table('Since the beginning', ['Counter', 'Value'],
    Object.entries(status.totals).map(([name, value]) => [name, String(value)])));
}

async function look(): Promise<void> {
  try {
    const answer = await ask();
    const body = await answer.json();
    if (answer.ok) show(body as Status);
    else place('state').textContent = body.error?.message ?? `${answer.status}`;
  } catch (error) {
    place('state').textContent = `The server does not answer: ${String(error)}`;
  }
}

const token = place('token') as HTMLInputElement;
token.value = localStorage.getItem(tokenKey) ?? '';
token.addEventListener('change', () => {
  localStorage.setItem(tokenKey, token.value);
  void look();
});
setInterval(() => { if (document.visibilityState === 'visible') void look(); }, every);
void look();
