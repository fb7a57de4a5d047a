import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../src/cli/program.js';
import { anIo } from '../support/io.js';

const folder = await mkdtemp(join(tmpdir(), 'chatspec-browser-'));
const said: string[] = [];
const silent = anIo({ cwd: folder, err: (text) => void said.push(text) });

let browser: Browser;
let page: Page;
const trouble: string[] = [];

beforeAll(async () => {
  const config = {
    targets: { demo: { base_url: 'simulator', models: ['sim-reference', 'sim-object-500', 'sim-rf-prose'] } },
  };
  await writeFile(join(folder, 'chatspec.yaml'), JSON.stringify(config));
  const code = await runCli(['run', '--tags', 'smoke', '--out', join(folder, 'run')], silent);
  expect(code, said.join('')).toBe(1);
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') trouble.push(message.text());
  });
  page.on('pageerror', (error) => trouble.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) trouble.push(`asked for ${request.url()}`);
  });
  await page.goto(pathToFileURL(join(folder, 'run', 'index.html')).href);
});

afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

test('the page loads nothing external and keeps to its own policy', () => {
  expect(trouble).toEqual([]);
});

test.each(['light', 'dark'] as const)('axe-core finds no violation in %s', async (colorScheme) => {
  await page.emulateMedia({ colorScheme });
  // Through the browser's own door, because the page's policy lets no other script in.
  await page.evaluate(axe.source);
  const [violations, passes] = await page.evaluate<[object[], number]>(
    'axe.run().then(({ violations, passes }) => [violations, passes.length])',
  );
  expect(violations).toEqual([]);
  expect(passes).toBeGreaterThan(20);
});

test('the matrix names every model, and every cell says in words what its colour means', async () => {
  expect(await page.locator('table.matrix thead th').allInnerTexts()).toEqual([
    'Capability',
    'sim-reference',
    'sim-object-500',
    'sim-rf-prose',
  ]);
  const marks = await page.locator('table.matrix td a').all();
  expect(marks.length).toBeGreaterThan(10);
  for (const mark of marks) {
    expect(await mark.getAttribute('aria-label')).toMatch(/pass|fail|condition|flaky|measured|blocked|asked/);
  }
});

test('a click on a failing mark opens its cell with the exchange behind it', async () => {
  await page.locator('table.matrix a.v-fail').first().click();
  const cell = page.locator('details.cell[open]').first();
  expect(await cell.isVisible()).toBe(true);
  expect(await cell.innerText()).toMatch(/HTTP|json|content/i);
  expect(await cell.locator('details').count()).toBeGreaterThan(0);
});

test('the filter shows only matching cells', async () => {
  const all = await page.locator('details.cell').count();
  await page.locator('form.filter input[name=failing]').check();
  const failing = await page.locator('details.cell:visible').count();
  expect(failing).toBeGreaterThan(0);
  expect(failing).toBeLessThan(all);
  await page.locator('form.filter input[name=text]').fill('sim-object-500');
  const texts = await page.locator('details.cell:visible p.key').allTextContents();
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.every((text) => text.includes('sim-object-500'))).toBe(true);
});

test('the page fits a narrow screen and has a dark mode', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  const width = await page.evaluate('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(390);
  await page.emulateMedia({ colorScheme: 'dark' });
  const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const [red = 255] = (background.match(/\d+/g) ?? []).map(Number);
  expect(red).toBeLessThan(60);
});
