import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';

export interface Seen {
  readonly elements: number;
  /** Milliseconds from the start of the navigation. */
  readonly firstPaint: number;
  readonly ready: number;
  /** Milliseconds from a key to the frame after the next paint: the slowest of several searches, and of several filters. */
  readonly search: number;
  readonly filter: number;
  readonly tabs: number;
}

/** Opens the page several times and takes the median of each time. */
export async function inBrowser(browser: Browser, file: string, times = 5): Promise<Seen> {
  const loads: { elements: number; firstPaint: number; ready: number }[] = [];
  for (let time = 0; time < times; time++) {
    const page = await opened(browser, file);
    loads.push({
      elements: await page.evaluate<number>('document.querySelectorAll("*").length'),
      firstPaint: await page.evaluate<number>('performance.getEntriesByName("first-contentful-paint")[0].startTime'),
      ready: await page.evaluate<number>('performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd'),
    });
    await page.context().close();
  }
  const page = await opened(browser, file);
  const tabs = await tabsToSearch(page);
  await page.locator('#matrix').scrollIntoViewIfNeeded();
  await page.evaluate('document.querySelector("#matrix").scrollIntoView()');
  const words = ['t', 'to', 'tool', 'tool_choice', 'vendor-050', 'http 500', 'budget', 'qqzzxx', ''];
  const search = await slowest(
    page,
    words.map((text) => `search(${JSON.stringify(text)})`),
  );
  const filter = await slowest(page, ['chip("fail")', 'chip("fail")', 'chip("changed")', 'chip("changed")']);
  await page.context().close();
  const middle = (of: (load: (typeof loads)[number]) => number) => loads.map(of).sort((a, b) => a - b)[times >> 1] ?? 0;
  return {
    ...{ elements: middle(({ elements }) => elements), firstPaint: middle(({ firstPaint }) => firstPaint) },
    ...{ ready: middle(({ ready }) => ready), search, filter, tabs },
  };
}

async function opened(browser: Browser, file: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  await page.waitForTimeout(1500);
  return page;
}

async function tabsToSearch(page: Page): Promise<number> {
  for (let presses = 1; presses <= 10; presses++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement.id')) === 'find') return presses;
  }
  return Infinity;
}

/** What the page does between an event and the frame after it; a message is delivered when the frame is painted. */
const timed = `
const painted = () => new Promise((resolve) => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = resolve; port2.postMessage(0); }));
const time = async (act) => { await painted(); await painted(); const from = performance.now(); act(); await painted(); return performance.now() - from; };
const search = (text) => time(() => { const field = document.getElementById('find'); field.value = text; field.dispatchEvent(new Event('input', { bubbles: true })); });
const chip = (name) => time(() => document.querySelector('.chip.' + name).click());
`;

async function slowest(page: Page, acts: readonly string[]): Promise<number> {
  let most = 0;
  for (const act of acts) {
    const times: number[] = [];
    for (let time = 0; time < 7; time++) {
      times.push(await page.evaluate<number>(`(async () => { ${timed} return ${act}; })()`));
      await page.waitForTimeout(250);
    }
    most = Math.max(most, times.sort((a, b) => a - b)[3] ?? 0);
  }
  return most;
}
