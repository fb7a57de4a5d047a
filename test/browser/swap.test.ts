import { rm } from 'node:fs/promises';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diffModels } from '../../src/matrix/diff/diff-reports.js';
import { launchBrowser, openFile } from '../support/browser-page.js';
import { type DeviatingRun, deviatingRun } from '../support/deviating-run.js';

let run: DeviatingRun;
let browser: Browser;
let page: Page;
let trouble: readonly string[];

beforeAll(async () => {
  [run, browser] = await Promise.all([deviatingRun('smoke'), launchBrowser()]);
  ({ page, trouble } = await openFile(browser, run.html));
});

afterAll(async () => {
  await browser.close();
  await rm(run.folder, { recursive: true });
});

const heldPairs = () =>
  page.evaluate<{ from: string; to: string; text: string }[]>(
    `[...document.querySelectorAll('details.swap')].map(({ dataset, textContent }) => ({ ...dataset, text: textContent }))`,
  );

const pick = async (from: string, to: string) => {
  await page.locator('#swap-from').selectOption(from);
  await page.locator('#swap-to').selectOption(to);
};

test('every pair that the page holds says what the command says, also where no script runs', async () => {
  const pairs = await heldPairs();
  expect(pairs.length).toBeGreaterThan(1);
  for (const { from, to, text } of pairs) {
    const { swap, lost } = diffModels(run.report, run.report, from, to);
    expect(text).toMatch(lost.length === 0 ? /Nothing (?:proved )?lost/ : /cells? lost/);
    for (const { capability, change } of swap.capabilities) {
      expect(text).toContain(change === 'gained' ? 'What is gained' : 'What breaks');
      expect(text).toContain(capability);
    }
    for (const { say } of swap.requests) expect(text).toContain(say);
    expect(text).toContain(`--models ${from} ${to}`);
  }
});

test('two models are picked: a pair that the page holds opens, others are compared by what the matrix shows', async () => {
  const ids = run.report.models.map(({ id }) => id);
  const held = (await heldPairs()).map(({ from, to }) => `${from} ${to}`);
  const [from = '', to = ''] = held.at(-1)?.split(' ') ?? [];
  await pick(from, to);
  expect(await page.locator('details.swap[open] h3').allTextContents()).toEqual([`From ${from} to ${to}`]);
  const others = ids.flatMap((a) => ids.flatMap((b) => (a === b || held.includes(`${a} ${b}`) ? [] : [[a, b]])));
  const told = [];
  for (const [a = '', b = ''] of others.slice(0, 8)) {
    await pick(a, b);
    const text = (await page.locator('.swap-seen').textContent()) ?? '';
    expect(text).toContain(`From ${a} to ${b}`);
    expect(text).toContain('a single failure may be luck');
    expect(text).toContain(`--models ${a} ${b}`);
    expect(await page.locator('details.swap[open]').count()).toBe(0);
    const { lost } = diffModels(run.report, run.report, a, b);
    for (const { capability } of lost) expect(text).toContain(capability);
    told.push(...lost);
  }
  expect(told.length).toBeGreaterThan(0);
  await page.evaluate(axe.source);
  const found = await page.evaluate<string[]>(
    `axe.run('#swap').then(({ violations }) => violations.map(({ id }) => id))`,
  );
  expect({ found, trouble }).toEqual({ found: [], trouble: [] });
});
