import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exitCode, type FailOn } from '../../matrix/run-exit-code.js';
import type { Plan } from '../../plan/ticket.js';
import { renderReport, reportFormats } from '../../report/report-formats.js';
import { readReport } from '../../report/run-folder.js';
import { type Inputs, inputsOf, planOf } from '../work/inputs.js';
import type { Io } from '../terminal/io.js';
import { judgeAgain } from '../work/judge-again.js';
import { oneOf, textOf } from '../options/options.js';
import {
  filters,
  overRecorded,
  recordedOptions,
  startOf,
  tellTaken,
  withoutFilters,
} from '../options/recorded-options.js';
import type { Options } from '../verb.js';

/** Judges the recorded exchanges again with today's suites and rules; the run folder itself stays as it is. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const failOn = oneOf<FailOn>(options, 'fail-on', ['deviation', 'regression', 'fail', 'never'], 'deviation');
  const source = await realFolder(resolve(io.cwd, args[0] ?? ''));
  const folder = resolve(io.cwd, textOf(options, 'out') ?? `${source}-rejudged`);
  const inputs = await inputsOf(options, io);
  const plan = await planLike(source, inputs, options, io);
  const { report, context } = await judgeAgain({ plan, inputs, source, folder, formats: undefined }, io);
  io.out(await renderReport(reportFormats[options['json'] === true ? 'json' : 'terminal'], report, context));
  return exitCode(report, { failOn, interrupted: false, maxUnmeasured: inputs.config.maxUnmeasured, shard: false });
}

/** `reports/latest` is a link: the new report goes beside the run, not beside the link. */
async function realFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}

/**
 * The plan of the recorded run by today's suites: its options where none are given, and of the cells only those that
 * its report tells of, since what it never planned is not missing.
 */
async function planLike(source: string, inputs: Inputs, given: Options, io: Io): Promise<Plan> {
  const started = await startOf(source);
  const report = await readReport(source).catch(() => null);
  const recorded = started === null ? {} : recordedOptions(started);
  const chosen = filters.some((name) => given[name] !== undefined);
  // The report names the cells; a filter may reach none of them by the names of today.
  const taken = report === null && !chosen ? recorded : withoutFilters(recorded);
  tellTaken(taken, given, io);
  const plan = await planOf(inputs, overRecorded(taken, given), io);
  const plannedCells = started?.plannedCells ?? plan.plannedCells;
  if (chosen || report === null) return { ...plan, plannedCells };
  const planned = new Set(report.cells.map(({ key }) => key));
  return { ...plan, plannedCells, tickets: plan.tickets.filter(({ cell }) => planned.has(cell.key)) };
}
