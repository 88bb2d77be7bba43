// SPDX-License-Identifier: GPL-3.0-or-later
/* boot.ts -- what has to be done before the page is painted for the first time, and nothing else: colours, the words that are
 * in view, the start position unless another game is about to come. The document has the frame and the board; the rest of the
 * script begins when they have been painted.
 *
 * FIRST_TEXTS is written by build.mjs: the texts in view at the start, for each language but English, which the document has. */

import { keptKey, lastKey } from './effects/keys.ts';
import { languageOf, loadPrefs } from './state/prefs.ts';
import type { Language } from './texts/choose.ts';
import { dress } from './view/dress.ts';

declare const FIRST_TEXTS: Partial<Record<Language, Record<string, string>>>;

const longestWait = 300; // milliseconds for the first paint, which a tab in the background never gets

const root = document.documentElement;
const prefs = loadPrefs();
const language = languageOf(prefs);
const texts = FIRST_TEXTS[language];

/* Whether the board may have to show something else than the start position. */
function anotherGame(): boolean {
  try {
    return location.hash.length > 1 || !!localStorage.getItem(keptKey) || !!sessionStorage.getItem(lastKey);
  } catch {
    return false;
  }
}

function translate(): void {
  root.lang = language;
  for (const [attribute, fill] of [
    ['data-t', (element: Element, text: string) => (element.textContent = text)],
    ['data-t-placeholder', (element: Element, text: string) => element.setAttribute('placeholder', text)],
  ] as const)
    for (const element of document.querySelectorAll(`[${attribute}]`)) {
      const text = texts?.[element.getAttribute(attribute)!];
      if (text) fill(element, text);
    }
  root.classList.remove('translating');
}

const find = <T extends HTMLElement>(id: string): T | null => document.getElementById(id) as T | null;

function setControls(): void {
  find<HTMLInputElement>('engine-toggle')!.checked = prefs.engine;
  for (const name of ['lines', 'depth', 'seconds'] as const) find<HTMLSelectElement>(name)!.value = String(prefs[name]);
  find('gauge')!.hidden = !prefs.gauge;
}

/* The script of the page has been on its way since the document named it. In a page of one file it begins by itself. */
function startRest(): void {
  const file = document.querySelector<HTMLLinkElement>('link[rel=preload]');
  if (!file) return;
  const script = document.createElement('script');
  script.type = 'module';
  script.src = file.href;
  document.head.append(script);
}

/* Two cores have enough to do with the first frame. */
function afterFirstPaint(action: () => void): void {
  let done = false;
  const once = (): void => {
    if (!done) action();
    done = true;
  };
  if (document.hidden) return once();
  try {
    new PerformanceObserver(list => list.getEntriesByName('first-contentful-paint').length && once()).observe({ type: 'paint', buffered: true });
  } catch {
    /* a browser that does not tell */
  }
  setTimeout(once, longestWait);
}

root.classList.add('scripted');
if (anotherGame()) root.classList.add('kept');
if (texts) root.classList.add('translating');
dress(prefs);
document.addEventListener('submit', e => root.classList.contains('starting') && e.preventDefault());
document.addEventListener('readystatechange', () => {
  if (document.readyState !== 'interactive') return;
  if (texts) translate();
  setControls();
  afterFirstPaint(startRest);
});
