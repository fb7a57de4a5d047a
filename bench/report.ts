// How large and how fast the HTML report is with 100 models. `--write` puts the table into docs/performance.md.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { runCli } from '../src/cli/program.js';
import { anIo } from '../test/support/io.js';
import { inBrowser, type Seen } from './report/in-browser.js';
import { writeMany } from './report/many-models.js';
import { printTable } from './print-table.js';
import { writeTable } from './write-table.js';

const models = 100;
const profiles = [
  ...[
    'sim-reference',
    'pro-sim-reference',
    'sim-object-500',
    'sim-object-400-thinking',
    'sim-rf-empty',
    'sim-rf-prose',
  ],
  ...['sim-schema-only', 'sim-budget', 'sim-wobbly', 'sim-json-word', 'sim-enforce-none', 'sim-call-as-text'],
];
const folder = mkdtempSync(join(tmpdir(), 'chatspec-bench-report-'));

/** Half of the models are known and expected to pass, so that there are thousands of deviations. */
function project(): void {
  const settings = {
    thinking: {
      default: null,
      enabled: { thinking: { type: 'enabled' } },
      disabled: { thinking: { type: 'disabled' } },
    },
    reasoning_effort: { low: { reasoning_effort: 'low' }, high: { reasoning_effort: 'high' } },
  };
  const target = { base_url: 'simulator', models: profiles, settings, limits: { concurrency: 16 } };
  const config = { targets: { demo: target }, suites: ['builtin:core'], baseline: 'baseline.yaml' };
  const covers = profiles.filter((_, index) => index % 2 === 0).map((id) => ({ cells: `*@demo/${id}`, trials: 12 }));
  writeFileSync(join(folder, 'chatspec.yaml'), JSON.stringify(config));
  writeFileSync(join(folder, 'baseline.yaml'), JSON.stringify({ format: 'chatspec-baseline/1', covers, expect: [] }));
}

interface Rendered {
  readonly cells: number;
  readonly deviations: number;
  readonly milliseconds: { readonly cpu: number; readonly clock: number };
  readonly megabytes: number;
}

/** In a process of its own, so that its memory is not that of the run before. */
async function rendered(run: string, file: string): Promise<Rendered> {
  const made = join(run, 'many.json');
  await writeMany(run, models, made);
  const child = fork(fileURLToPath(new URL('report/render-many.js', import.meta.url)), [run, made, file]);
  const [result] = (await once(child, 'message')) as [Rendered];
  return result;
}

const kinds = [
  { name: 'nightly', args: ['--tags', 'nightly'], goals: { file: 5, elements: 25_000, paint: 500, ready: 1000 } },
  { name: 'all of core', args: [], goals: { file: 12, elements: 40_000, paint: 1000, ready: 1500 } },
];

project();
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
interface Column extends Pick<(typeof kinds)[number], 'name' | 'goals'> {
  readonly made: Rendered;
  readonly seen: Seen;
  /** Megabytes. */
  readonly size: number;
}
const columns: Column[] = [];
for (const { name, args, goals } of kinds) {
  const run = join(folder, name.replaceAll(' ', '-'));
  await runCli(['run', ...args, '--out', run], anIo({ cwd: folder }));
  const file = join(run, 'many.html');
  const made = await rendered(run, file);
  const seen = await inBrowser(browser, file);
  columns.push({ name, goals, made, seen, size: statSync(file).size / 1e6 });
}
await browser.close();

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
const whole = (number: number) => Math.round(number).toLocaleString('en');
const row = (title: string, of: (column: Column) => string) => [title, ...columns.map(of)];
const head = [
  `${models} models`,
  ...columns.map(({ name, made }) => `${name}: ${whole(made.cells)} cells, ${whole(made.deviations)} of them deviate`),
];
const rows = [
  row('file', ({ size, goals }) => `${size.toFixed(1)} MB (goal: < ${goals.file} MB)`),
  row('elements at load', ({ seen, goals }) => `${whole(seen.elements)} (< ${whole(goals.elements)})`),
  row('first paint', ({ seen, goals }) => `${seconds(seen.firstPaint)} (< ${seconds(goals.paint)})`),
  row('DOMContentLoaded', ({ seen, goals }) => `${seconds(seen.ready)} (< ${seconds(goals.ready)})`),
  row('slowest search, to the next paint', ({ seen }) => `${whole(seen.search)} ms (< 50 ms)`),
  row('slowest filter, to the next paint', ({ seen }) => `${whole(seen.filter)} ms (< 50 ms)`),
  row('presses of Tab from the top to the search', ({ seen }) => `${seen.tabs} (≤ 3)`),
  row(
    'rendering',
    ({ made }) =>
      `${seconds(made.milliseconds.clock)} (< 2 s; ${seconds(made.milliseconds.cpu)} of CPU), ${whole(made.megabytes)} MB (< 200 MB)`,
  ),
];
printTable(head, rows);

if (process.argv.includes('--write')) {
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  writeTable('docs/performance.md', 'report', table);
}
if (process.argv.includes('--keep')) console.log(`kept in ${folder}`);
else rmSync(folder, { recursive: true });
