import { readFile } from 'node:fs/promises';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { deviationsOf } from '../../src/matrix/standing/deviations.js';
import { renderReport } from '../../src/report/render.js';
import { reportFormats } from '../../src/report/report-formats.js';
import { launchBrowser, openFile } from '../support/browser-page.js';

const run = inject('deviatingRun');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser.close();
});

const views = ['overview', 'changes', 'matrix', 'models', 'compare', 'history', 'run'];
const cellHash = (key: string): string => `#cell=${encodeURIComponent(key)}`;
const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;

/** What axe-core has to say, in a line each. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(`axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary)))`);
}

describe('the first screen', () => {
  test('holds headline, changes and the table of what can be used in a window of 1440 by 900', async () => {
    const { page, trouble } = await openFile(browser, run.html);
    expect(await page.locator('h1').innerText()).toMatch(/\d+ models? got worse/);
    const changes = (await page.locator('#overview .rows').boundingBox())!;
    const table = (await page.locator('#overview table').boundingBox())!;
    expect(changes.y).toBeGreaterThan(0);
    expect(table.y + table.height).toBeLessThanOrEqual(900);
    expect(await page.locator('#overview tbody tr').count()).toBe(run.report.models.length);
    // Beside the ways that the fields name: they are looked up, not read.
    await page.evaluate(`for (const way of document.querySelectorAll('#overview td small')) way.remove()`);
    const told = await page.locator('#overview').innerText();
    expect(wordsIn(told), told).toBeLessThanOrEqual(200);
    expect(trouble).toEqual([]);
  });

  test('begins its title with the verdict', async () => {
    const { page } = await openFile(browser, run.html);
    expect(await page.title()).toMatch(/^▼ \d+ models? got worse/);
  });

  test('unfolds a field to its capabilities', async () => {
    const { page } = await openFile(browser, run.html);
    const field = page.locator('#overview td details').first();
    await field.locator('summary').click();
    expect(await field.locator('li').first().isVisible()).toBe(true);
  });
});

describe('the views', () => {
  test.each(views)('%s is reached by the navigation, and shown alone', async (view) => {
    const { page } = await openFile(browser, run.html);
    await page.locator(`nav a[href="#${view}"]`).click();
    await page.locator(`#${view}.on`).waitFor();
    const shown = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main > section.on')].map(({ id }) => id)`,
    );
    expect(shown).toEqual([view]);
  });

  test('are all there without JavaScript, with a heading each', async () => {
    const { page } = await openFile(browser, run.html, { javaScriptEnabled: false });
    for (const view of views) {
      expect(await page.locator(`#${view}`).isVisible()).toBe(true);
      expect(await page.locator(`#${view} :is(h1, h2)`).first().isVisible()).toBe(true);
    }
    expect(await page.locator('#changes details.plain').count()).toBeGreaterThan(0);
  });
});

test('every deviation stands in exactly one change, which names model and cells', async () => {
  const { page } = await openFile(browser, run.html);
  const told = await page.evaluate<{ kind: string; cells: string }[]>(
    `[...document.querySelectorAll('#changes [data-change]')].map(({ dataset }) => ({ kind: dataset.change, cells: dataset.cells }))`,
  );
  const cells = told.filter(({ kind }) => kind !== 'doubt' && kind !== 'wire').flatMap((one) => one.cells.split(' '));
  const deviating = deviationsOf(run.report).flatMap((one) => ('cell' in one ? one.cell.key : []));
  expect(cells.filter((key) => key !== '').sort()).toEqual([...deviating].sort());
});

describe('a cell', () => {
  test('opens from the matrix, with request and response, and closing gives the place back', async () => {
    const { page } = await openFile(browser, run.html, { hash: '#matrix' });
    await page.locator('table.matrix td.fail').first().click();
    await page.locator('#cell .exchange').first().waitFor();
    expect(await page.evaluate('location.hash')).toContain('#cell=');
    await page.keyboard.press('Escape');
    await page.waitForFunction("!location.hash.startsWith('#cell=')");
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TD');
  });

  test('stays open if a key opened it right after another was closed', async () => {
    const { page } = await openFile(browser, run.html, { hash: '#matrix' });
    await page.locator('table.matrix td.fail').first().click();
    await page.locator('#cell .exchange').first().waitFor();
    const first = await page.evaluate<string>(`document.querySelector('#cell').dataset.key`);
    // Within one task, so that no event of closing comes in between.
    await page.evaluate(`(() => {
      document.querySelector('#cell .close').click();
      const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      press('ArrowDown');
      press('Enter');
    })()`);
    await page.locator(`#cell[open]:not([data-key=${JSON.stringify(first)}])`).waitFor();
    await page.waitForTimeout(100);
    expect(await page.locator('#cell').isVisible()).toBe(true);
    expect(await page.evaluate('location.hash')).toContain('#cell=');
  });

  test('stands beside its row and its heading where a copied address names it', async () => {
    const cell = run.report.cells.findLast(({ verdict }) => verdict === 'fail')!;
    const { page } = await openFile(browser, run.html, { hash: cellHash(cell.key) });
    await page.locator('#cell .exchange').first().waitFor();
    const row = page.locator(`table.matrix th[title=${JSON.stringify(cell.capability)}]`);
    await expect.poll(async () => (await row.boundingBox())!.y).toBeLessThan(850);
    const [head, place] = [await page.locator('table.matrix thead th').first().boundingBox(), await row.boundingBox()];
    expect(place!.y).toBeGreaterThan(head!.y);
    expect(head!.y).toBeGreaterThanOrEqual(0);
  });

  test('shows request and response of every deviating cell once it is opened', async () => {
    const { page } = await openFile(browser, run.html);
    const keys = deviationsOf(run.report).flatMap((one) => ('cell' in one ? one.cell.key : []));
    expect(keys.length).toBeGreaterThan(20);
    for (const key of keys) {
      await page.evaluate(`location.hash = ${JSON.stringify(cellHash(key))}`);
      await page.locator(`#cell[data-key=${JSON.stringify(key)}]`).waitFor();
      const text = (await page.locator('#cell').textContent()) ?? '';
      expect(text, key).toContain('"messages": [');
      expect(text, key).toMatch(/Response \d{3}/);
    }
  }, 120_000);

  test('says how many others pass, and leads by a click and an arrow key to the probe on every model', async () => {
    const cell = run.report.cells.find(({ verdict }) => verdict === 'fail')!;
    const alike = run.report.cells.filter(({ key }) =>
      key.startsWith(cell.key.slice(0, cell.key.lastIndexOf('@') + 1)),
    );
    const { page } = await openFile(browser, run.html, { hash: cellHash(cell.key) });
    await page.locator('#cell .neighbours').first().waitFor();
    const hrefs = await page.evaluate<string[]>(
      `[...document.querySelectorAll('#cell .neighbours a')].map((link) => link.getAttribute('href'))`,
    );
    for (const { key } of alike) expect(hrefs).toContain(cellHash(key));
    expect(await page.locator('#cell .others').innerText()).toMatch(/\d+ of \d+/);
    expect(await violations(page)).toEqual([]);
    const at = alike.findIndex(({ key }) => key === cell.key);
    await page.keyboard.press(at === 0 ? 'ArrowRight' : 'ArrowLeft');
    await page.locator(`#cell:not([data-key=${JSON.stringify(cell.key)}])`).waitFor();
  });

  test('says so if the report has no such cell', async () => {
    const { page } = await openFile(browser, run.html, { hash: '#cell=no-such%2Fcell%40demo%2Fa%3Cb%3E' });
    await page.locator('#cell h2').waitFor();
    expect(await page.locator('#cell').textContent()).toContain('no-such/cell@demo/a<b>');
  });
});

test('conditions appear as text, and the search counts its hits', async () => {
  const { page } = await openFile(browser, run.html);
  const text = (await page.locator('body').textContent()) ?? '';
  const conditions = run.report.capabilities.flatMap(({ condition }) => condition ?? []);
  expect(conditions.length).toBeGreaterThan(0);
  for (const condition of conditions) expect(text).toContain(condition.replaceAll('>=', '≥').replaceAll('<=', '≤'));
  const hits = async (words: string) => {
    await page.locator('#find').fill(words);
    await page.waitForFunction(`document.querySelector('.search output').dataset.of === ${JSON.stringify(words)}`);
    return parseInt((await page.locator('.search output').textContent()) ?? '', 10);
  };
  for (const words of ['sim-object-500', 'tool_choice', 'HTTP 500'])
    expect(await hits(words), words).toBeGreaterThan(0);
  expect(await hits('qqzzxxnonsense')).toBe(0);
});

test('two models are compared, and a copied address shows the same pair', async () => {
  const [one, other] = [run.report.models[0]!.id, run.report.models[1]!.id];
  const { page } = await openFile(browser, run.html, { hash: '#compare' });
  await page.locator('#compare-a').selectOption(one);
  await page.locator('#compare-b').selectOption(other);
  await page.locator('.compare-result tbody tr').first().waitFor();
  const rows = await page.locator('.compare-result tbody tr').allTextContents();
  const { page: second } = await openFile(browser, run.html, { hash: await page.evaluate<string>('location.hash') });
  expect(await second.locator('.compare-result tbody tr').allTextContents()).toEqual(rows);
});

test('models are sorted by a click on a heading', async () => {
  const { page } = await openFile(browser, run.html, { hash: '#models' });
  await page.locator('.sortable th button').nth(1).click();
  const passed = await page.evaluate<number[]>(
    `[...document.querySelectorAll('.sortable tbody td:nth-child(2)')].map(({ dataset }) => Number(dataset.sort))`,
  );
  expect(passed).toEqual([...passed].sort((a, b) => a - b));
});

test.each([
  { name: 'light', dark: false, width: 1440 },
  { name: 'dark', dark: true, width: 1440 },
  { name: 'a phone', dark: false, width: 390 },
])(
  'axe-core finds nothing in $name, in any view, and no text view is wider than the window',
  async ({ dark, width }) => {
    const { page } = await openFile(browser, run.html, { dark, width });
    for (const view of views) {
      await page.evaluate(`location.hash = '#${view}'`);
      await page.locator(`#${view}.on`).waitFor();
      expect(await violations(page), view).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(width);
    }
  },
  120_000,
);

test('axe-core finds nothing on paper and without JavaScript', async () => {
  const { page } = await openFile(browser, run.html);
  await page.emulateMedia({ media: 'print' });
  expect(await violations(page)).toEqual([]);
  const html = await readFile(run.html, 'utf8');
  await page.setContent(html.replace(/<script>[^]*<\/script>/, ''));
  await page.emulateMedia({ media: 'screen' });
  expect(await page.locator('#run').isVisible()).toBe(true);
  expect(await violations(page)).toEqual([]);
}, 120_000);

test('no table of a phone breaks inside a word', async () => {
  const { page } = await openFile(browser, run.html, { width: 390 });
  const breaking = await page.evaluate(`[...document.querySelectorAll('th, td')].filter((cell) => {
    const { overflowWrap, wordBreak } = getComputedStyle(cell);
    return overflowWrap !== 'normal' || wordBreak !== 'normal';
  }).length`);
  expect(breaking).toBe(0);
});

test('a hundred models take at most 25,000 elements and 5 MB', async () => {
  const { report } = run;
  const copies = Array.from({ length: 9 }, (_, copy) => copy).flatMap((copy) => (text: string) => `${text}-${copy}`);
  const many = <T>(of: (renamed: (id: string) => string) => readonly T[]): readonly T[] => copies.flatMap(of);
  const html = await renderReport(
    reportFormats.html,
    {
      ...report,
      models: many((id) => report.models.map((one) => ({ ...one, id: id(one.id), model: id(one.model) }))),
      cells: many((id) => report.cells.map((one) => ({ ...one, key: id(one.key), model: id(one.model) }))),
      capabilities: many((id) =>
        report.capabilities.map((one) => ({ ...one, model: id(one.model), cells: one.cells.map(id) })),
      ),
      recommendations: many((id) => report.recommendations.map((one) => ({ ...one, model: id(one.model) }))),
    },
    {
      ...{ redact: (text) => text, failures: [], folder: 'run', color: false, columns: 80 },
      async *exchanges() {
        // What was said adds the same few texts, however many models are asked.
      },
    },
  );
  expect(html.length).toBeLessThan(5_000_000);
  const { page } = await openFile(browser, run.html);
  await page.setContent(html);
  expect(await page.locator('table.matrix.wide tbody tr').count()).toBe(108);
  // No name stands over a cell.
  const over = await page.evaluate<string[]>(`[...document.querySelectorAll('table.matrix tr, table.usable tr')]
    .filter(({ cells: [head, next] }) => head.scrollWidth > head.clientWidth + 1 ||
      head.getBoundingClientRect().right > next.getBoundingClientRect().left)
    .map(({ textContent }) => textContent)`);
  expect(over).toEqual([]);
  expect(await page.locator('*').count()).toBeLessThan(25_000);
}, 120_000);

test('is printed on at most six sheets, and nothing on them is smaller than 7 points', async () => {
  const { page } = await openFile(browser, run.html);
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(6);
  await page.emulateMedia({ media: 'print' });
  const points = await page.evaluate<readonly number[]>(`[...document.querySelectorAll('body *')]
    .filter((element) => element.checkVisibility() && [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim()))
    .map((element) => parseFloat(getComputedStyle(element).fontSize) * 0.75)`);
  expect(points.length).toBeGreaterThan(100);
  expect(Math.min(...points)).toBeGreaterThanOrEqual(7);
});

test('asks for nothing', async () => {
  expect(await readFile(run.html, 'utf8')).not.toMatch(/(?:src|href)="(?!#|\.\.\/)/);
});
