import { readDeviationId, type NamedDeviation } from '../../matrix/standing/deviations.js';
import type { Change, ChangeKind } from '../../matrix/changes/change.js';
import type { Report } from '../../matrix/report-format.js';
import { type RunSummary, verdictIn } from '../../matrix/run-summary.js';

/** How something did in one run. */
export interface Mark {
  readonly tone: 'good' | 'bad' | 'mixed' | 'none' | 'gone';
  /** When the run began. */
  readonly at: string;
}

/** So many runs a strip shows. */
export const shownRuns = 6;

interface MarkedCells extends Pick<Change, 'models' | 'cells'> {
  readonly kind?: ChangeKind;
}

/** The marks of the last runs for these cells together; of a model that is gone, whether it was reached. */
export function stripOf(
  runs: readonly RunSummary[],
  { models, cells, kind }: MarkedCells,
  most = shownRuns,
): readonly Mark[] {
  if (runs.length < 2) return [];
  return runs
    .slice(-most)
    .map((run) => ({ tone: kind === 'gone' ? reached(run, models) : toneOf(run, cells), at: run.run.started_at }));
}

function reached({ models }: RunSummary, ids: readonly string[]): Mark['tone'] {
  const known = ids.flatMap((id) => models[id] ?? []);
  if (known.length === 0) return 'none';
  return known.every(({ reachable }) => reachable) ? 'good' : 'gone';
}

function toneOf(run: RunSummary, keys: readonly string[]): Mark['tone'] {
  if (!speaksFor(run, keys)) return 'none';
  const verdicts = new Set(keys.flatMap((key) => (run.cells[key] === undefined ? [] : verdictIn(run.cells[key]))));
  const isBad = verdicts.has('fail') || verdicts.has('flaky');
  if (!isBad) return verdicts.has('pass') ? 'good' : 'none';
  return verdicts.has('pass') ? 'mixed' : 'bad';
}

/** Whether this form of answers was news in the last runs. */
export function wireStrip(runs: readonly RunSummary[], { deviations, models }: Pick<Change, 'deviations' | 'models'>) {
  if (runs.length < 2) return [];
  return runs.slice(-shownRuns).map((run): Mark => {
    const isNews = deviations.some((id) => run.deviating?.includes(id) === true);
    const wasAsked = models.some((id) => run.models[id] !== undefined);
    return { tone: isNews ? 'bad' : wasAsked ? 'good' : 'none', at: run.run.started_at };
  });
}

/** Whether something deviated in the last runs of a model. */
export function modelStrip(runs: readonly RunSummary[], model: string, most: number): readonly Mark[] {
  if (runs.length < 2) return [];
  return runs.slice(-most).map((run) => {
    const found = (run.deviating ?? []).flatMap((id) => readDeviationId(id) ?? []).filter((one) => one.model === model);
    const tone = run.models[model] === undefined ? 'none' : deviatingTone(found);
    return { tone, at: run.run.started_at };
  });
}

function deviatingTone(found: readonly NamedDeviation[]): Mark['tone'] {
  if (found.some(({ kind }) => kind === 'gone')) return 'gone';
  return found.every(({ kind }) => kind === 'improvement') ? 'good' : 'bad';
}

/** How whole runs ended: red is what somebody must look at. */
export function runMark({ exit_code: exit, run }: RunSummary): Mark {
  return { tone: exit === null ? 'none' : exitTones[exit], at: run.started_at };
}

const exitTones = { 0: 'good', 1: 'bad', 3: 'mixed', 130: 'mixed' } as const;

/** A partial run asks what had not passed, and speaks only for cells of which it asked all. */
function speaksFor({ run, cells }: RunSummary, keys: readonly string[]): boolean {
  return run.partial !== true || keys.every((key) => Object.hasOwn(cells, key));
}

/** Runs after which a baseline was accepted, by their place, with the day: the last run up to each date of an entry. */
export function acceptedAfter(
  cells: Report['cells'],
  runs: readonly Pick<RunSummary, 'run'>[],
): ReadonlyMap<number, string> {
  const days = new Set(cells.flatMap(({ expected }) => expected?.date?.slice(0, 10) ?? []));
  const places = [...days].sort().map((day) => {
    const at = runs.findLastIndex(({ run }) => run.started_at.slice(0, 10) <= day);
    return [at, day] as const;
  });
  return new Map(places.filter(([at]) => at >= 0));
}
