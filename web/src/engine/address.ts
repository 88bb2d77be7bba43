// SPDX-License-Identifier: GPL-3.0-or-later
/* address.ts -- where the server is. Usually it sent this page; a page opened as a file has to look for one, and the
 * server hears it only if it was started with `--origin null`. */

const usual = 'http://127.0.0.1:8000';
const kept = 'samara.server';

export const fromFile = globalThis.location?.protocol === 'file:';

/* The page may lie in any folder of its host; the server shows it under /ui/, too. */
const folder = (globalThis.location?.pathname ?? '/').replace(/[^/]*$/, '').replace(/\/(ui\/)?$/, '');

/** What comes before the path of a request: nothing for the server that sent the page. */
export const serverAddress = (): string => (fromFile ? localStorage.getItem(kept) ?? usual : folder);

/** The address of this page for other people and browsers. */
export const pageAddress = (): string => (fromFile ? `${serverAddress()}/` : location.origin + location.pathname);

/** Looks for the server elsewhere from now on; false if that is no address. */
export function setServerAddress(text: string): boolean {
  const words = text.trim();
  const url = URL.parse(/^https?:\/\//.test(words) ? words : `http://${words}`);
  if (!words || !url) return false;
  localStorage.setItem(kept, url.origin);
  return true;
}
