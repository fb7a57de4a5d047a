import { randomBytes } from 'node:crypto';
import type { ShownBefore } from '../../decide/tempered.js';
import { exitCode, type FailOn } from '../../matrix/exit-code.js';
import { diskSpool } from '../../report/failure-spool.js';
import { type Gathering, openGathering } from '../../report/gather.js';
import { renderers } from '../../report/renderers.js';
import { systemClock } from '../../run/clock.js';
import { drive, type DriveOptions } from '../../run/drive.js';
import { createJournal, resumeJournal, type Journal } from '../../run/journal.js';
import type { RunStarted } from '../../run/event.js';
import type { Recorded } from '../../run/recorded.js';
import type { Plan } from '../../plan/cell.js';
import { askedTargets, checkCredentials, connect } from '../connect.js';
import { newRunFolder, pointLatestTo, shown, stampOf } from '../folders.js';
import { fileFormatsOf } from '../formats.js';
import { type Inputs, inputsOf, planOf } from '../inputs.js';
import { interruptible } from '../interrupt.js';
import type { Io } from '../io.js';
import { machineryFor } from '../machinery.js';
import { oneOf, shardOf, wholeNumber } from '../options.js';
import { otherPlan } from '../other-plan.js';
import { openProgress } from '../progress.js';
import { publish } from '../publish.js';
import { givenOptions } from '../recorded-options.js';
import { type ResumedRun, resumedRun } from '../resumed-run.js';
import { shownBeforeIn, shownBeforeOf } from '../shown-before.js';
import type { Options } from '../verb.js';
import { beforeAnythingIsSent } from '../trouble.js';
import { toolVersion } from '../version.js';

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
  const concurrency = wholeNumber(given, 'concurrency', { least: 1, most: 1000 });
  const inputs = await inputsOf(given, io);
  const resumed = given['resume'] === true ? await resumedRun(inputs.config, given, io) : null;
  const options = resumed === null ? given : resumed.options;
  const budgetAsked = {
    requests: wholeNumber(options, 'budget-requests', { least: 1 }),
    tokens: wholeNumber(options, 'budget-tokens', { least: 1 }),
  };
  const shard = shardOf(options) ?? null;
  const plan = await planOf(inputs, options, io);
  if (options['dryRun'] === true) return (await import('./list.js')).show(plan, inputs, options, io);

  const { config, env, suites } = inputs;
  const started = resumed?.started ?? null;
  if (resumed !== null && started !== null && !isSamePart(started, plan, shard)) {
    throw otherPlan(started, plan, given, shown(resumed.folder, io));
  }
  const asked = askedTargets(config, plan);
  checkCredentials(asked, env, io);
  const connections = await connect(asked, env, { seed: plan.seed, concurrency });
  let folder: string;
  let shownBefore: ShownBefore | null;
  const gathering = openGathering(diskSpool(() => folder));
  let interrupted: boolean;
  try {
    const opened = await openFolder(inputs, plan, resumed, options, io).catch((error: unknown) => {
      throw beforeAnythingIsSent(error);
    });
    folder = opened.folder;
    shownBefore = started === null ? await shownBeforeIn(config, folder) : shownBeforeOf(started);
    // A part is no run to compare the next one with.
    if (shard === null) await pointLatestTo(config, folder);
    interrupted = await driven(
      {
        ...(await machineryFor(plan, (target) => connections.targets.get(target)?.config.limits.retries ?? 0)),
        ...{ plan, journal: opened.journal, recorded: opened.recorded, targets: connections.targets },
        clock: systemClock,
        budget: {
          requests: budgetAsked.requests ?? config.budget.requests,
          tokens: budgetAsked.tokens ?? config.budget.tokens,
          cost: config.budget.cost,
        },
        run: {
          id: randomBytes(8).toString('hex'),
          tool: { name: 'chatspec', version: toolVersion() },
          node: process.version,
          shard,
          options: givenOptions(options),
          shownBefore,
        },
        signal,
      },
      gathering,
      io,
    );
  } finally {
    await connections.close();
  }

  const { report, context } = await publish({ plan, config, suites, gathering, folder, formats, shownBefore }, io);
  io.out(await renderers[options['json'] === true ? 'json' : 'terminal'](report, context));
  return exitCode(report, {
    ...{ failOn, interrupted, maxUnmeasured: config.maxUnmeasured, shard: shard !== null },
  });
}

/** Every shard of a plan has the digest of the whole. */
function isSamePart({ plan: digest, shard: part }: RunStarted, plan: Plan, shard: RunStarted['shard']): boolean {
  return digest === plan.digest && part?.index === shard?.index && part?.of === shard?.of;
}

/** Lets the run go its way; resolves to whether it was interrupted. */
async function driven(
  options: DriveOptions & { readonly signal: AbortSignal },
  gathering: Gathering,
  io: Io,
): Promise<boolean> {
  const progress = await openProgress(options.plan.tickets.length, io);
  try {
    for await (const event of drive(options)) {
      gathering.see(event);
      progress.see(event);
    }
  } finally {
    progress.done();
  }
  return options.signal.aborted;
}

interface OpenFolder {
  readonly folder: string;
  readonly journal: Journal;
  readonly recorded: Recorded | null;
}

async function openFolder(
  { config }: Inputs,
  plan: Plan,
  resumed: ResumedRun | null,
  options: Options,
  io: Io,
): Promise<OpenFolder> {
  if (resumed !== null) return { folder: resumed.folder, ...(await resumeJournal(resumed.folder, plan.digest)) };
  const folder = newRunFolder(config, options, io, stampOf(new Date()));
  return { folder, journal: await createJournal(folder), recorded: null };
}
