import { mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { exitCode, type FailOn } from '../../matrix/exit-code.js';
import { diskSpool } from '../../report/failure-spool.js';
import { openGathering } from '../../report/gather.js';
import type { Report } from '../../matrix/report.js';
import type { Plan } from '../../plan/cell.js';
import { renderers } from '../../report/renderers.js';
import { readReport } from '../../report/run-folder.js';
import { journalName } from '../../run/journal.js';
import { replay } from '../../run/replay.js';
import { type Inputs, inputsOf, planOf } from '../inputs.js';
import type { Io } from '../io.js';
import { machineryFor } from '../machinery.js';
import { oneOf, textOf } from '../options.js';
import { publish } from '../publish.js';
import type { Options } from '../verb.js';

/** Judges the recorded exchanges again with today's suites and rules; the run folder itself stays as it is. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const failOn = oneOf<FailOn>(options, 'fail-on', ['deviation', 'regression', 'fail', 'never'], 'deviation');
  const source = await realFolder(resolve(io.cwd, args[0] ?? ''));
  const folder = resolve(io.cwd, textOf(options, 'out') ?? `${source}-rejudged`);
  const inputs = await inputsOf(options, io);
  const plan = await planLike(await readReport(source).catch(() => null), inputs, options, io);
  const { config, suites } = inputs;
  const retries = new Map(config.targets.map(({ name, limits }) => [name, limits.retries]));
  const machinery = await machineryFor(plan, (target) => retries.get(target) ?? 0);
  const gathering = openGathering(diskSpool(() => folder));
  for await (const event of replay(join(source, journalName), { ...machinery, plan, targets: config.targets })) {
    gathering.see(event);
  }
  await mkdir(folder, { recursive: true });
  const work = {
    plan,
    config,
    suites,
    gathering,
    folder,
    journalFolder: source,
    formats: undefined,
    shownBefore: null,
  };
  const { report, context } = await publish(work, io);
  io.out(await renderers[options['json'] === true ? 'json' : 'terminal'](report, context));
  return exitCode(report, { failOn, interrupted: false, maxUnmeasured: config.maxUnmeasured, shard: false });
}

/** `reports/latest` is a link: the new report goes beside the run, not beside the link. */
async function realFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}

const filters = ['models', 'suites', 'only', 'skip', 'tags'];

/** The plan that the recorded run had, as far as its report tells: what it never planned is not missing. */
async function planLike(report: Report | null, inputs: Inputs, options: Options, io: Io): Promise<Plan> {
  if (report === null) return planOf(inputs, options, io);
  const { profile, seed } = report.run;
  const plan = await planOf(inputs, { profile, seed: String(seed), ...options }, io);
  if (filters.some((name) => options[name] !== undefined)) return plan;
  const planned = new Set(report.cells.map(({ key }) => key));
  return { ...plan, tickets: plan.tickets.filter(({ cell }) => planned.has(cell.key)) };
}
