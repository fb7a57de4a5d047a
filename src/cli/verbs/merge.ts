import { join, resolve } from 'node:path';
import type { Config } from '../../config/config.js';
import { shardOfPlan } from '../../assemble/shard-of-plan.js';
import { userError } from '../../files/problems/problem.js';
import { recordedMemory, type RunStarted } from '../../journal/event.js';
import { hasJournal, journalName } from '../../journal/journal.js';
import { readJournal } from '../../journal/read-journal.js';
import { groupBy } from '../../json/group-by.js';
import { mergeJournals, type ShardFolder, startOfAll } from '../../journal/merge-journals.js';
import { exitCode } from '../../matrix/run-exit-code.js';
import type { Plan } from '../../plan/plan.js';
import { isShard, type Shard } from '../../plan/shard.js';
import { folderError } from '../terminal/errors.js';
import { latestFolder, pointLatestTo, stampOf } from '../../report/history/read-history.js';
import { checkNames, checkOut, newRunFolder, refuseOtherRun } from '../folders/folders.js';
import { failOnOf, fileFormatsOf, type Options } from '../options/options.js';
import {
  changedFiles,
  overRecordedSource,
  recordedOptions,
  recordedRunStart,
  whatDiffers,
} from '../options/recorded-options.js';
import { checkRecordedOptions } from '../runs/check-recorded.js';
import { loadInputs, planInputs } from '../runs/load-inputs.js';
import { previousRun, printOlderLatest, printReport, rejudgeRun } from '../runs/write-report.js';
import { type Io, printProblems, displayPath } from '../terminal/io.js';

/** Joins the folders of a run's shards into the run folder that one machine would have written. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const failOn = failOnOf(options);
  const formats = fileFormatsOf(options);
  await checkOut(options, io);
  const shards = await shardsIn(args, io);
  for (const { started: begun, folder } of shards) await checkRecordedOptions(begun, displayPath(folder, io));
  const inputs = await loadInputs(overRecordedSource(shards[0].started, options), io, shards[0].started.listed);
  const { project } = inputs;
  const { config } = project;
  const folder = newRunFolder(config, options, io, stampOf(new Date()));
  const before = await withPreviousRun(startOfAll(shards), config, folder, io);
  const { plan, warnings } = planInputs(inputs, recordedOptions(before), before.lastFailed);
  if (plan.digest !== before.plan) {
    const message = `the shards have a different plan: ${whatDiffers(before, plan, {})}`;
    throw userError(message, 'use the config, the suites and the baseline that they were made with');
  }
  const started = withMissing(before, plan);
  await checkNames(folder, formats);
  if (!hasJournal(folder)) await refuseOtherRun(folder, started.run);
  printProblems(warnings, io);
  await mergeJournals(shards, started, folder, modelsOfShard(plan)).catch((error: unknown) => {
    throw folderError(error);
  });
  const exit = { failOn, interrupted: false, maxUnmeasured: config.maxUnmeasured, shard: false };
  const written = await rejudgeRun(folder, { plan, project, folder, formats, exit }, io);
  await pointLatestTo(config, folder);
  await printReport(written, options, io);
  await printOlderLatest(config, folder, written.report, io);
  return exitCode(written.report, exit);
}

/** Returns the models that a shard of the plan had to ask. */
const modelsOfShard =
  (plan: Plan) =>
  ({ started: { shard: part } }: ShardFolder) =>
    plannedModelKeys(part === null ? plan : shardOfPlan(plan, part));

const plannedModelKeys = ({ cells }: Plan): readonly string[] => [...new Set(cells.map(({ cell }) => cell.model.key))];

/** The start of the run with the shards that are not there, and the models that nobody asked for that reason. */
function withMissing(started: RunStarted, plan: Plan): RunStarted {
  const { merged } = started;
  if (merged === undefined) return started;
  const missing = Array.from({ length: merged.of }, (_, index) => index + 1)
    .filter((index) => !merged.shards.includes(index))
    .map((index) => ({ shard: index, models: plannedModelKeys(shardOfPlan(plan, { index, of: merged.of })) }));
  return missing.length === 0 ? started : { ...started, merged: { ...merged, missing } };
}

/**
 * The previous run may be known here although it was not where the shards ran. A merge that is run again keeps it, also
 * in another folder: no run comes before itself.
 */
async function withPreviousRun(started: RunStarted, config: Config, folder: string, io: Io): Promise<RunStarted> {
  if (started.before !== undefined) return started;
  const newest = recordedRunStart(latestFolder(config)).catch(() => null);
  for (const merged of [await recordedRunStart(folder), await newest]) {
    if (merged?.merged !== undefined && merged.run === started.run) return { ...started, ...beforeIn(merged) };
  }
  const previous = await previousRun(config, folder, io);
  return previous === null ? started : { ...started, before: recordedMemory(previous) };
}

const beforeIn = ({ before }: RunStarted): Pick<RunStarted, 'before'> => (before === undefined ? {} : { before });

type NumberedShard = ShardFolder & Shard;
type Shards = readonly [ShardFolder, ...ShardFolder[]];

/** The shards of one run, in order. Throws a UserError for a folder without a shard, or of another run. */
async function shardsIn(paths: readonly string[], io: Io): Promise<Shards> {
  const named = await Promise.all(paths.map((path) => shardIn(resolve(io.cwd, path), io)));
  const [first, ...others] = named.sort((a, b) => a.index - b.index);
  if (first === undefined) throw userError('merge needs the run folders of the shards');
  for (const one of others) {
    const differs = howShardsDiffer(one, first);
    if (differs === null) continue;
    const [name, other] = [displayPath(one.folder, io), displayPath(first.folder, io)];
    throw userError(
      `${name} and ${other} are not shards of the same run: ${differs}`,
      'name the folders of one run, made by one version with the same files and options',
    );
  }
  const once: NumberedShard[] = [];
  for (const same of groupBy(named, ({ index }) => String(index)).values()) {
    once.push(...(await theFullest(same, io)));
  }
  return [once[0] ?? first, ...once.slice(1)];
}

/** Of folders with the same shard, the one that finished, else the first: its answers count once. */
async function theFullest(same: readonly NumberedShard[], io: Io): Promise<readonly NumberedShard[]> {
  if (same.length < 2) return same;
  const isFinished = await Promise.all(same.map(({ folder }) => hasFinished(folder)));
  const chosen = same[Math.max(0, isFinished.indexOf(true))];
  if (chosen === undefined) return [];
  const { index, of, folder } = chosen;
  const others = same.filter((one) => one !== chosen).map((one) => displayPath(one.folder, io));
  const message = `shard ${index}/${of} is named ${same.length} times and counts once: ${displayPath(folder, io)}`;
  printProblems([{ severity: 'warning', place: null, message, hint: `left out: ${others.join(', ')}` }], io);
  return [chosen];
}

async function hasFinished(folder: string): Promise<boolean> {
  let isFinished = false;
  for await (const line of readJournal(join(folder, journalName))) isFinished = line.type === 'run_finished';
  return isFinished;
}

/** null: they belong together. */
function howShardsDiffer(one: NumberedShard, other: NumberedShard): string | null {
  const [a, b] = [one.started, other.started];
  if (a.tool.version !== b.tool.version) {
    return `chatspec ${a.tool.version} made one, chatspec ${b.tool.version} the other`;
  }
  if (one.of !== other.of) return `one is of ${one.of} shards, the other of ${other.of}`;
  return a.plan === b.plan ? null : `${changedFiles(a.digests, b.digests) || 'the options or the baseline'} differ`;
}

async function shardIn(folder: string, io: Io): Promise<NumberedShard> {
  const started = await recordedRunStart(folder);
  const name = displayPath(folder, io);
  const hint = 'name the folders that run --shard I/N --out DIR wrote';
  if (started === null) throw userError(`there is no run in ${name}: it is not a run folder`, hint);
  if (started.shard === null) throw userError(`${name} is a whole run, not a shard`, hint);
  const { index, of } = started.shard;
  if (isShard(started.shard)) return { folder, started, index, of };
  throw userError(`${name} says that it is shard ${index} of ${of}, which cannot be`, hint);
}
