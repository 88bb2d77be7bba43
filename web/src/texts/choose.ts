// SPDX-License-Identifier: GPL-3.0-or-later
/* choose.ts -- which of our languages a person reads; apart from their texts, for scripts that need none of these. */

export type Language = 'en' | 'bs' | 'ro' | 'vi' | 'fi' | 'ru';

export const languageNames: Record<Language, string> = { en: 'English', bs: 'Bosanski', ro: 'Română', vi: 'Tiếng Việt', fi: 'Suomi', ru: 'Русский' };

export const isLanguage = (code: string): code is Language => Object.hasOwn(languageNames, code);

/** The first of the browser's languages that we speak. Croatian and Serbian readers get Bosnian, Moldovan ones Romanian. */
export function chooseLanguage(wanted: readonly string[]): Language {
  const near: Record<string, Language> = { hr: 'bs', sr: 'bs', sh: 'bs', mo: 'ro' };
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0]!;
    if (isLanguage(base)) return base;
    if (near[base]) return near[base];
  }
  return 'en';
}
