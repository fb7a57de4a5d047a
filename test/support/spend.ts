import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../../src/cli/program.js';
import type { Estimate } from '../../src/estimate/estimate.js';
import type { Json, JsonObject } from '../../src/json/json.js';
import type { Report } from '../../src/index.js';
import { readReport } from '../../src/report/run-folder.js';
import { anIo } from './io.js';

/** Settings of which the built-in suites make axes. */
export const usualSettings = {
  thinking: { default: null, enabled: { thinking: { type: 'enabled' } }, disabled: { thinking: { type: 'disabled' } } },
  reasoning_effort: { low: { reasoning_effort: 'low' }, high: { reasoning_effort: 'high' } },
};

/** What `list` said of a run before it, and what the run then took. */
export interface Spend {
  readonly name: string;
  readonly listed: Estimate;
  readonly report: Report;
}

/** A project on the embedded service, in which each run is listed first. */
export interface SpendProject {
  /** Lists and runs the same command line. */
  readonly night: (name: string, ...options: readonly string[]) => Promise<Spend>;
  /** Accepts the newest run as baseline. */
  readonly accept: () => Promise<void>;
  /** Back to no baseline. */
  readonly forget: () => void;
}

/** @param models by target */
export function spendProject(
  folder: string,
  models: Readonly<Record<string, readonly Json[]>>,
  { suites = ['builtin:core'], more = {} }: { readonly suites?: readonly string[]; readonly more?: JsonObject } = {},
): SpendProject {
  const targets = Object.fromEntries(
    Object.entries(models).map(([name, of]) => [
      name,
      { base_url: 'simulator', models: of, settings: usualSettings, limits: { concurrency: 16 } },
    ]),
  );
  const write = (file: string, value: Json) => writeFileSync(join(folder, file), JSON.stringify(value));
  const forget = () => write('baseline.yaml', { format: 'chatspec-baseline/1', covers: [], expect: [] });
  write('chatspec.yaml', { targets, suites, baseline: 'baseline.yaml', ...more });
  forget();
  let nights = 0;
  const latest = () => `reports/runs/${nights}`;
  return {
    forget,
    async night(name, ...options) {
      const listed = JSON.parse(await cli(folder, ['list', '--json', ...options])) as Estimate;
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
  let [out, err] = ['', ''];
  const code = await runCli(args, anIo({ cwd, out: (text) => void (out += text), err: (text) => void (err += text) }));
  if (code === 2) throw new Error(`chatspec ${args.join(' ')}: ${err}`);
  return out;
}
