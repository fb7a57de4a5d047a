import { randomBytes } from 'node:crypto';
import { exitCode, type FailOn } from '../../matrix/run-exit-code.js';
import { diskSpool } from '../../report/gather/failure-spool.js';
import { type Gathering, openGathering } from '../../report/gather/gather.js';
import { renderReport, reportFormats } from '../../report/report-formats.js';
import { systemClock } from '../../run/clock.js';
import { drive } from '../../run/drive.js';
import { askedTargets, checkCredentials, connect, type Connections } from '../work/connect.js';
import { fileFormatsOf } from '../options/formats.js';
import { interruptible } from '../terminal/interrupt.js';
import type { Io } from '../terminal/io.js';
import { machineryFor } from '../work/run-parts.js';
import { openRun, type OpenRun } from '../work/open-run.js';
import { oneOf } from '../options/options.js';
import { openProgress } from '../terminal/progress.js';
import { publish } from '../work/publish.js';
import { givenOptions } from '../options/recorded-options.js';
import type { Options } from '../verb.js';
import { toolVersion } from '../version.js';
import { type Work, workOf } from '../work/work.js';

/** Plans, asks, judges, decides, reports. A signal ends the asking, whenever it comes; what is being written is finished. */
export async function run(_args: readonly string[], given: Options, io: Io): Promise<number> {
  const interruption = interruptible(io);
  try {
    return await runUntil(interruption.signal, given, io);
  } finally {
    interruption.done();
  }
}

async function runUntil(signal: AbortSignal, given: Options, io: Io): Promise<number> {
  const failOn = oneOf<FailOn>(given, 'fail-on', ['deviation', 'regression', 'fail', 'never'], 'deviation');
  const formats = fileFormatsOf(given);
  const work = await workOf(given, io);
  const { inputs, options, plan, shard, concurrency } = work;
  const { config, env, suites } = inputs;
  if (options['dryRun'] === true) return (await import('./list.js')).show(plan, inputs, options, io);

  const targets = askedTargets(config, plan);
  checkCredentials(targets, env, io);
  const connections = await connect(targets, env, { seed: plan.seed, concurrency });
  let opened: OpenRun;
  let interrupted: boolean;
  const gathering = openGathering(diskSpool(() => opened.folder));
  try {
    opened = await openRun(work, io);
    await ask(work, opened, { connections, gathering, signal }, io);
    interrupted = signal.aborted;
  } finally {
    await connections.close();
  }

  const { folder, shownBefore, recorded } = opened;
  const { report, context } = await publish({ plan, config, suites, gathering, folder, formats, shownBefore }, io);
  if (report.run.requests === recorded?.count) io.err('chatspec: nothing was left to ask: every answer was recorded\n');
  io.out(await renderReport(reportFormats[options['json'] === true ? 'json' : 'terminal'], report, context));
  return exitCode(report, {
    ...{ failOn, interrupted, maxUnmeasured: config.maxUnmeasured, shard: shard !== null },
  });
}

interface Means {
  readonly connections: Connections;
  readonly gathering: Gathering;
  readonly signal: AbortSignal;
}

/** Lets the run go its way; gathering and progress only listen. */
async function ask(work: Work, opened: OpenRun, { connections, gathering, signal }: Means, io: Io): Promise<void> {
  const { plan, budget, shard, options } = work;
  const { journal, recorded, shownBefore } = opened;
  const { targets } = connections;
  const machinery = await machineryFor(plan, (target) => targets.get(target)?.config.limits.retries ?? 0);
  const progress = await openProgress(plan.tickets.length, io);
  const events = drive({
    ...{ ...machinery, plan, targets, journal, recorded, budget, signal },
    clock: systemClock,
    run: {
      id: randomBytes(8).toString('hex'),
      tool: { name: 'chatspec', version: toolVersion() },
      node: process.version,
      ...{ shard, options: givenOptions(options), shownBefore },
    },
  });
  try {
    for await (const event of events) {
      gathering.see(event);
      progress.see(event);
    }
  } finally {
    progress.done();
  }
}
