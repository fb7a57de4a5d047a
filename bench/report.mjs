// How long a report of about a hundred models takes to make, and its page to open (needs chromium, see CHROMIUM_PATH).
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { chatspec, measuredProcess, median } from './measured-process.mjs';

const profiles = [
  ...['sim-reference', 'pro-sim-reference', 'sim-object-500', 'sim-object-400-thinking', 'sim-rf-empty'],
  ...['sim-rf-prose', 'sim-schema-only', 'sim-budget', 'sim-wobbly', 'sim-json-word', 'sim-enforce-none'],
  'sim-call-as-text',
];
const targetNames = Array.from({ length: 9 }, (_, index) => `demo-${index + 1}`);
const loads = 5;

const folder = mkdtempSync(join(tmpdir(), 'chatspec-bench-report-'));
const target = { base_url: 'simulator', models: profiles, limits: { concurrency: 16 } };
/** Half of the models are known and expected to pass, so that there are many deviations. */
const covers = targetNames.flatMap((name) =>
  profiles.filter((_, index) => index % 2 === 0).map((id) => ({ cells: `*@${name}/${id}`, trials: 12 })),
);
const files = {
  'chatspec.yaml': {
    targets: Object.fromEntries(targetNames.map((name) => [name, target])),
    suites: ['builtin:core'],
    baseline: 'baseline.yaml',
  },
  'baseline.yaml': { format: 'chatspec-baseline/1', covers, expect: [] },
};
for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));

const run = await measuredProcess([chatspec, 'run', '--tags', 'nightly', '--out', 'run'], {
  ...{ cwd: folder, allowed: [0, 1] },
});
const page = join(folder, 'run/index.html');
const made = await measuredProcess([chatspec, 'report', 'run', '--format', 'html'], { cwd: folder });
const { cells, models } = JSON.parse(readFileSync(join(folder, 'run/report.json'), 'utf8'));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
const seen = [];
for (let load = 0; load < loads; load += 1) {
  const tab = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await tab.goto(pathToFileURL(page).href, { waitUntil: 'load' });
  // The page forbids `eval`, by which a browser would wait for it.
  while ((await tab.evaluate('performance.getEntriesByName("first-contentful-paint").length')) === 0)
    await tab.waitForTimeout(20);
  seen.push({
    elements: await tab.evaluate('document.querySelectorAll("*").length'),
    paint: await tab.evaluate('performance.getEntriesByName("first-contentful-paint")[0].startTime'),
    ready: await tab.evaluate('performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd'),
  });
  await tab.close();
}
await browser.close();

const middle = (of) => Math.round(median(seen.map(of)));
console.log(`  ${models.length} models, ${cells.length} cells; the run took ${run.wall.toFixed(1)} s`);
console.log(
  `  report --format html: ${made.wall.toFixed(2)} s, ${made.cpu.toFixed(2)} s of CPU, ${Math.round(made.peak)} MB at most`,
);
console.log(
  `  index.html: ${(statSync(page).size / 1e6).toFixed(1)} MB, ${middle(({ elements }) => elements)} elements`,
);
console.log(`  first paint after ${middle(({ paint }) => paint)} ms, ready after ${middle(({ ready }) => ready)} ms`);
rmSync(folder, { recursive: true });
