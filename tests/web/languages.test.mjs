// SPDX-License-Identifier: GPL-3.0-or-later
/* Six languages: chosen from the browser, changeable, and no word too long for its place. */

import assert from 'node:assert/strict';
import { depth, paste, sans, shoot, type } from './page.mjs';
import { fresh, live, noSeriousFault, run } from './suite.mjs';

const words = {
  'en-GB': { analyse: 'Analyse', knight: 'Nf3', spoken: /knight f3/, typed: 'Nc6' },
  'bs-BA': { analyse: 'Analiza', knight: 'Sf3', spoken: /skakač f3/, typed: 'Sc6' },
  'ro-RO': { analyse: 'Analiză', knight: 'Cf3', spoken: /cal f3/, typed: 'Cc6' },
  'vi-VN': { analyse: 'Phân tích', knight: 'Mf3', spoken: /mã f3/, typed: 'Mc6' },
  'fi-FI': { analyse: 'Analyysi', knight: 'Rf3', spoken: /ratsu f3/, typed: 'Rc6' },
  'ru-RU': { analyse: 'Анализ', knight: 'Кf3', spoken: /конь f3/, typed: 'Кc6' },
};

for (const [locale, { analyse, knight, spoken, typed }] of Object.entries(words)) {
  run(`${locale}: words, letters and speech`, async () => {
    const page = await fresh({ locale });
    assert.equal(await page.textContent('#mode-analyse'), analyse);
    assert.equal(await page.evaluate(() => document.documentElement.lang), locale.slice(0, 2));
    await type(page, 'e4');
    await type(page, 'e5');
    await type(page, knight);
    assert.match(await live(page), spoken);
    await type(page, typed);
    assert.deepEqual(await sans(page), ['e4', 'e5', 'Nf3', 'Nc6']);
    assert.match(await page.textContent('#moves'), new RegExp(knight));
    await depth(page, 4);
    await noSeriousFault(page, locale);
    await shoot(page, `language-${locale}`);
  });

  run(`${locale}: nothing is cut off on small screens`, async () => {
    for (const [width, height] of [[390, 844], [844, 390], [1366, 657]]) {
      const page = await fresh({ locale, viewport: { width, height }, ...(width < 1000 ? { hasTouch: true, isMobile: true } : {}) });
      await paste(page, '[White "Ada"]\n[Black "Bob"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0');
      await page.waitForFunction(() => window.samara.tree.mainline().length === 7);
      await shoot(page, `language-${locale}-${width}`);
      assert.deepEqual(await cutOff(page), [], `${width}x${height}`);
      for (const id of ['mode-play', 'open-library', 'move-menu']) {
        await page.click(`#${id}`);
        await page.waitForSelector('dialog[open]');
        await shoot(page, `language-${locale}-${width}-${id}`);
        assert.deepEqual(await cutOff(page), [], `${width}x${height} ${id}`);
        await page.keyboard.press('Escape');
        await page.waitForSelector('dialog[open]', { state: 'detached' });
      }
      await page.click('#mode-edit');
      await shoot(page, `language-${locale}-${width}-editor`);
      assert.deepEqual(await cutOff(page), [], `${width}x${height} editor`);
    }
  });
}

/** Buttons, labels and headings whose text does not fit into them, or that stick out of the window. */
const cutOff = page => page.evaluate(() => {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const element of document.querySelectorAll('button, label, h2, legend, [role=tab]')) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.sr, .line-moves, .skip, .steps') || element.classList.contains('skip')) continue;
    const box = element.getBoundingClientRect();
    if (!box.width) continue;
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflow !== 'visible') found.push(`${element.id || element.textContent}: ${element.scrollWidth} in ${element.clientWidth}`);
    const nav = element.closest('nav')?.getBoundingClientRect();
    if (nav && (box.right > nav.right + 1 || box.left < nav.left - 1)) found.push(`${element.id} does not fit into the header`);
    if (box.right > innerWidth + 1 || box.left < -1) found.push(`${element.id || element.textContent}: from ${box.left} to ${box.right}`);
  }
  return found;
});

run('another language and figurines are chosen in the settings, and stay', async () => {
  const page = await fresh({ locale: 'de-DE', hash: '#moves=e2e4.e7e5.g1f3&ply=3' });
  assert.equal(await page.textContent('#mode-analyse'), 'Analyse', 'English where we do not speak the language');
  await page.click('#open-settings');
  assert.deepEqual(await page.locator('#set-language option').allTextContents(), ['As the browser', 'English', 'Bosanski', 'Română', 'Tiếng Việt', 'Suomi', 'Русский']);
  await page.selectOption('#set-language', 'ru');
  await page.waitForFunction(() => document.getElementById('settings-title').textContent === 'Настройки');
  await page.selectOption('#set-notation', 'figurines');
  await page.click('#dialog-settings .close');
  await page.waitForFunction(() => /♘f3/.test(document.getElementById('moves').textContent));
  await page.reload();
  await page.waitForSelector('html:not(.starting)');
  await page.waitForFunction(() => /♘f3/.test(document.getElementById('moves').textContent));
  assert.equal(await page.textContent('#mode-analyse'), 'Анализ');
});
