import { runProject } from '../assemble/run-project.js';
import { createRequire } from 'node:module';
import { relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { loadProject, planRun, type Environment, type RunPlanOptions, type Project } from '../assemble/project.js';
import { withoutModel } from '../cell/cell-key.js';
import { isJudged } from '../cell/verdict.js';
import type { GivenOptions } from '../journal/event.js';
import { groupBy } from '../json/group-by.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { anObject, aText, aWhole } from '../options/kinds.js';
import { planOptionTable } from '../plan/make-plan.js';
import { testCases, type TestCase } from '../report/formats/test-cases.js';
import { shownReport } from '../report/safe/shown-report.js';
import { shellWord } from '../report/safe/shell.js';
import { countedNoun } from '../report/words/facts.js';

/** The choice of cells, and how they are asked: the options of `chatspec run`. */
export interface ConformanceOptions extends Pick<
  RunPlanOptions,
  'models' | 'suites' | 'only' | 'skip' | 'tags' | 'profile' | 'trials' | 'seed'
> {
  /** The config file; default: `chatspec.yaml` in the working folder. */
  readonly config?: string;
  /** Requests at once for each target, in place of the config's limit. */
  readonly concurrency?: number;
  /** The folder of the run; `{stamp}` stands for the time. Default: as the config says. */
  readonly out?: string;
  /** Where keys and other variables come from. Default: the environment. */
  readonly env?: Environment;
}

const { models, suites, only, skip, tags, profile, trials, seed } = planOptionTable;
const conformanceOptionTable: OptionTable<ConformanceOptions> = {
  models,
  suites,
  only,
  skip,
  tags,
  profile,
  trials,
  seed,
  config: aText,
  concurrency: aWhole(1),
  out: aText,
  env: anObject,
};

/**
 * Registers every cell of a config as a test: a `describe` for each model, a `test` for each cell. When the first of
 * them starts, the cells whose tests Vitest has chosen are asked in one run, together with what they need. Throws a
 * UserError for mistakes in config, suites, baseline and filters, a TypeError or RangeError for those in the options;
 * sends nothing by itself.
 */
export async function conformance(options: ConformanceOptions = {}): Promise<void> {
  checkOptions('`conformance`', options, conformanceOptionTable);
  refuseOldVitest();
  const { config: file = 'chatspec.yaml', concurrency, out, env = environment(), ...filters } = options;
  const { project } = await loadProject(resolve(file), { env, envFolder: process.cwd(), listed: 'ask' });
  const { plan } = planRun(project, filters);
  const keys = plan.cells.map(({ cell }) => cell.key);
  const ask = { project, planned: filters, given: optionsAsGiven(filters, file), concurrency, out };

  let run: Promise<EndedRun> | null = null;
  const started = (file: TaskLike): Promise<EndedRun> => {
    const chosen = selectedIn(file, keys);
    return (run ??= runSelected(ask, chosen.length === keys.length ? null : chosen));
  };

  const cells = plan.cells.map(({ cell }) => ({ key: cell.key, model: cell.model.key }));
  for (const [model, ofModel] of groupBy(cells, (cell) => cell.model)) {
    describe(model, () => {
      let ended: EndedRun;
      beforeAll(async ({}, suite) => {
        ended = await started(suite.file);
      }, noLimit);
      for (const { key } of ofModel) {
        test(withoutModel(key), ({ skip, task }) => {
          const found = ended.cells.get(key);
          if (found === undefined) throw conformanceError(`${key} was not reported`, []);
          Object.assign(task.meta, { chatspec: metaOf(found, ended) });
          if (found.state === 'failed') {
            throw conformanceError(sentenceOf(found), [...found.lines, ...evidenceLines(key, ended)]);
          }
          const unmeasured = found.state === 'error' ? 'could not be measured: ' : '';
          if (found.state !== 'passed') skip(`${unmeasured}${caseReason(found)}`);
        });
      }
    });
  }
  let isGuarded = false;
  describe('chatspec (run)', () => {
    let ended: EndedRun | null = null;
    beforeAll(async ({}, suite) => {
      // Tests that skipped themselves look like tests that a filter left out, so a run that was started counts first.
      if (run !== null || selectedIn(suite.file, keys).length > 0) ended = await started(suite.file);
    }, noLimit);
    test('the run, its models and the wire', async ({ skip, annotate }) => {
      isGuarded = true;
      if (ended === null) return skip('no cell was asked');
      guard(ended);
      if (ended.unmeasured.length > 0) await annotate(ended.unmeasured.join('\n'), 'warning');
      warn(ended);
    });
  });
  // A filter such as `-t MODEL` leaves the test of the run out.
  afterAll(async () => {
    const ended = isGuarded ? null : await run?.catch(() => null);
    if (!ended) return;
    refuseSilence(ended);
    warn(ended);
  }, noLimit);
}

/** Hooks and tests have their context since Vitest 4. */
function refuseOldVitest(): void {
  const { version } = createRequire(import.meta.url)('vitest/package.json') as { readonly version: string };
  if (Number.parseInt(version, 10) < 4) {
    throw conformanceError(`chatspec/vitest needs Vitest 4 or newer; this is ${version}`, []);
  }
}

/** Throws where something beside the cells is wrong, or nothing is known of any cell. */
function guard(ended: EndedRun): void {
  const bad = ended.others.filter(({ state }) => state === 'failed' || state === 'error');
  if (bad.length === 0) refuseSilence(ended);
  if (bad.length === 0) return;
  const lacks = bad.some(({ type }) => type === 'not_measured');
  const lines = bad.flatMap((one) => [`${one.group}: ${one.name}: ${one.message ?? ''}`, ...one.lines]);
  throw conformanceError(`${bad.length} ${bad.length === 1 ? 'thing' : 'things'} beside the cells`, [
    ...lines,
    ...(lacks ? unmeasuredReasonLines(ended.cells.values()) : []),
    reportLine(ended),
  ]);
}

/** Throws where no cell was judged: skipped tests alone would be green. */
function refuseSilence(ended: EndedRun): void {
  const why = nothingJudged(ended);
  if (why.length > 0) throw conformanceError('no cell could be judged', [...why, reportLine(ended)]);
}

/** Skipped tests are green, and most reporters of Vitest show why only where they are asked to. */
function warn(ended: EndedRun): void {
  if (ended.unmeasured.length === 0) return;
  // eslint-disable-next-line no-console -- a test file has no other way to be heard when it is green
  console.warn([...ended.unmeasured, reportLine(ended)].join('\n'));
}

/** A run takes as long as its limits want. */
const noLimit = 0;

function environment(): Environment {
  // eslint-disable-next-line no-restricted-properties -- a test file is where a program begins, as the command line is
  return process.env;
}

function optionsAsGiven(filters: Omit<RunPlanOptions, 'shard'>, file: string): GivenOptions {
  const { models, suites, only, skip, tags, profile, trials, seed } = filters;
  const given = { models, suites, only, skip, tags, profile, trials: trials?.toString(), seed: seed?.toString() };
  const entries = Object.entries({ ...given, ...(file !== 'chatspec.yaml' && { config: file }) });
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

/** Facts of a test for reporters, under `task.meta.chatspec`. */
function metaOf({ cell, state, type }: TestCase, { folder }: EndedRun) {
  return { state, type, verdict: cell?.verdict ?? null, standing: cell?.standing ?? null, run: folder };
}

/** `fail, not_json: not in the baseline; ...` */
function sentenceOf({ cell, message }: TestCase): string {
  const { class: name, reason, verdict } = cell ?? {};
  return `${[verdict, name, reason].filter(Boolean).join(', ')}: ${message ?? ''}`;
}

function evidenceLines(key: string, ended: EndedRun): readonly string[] {
  return [
    reportLine(ended),
    `evidence: chatspec evidence ${shellWord(shortFolderPath(ended.folder))} ${shellWord(key)}`,
  ];
}

function reportLine({ folder }: EndedRun): string {
  return `report: ${shortFolderPath(folder)}/index.html`;
}

function shortFolderPath(folder: string): string {
  const shorter = relative(process.cwd(), folder);
  return shorter !== '' && !shorter.startsWith('..') ? shorter : folder;
}

/** An error without a stack: the place in this file explains nothing. */
function conformanceError(sentence: string, lines: readonly string[]): Error {
  const error = new Error([sentence, ...lines].join('\n'));
  error.name = 'Conformance';
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

/** A message names at most this many reasons. */
const mostReasons = 5;

/**
 * Why no cell of a run was judged, in lines; none where one was. Cells of a model that is gone as was announced are not
 * missed.
 */
function nothingJudged({ cells }: Pick<EndedRun, 'cells'>): readonly string[] {
  const missed = [...cells.values()].filter(({ type }) => type !== 'retired');
  return missed.some(({ cell }) => cell !== null && isJudged(cell)) ? [] : unmeasuredReasonLines(missed);
}

/** `2 cells: http_error, quota: ...` */
function unmeasuredReasonLines(cases: Iterable<TestCase>): readonly string[] {
  const unmeasured = [...cases].filter(({ cell }) => cell !== null && !isJudged(cell));
  const reasons = [...groupBy(unmeasured, caseReason)];
  const more = reasons.length - mostReasons;
  return [
    ...reasons.slice(0, mostReasons).map(([why, those]) => `${countedNoun(those.length, 'cell')}: ${why}`),
    ...(more > 0 ? [`and ${countedNoun(more, 'more reason')}`] : []),
  ];
}

/** Why a cell has no verdict. */
function caseReason({ message, type, state }: TestCase): string {
  return message ?? type ?? state;
}

/** The members that are read of a task of Vitest. */
interface TaskLike {
  readonly type: string;
  readonly name: string;
  readonly mode: string;
  /** Of a file and of a `describe`. */
  readonly tasks?: readonly TaskLike[];
}

/** The keys of cells whose tests Vitest is going to run: a filter by name or line leaves out the others. */
function selectedIn(file: TaskLike, keys: readonly string[]): readonly string[] {
  const chosen = new Set<string>();
  const walk = (task: TaskLike): void => {
    if (task.mode === 'skip' || task.mode === 'todo') return;
    for (const inner of task.tasks ?? []) {
      if (inner.tasks !== undefined) {
        walk(inner);
      } else if (inner.mode !== 'skip' && inner.mode !== 'todo') {
        chosen.add(`${inner.name}@${task.name}`);
      }
    }
  };
  walk(file);
  return keys.filter((key) => chosen.has(key));
}

/** The project, and the ways to ask it. */
interface AskOptions {
  readonly project: Project;
  /** The filters, profile and seed of the whole plan. */
  readonly planned: RunPlanOptions;
  /** Options as the journal remembers them. */
  readonly given: GivenOptions;
  /** Requests at once for each target, in place of the config's limit. */
  readonly concurrency: number | undefined;
  /** Folder of the run, with `{stamp}` replaced; undefined: as the config says. */
  readonly out: string | undefined;
}

/** A run that has ended. */
interface EndedRun {
  readonly folder: string;
  /** By the key of the cell. */
  readonly cells: ReadonlyMap<string, TestCase>;
  /** Cases beside the cells: the run, models that are gone, changes of the wire. */
  readonly others: readonly TestCase[];
  /** Cells that could not be measured although their models answered, in sentences without a full stop; empty: none. */
  readonly unmeasured: readonly string[];
}

/**
 * Asks these cells and what they need, within the limits and the budget of the config, and writes the run folder.
 * @param selected keys; null: the whole plan
 */
async function runSelected(
  { project, planned, given, concurrency, out }: AskOptions,
  selected: readonly string[] | null,
): Promise<EndedRun> {
  const only = selected === null ? {} : { only: selected };
  const { report, context, folder } = await runProject(project, {
    ...planned,
    ...only,
    concurrency,
    given: { ...given, ...only },
    ...(out !== undefined && { folder: out }),
  });
  const shown = shownReport(report, context.redact);
  const cases = testCases(shown, context);
  return {
    folder,
    // Redacting may change a key that is shown, but not the order of the cells.
    cells: new Map(cases.filter(({ cell }) => cell !== null).map((one, at) => [report.cells[at]?.key ?? '', one])),
    others: cases.filter(({ cell }) => cell === null),
    unmeasured: shown.run.notes,
  };
}
