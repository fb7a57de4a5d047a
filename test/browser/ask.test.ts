import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { withoutModel } from '../../src/cell/cell-key.js';
import { launchBrowser, openFile } from '../support/browser-page.js';

/** Chips above the matrix, and comparisons that open from elsewhere. */

const run = inject('deviatingRun');
const { cells, models, recommendations } = run.report;
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser.close();
});

const shownModels = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('table.matrix thead th[data-model]')].filter(({ hidden }) => !hidden).map(({ dataset }) => dataset.model)`,
  );
const press = async (page: Page, ...ids: readonly string[]) => {
  for (const id of ids) {
    await page.locator(`.ask [data-ask=${JSON.stringify(id)}]`).click();
    await page.locator(`.ask [data-ask=${JSON.stringify(id)}][aria-pressed=true]`).waitFor();
  }
};
const serving = (need: string) =>
  recommendations.flatMap((one) => (one.need === need && one.form !== null ? one.model : []));

describe('of the matrix is asked', () => {
  test('which models serve two needs: they stay, and a copied address shows the same', async () => {
    const { page, trouble } = await openFile(browser, run.html, { hash: '#matrix' });
    await press(page, 'structured', 'tool_call');
    const wanted = serving('structured').filter((id) => serving('tool_call').includes(id));
    expect(wanted.length).toBeLessThan(models.length);
    expect((await shownModels(page)).toSorted()).toEqual(wanted.toSorted());
    const hash = await page.evaluate<string>('location.hash');
    const { page: second } = await openFile(browser, run.html, { hash });
    await second.locator('.asked li').first().waitFor();
    expect(await shownModels(second)).toEqual(await shownModels(page));
    expect(await second.locator('.ask [aria-pressed=true]').count()).toBe(2);
    await second.locator('nav a[href="#matrix"]').click();
    await expect.poll(async () => (await shownModels(second)).length).toBe(models.length);
    expect(trouble).toEqual([]);
  });

  test('which models serve a need within a cap: one that needs more goes', async () => {
    const bound = recommendations.find(
      ({ need, conditions, settings }) =>
        need === 'structured' && conditions?.includes('max_tokens') && Number(settings['max_tokens']) > 1024,
    );
    const { page } = await openFile(browser, run.html, { hash: '#matrix' });
    await press(page, 'structured', 'max_tokens<=4096');
    expect(await shownModels(page)).toContain(bound?.model);
    await press(page, 'max_tokens<=1024');
    expect(await shownModels(page)).not.toContain(bound?.model);
  });

  test('what fails on one model only: its checks are listed, its fields marked, one question at a time', async () => {
    const { page } = await openFile(browser, run.html, { hash: '#matrix' });
    await press(page, 'worse', 'alone');
    expect(await page.locator('.ask [aria-pressed=true]').count()).toBe(1);
    const alone = cells.filter(({ key, verdict }) => {
      const others = cells.filter((one) => withoutModel(one.key) === withoutModel(key) && one.key !== key);
      return verdict === 'fail' && others.length > 0 && others.every((one) => one.verdict === 'pass');
    });
    expect(alone.length).toBeGreaterThan(0);
    expect(await page.locator('.asked li a').count()).toBe(alone.length);
    const marked = new Set(alone.map(({ model, capability }) => `${model} ${capability}`));
    expect(await page.locator('td.answer').count()).toBe(marked.size);
    await page.locator('.asked li a').first().click();
    await page.locator('#cell[open] .exchange').first().waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction("location.hash === '#ask=alone'");
  });

  test('and by keyboard: one step of Tab for all chips, and arrows between them', async () => {
    const { page } = await openFile(browser, run.html, { hash: '#matrix' });
    expect(await page.locator('.ask button[tabindex="0"]').count()).toBe(1);
    await page.locator('.ask button[tabindex="0"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForFunction("location.hash.startsWith('#ask=')");
  });
});

describe('a comparison', () => {
  test.each([
    ['a model', '#models', '.card .pair a'],
    ['a change', '#changes', '.change .pair a'],
  ])('opens from %s, with what to send, speed and price', async (_, hash, link) => {
    const { page } = await openFile(browser, run.html, { hash });
    await page.locator(link).first().click();
    await page.locator('.compare-result tbody tr').first().waitFor();
    expect(await page.evaluate('location.hash')).toMatch(/^#compare=.+\.\..+/);
    const told = await page.locator('.compare-result').innerText();
    for (const fact of ['JSON by schema', 'Median answer', 'Price']) expect(told).toContain(fact);
  });
});
