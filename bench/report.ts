// How large and how fast the HTML report is with 100 models, and with six times as many. `--write` puts the table into docs/performance.md.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { runCli } from '../src/cli/program.js';
import { anIo } from '../test/support/io.js';
import { inBrowser, type Seen } from './report/in-browser.js';
import { writeMany } from './report/many-models.js';
import { demoModels as profiles } from './demo-models.js';
import { markdownTable, printTable } from './print-table.js';
import { writeTable } from './write-table.js';

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
async function rendered(run: string, models: number, file: string): Promise<Rendered> {
  const made = join(run, 'many.json');
  await writeMany(run, models, made);
  const child = fork(fileURLToPath(new URL('report/render-many.js', import.meta.url)), [run, made, file]);
  const [result] = (await once(child, 'message')) as [Rendered];
  return result;
}

interface Kind {
  readonly name: string;
  readonly models: number;
  readonly args: readonly string[];
  /** Megabytes, elements and milliseconds; null: it only has to be a page that can be read. */
  readonly goals: {
    readonly file: number;
    readonly elements: number;
    readonly paint: number;
    readonly ready: number;
  } | null;
}

const kinds: readonly Kind[] = [
  {
    ...{ name: 'nightly', models: 100, args: ['--tags', 'nightly'] },
    goals: { file: 5, elements: 25_000, paint: 500, ready: 1000 },
  },
  { name: 'all of core', models: 100, args: [], goals: { file: 12, elements: 40_000, paint: 1000, ready: 1500 } },
  { name: 'all of core', models: 578, args: [], goals: null },
];

project();
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
interface Column extends Pick<Kind, 'name' | 'models' | 'goals'> {
  readonly made: Rendered;
  readonly seen: Seen;
  /** Megabytes. */
  readonly size: number;
}
const columns: Column[] = [];
for (const { name, models, args, goals } of kinds) {
  const run = join(folder, name.replaceAll(' ', '-'));
  if (!existsSync(run)) await runCli(['run', ...args, '--out', run], anIo({ cwd: folder }));
  const file = join(run, `${models}.html`);
  const made = await rendered(run, models, file);
  const seen = await inBrowser(browser, file);
  columns.push({ name, models, goals, made, seen, size: statSync(file).size / 1e6 });
}
await browser.close();

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
const whole = (number: number) => Math.round(number).toLocaleString('en');
const row = (title: string, of: (column: Column) => string) => [title, ...columns.map(of)];
const head = [
  '',
  ...columns.map(
    ({ name, models, made }) =>
      `${models} models, ${name}: ${whole(made.cells)} cells, ${whole(made.deviations)} of them deviate`,
  ),
];
const goal = ({ goals }: Column, of: (goals: NonNullable<Kind['goals']>) => string) =>
  goals === null ? '' : ` (${of(goals)})`;
const rows = [
  row('file', (column) => `${column.size.toFixed(1)} MB${goal(column, ({ file }) => `goal: < ${file} MB`)}`),
  row(
    'elements at load',
    (column) => whole(column.seen.elements) + goal(column, ({ elements }) => `< ${whole(elements)}`),
  ),
  row('first paint', (column) => seconds(column.seen.firstPaint) + goal(column, ({ paint }) => `< ${seconds(paint)}`)),
  row('DOMContentLoaded', (column) => seconds(column.seen.ready) + goal(column, ({ ready }) => `< ${seconds(ready)}`)),
  row(
    'slowest search, to the next paint',
    (column) => `${whole(column.seen.search)} ms${goal(column, () => '< 50 ms')}`,
  ),
  row(
    'slowest filter, to the next paint',
    (column) => `${whole(column.seen.filter)} ms${goal(column, () => '< 50 ms')}`,
  ),
  row('presses of Tab from the top to the search', (column) => `${column.seen.tabs}${goal(column, () => '≤ 3')}`),
  row('rendering, by the clock', (column) => seconds(column.made.milliseconds.clock) + goal(column, () => '< 2 s')),
  row('rendering, CPU of all threads', ({ made }) => seconds(made.milliseconds.cpu)),
  row('memory on top', (column) => `${whole(column.made.megabytes)} MB${goal(column, () => '< 200 MB')}`),
];
printTable(head, rows);

if (process.argv.includes('--write')) {
  writeTable('docs/performance.md', 'report', markdownTable(head, rows));
}
if (process.argv.includes('--keep')) console.log(`kept in ${folder}`);
else rmSync(folder, { recursive: true });
