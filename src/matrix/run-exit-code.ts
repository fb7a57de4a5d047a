import { meetsNeed } from '../cell/verdict.js';
import { usualMaxUnmeasured } from '../config/config.js';
import type { Finding } from '../decide/course.js';
import { courseCost } from '../decide/courses/courses.js';
import { groupBy } from '../json/group-by.js';
import type { PlannedCell } from '../plan/plan.js';
import { familyOf } from './capability-families.js';
import type { Note } from './notes.js';
import type { Report, ReportCell } from './report-format.js';
import { deviationsOf } from './standing/deviations.js';
import { writtenJson } from '../json/json.js';

export type FailOn = 'deviation' | 'regression' | 'fail' | 'never';

export interface ExitConditions {
  readonly failOn: FailOn;
  readonly interrupted: boolean;
  /** Stopped early for a reason that the report does not record; an incomplete report is truncated anyway. */
  readonly truncated?: boolean;
  /**
   * The share, 0 to 1, of cells that may be inconclusive or not run, and of planned trials that a stop may leave out.
   */
  readonly maxUnmeasured: number;
  /** A shard leaves deviations to `merge`. */
  readonly shard: boolean;
}

/** Of a run that ended by itself, with a config that says nothing else, where nobody knows how it was started. */
export const usualConditions = { failOn: 'deviation', interrupted: false, maxUnmeasured: usualMaxUnmeasured } as const;

/**
 * The exit code of `run` and `merge`, the first that applies: 130 interrupted, 1 a deviation, 3 could not measure,
 * 0 otherwise. (2 is for problems found before anything is sent.) The cells of a model that is gone as announced do not
 * count as unmeasured.
 */
export function exitCode(report: Report, conditions: ExitConditions): 0 | 1 | 3 | 130 {
  if (conditions.interrupted) return 130;
  if (!conditions.shard && reportFails(report, conditions.failOn)) return 1;
  if (conditions.truncated || !report.run.complete || unmeasured(report) > conditions.maxUnmeasured) return 3;
  return 0;
}

function reportFails(report: Report, failOn: FailOn): boolean {
  switch (failOn) {
    case 'deviation':
      return deviationsOf(report).length > 0;
    case 'regression':
      return deviationsOf(report).some(({ kind }) => kind === 'regression');
    case 'fail':
      return report.cells.some(({ verdict }) => verdict !== 'pass');
    case 'never':
      return false;
  }
}

/**
 * The share of the plan that was not measured, 0 to 1: of the cells, those that were not judged, or of the planned
 * trials, those that are missing since something stopped. The larger of the two.
 */
export function unmeasured(report: Pick<Report, 'models' | 'cells'>): number {
  return Math.max(unmeasuredShare(report), unaskedTrials(report));
}

/** The share of planned trials that are missing since something stopped; 0 without trials. */
function unaskedTrials({ models, cells }: Pick<Report, 'models' | 'cells'>): number {
  const { missing, planned } = missingTrials({ cells }, leftAsAnnouncedIn(models));
  return planned === 0 ? 0 : missing / planned;
}

function leftAsAnnouncedIn(models: Report['models']): ReadonlySet<string> {
  return new Set(models.filter((model) => model.retired && model.standing === 'gone').map((model) => model.id));
}

/** The share of planned cells that were not judged; 0 without cells. */
function unmeasuredShare({ models, cells }: Pick<Report, 'models' | 'cells'>): number {
  const leftAsAnnounced = leftAsAnnouncedIn(models);
  const counted = cells.filter((cell) => !leftAsAnnounced.has(cell.model));
  const missing = counted.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'not_run');
  return counted.length === 0 ? 0 : missing.length / counted.length;
}

/** Explains why such a run exits with 3, and what was not answered at all. */
export function unmeasuredNotes(report: Pick<Report, 'models' | 'cells'>, most: number): Note[] {
  const silent = silentParts(report);
  const parts = [...groupBy(silent, ({ part }) => part)].map(([part, all]): Note => ({
    kind: 'silent',
    part,
    models: all.map(({ model }) => model),
    cells: all.reduce((sum, { cells }) => sum + cells.length, 0),
  }));
  if (unmeasured(report) <= most) return parts;
  const [share, unasked] = [unmeasuredShare(report), unaskedTrials(report)];
  const ofSilent = new Set(silent.flatMap(({ cells }) => cells));
  return [
    ...(share > most ? [{ kind: 'unmeasured' as const, share, most }] : []),
    ...(unasked > most ? [{ kind: 'unasked' as const, share: unasked, most }] : []),
    ...mostFrequentFault(report, ofSilent),
    ...parts,
  ];
}

/** For models that did not answer, the report says why. */
function mostFrequentFault(
  { models, cells }: Pick<Report, 'models' | 'cells'>,
  besides: ReadonlySet<ReportCell>,
): Note[] {
  const answered = new Set(models.filter(({ unreachable }) => unreachable === null).map(({ id }) => id));
  const faulty = cells.filter(
    (cell) => cell.verdict === 'inconclusive' && cell.class !== null && answered.has(cell.model) && !besides.has(cell),
  );
  const alike = groupBy(faulty, ({ class: kind, reason, status }) => writtenJson([kind, reason, status]));
  const [most = []] = [...alike.values()].sort((one, other) => other.length - one.length);
  const [first] = most;
  if (first === undefined) return [];
  const { class: outcome, reason, status, detail } = first;
  return [{ kind: 'fault', cells: most.length, cell: first.key, class: outcome, reason, status, detail }];
}

/**
 * By cell key: the planned trials that a cell lacks because the run, its target or its model stopped before. Trials
 * lost to faults are not among them, nor those beyond the plan, such as a fresh sample.
 * @param cells in an order in which needs come first
 * @param stopped cells of which some or all trials were not asked, because nothing more was sent
 */
export function missingTrialsOf(
  cells: readonly PlannedCell[],
  findings: ReadonlyMap<string, Finding>,
  stopped: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const missing = new Map<string, number>();
  /** Cells without a verdict because of a stop: nobody knows whether what needs them would be blocked. */
  const leftOpen = new Set<string>();
  for (const planned of cells) {
    const { key, needs } = planned.cell;
    const finding = findings.get(key);
    if (finding === undefined) continue;
    const { verdict, needed } = finding;
    const unmet = needs.filter((need) => !meetsNeed(findings.get(need)?.verdict));
    const isBlockedByStop = verdict === 'blocked' && unmet.length > 0 && unmet.every((need) => leftOpen.has(need));
    const isStopped = verdict !== 'blocked' && stopped.has(key) && needed > 0;
    if (!isStopped && !isBlockedByStop) continue;
    if (verdict === 'blocked' || verdict === 'not_run' || verdict === 'inconclusive') leftOpen.add(key);
    // A course that decides by itself when to stop may have asked more than was expected, and still lack some.
    missing.set(key, Math.max(1, courseCost(planned).expected - judgedTrials(finding)));
  }
  return missing;
}

interface TrialsWithThreshold {
  readonly trials: { readonly total: number };
  readonly threshold: Finding['threshold'];
}

/** A search counts what it asked at every value. */
function judgedTrials({ trials, threshold }: TrialsWithThreshold): number {
  return threshold === null ? trials.total : threshold.curve.reduce((sum, [, , total]) => sum + total, 0);
}

/** How many of the planned trials are missing because something stopped; the cells of these models are left out. */
function missingTrials(
  { cells }: Pick<Report, 'cells'>,
  without: ReadonlySet<string> = new Set(),
): { readonly missing: number; readonly planned: number } {
  const counted = cells.filter((cell) => !without.has(cell.model) && cell.asked_for === undefined);
  const missing = counted.reduce((sum, { trials }) => sum + (trials.missing ?? 0), 0);
  return { missing, planned: missing + counted.reduce((sum, cell) => sum + judgedTrials(cell), 0) };
}

/** Requests that a model does not answer at all, although it answers others. */
interface SilentPart {
  /** `TARGET/MODEL` */
  readonly model: string;
  /** A capability, or a family of them. */
  readonly part: string;
  readonly cells: readonly ReportCell[];
}

/** One cell may meet so many faults in a bad moment. */
const mostByChance = 2;

/** Families and capabilities of models that were reached, none of whose cells got an answer that could be judged. */
export function silentParts({ models, cells }: Pick<Report, 'models' | 'cells'>): readonly SilentPart[] {
  const ofModel = groupBy(cells, ({ model }) => model);
  return models.flatMap(({ id, reachable, standing }) => {
    const own = ofModel.get(id) ?? [];
    if (!reachable || standing === 'gone' || own.every(metOnlyFaults)) return [];
    const families = silentIn(id, own, familyOf);
    const inFamilies = new Set(families.flatMap((one) => one.cells));
    const rest = own.filter((cell) => !inFamilies.has(cell));
    return [...families, ...silentIn(id, rest, (capability) => capability)];
  });
}

function silentIn(model: string, cells: readonly ReportCell[], partOf: (capability: string) => string): SilentPart[] {
  return [...groupBy(cells, ({ capability }) => partOf(capability))].flatMap(([part, own]) => {
    const open = own.filter(({ expected }) => expected?.verdict !== 'fail');
    const faults = open.reduce((sum, { trials }) => sum + trials.faults, 0);
    const isSilent = open.length > 0 && own.every((cell) => metOnlyFaults(cell) || cell.verdict === 'blocked');
    return isSilent && (open.length > 1 || faults > mostByChance) ? [{ model, part, cells: open }] : [];
  });
}

/**
 * Answers that settle nothing, such as those that are cut before they show whether a keyword is enforced, are answers.
 */
export function metOnlyFaults({ verdict, trials }: Pick<ReportCell, 'verdict' | 'trials'>): boolean {
  return verdict === 'inconclusive' && trials.total === 0 && trials.faults > 0;
}
