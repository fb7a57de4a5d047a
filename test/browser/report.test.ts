import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { deviationsOf } from '../../src/matrix/standing/deviations.js';
import { shellWord } from '../../src/report/view/shell-word.js';
import { launchBrowser, openFile } from '../support/browser-page.js';

const run = inject('deviatingRun');
let browser: Browser;
let page: Page;
let trouble: readonly string[];

beforeAll(async () => {
  browser = await launchBrowser();
  ({ page, trouble } = await openFile(browser, run.html));
});

afterAll(async () => {
  await browser.close();
});

const cellOf = (key: string) => `#cell=${encodeURIComponent(key)}`;

test('the page asks for nothing and keeps to its own policy', () => {
  expect(trouble).toEqual([]);
});

test.each([768, 901, 1024, 1300, 1440, 1600])('every entry of the bar is seen at %i px', async (width) => {
  const { page: own } = await openFile(browser, run.html, { width });
  const nav = own.locator('.bar nav');
  const scrolls = await own.evaluate(`(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    scrollWidth > clientWidth || scrollHeight > clientHeight)(document.querySelector('.bar nav'))`);
  const boxes = await Promise.all((await nav.locator('a').all()).map((entry) => entry.boundingBox()));
  const hidden = boxes.filter((box) => box === null || box.x < 0 || box.x + box.width > width);
  expect({ scrolls, hidden, entries: boxes.length }).toEqual({ scrolls: false, hidden: [], entries: 9 });
  const search = await own.locator('#find').boundingBox();
  expect(search!.width).toBeGreaterThan(120);
  // What is jumped to is not under the bar.
  await nav.getByText('Recommendations').click();
  const [bar, heading] = [own.locator('.bar'), own.locator('#recommendations h2, h2#recommendations').first()];
  const [under, top] = [await bar.boundingBox(), await heading.boundingBox()];
  expect(top!.y).toBeGreaterThanOrEqual(under!.y + under!.height);
  await own.context().close();
});

describe('the matrix', () => {
  test('names every model and capability, and each field says in text what its colour means', async () => {
    const heads = await page.locator('table.matrix thead th').allInnerTexts();
    expect(heads.slice(1)).toEqual(run.report.models.map(({ model }) => model));
    const rows = await page.locator('table.matrix tbody tr:not(.family) th').allTextContents();
    expect(rows).toHaveLength(new Set(run.report.capabilities.map(({ capability }) => capability)).size);
    const fields = await page.locator('table.matrix tr:not(.family) td:not([class=""])').allTextContents();
    expect(fields.length).toBeGreaterThan(100);
    for (const text of fields) expect(text).not.toBe('');
  });

  test('shows every condition as text', async () => {
    const text = await page.locator('body').textContent();
    const conditions = run.report.capabilities.flatMap(({ condition }) => condition ?? []);
    expect(conditions.length).toBeGreaterThan(2);
    for (const condition of conditions) expect(text).toContain(condition.replaceAll('>=', '≥').replaceAll('<=', '≤'));
  });

  test('opens a cell beside it with the keyboard, and closing gives the place back', async () => {
    await page.locator('table.matrix td.fail.dev').first().click();
    await page.locator('#drawer h2').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('drawer-title');
    expect(await page.evaluate('location.hash')).toContain('cell=');
    await page.keyboard.press('Escape');
    expect(await page.locator('#drawer[open]').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TD');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator('#drawer h2').waitFor();
    await page.keyboard.press('Escape');
  });
});

test('the request and the response of every deviating cell are there once it is opened', async () => {
  const keys = deviationsOf(run.report).flatMap((one) => ('cell' in one ? one.cell.key : []));
  expect(keys.length).toBeGreaterThan(30);
  for (const key of keys) {
    await page.evaluate(`location.hash = ${JSON.stringify(cellOf(key))}`);
    await page.locator(`#drawer[data-key=${JSON.stringify(key)}]`).waitFor();
    const text = (await page.locator('#drawer').textContent()) ?? '';
    expect(text, key).toContain('"messages": [');
    expect(text, key).toMatch(/Response \d{3}/);
    expect(text, key).toMatch(/chatspec evidence \S+ /);
    expect(text, key).toContain(` ${shellWord(key)}`);
  }
  await page.keyboard.press('Escape');
});

describe('what keeps a large matrix quick', () => {
  test('no field cuts its text by itself, and rows out of sight are skipped', async () => {
    const odd = await page.evaluate<number>(`[...document.querySelectorAll('table.matrix tbody :is(td, th)')]
      .filter((field) => getComputedStyle(field).overflow !== 'visible').length`);
    expect(odd).toBe(0);
    const rows = await page.evaluate<string[]>(`[...document.querySelectorAll('table.matrix tbody tr')]
      .map((row) => getComputedStyle(row).contentVisibility + ' ' + getComputedStyle(row).overflow)`);
    expect(new Set(rows)).toEqual(new Set(['auto clip']));
  });

  test('a filter is answered without styling or laying out the page before the frame', async () => {
    const { page: own } = await openFile(browser, run.html);
    await own.waitForTimeout(500);
    await browser.startTracing(own, { categories: ['devtools.timeline'] });
    await own.evaluate(`document.querySelector('.chip.fail').click()`);
    await own.waitForTimeout(300);
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    const click = traceEvents.find(({ name, args }) => name === 'EventDispatch' && args.data?.type === 'click');
    const inside = traceEvents.filter(
      ({ name, tid, ts }) =>
        /^(?:UpdateLayoutTree|Layout)$/.test(name) &&
        tid === click!.tid &&
        ts >= click!.ts &&
        ts < click!.ts + click!.dur,
    );
    expect(inside).toEqual([]);
    expect(await own.locator('.chip.fail').getAttribute('aria-pressed')).toBe('true');
  });
});

/** Times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: { readonly data?: { readonly type?: string } };
}

describe('the search', () => {
  const hits = async (words: string) => {
    await page.locator('#find').fill(words);
    await expect.poll(() => page.locator('.search output').textContent()).not.toBe('');
    await page.waitForTimeout(60);
    return parseInt((await page.locator('.search output').textContent())?.replaceAll(',', '') ?? '', 10);
  };

  test('finds words of every part, and nothing for nonsense', async () => {
    for (const words of ['sim-object-500', 'tool_choice', 'HTTP 500', 'choose a model', 'seed', 'schema_violation']) {
      expect(await hits(words), words).toBeGreaterThan(0);
    }
    expect(await hits('qqzzxxnonsense')).toBe(0);
  });

  test('finds every visible word, also of what can be unfolded', async () => {
    const { page: own, trouble: ownTrouble } = await openFile(browser, run.html);
    const [asked, ...missed] = await own.evaluate<string[]>(`(async () => {
      for (const details of document.querySelectorAll('details')) details.open = true;
      const texts = [document.body.innerText, ...[...document.querySelectorAll('svg text')].map((one) => one.textContent)];
      const words = [...new Set(texts.flatMap((text) => text.split(/\\s+/)))].filter(Boolean);
      const field = document.getElementById('find');
      const output = document.querySelector('.search output');
      const search = async (word) => {
        field.value = word;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        await Promise.resolve();
      };
      await search('warm');
      while (output.textContent === '') await new Promise((resolve) => setTimeout(resolve, 20));
      const missed = [];
      for (const word of words) {
        output.textContent = '';
        await search(word);
        for (let turn = 0; output.textContent === '' && turn < 50; turn++) await null;
        if (!/^[1-9]/.test(output.textContent)) missed.push(word + ' -> ' + output.textContent);
      }
      return [String(words.length), ...missed];
    })()`);
    expect(Number(asked)).toBeGreaterThan(600);
    expect(missed).toEqual([]);
    expect(ownTrouble).toEqual([]);
  });

  test('shows only the columns and rows with a hit', async () => {
    await hits('sim-wobbly');
    const heads = () => page.locator('table.matrix thead th:visible').allInnerTexts();
    await expect.poll(heads).toEqual(['Capability', 'sim-wobbly']);
    await page.locator('#find').fill('');
    await expect.poll(() => page.locator('table.matrix thead th[hidden]').count()).toBe(0);
  });

  test('is reached with at most three presses of Tab', async () => {
    const { page: fresh } = await openFile(browser, run.html);
    for (let presses = 1; presses <= 3; presses++) {
      await fresh.keyboard.press('Tab');
      if ((await fresh.evaluate('document.activeElement.id')) === 'find') return;
    }
    expect.unreachable('three presses do not reach the search');
  });
});

test('without JavaScript every cell that deviates shows a request and a response', async () => {
  const { page: plain } = await openFile(browser, run.html, { javaScriptEnabled: false });
  const causes = await plain.locator('article.cause').all();
  expect(causes.length).toBeGreaterThan(5);
  const seen = new Map<string, string>();
  for (const cause of causes) {
    const texts = await cause.locator('details.exchange').allTextContents();
    for (const link of await cause.locator('.cells a').all()) {
      seen.set((await link.getAttribute('href')) ?? '', texts.join('\n'));
    }
    expect(texts.join('\n')).toMatch(/Response/);
  }
  const keys = deviationsOf(run.report).flatMap((one) => ('cell' in one ? one.cell.key : []));
  for (const key of keys) {
    const text = seen.get(cellOf(key)) ?? '';
    expect(text, key).toMatch(/Request \d+, (?:as above|with the model)|"messages": \[/);
    const alone = [...seen].filter(([, other]) => other === text).length === 1;
    if (!alone) expect(text, key).toContain(key);
  }
  const all = await plain.locator('article.cause noscript').allTextContents();
  const named = new Set(all.join('\n').match(/Request \d+/g));
  for (const one of named)
    expect(
      all.filter((text) => text.includes(`${one}, with the model`)),
      one,
    ).toHaveLength(1);
  expect(await plain.locator('table.matrix').isVisible()).toBe(true);
});

test('the page fits a narrow screen and has a dark mode', async () => {
  const { page: phone } = await openFile(browser, run.html, { width: 390, dark: true });
  expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await phone.locator('.model-cards details').count()).toBe(run.report.models.length);
  const background = await phone.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const [red = 255] = (background.match(/\d+/g) ?? []).map(Number);
  expect(red).toBeLessThan(60);
});

describe('what a reader sets', () => {
  test('stands in the address, and a page that is opened with it looks the same', async () => {
    const { page: first } = await openFile(browser, run.html);
    await first.locator('.chip.fail').click();
    await first.locator('.chip', { hasText: 'Transpose' }).click();
    await first.locator('select').first().selectOption('conforms');
    await expect.poll(() => first.evaluate<string>('location.hash')).toContain('level=conforms');
    const shownIn = (of: Page) => of.locator('table.matrix tbody tr:visible th').allTextContents();
    await expect.poll(async () => (await shownIn(first)).length).toBeGreaterThan(0);
    const hash = await first.evaluate<string>('location.hash');
    const { page: second } = await openFile(browser, run.html, { hash });
    await expect.poll(() => shownIn(second)).toEqual(await shownIn(first));
    expect(await second.locator('.chip.fail').getAttribute('aria-pressed')).toBe('true');
  });

  test('keeps rows in which models differ, and pins of models and rows', async () => {
    const { page: own } = await openFile(browser, run.html);
    const rows = () => own.locator('table.matrix tbody tr:not(.family):visible').count();
    const all = await rows();
    await own.locator('.chip', { hasText: 'Only differences' }).click();
    await expect.poll(rows).toBeLessThan(all);
    expect(await rows()).toBeGreaterThan(0);
    await own.locator('table.matrix tr:not(.family) td.fail').first().click();
    await own.locator('#drawer .pin-model').click();
    const pinned = await own.locator('#drawer .pin-model').getAttribute('value');
    await expect.poll(() => own.locator('table.matrix thead th').nth(1).getAttribute('data-id')).toBe(pinned);
    await own.locator('#drawer .pin-row').click();
    await expect.poll(() => own.locator('table.matrix .pins tr').count()).toBe(1);
  });

  test('opens a cell from its link', async () => {
    const key = run.report.cells[0]!.key;
    const { page: own } = await openFile(browser, run.html, { hash: cellOf(key) });
    await own.locator('#drawer .exchange').first().waitFor();
    expect(await own.locator('#drawer > .key').textContent()).toBe(key);
  });
});

test('a request with the settings of a recommendation can be copied', async () => {
  const { page: own } = await openFile(browser, run.html);
  await own.locator('.snippet').first().click();
  await own.locator('#drawer pre').first().waitFor();
  expect(await own.locator('#drawer').textContent()).toMatch(/curl -sS.*openai.*client\.chat\.completions\.create/s);
  await own.keyboard.press('Escape');
  expect(await own.locator('#drawer[open]').count()).toBe(0);
});

test('the schema and the place that violates it stand beside the answer', async () => {
  const cell = run.report.cells.find(({ standing, failures }) => {
    return standing === 'regression' && failures[0]?.violations.some(({ at }) => at.startsWith('/')) === true;
  });
  const { page: own } = await openFile(browser, run.html, { hash: cellOf(cell?.key ?? '') });
  await own.locator('#drawer .lines mark').first().waitFor();
  expect(await own.locator('#drawer').textContent()).toContain('Schema ');
});
