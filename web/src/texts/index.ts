// SPDX-License-Identifier: GPL-3.0-or-later
/* index.ts -- the page's words in the person's language. One file per language; the types make sure that none has
 * more or fewer texts than English, and a test that each has the same blanks to fill. */

import { bs } from './bs.ts';
import { chooseLanguage, type Language, languageNames } from './choose.ts';
import { en } from './en.ts';
import { fi } from './fi.ts';
import { ro } from './ro.ts';
import { ru } from './ru.ts';
import { vi } from './vi.ts';

export { chooseLanguage, type Language, languageNames };
export type TextKey = keyof typeof en;
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
export type Texts = { readonly [K in TextKey]: (typeof en)[K] extends string ? string : Plural };
export type Values = Record<string, string | number>;

/** A text to be said later, in whatever language is chosen then. */
export interface Message {
  key: TextKey;
  values?: Values;
}

export const languages: Record<Language, Texts> = { en, bs, ro, vi, fi, ru };

let current: Language = 'en';
let rules = new Intl.PluralRules('en');

export function setLanguage(language: Language): void {
  current = language;
  rules = new Intl.PluralRules(language);
}

export const language = (): Language => current;

/** The text for `key`, its {blanks} filled. A text with plural forms is chosen by the value `n`. */
export function t(key: TextKey, values: Values = {}): string {
  const text: string | Plural = languages[current][key];
  const form = typeof text === 'string' ? text : (text[rules.select(Number(values.n ?? 0))] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}

export const say = (message: Message): string => t(message.key, message.values);

/** A number as this language writes it: 1,234.5 or 1 234,5. */
export const numberText = (n: number, digits = 0): string =>
  n.toLocaleString(current, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Fills the texts of index.html: data-t is the content, data-t-label, -title and -placeholder the attributes. */
export function fillTexts(root: ParentNode): void {
  const attributes: [string, string][] = [['data-t-label', 'aria-label'], ['data-t-title', 'title'], ['data-t-placeholder', 'placeholder']];
  for (const element of root.querySelectorAll('[data-t]')) {
    const text = t(element.getAttribute('data-t') as TextKey);
    if (element.textContent !== text) element.textContent = text;
  }
  for (const [from, to] of attributes)
    for (const element of root.querySelectorAll(`[${from}]`)) element.setAttribute(to, t(element.getAttribute(from) as TextKey));
}
