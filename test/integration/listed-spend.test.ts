import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { estimate } from '../../src/estimate/estimate.js';
import type { Json } from '../../src/json/json.js';
import type { Report } from '../../src/index.js';
import { readReport } from '../../src/report/run-folder.js';
import { chatspec } from '../support/cli.js';

/** Settings of which the built-in suites make axes. */
const usualSettings = {
  thinking: { default: null, enabled: { thinking: { type: 'enabled' } }, disabled: { thinking: { type: 'disabled' } } },
  reasoning_effort: { low: { reasoning_effort: 'low' }, high: { reasoning_effort: 'high' } },
};

/** What `list` said of a run before it, and what the run then took. */
interface Spend {
  readonly name: string;
  readonly listed: ReturnType<typeof estimate>;
  readonly report: Report;
}

/** A project on the embedded service, in which each run is listed first. */
interface SpendProject {
  /** Lists and runs the same command line. */
  readonly night: (name: string, ...options: readonly string[]) => Promise<Spend>;
  /** Accepts the newest run as baseline. */
  readonly accept: () => Promise<void>;
}

/** @param models by target */
function spendProject(folder: string, models: Readonly<Record<string, readonly Json[]>>): SpendProject {
  const targets = Object.fromEntries(
    Object.entries(models).map(([name, of]) => [
      name,
      { base_url: 'simulator', models: of, settings: usualSettings, limits: { concurrency: 16 } },
    ]),
  );
  const write = (file: string, value: Json) => writeFileSync(join(folder, file), JSON.stringify(value));
  write('chatspec.yaml', { targets, suites: ['builtin:core'], baseline: 'baseline.yaml' });
  write('baseline.yaml', { format: 'chatspec-baseline/1', covers: [], expect: [] });
  let nights = 0;
  const latest = () => `reports/runs/${nights}`;
  return {
    async night(name, ...options) {
      const listed = JSON.parse(await cli(folder, ['list', '--json', ...options])) as Spend['listed'];
      nights += 1;
      await cli(folder, ['run', '--out', latest(), '--format', 'json', '--quiet', ...options]);
      return { name, listed, report: await readReport(join(folder, latest())) };
    },
    accept: async () => {
      await cli(folder, ['baseline', 'accept', latest()]);
    },
  };
}

/** Its output. Throws for mistakes in usage; a run that deviates is none. */
async function cli(cwd: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await chatspec(args, { cwd });
  if (code === 2) throw new Error(`chatspec ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Models of kinds that change what a run asks: refusals, server errors, thresholds, a flaky cell. */
const models = ['sim-reference', 'sim-object-500', 'sim-rf-empty', 'sim-budget', 'sim-wobbly'];

/** By how much of what was spent the expectation was off. */
const offBy = ({ listed, report }: Spend): number =>
  Math.abs(listed.requests.expected - report.run.requests) / report.run.requests;

const off = (spends: readonly Spend[]) =>
  spends.flatMap((spend) => {
    const { requests } = spend.report.run;
    const share = offBy(spend);
    return share <= 0.1 ? [] : `${spend.name}: ${spend.listed.requests.expected} listed, ${requests} spent`;
  });

const nightly = ['--tags', 'nightly'];

test('with a baseline, a night asks what was listed, within 10 %', async () => {
  const { night, accept } = spendProject(await tempFolder(), { demo: models });
  await night('the first night', ...nightly);
  await accept();
  const later = [
    await night('an unchanged night', ...nightly),
    await night('what failed', ...nightly, '--last-failed'),
    await night('certify', '--tags', 'smoke', '--profile', 'certify'),
    await night('so many trials', '--tags', 'smoke', '--trials', '3'),
  ];
  expect(off(later)).toEqual([]);
});

test('and a model that passes asks what was listed', async () => {
  const { night } = spendProject(await tempFolder(), { demo: ['sim-reference'] });
  const standard = await night('the first night', ...nightly);
  expect(standard.listed.requests.expected).toBe(standard.report.run.requests);
  expect(standard.report.run.requests).toBeLessThan(90);
  const certified = await night('certify', '--tags', 'smoke', '--profile', 'certify');
  expect(certified.listed.requests.expected).toBe(certified.report.run.requests);
});
