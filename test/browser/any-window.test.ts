import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { launchBrowser, openFile } from '../support/browser-page.js';

/** What holds in windows of all widths, in forced colours, by keyboard, and without JavaScript. */

const run = inject('deviatingRun');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser.close();
});

const views = ['overview', 'changes', 'matrix', 'models', 'compare', 'history', 'run'];
const show = (page: Page, view: string) => page.evaluate(`location.hash = '#${view}'`);

/** What scrolls sideways, but texts in a box of their own. */
const scrollingSideways = `[...document.querySelectorAll('body *')].filter((element) =>
  element.checkVisibility() && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1 &&
  ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) && element.tagName !== 'PRE'
).map(({ className, tagName }) => className || tagName)`;

test('every link leads somewhere without JavaScript', async () => {
  const { page } = await openFile(browser, run.html, { javaScriptEnabled: false });
  const hrefs = await Promise.all(
    (await page.locator('a[href^="#"]:visible').all()).map((link) => link.getAttribute('href')),
  );
  const ids = new Set(
    await Promise.all((await page.locator('[id]').all()).map((element) => element.getAttribute('id'))),
  );
  expect(hrefs.length).toBeGreaterThan(20);
  expect(hrefs.filter((href) => !ids.has(decodeURIComponent(href?.slice(1) ?? '')))).toEqual([]);
});

test('the table of the overview is at most 25 steps of the Tab key away', async () => {
  const { page } = await openFile(browser, run.html);
  let steps = 0;
  do {
    await page.keyboard.press('Tab');
    steps += 1;
  } while (steps < 60 && !(await page.evaluate(`document.activeElement.closest('table.usable') !== null`)));
  expect(steps).toBeLessThanOrEqual(25);
});

test('a ring shows where a key set the focus, not where the mouse did', async () => {
  const { page } = await openFile(browser, run.html);
  const ring = () => page.evaluate<string>(`getComputedStyle(document.activeElement).outlineStyle`);
  await page.locator('#overview td summary').first().click();
  expect(await ring()).toBe('none');
  await page.keyboard.press('Tab');
  expect(await ring()).not.toBe('none');
});

test('an unfolded field closes by Escape, which gives the focus back, and by a click elsewhere', async () => {
  const { page } = await openFile(browser, run.html);
  const field = page.locator('#overview td details').first();
  for (const close of [() => page.keyboard.press('Escape'), () => page.locator('h1').click()]) {
    await field.locator('summary').click();
    await field.locator('a').first().focus();
    await close();
    expect(await field.locator('ul').isVisible()).toBe(false);
  }
  await field.locator('summary').click();
  await field.locator('a').first().focus();
  await page.keyboard.press('Escape');
  expect(await page.evaluate(`document.activeElement.tagName`)).toBe('SUMMARY');
});

describe.each([390, 1024, 1440])('in a window of %d', (width) => {
  test('only the matrix scrolls sideways, and each view says date and verdict', async () => {
    const { page } = await openFile(browser, run.html, { width });
    const headline = await page.locator('h1').innerText();
    for (const view of views) {
      await show(page, view);
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(width);
      const scrolling = await page.evaluate<string[]>(scrollingSideways);
      expect(
        scrolling.filter((name) => name !== 'frame'),
        view,
      ).toEqual([]);
      const told = await page.locator(view === 'overview' ? 'body' : 'header').innerText();
      expect(told, view).toContain(headline);
      expect(await page.locator('header').innerText(), view).toMatch(/\d{1,2} \w{3}/);
    }
  });

  test('an unfolded field of any column stands whole in it', async () => {
    const { page } = await openFile(browser, run.html, { width });
    const fields = await page.locator('#overview tbody tr:nth-child(2) td details').all();
    expect(fields.length).toBeGreaterThan(5);
    for (const field of fields) {
      await field.locator('summary').click();
      const box = (await field.locator('ul').boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
    }
  });
});

test('forced colours keep what strips, fields and key tell apart', async () => {
  const { page } = await openFile(browser, run.html, { forcedColors: true });
  const backgrounds = await page.evaluate<string[]>(
    `['.key .reliable', '.key .unusable', 'td.reliable', 'td.unusable'].map((one) => {
      const style = getComputedStyle(document.querySelector(one));
      return style.backgroundColor + ' ' + style.borderStyle;
    })`,
  );
  expect(backgrounds[0]).toBe(backgrounds[2]);
  expect(backgrounds[1]).toBe(backgrounds[3]);
  expect(backgrounds[0]).not.toBe(backgrounds[1]);
  expect(backgrounds.every((one) => one.endsWith('solid'))).toBe(true);
});
