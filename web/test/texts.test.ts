// SPDX-License-Identifier: GPL-3.0-or-later
/* The words of six languages: none is missing, empty, left in English or without its blanks. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { en } from '../src/texts/en.ts';
import { chooseLanguage, type Language, languageNames, languages, numberText, type Plural, setLanguage, t, type TextKey } from '../src/texts/index.ts';
import { fromTyped, sanText, sanWords, setNotation } from '../src/texts/notation.ts';

const web = process.env.SAMARA_WEB!;
const codes = Object.keys(languages) as Language[];
const formsOf = (text: string | Plural): string[] => (typeof text === 'string' ? [text] : Object.values(text));
const blanks = (text: string): string => (text.match(/\{\w+\}/g) ?? []).sort().join(' ');

/* Words that are the same in English and elsewhere. */
const shared = new Set<TextKey>(['chess960', 'enPassant', 'markZugzwang', 'enter', 'stop', 'samaraAtDepth', 'start', 'random', 'time', 'levelExpert', 'verdict']);

test('every language has every text, with the same blanks', () => {
  for (const code of codes)
    for (const key of Object.keys(en) as TextKey[]) {
      const forms = formsOf(languages[code][key]);
      for (const form of forms) {
        assert.ok(form.trim(), `${code} ${key} is empty`);
        assert.equal(blanks(form), blanks(formsOf(en[key])[0]!), `${code} ${key}`);
      }
    }
});

test('every language has every form of its numbers', () => {
  for (const code of codes) {
    const needed = new Set([0, 1, 2, 5, 11, 21, 22, 25, 101, 1000].map(n => new Intl.PluralRules(code).select(n)));
    for (const key of Object.keys(en) as TextKey[]) {
      const text = languages[code][key];
      if (typeof text !== 'string') for (const form of needed) assert.ok(text[form], `${code} ${key} has no form "${form}"`);
    }
  }
});

test('nothing was left in English', () => {
  for (const code of codes.filter(c => c !== 'en')) {
    const same = (Object.keys(en) as TextKey[]).filter(key => JSON.stringify(languages[code][key]) === JSON.stringify(en[key]) && !shared.has(key));
    assert.deepEqual(same, [], code);
  }
});

test('index.html and the sources use only texts that exist, and none is unused', () => {
  const html = readFileSync(join(web, 'static/index.html'), 'utf8');
  const used = new Set([...html.matchAll(/data-t(?:-label|-title|-placeholder)?="(\w+)"/g)].map(m => m[1]!));
  for (const key of used) assert.ok(key in en, `index.html wants "${key}"`);
  const files = readdirSync(join(web, 'src'), { recursive: true, encoding: 'utf8' }).filter(f => f.endsWith('.ts') && !/texts.(en|bs|ro|vi|fi|ru)\.ts$/.test(f));
  const source = files.map(f => readFileSync(join(web, 'src', f), 'utf8')).join('\n');
  const unused = Object.keys(en).filter(key => !used.has(key) && !new RegExp(`['"\`]${key}['"\`]`).test(source));
  assert.deepEqual(unused, []);
});

test('the language comes from the browser', () => {
  assert.equal(chooseLanguage(['de-DE', 'fi-FI', 'en']), 'fi');
  assert.equal(chooseLanguage(['hr']), 'bs');
  assert.equal(chooseLanguage(['sr-Latn-RS']), 'bs');
  assert.equal(chooseLanguage(['vi-VN']), 'vi');
  assert.equal(chooseLanguage(['de']), 'en');
  assert.deepEqual(Object.keys(languageNames), codes);
});

test('numbers and their words agree', () => {
  const seen: Record<Language, string[]> = {
    en: ['1 game', '2 games', '5 games', '21 games'],
    bs: ['1 partija', '2 partije', '5 partija', '21 partija'],
    ro: ['1 partidă', '2 partide', '5 partide', '21 de partide'],
    vi: ['1 ván', '2 ván', '5 ván', '21 ván'],
    fi: ['1 peli', '2 peliä', '5 peliä', '21 peliä'],
    ru: ['1 партия', '2 партии', '5 партий', '21 партия'],
  };
  for (const code of codes) {
    setLanguage(code);
    assert.deepEqual([1, 2, 5, 21].map(n => t('gamesFound', { n })), seen[code], code);
  }
  setLanguage('fi');
  assert.equal(numberText(0.4, 1), '0,4');
  setLanguage('en');
});

test('moves in the letters of each language, and typed in them', () => {
  const knights: Record<Language, string> = { en: 'Nf3', bs: 'Sf3', ro: 'Cf3', vi: 'Mf3', fi: 'Rf3', ru: 'Кf3' };
  const kings: Record<Language, string> = { en: 'Kxe2', bs: 'Kxe2', ro: 'Rxe2', vi: 'Vxe2', fi: 'Kxe2', ru: 'Крxe2' };
  for (const code of codes) {
    setLanguage(code);
    setNotation('local');
    assert.equal(sanText('Nf3'), knights[code]);
    assert.equal(sanText('Kxe2'), kings[code]);
    assert.equal(sanText('O-O-O+'), 'O-O-O+');
    for (const san of ['Nf3', 'Kxe2', 'Qa1#', 'Rad1', 'Bxc6+', 'e8=Q', 'exd8=N+', 'e4', 'O-O', 'b4']) assert.equal(fromTyped(sanText(san)), san, `${code} ${san}`);
    setNotation('figurines');
    assert.equal(sanText('Nf3'), '♘f3');
    assert.equal(fromTyped('♘f3'), 'Nf3');
    setNotation('english');
    assert.equal(sanText('Nf3'), 'Nf3');
    assert.ok(!/undefined/.test(sanWords('exd8=Q#')));
  }
  setLanguage('ru');
  setNotation('local');
  assert.equal(sanWords('Nxf7+'), 'конь бьёт f7, шах');
  setLanguage('en');
});
