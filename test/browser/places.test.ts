import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { renderReport } from '../../src/report/render-report.js';
import { reportFormats } from '../../src/report/report-formats.js';
import { redactor } from '../../src/report/safe/redact.js';
import { launchBrowser, openFile } from '../support/browser-page.js';

const run = inject('deviatingRun');
let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  ({ page } = await openFile(browser, run.html));
});

afterAll(async () => {
  await browser.close();
});

const hashOf = (key: string) => `#cell=${encodeURIComponent(key)}`;

/** Whether all of the field of the open cell is in sight: neither under the drawer, nor under the heads, nor scrolled away. */
const currentIsInSight = `(() => {
  const field = document.querySelector('table.matrix td.current');
  const { left, right, top, bottom } = field.getBoundingClientRect();
  return [[left + 2, top + 2], [right - 2, bottom - 2]].every(([x, y]) => document.elementFromPoint(x, y) === field);
})()`;

describe('a cell that is opened', () => {
  test('by its link stays in sight beside the drawer, which gives the focus to it', async () => {
    const { key } = run.report.cells.find((cell) => cell.model.endsWith('wobbly') && cell.key.includes('conflict'))!;
    const { page: own } = await openFile(browser, run.html, { hash: hashOf(key) });
    await own.locator('#drawer .exchange').first().waitFor();
    await expect.poll(() => own.evaluate(currentIsInSight)).toBe(true);
    await own.keyboard.press('Escape');
    expect(await own.evaluate('document.activeElement.tagName')).toBe('TD');
    await own.keyboard.press('ArrowLeft');
    await own.keyboard.press('Enter');
    await own.locator('#drawer h2').waitFor();
    await own.locator('#drawer a[rel=next]').click();
    await expect.poll(() => own.evaluate(currentIsInSight)).toBe(true);
  });

  test('by a pointer at the right edge stays in sight beside the drawer', async () => {
    await page.locator('table.matrix tbody tr:not(.family) td:last-child:not([class=""])').nth(12).click();
    await page.locator('#drawer h2').waitFor();
    await expect.poll(() => page.evaluate(currentIsInSight)).toBe(true);
    await page.keyboard.press('Escape');
  });

  test('leaves nothing of the page under the drawer', async () => {
    await page.evaluate(`location.hash = ${JSON.stringify(hashOf(run.report.cells[0]!.key))}`);
    await page.locator('#drawer h2').waitFor();
    const [left, right] = await page.evaluate<[number, number]>(`[
      document.getElementById('drawer').getBoundingClientRect().left,
      Math.max(...[...document.querySelectorAll('main > section')].map((one) => one.getBoundingClientRect().right)),
    ]`);
    expect(right).toBeLessThanOrEqual(left);
    await page.keyboard.press('Escape');
  });

  test('says so if the report has no such cell', async () => {
    await page.evaluate(`location.hash = '#cell=no-such%2Fcell%40demo%2Fa%3Cb%3E'`);
    await page.locator('#drawer h2').waitFor();
    expect(await page.locator('#drawer').textContent()).toContain('no-such/cell@demo/a<b>');
    await page.keyboard.press('Escape');
    expect(await page.locator('#drawer[open]').count()).toBe(0);
  });
});

describe('long ids and names', () => {
  const long = (start: string, character: string) => start.padEnd(160, character);
  let file: string;
  beforeAll(async () => {
    const text = JSON.stringify(run.report)
      .replaceAll('sim-wobbly', long('sim-wobbly', 'w'))
      .replaceAll('tool_choice.object', long('tool_choice.object', 'o'))
      .replaceAll('"sim-object-500"', `"${long('sim-object-500-', 'x')}"`);
    const report = JSON.parse(text) as Report;
    const html = await renderReport(reportFormats.html, report, {
      ...{ redact: redactor(), failures: [], color: false, columns: 80, folder: 'run' },
      exchanges: async function* () {},
    });
    file = join(run.folder, 'long.html');
    await writeFile(file, html);
  });

  test.each([1440, 390])('make no page wider than a window of %i px', async (width) => {
    const { page: own } = await openFile(browser, file, { width });
    const widthOf = () =>
      own.evaluate<number>(`(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
        const style = document.documentElement.scrollWidth;
        const out = [...document.querySelectorAll('main *, #drawer *')].filter(
          (one) => !one.parentElement.closest('.scroll, pre, svg') && one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1
            && !one.classList.contains('hidden'),
        );
        return out.length > 0 ? out[0].tagName + '.' + out[0].className + ' ' + out[0].parentElement.className : style;
      })()`);
    expect(await widthOf()).toBe(width);
    const { key } = run.report.cells.find((cell) => cell.model.endsWith('wobbly'))!;
    await own.evaluate(`location.hash = ${JSON.stringify(hashOf(key.replace('sim-wobbly', long('sim-wobbly', 'w'))))}`);
    await own.locator('#drawer h2').waitFor();
    expect(await widthOf()).toBe(width);
  });

  test('are cut at the head of a column, which has the whole in its title', async () => {
    const { page: own } = await openFile(browser, file);
    const heads = own.locator('table.matrix thead');
    expect((await heads.boundingBox())?.height).toBeLessThan(170);
    const titles = await own.evaluate<string[]>(
      `[...document.querySelectorAll('table.matrix thead th')].map(({ title }) => title)`,
    );
    expect(titles).toContain(`demo/${long('sim-wobbly', 'w')}`);
  });
});

describe('on a phone', () => {
  let phone: Page;
  beforeAll(async () => {
    ({ page: phone } = await openFile(browser, run.html, { width: 390 }));
  });

  test('no heading is hidden by the head of the page', async () => {
    for (const link of await phone.locator('.bar nav a').all()) {
      const target = await link.getAttribute('href');
      await phone.evaluate(`location.hash = ''; document.querySelector('.bar nav a[href="${target}"]').click()`);
      const gap = `document.querySelector('${target} h2').getBoundingClientRect().top - document.querySelector('.bar').getBoundingClientRect().bottom`;
      await expect.poll(() => phone.evaluate<number>(gap), { message: target ?? '' }).toBeGreaterThanOrEqual(0);
    }
  });

  test('a choice is a card that fits', async () => {
    const row = phone.locator('.advice-table tbody tr').first();
    const box = await row.boundingBox();
    expect(box!.x + box!.width).toBeLessThanOrEqual(390);
    for (const field of await row.locator('td').all()) {
      const own = await field.boundingBox();
      if (own !== null) expect(own.x + own.width).toBeLessThanOrEqual(390);
    }
    expect(box!.height).toBeLessThan(160);
  });

  test('the card of a model says what changed', async () => {
    const lost = run.report.cells.filter(
      ({ model, standing, unsettled }) => model === 'demo/sim-object-500' && standing === 'regression' && !unsettled,
    );
    expect(lost.length).toBeGreaterThan(0);
    const card = phone.locator('.model-cards details', { hasText: 'sim-object-500' }).locator('summary');
    expect(await card.innerText()).toMatch(/▼ [1-9]/);
  });

  test('all of the invitation to search is readable', async () => {
    for (const of of [page, phone]) {
      const [text, room] = await of.evaluate<[number, number]>(`(() => {
        const field = document.getElementById('find');
        const style = getComputedStyle(field);
        const context = document.createElement('canvas').getContext('2d');
        context.font = style.font;
        const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        return [context.measureText(field.placeholder).width, room];
      })()`);
      expect(text).toBeLessThan(room);
    }
  });
});

describe('a search', () => {
  const find = async (words: string) => {
    await page.locator('#find').fill(words);
    await expect.poll(() => page.locator('.search output').textContent()).not.toBe('');
    await page.waitForTimeout(120);
  };

  test('leaves no heading above nothing', async () => {
    await find('provisionally');
    expect(await page.locator('details.need:visible, #glossary details:visible').count()).toBe(0);
    for (const section of await page.locator('main > section:not(#verdict):visible').all()) {
      const text = (await section.innerText()).trim();
      expect(text.includes('provisionally') || !text.includes('\n'), text).toBe(true);
    }
    await find('sim-wobbly');
    for (const need of await page.locator('details.need[open]:visible').all()) {
      expect(await need.locator('tbody tr:visible, .without:visible').count()).toBeGreaterThan(0);
    }
  });

  test('marks what it found', async () => {
    await find('WOBBLY');
    const marked = `[...new Set([...CSS.highlights.get('found') ?? []].map(({ startContainer, startOffset, endOffset }) =>
      startContainer.data.slice(startOffset, endOffset).toLowerCase()))]`;
    await expect.poll(() => page.evaluate(marked)).toEqual(['wobbly']);
    await page.locator('#find').fill('');
    await expect.poll(() => page.evaluate(marked)).toEqual([]);
  });
});
