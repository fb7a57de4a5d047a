import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openFile } from '../support/browser-page.js';

const run = inject('deviatingRun');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
});

/** How many pages are printed; chromium writes an object for each. */
async function pagesOf(file: string, { appendix }: { readonly appendix: boolean }): Promise<number> {
  const { page } = await openFile(browser, file);
  const after = '#models, #models ~ *, footer';
  if (!appendix) await page.evaluate(`document.querySelectorAll('${after}').forEach((part) => part.remove())`);
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  return [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page\b(?!s)/g)].length;
}

test.each([['a run full of deviations', () => run.html]])(
  '%s is printed on two pages, and an appendix that is named so',
  async (_, file) => {
    expect(await pagesOf(file(), { appendix: false })).toBe(2);
    expect(await pagesOf(file(), { appendix: true })).toBeGreaterThan(2);
    const { page } = await openFile(browser, file());
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(`getComputedStyle(document.querySelector('#models'), '::before').content`)).toContain(
      'Appendix',
    );
    for (const part of ['verdict', 'changes', 'recommendations', 'matrix', 'models', 'glossary']) {
      expect(await page.locator(`#${part}`).isVisible(), part).toBe(true);
    }
    const closed = `[...document.querySelectorAll('#models details.model, #glossary details')].filter(
    (one) => !one.lastElementChild.checkVisibility({ contentVisibilityAuto: true })).length`;
    expect(await page.evaluate(closed)).toBe(0);
    const cut = `[...document.querySelectorAll('table.matrix:not(.long) tbody td')].filter(
    (one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().bottom > one.parentElement.getBoundingClientRect().bottom + 1).length`;
    expect(await page.evaluate(cut)).toBe(0);
    expect(await page.locator('.need .brief').first().innerText()).toMatch(/^\S+: \S+/);
  },
);
