import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openFile } from '../support/browser-page.js';

/** reports/example: what readers ask of a bad night after a week, and in how many clicks it is answered. */

const file = fileURLToPath(new URL('../../reports/example/index.html', import.meta.url));
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser.close();
});

test('what broke, since when and what to do takes no click; why, and whether others fail too, takes one', async () => {
  const { page } = await openFile(browser, file);
  const row = page.locator('#overview .rows li', { hasText: 'boreal-2' });
  const told = await row.innerText();
  for (const fact of ['not JSON', 'since 22 Nov', 'only this model', 'json_schema']) expect(told).toContain(fact);
  await row.locator('a').click();
  await page.locator('#cell .answers').waitFor();
  const cell = await page.locator('#cell').innerText();
  for (const fact of ['Last good answer (21 Nov)', 'Fails since 22 Nov (3 runs)', '4 of 4']) {
    expect(cell).toContain(fact);
  }
});

test('the evidence of a model that is gone is its 404', async () => {
  const { page } = await openFile(browser, file);
  await page.locator('#overview .rows li', { hasText: 'ember-old' }).locator('a').click();
  await page.locator('#cell .exchange').waitFor();
  expect(await page.locator('#cell').innerText()).toContain('Response 404');
});

test('in the picture of the week, arrows move, Enter opens a night, and a line shows the baseline', async () => {
  const { page } = await openFile(browser, file, { hash: '#history' });
  expect(await page.locator('.picture tr').count()).toBe(6);
  expect(await page.locator('.picture tr:first-child .accepted:first-child').count()).toBe(1);
  await page.locator('.picture tr:first-child a').nth(3).focus();
  for (const key of ['ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.waitForURL(/runs\/2026-11-21\/index\.html#history/);
});

test('models that qualify are sorted by price', async () => {
  const { page } = await openFile(browser, file, { hash: '#ask=structured' });
  await page.locator('.asked li').first().waitFor();
  expect(await page.locator('.asked li a').allTextContents()).toEqual([
    ...['atlas-large', 'atlas-mini', 'boreal-2', 'cobalt-r1', 'delta-flash'],
  ]);
  const heads = await page.evaluate<string[]>(
    `[...document.querySelectorAll('table.matrix thead th[data-model]')].filter(({ hidden }) => !hidden).map(({ dataset }) => dataset.model.split('/')[1])`,
  );
  expect(heads).toEqual(await page.locator('.asked li a').allTextContents());
});
