import { rm } from 'node:fs/promises';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openFile } from '../support/browser-page.js';
import { type DeviatingRun, deviatingRun } from '../support/deviating-run.js';

let run: DeviatingRun;
let browser: Browser;

beforeAll(async () => {
  [run, browser] = await Promise.all([deviatingRun('smoke'), launchBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await rm(run.folder, { recursive: true });
});

/** What axe-core has to say, in a line each. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(`axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary)))`);
}

test.each([
  { name: 'light', dark: false, width: 1440 },
  { name: 'dark', dark: true, width: 1440 },
  { name: 'a phone', dark: false, width: 390 },
  { name: 'a dark phone', dark: true, width: 390 },
])('axe-core finds nothing in $name, with the drawer closed and open', async ({ dark, width }) => {
  const { page, trouble } = await openFile(browser, run.html, { dark, width });
  expect(await violations(page)).toEqual([]);
  await page.locator('article.cause .cells a').first().click();
  await page.locator('#drawer .exchange').first().waitFor();
  expect(await violations(page)).toEqual([]);
  expect(trouble).toEqual([]);
});
