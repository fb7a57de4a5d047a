// How time and memory of a run grow with its trials, and with its models. Run it alone: 100,000 trials take minutes.
//   npm run bench -- scale [--write] [--most N]
// --most leaves out what has more trials or models.
import { readFileSync } from 'node:fs';
import { load, machine } from './measured.js';
import { markdownTable, printTable } from './print-table.js';
import { measuredRun, type Measured, type Project } from './scale/measured-run.js';
import { track } from './tracked-ratios.js';
import { writeTable } from './write-table.js';

const mostAt = process.argv.indexOf('--most');
const most = mostAt === -1 ? Infinity : Number(process.argv[mostAt + 1]);

/** Ten models, one probe with a schema; every answer is the same and conforms. */
function trials(count: number): Project {
  const models = 10;
  const schema: unknown = JSON.parse(readFileSync('fixtures/schemas/invoice.json', 'utf8'));
  const messages = [{ role: 'user', content: 'INV-2026-0501, Huang Trading Ltd., 3 keyboards at 299 CNY.' }];
  const response_format = { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };
  const suite = { suite: 'scale', probes: { invoice: { request: { messages, response_format } } } };
  const options = ['--trials', String(count / models)];
  return { files: { 'suite.yaml': suite }, suites: ['suite.yaml'], models, options };
}

/** All of core. Most cells fail, as the stub gives the same answer to everything. */
const matrix = (models: number): Project => ({ files: {}, suites: ['builtin:core'], models, options: [] });

interface Row {
  readonly name: string;
  readonly size: number;
  readonly run: Measured;
}

async function series(named: (size: number) => string, sizes: readonly number[], of: (size: number) => Project) {
  const rows: Row[] = [];
  for (const size of sizes.filter((one) => one <= most)) {
    const row = { name: named(size), size, run: await measuredRun(of(size)) };
    console.error(`${row.name}: ${row.run.cpu.toFixed(1)} s of CPU, ${row.run.peak.toFixed(0)} MB`);
    rows.push(row);
  }
  return rows;
}

/** What a further request costs, over what it costs in the next smaller run, so that the start does not count. */
function growth(rows: readonly Row[], index: number): number | null {
  const [before, smaller, own] = [rows[index - 2], rows[index - 1], rows[index]];
  if (before === undefined || smaller === undefined || own === undefined) return null;
  const each = (from: Row, to: Row): number => (to.run.cpu - from.run.cpu) / (to.run.requests - from.run.requests);
  return each(smaller, own) / each(before, smaller);
}

const number = (value: number): string => Math.round(value).toLocaleString('en');
const byTrials = await series((size) => `${number(size)} trials`, [1000, 10_000, 100_000], trials);
const byModels = await series((size) => `${size} models, all of core`, [10, 30, 100], matrix);

const head = ['run', 'cells', 'requests', 'CPU', 'of a further request', 'peak', 'journal'];
const rows = [byTrials, byModels].flatMap((all) =>
  all.map(({ name, run }, index) => {
    const grown = growth(all, index);
    const figures = [`${run.cpu.toFixed(1)} s`, grown === null ? '' : `${grown.toFixed(2)} times`];
    return [
      name,
      number(run.cells),
      number(run.requests),
      ...figures,
      `${number(run.peak)} MB`,
      `${number(run.journal)} MB`,
    ];
  }),
);
printTable(head, rows);
const measured = `One run each, ${machine()}, ${load()}.`;
console.log(measured);
const [, tenth, whole] = byTrials;
if (tenth !== undefined && whole !== undefined) {
  track('scale/peak, 100,000 trials to 10,000', whole.run.peak / tenth.run.peak, 'lower is better');
  track('scale/CPU of a further request, 100,000 trials to 10,000', growth(byTrials, 2) ?? NaN, 'lower is better');
}
if (process.argv.includes('--write')) {
  writeTable('docs/performance.md', 'scale', `${markdownTable(head, rows)}\n\n${measured}`);
}
