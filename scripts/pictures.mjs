// Takes the README's picture of the HTML report from a run folder: node scripts/pictures.mjs RUN (needs chromium, see CHROMIUM_PATH).
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const run = resolve(process.argv[2] ?? 'reports/latest');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
const page = await browser.newPage({ viewport: { width: 1360, height: 940 } });
await page.goto(pathToFileURL(resolve(run, 'index.html')).href);
await page.locator('#matrix').scrollIntoViewIfNeeded();
await page.locator('table.matrix tr:not(.family) td.partial').first().click();
await page.locator('#drawer .exchange').first().waitFor();
await page.evaluate(() => {
  for (const element of document.querySelectorAll('*')) if (element.scrollTop > 0) element.scrollTop = 0;
  document.querySelector('#matrix').scrollIntoView();
});
await page.screenshot({ path: 'docs/images/report.png' });
await browser.close();
