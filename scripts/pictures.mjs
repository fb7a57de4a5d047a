// Takes the README's two pictures from a run folder: node scripts/pictures.mjs RUN (needs chromium, see CHROMIUM_PATH).
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const run = resolve(process.argv[2] ?? 'reports/latest');
const colours = {
  31: '#c4432b',
  32: '#1f7a4d',
  33: '#9a6b00',
  34: '#2b5fa8',
  36: '#2b7a86',
  90: '#6b7280',
  2: '#6b7280',
};
const text = execFileSync(process.execPath, ['dist/cli/main.js', 'report', run], {
  env: { ...process.env, FORCE_COLOR: '1', COLUMNS: '80' },
  encoding: 'utf8',
});
const matrix = text.split('\n').slice(0, 46).join('\n');
const escaped = matrix.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const html = escaped.replace(/\u001b\[(\d+)m/g, (_, code) => {
  if (code === '1') return '<b>';
  if (code === '22') return '</b></span>';
  return colours[code] ? `<span style="color:${colours[code]}">` : '</span>';
});

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
const terminal = await browser.newPage({ viewport: { width: 760, height: 100 }, deviceScaleFactor: 1.5 });
await terminal.setContent(
  `<body style="margin:0;background:#fbfbf9"><pre style="margin:0;padding:18px;font:14px/1.35 'DejaVu Sans Mono',monospace;color:#1d2129">${html}</pre>`,
);
await terminal.screenshot({ path: 'docs/images/matrix.png', fullPage: true });
const page = await browser.newPage({ viewport: { width: 1360, height: 940 } });
await page.goto(pathToFileURL(resolve(run, 'index.html')).href);
await page.locator('#matrix').scrollIntoViewIfNeeded();
await page.locator('table.matrix tr:not(.family) td.partial').first().click();
await page.locator('#drawer .exchange').first().waitFor();
await page.screenshot({ path: 'docs/images/report.png' });
await browser.close();
