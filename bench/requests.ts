// How many requests a verdict takes, and how well `list` tells before. `--write` puts both tables into docs/performance.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spendProject, type Spend, tokensOf } from '../test/support/spend.js';
import { demoModels as profiles } from './demo-models.js';
import { markdownTable, printTable } from './print-table.js';
import { writeTable } from './write-table.js';

/** The profiles, again and again under the names of further targets. */
function modelsOf(count: number): Record<string, readonly string[]> {
  const targets = Array.from({ length: Math.ceil(count / profiles.length) }, (_, index) => index);
  return Object.fromEntries(
    targets.map((index) => [`demo-${index + 1}`, profiles.slice(0, count - index * profiles.length)]),
  );
}

async function withProject<T>(
  count: number,
  play: (project: ReturnType<typeof spendProject>) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'chatspec-bench-requests-'));
  try {
    return await play(spendProject(folder, modelsOf(count)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const nightly = ['--tags', 'nightly'];
const certify = [...nightly, '--profile', 'certify'];
/** A test with a fixed number of trials needs so many for the error that the sequential one has. */
const fixed = [...nightly, '--trials', '24'];

interface Nights {
  readonly count: number;
  readonly nights: readonly Spend[];
}

/** The nights of a project: the first is accepted. */
async function nightsOf(count: number): Promise<Nights> {
  const nights = await withProject(count, async ({ night, accept }) => {
    const first = await night('the first night', ...nightly);
    await accept();
    return [
      first,
      await night('a later night, nothing changed', ...nightly),
      await night('`--last-failed` after it', ...nightly, '--last-failed'),
    ];
  });
  const sequential = await withProject(count, async ({ night, accept }) => {
    const first = await night('`--profile certify`: sequential, the first night', ...certify);
    await accept();
    return [
      first,
      await night('`--profile certify`, nothing changed', ...certify),
      await night('a later night of `standard`', ...nightly),
    ];
  });
  const atFixedSize = count > profiles.length ? [] : await withProject(count, ({ night }) => fixedNight(night));
  return { count, nights: [...nights, ...sequential, ...atFixedSize] };
}

const fixedNight = async (night: ReturnType<typeof spendProject>['night']): Promise<Spend[]> => [
  await night('`--trials 24`: fixed size, for the same error', ...fixed),
];

const whole = (value: number): string => Math.round(value).toLocaleString('en');

function spendRow({ report }: Spend, count: number): string {
  const judged = report.cells.filter(({ verdict }) => ['pass', 'flaky', 'fail'].includes(verdict)).length;
  const { requests } = report.run;
  return `${whole(requests)}; ${whole(requests / count)} a model, ${(requests / judged).toFixed(1)} a verdict`;
}

function off(expected: number, spent: number): string {
  const share = (100 * (expected - spent)) / spent;
  return `${share >= 0 ? '+' : '−'}${Math.abs(share).toFixed(1)} %`;
}

function predictionRow(name: string, { listed, report }: Spend): string[] {
  const { expected, likely } = listed.requests;
  const { requests } = report.run;
  const [from, to] = likely;
  return [
    ...[name, whole(expected), from === to ? '' : `${whole(from)} to ${whole(to)}`, whole(requests)],
    ...[off(expected, requests), off(listed.tokens.expected, tokensOf(report))],
  ];
}

/** Runs of other kinds, each listed before it. */
async function further(): Promise<readonly Spend[]> {
  return withProject(profiles.length, async ({ night, accept }) => {
    const first = await night('all of core, the first night');
    await accept();
    const later = [await night('all of core, nothing changed')];
    for (const only of ['thinking/*', 'budget/*', 'schema/*', 'conflict/*', 'flow/*']) {
      later.push(await night(`\`--only '${only}'\`, nothing changed`, '--only', only));
    }
    later.push(await night('`--tags smoke --profile smoke`', '--tags', 'smoke', '--profile', 'smoke'));
    later.push(await night('`--trials 2`', ...nightly, '--trials', '2'));
    return [first, ...later];
  });
}

const sizes = [await nightsOf(profiles.length), await nightsOf(100)];
const [small] = sizes;
const head = ['nightly', ...sizes.map(({ count }) => `${count} models`)];
const rows = (small?.nights ?? []).map(({ name }) => [
  name,
  ...sizes.map(({ count, nights }) => {
    const spend = nights.find((one) => one.name === name);
    return spend === undefined ? '' : spendRow(spend, count);
  }),
]);
printTable(head, rows);

const predicted = ['12 models', 'listed', 'likely', 'spent', 'off by', 'tokens off by'];
const predictions = [
  ...(small?.nights ?? []).map((spend) => predictionRow(`nightly, ${spend.name}`, spend)),
  ...(await further()).map((spend) => predictionRow(spend.name, spend)),
];
printTable(predicted, predictions);

if (process.argv.includes('--write')) {
  const how = `Counted, not timed, so that the machine makes no difference; seed 1, Node ${process.versions.node}.`;
  writeTable('docs/performance.md', 'requests', `${markdownTable(head, rows)}\n\n${how}`);
  writeTable('docs/performance.md', 'predictions', markdownTable(predicted, predictions));
}
