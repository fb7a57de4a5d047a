import { resolve } from 'node:path';
import { userError } from '../../files/problems/problem.js';
import { modelsMeant, namesOfModel } from '../../cell/model-names.js';
import type { Report } from '../../matrix/report-format.js';
import { diffModels, diffRuns, diffTargets, namedModels } from '../../matrix/diff/diff-reports.js';
import { comparedTooLittle, lostSomething, type ReportDiff } from '../../matrix/diff/report-diff.js';
import { renderDiffJson, renderDiffMarkdown, renderDiffTerminal } from '../../report/diff/render-diff.js';
import { readReport } from '../../report/run-folder.js';
import { recordedRuns } from '../folders/folders.js';
import { exitCodes, type Io, displayPath } from '../terminal/io.js';
import { splitOptionList, optionChoice, type Options, optionChoices } from '../options/options.js';
import { readingOf } from '../options/recorded-options.js';
import { didYouMean } from '../../files/problems/nearest.js';

/**
 * Compares two runs, or two models or targets of one. The exit code is 1 if something was lost from the first to the
 * second, and 3 if nothing could be compared, or nothing of a model that both runs asked.
 */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const format =
    options['json'] === true ? 'json' : optionChoice(options, 'format', optionChoices.diffFormat, 'terminal');
  const sides = sidesOf(await namedRuns(args, options, io), options);
  const { diff, head } = await diffOfSides(sides, io);
  const { redact } = await readingOf(options, io);
  const shown = { redact, runs: sides.runs, head };
  if (format === 'json') {
    io.out(renderDiffJson(diff, redact));
  } else if (format === 'md') {
    io.out(renderDiffMarkdown(diff, shown));
  } else {
    io.out(renderDiffTerminal(diff, { ...shown, color: io.color, columns: io.columns }));
  }
  if (lostSomething(diff)) return exitCodes.deviation;
  return comparedTooLittle(diff) ? exitCodes.unmeasured : exitCodes.ok;
}

/** Without any, the last two whole runs of the runs folder. */
async function namedRuns(args: readonly string[], options: Options, io: Io): Promise<readonly string[]> {
  if (args.length > 0 || options['models'] !== undefined || options['targets'] !== undefined) return args;
  const { under, runs } = await recordedRuns(options, io);
  const whole = runs.filter(({ whole, measured, reported }) => whole && measured && reported);
  const nights = [...new Map(whole.toReversed().map((one) => [one.run, one.folder])).values()];
  if (nights.length >= 2) return nights.slice(-2).map((folder) => displayPath(folder, io));
  const message = `diff needs two runs, and ${displayPath(under, io)} has ${nights.length}`;
  throw userError(message, 'chatspec diff BASE HEAD');
}

type SideKind = 'runs' | 'models' | 'targets';

interface Sides {
  readonly kind: SideKind;
  readonly runs: readonly string[];
  readonly names: readonly string[];
}

/** `diff RUN --models A B`, `diff --models A B RUN` and `diff --models A,B RUN` mean the same. */
function sidesOf(args: readonly string[], options: Options): Sides {
  const kind: SideKind = options['models'] ? 'models' : options['targets'] ? 'targets' : 'runs';
  const all = (options[kind] ?? []) as readonly string[];
  const pair = splitOptionList(all[0] ?? '');
  const isList = pair.length === 2;
  const [names, runs] = [isList ? pair : all.slice(0, 2), [...args, ...all.slice(isList ? 1 : 2)]];
  const complete = kind === 'runs' ? runs.length === 2 : names.length === 2 && (runs.length === 1 || runs.length === 2);
  if (complete) return { kind, runs, names };
  if (kind !== 'runs' && runs.length === 0 && names.length === 2) {
    throw userError(`diff --${kind} ${names.join(' ')} names no run`, `chatspec diff RUN --${kind} A B`);
  }
  throw userError('diff needs two runs, BASE HEAD, or one RUN with --models A B or --targets A B');
}

async function diffOfSides({ kind, runs, names }: Sides, io: Io): Promise<{ diff: ReportDiff; head: Report }> {
  const [base, head = base] = await Promise.all(runs.map((run) => readReport(resolve(io.cwd, run))));
  const [a = '', b = ''] = names;
  if (base === undefined || head === undefined) throw userError('diff needs at least one run');
  if (kind === 'runs') return { diff: diffRuns(base, head), head };
  checkName(kind, base, a, runs[0] ?? '');
  checkName(kind, head, b, runs.at(-1) ?? '');
  if (runs.length === 1 && idsMatchingName(kind, base, a).join() === idsMatchingName(kind, base, b).join()) {
    throw userError(
      a === b ? `diff names a ${kind.slice(0, -1)} twice: ${a}` : `"${a}" and "${b}" are the same model`,
      `name two, or two runs to see how it changed: chatspec diff BASE HEAD --${kind} ${a} ${b}`,
    );
  }
  try {
    return { diff: (kind === 'models' ? diffModels : diffTargets)(base, head, a, b), head };
  } catch (error) {
    throw error instanceof RangeError ? userError(error.message) : error;
  }
}

/** The models or targets of a run that a name means. */
function idsMatchingName(kind: 'models' | 'targets', report: Report, name: string): readonly string[] {
  if (kind === 'targets') return report.models.some(({ target }) => target === name) ? [name] : [];
  return modelsMeant(namedModels(report), name).map(({ key }) => key);
}

/** Throws a UserError for a model or a target that the run does not have. */
function checkName(kind: 'models' | 'targets', report: Report, name: string, run: string): void {
  if (idsMatchingName(kind, report, name).length > 0) return;
  const all = kind === 'models' ? namedModels(report).flatMap(namesOfModel) : report.models.map(({ target }) => target);
  const hint = didYouMean(name, new Set(all), `its ${kind}`);
  throw userError(`${run} has no ${kind === 'models' ? 'model' : 'target'} "${name}"`, hint);
}
