import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { exitCode, type FailOn } from '../../matrix/exit-code.js';
import { diskSpool } from '../../report/failure-spool.js';
import { openGathering } from '../../report/gather.js';
import { renderers } from '../../report/renderers.js';
import { journalName } from '../../run/journal.js';
import { replay } from '../../run/replay.js';
import { inputsOf, planOf } from '../inputs.js';
import type { Io } from '../io.js';
import { machineryFor } from '../machinery.js';
import { oneOf, textOf } from '../options.js';
import { publish } from '../publish.js';
import type { Options } from '../verb.js';

/** Judges the recorded exchanges again with today's suites and rules; the run folder itself stays as it is. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const failOn = oneOf<FailOn>(options, 'fail-on', ['deviation', 'regression', 'fail', 'never'], 'deviation');
  const source = resolve(io.cwd, args[0] ?? '');
  const folder = resolve(io.cwd, textOf(options, 'out') ?? `${source}-rejudged`);
  const inputs = await inputsOf(options, io);
  const plan = await planOf(inputs, options, io);
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
