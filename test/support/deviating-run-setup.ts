import { rm, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { runCli } from '../../src/cli/program.js';
import type { Report } from '../../src/index.js';
import { anIo } from './io.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A run that the browser tests look at from several sides, and change nothing of. */
    deviatingRun: DeviatingRun;
  }
}

/**
 * Asks the models once for all files of the browser tests: a nightly run of twelve models takes as long as many of
 * their tests.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const run = await deviatingRun('nightly');
  provide('deviatingRun', run);
  return () => rm(run.folder, { recursive: true });
}

export interface DeviatingRun {
  /** Of the project; remove it afterwards. */
  readonly folder: string;
  readonly html: string;
  readonly report: Report;
}

const models = [
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

/**
 * A baseline in which everything passes but what the reference model passes now, so that there is something of each
 * kind.
 */
const baseline = {
  format: 'chatspec-baseline/1',
  covers: models.filter((model) => model !== 'sim-budget').map((model) => ({ cells: `*@demo/${model}`, trials: 12 })),
  expect: [
    {
      ...{ key: 'tool-choice/order[tool_choice=required]@demo/sim-reference', verdict: 'fail', class: 'http_error' },
      ...{ reason: 'tool_choice_unsupported', status: 400, date: '2026-11-01', note: 'asked the vendor' },
    },
    {
      ...{ key: 'tool-choice/order[tool_choice=object]@demo/sim-object-500', verdict: 'fail', class: 'http_error' },
      ...{ reason: 'tool_choice_unsupported', status: 400, date: '2026-10-12' },
    },
  ],
};

/** A run on the embedded service that differs from its baseline in every direction. */
export async function deviatingRun(tags = 'nightly'): Promise<DeviatingRun> {
  const folder = await mkdtemp(join(tmpdir(), 'chatspec-deviating-'));
  const settings = {
    thinking: {
      default: null,
      enabled: { thinking: { type: 'enabled' } },
      disabled: { thinking: { type: 'disabled' } },
    },
  };
  const target = { base_url: 'simulator', models, settings, limits: { concurrency: 16 } };
  const config = { targets: { demo: target }, suites: ['builtin:core'], baseline: 'baseline.yaml' };
  await writeFile(join(folder, 'chatspec.yaml'), JSON.stringify(config));
  await writeFile(join(folder, 'baseline.yaml'), JSON.stringify(baseline));
  const code = await runCli(['run', '--tags', tags, '--out', join(folder, 'run')], anIo({ cwd: folder }));
  if (code !== 1) throw new Error(`the run should deviate, but its exit code is ${code}`);
  const report = JSON.parse(await readFile(join(folder, 'run', 'report.json'), 'utf8')) as Report;
  return { folder, html: join(folder, 'run', 'index.html'), report };
}
