import type { Config } from '../../config/config.js';
import { exitCode, type FailOn } from '../../matrix/run-exit-code.js';
import type { Plan } from '../../plan/ticket.js';
import { shard } from '../../estimate/shard.js';
import { renderReport, reportFormats } from '../../report/report-formats.js';
import type { RunStarted } from '../../journal/event.js';
import { mergeJournals, type ShardFolder, startOfAll } from '../../journal/merge-journals.js';
import { newRunFolder, pointLatestTo, stampOf } from '../folders/folders.js';
import { fileFormatsOf } from '../options/formats.js';
import { inputsOf, planOf } from '../work/inputs.js';
import type { Io } from '../terminal/io.js';
import { judgeAgain } from '../work/judge-again.js';
import { oneOf } from '../options/options.js';
import { whatDiffers } from '../work/other-plan.js';
import { recordedOptions } from '../options/recorded-options.js';
import { shardsIn } from '../folders/shard-folders.js';
import { shownBeforeIn } from '../folders/shown-before.js';
import { folderError } from '../errors/error-exit.js';
import { userError } from '../../files/problems/problem.js';
import type { Options } from '../verb.js';

/** Joins the folders of a run's shards into one run folder, as one machine would have written it. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const failOn = oneOf<FailOn>(options, 'fail-on', ['deviation', 'regression', 'fail', 'never'], 'deviation');
  const formats = fileFormatsOf(options);
  const shards = await shardsIn(args, io);
  const inputs = await inputsOf(options, io);
  const { config } = inputs;
  const folder = newRunFolder(config, options, io, stampOf(new Date()));
  const started = await withMemory(startOfAll(shards), config, folder);
  const plan = await planOf(inputs, recordedOptions(started), io);
  if (plan.digest !== started.plan) {
    const message = `the shards ran by another plan: ${whatDiffers(started, plan, {})}`;
    throw userError(message, 'merge with the config, the suites and the baseline that they ran with');
  }
  await mergeJournals(shards, started, folder, modelsIn(plan)).catch((error: unknown) => {
    throw folderError(error);
  });
  const { report, context } = await judgeAgain({ plan, inputs, source: folder, folder, formats }, io);
  await pointLatestTo(config, folder);
  io.out(await renderReport(reportFormats[options['json'] === true ? 'json' : 'terminal'], report, context));
  return exitCode(report, { failOn, interrupted: false, maxUnmeasured: config.maxUnmeasured, shard: false });
}

/** Which models a shard of the plan had to ask. */
function modelsIn(plan: Plan): (one: ShardFolder) => readonly string[] {
  return ({ started: { shard: part } }) => {
    const { tickets } = part === null ? plan : shard(plan, part.index, part.of);
    return [...new Set(tickets.map(({ cell }) => cell.model.key))];
  };
}

/** What the run before showed may be known here and not where the shards ran. */
async function withMemory(started: RunStarted, config: Config, folder: string): Promise<RunStarted> {
  if (started.shownBefore !== undefined) return started;
  const before = await shownBeforeIn(config, folder);
  return before === null ? started : { ...started, shownBefore: Object.fromEntries(before) };
}
