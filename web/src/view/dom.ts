// SPDX-License-Identifier: GPL-3.0-or-later
/* dom.ts -- making and finding elements, nothing more. */

type Child = Node | string | null | undefined | false;
type Props = Record<string, string | number | boolean | EventListener | undefined>;

/** Makes an element; `onclick` and its like become listeners, `true` an empty attribute, `false` none. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((c): c is Node | string => !!c || c === ''));
  return element;
}

/** An SVG element: same rules, other name space. */
export function svg(tag: string, props: Record<string, string | number> = {}, ...children: Node[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** The element with this id, which index.html promises to have. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element as T;
}

export function listen<T extends HTMLElement>(id: string, event: string, handler: (element: T, e: Event) => void): void {
  const element = byId<T>(id);
  element.addEventListener(event, e => handler(element, e));
}

/** Calls `action` once things have been quiet for `ms`. */
export function debounce<A extends unknown[]>(ms: number, action: (...args: A) => void): (...args: A) => void {
  let timer = 0;
  return (...args: A) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => action(...args), ms);
  };
}
