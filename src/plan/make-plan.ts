import { acceptedWireOf } from '../baseline/accepted-run.js';
import type { Baseline, CellMemory } from '../baseline/entries.js';
import { expectedOf, modelsNamedBy, withMemory } from '../baseline/expected.js';
import { cellKey, probeKeyOf } from '../cell/cell-key.js';
import type { Config } from '../config/config.js';
import { listedNames } from '../files/problems/nearest.js';
import { hasErrors, type Problem } from '../files/problems/problem.js';
import { groupBy } from '../json/group-by.js';
import { once } from '../json/remembered.js';
import type { OptionTable } from '../options/check-options.js';
import { anObject, aWhole, oneOfKind, orNull, listOfTexts } from '../options/kinds.js';
import { defaultTest } from '../stats/sequential-test.js';
import type { Probe, Suite, TrialsSpec, Need } from '../suite/probe.js';
import { absenceHint, compileFilters, type Filters } from './cells/filter.js';
import { allCells, collectedAbsences, isSubset, settingsLacking, type Cells } from './cells/plan-cells.js';
import { reserveOf } from './cells/reserve.js';
import { digestsOf, planDigest } from './digests.js';
import type { AbsentSetting, Cell, CourseName, LastFailed, LeftOpen, Plan, RunProfile, PlannedCell } from './plan.js';

export interface PlanOptions extends Filters {
  /** Default `standard`. */
  readonly profile?: RunProfile;
  /** Exactly this many trials for each cell, whatever else applies. */
  readonly trials?: number | null;
  /** Default 1. */
  readonly seed?: number;
  /**
   * Only these cells, and what they need. Together with the other filters, they may leave nothing, which is no error.
   */
  readonly lastFailed?: LeftOpen;
}

export const planOptionTable: OptionTable<PlanOptions> = {
  models: listOfTexts,
  suites: listOfTexts,
  only: listOfTexts,
  skip: listOfTexts,
  tags: listOfTexts,
  profile: oneOfKind(['smoke', 'standard', 'certify'] satisfies readonly RunProfile[]),
  trials: orNull(aWhole(1)),
  seed: aWhole(0),
  lastFailed: anObject,
};

interface PlanInput {
  readonly config: Config;
  readonly suites: readonly Suite[];
  readonly baseline: Baseline | null;
  readonly options?: PlanOptions;
}

/**
 * Everything that will be asked, needs first. The plan must not run if there is an error among the problems: a filter
 * that matches nothing, filters that leave nothing, or a need that no cell meets.
 */
export function makePlan(input: PlanInput): { plan: Plan; problems: Problem[] } {
  const { config, suites, baseline, options = {} } = input;
  const { profile = 'standard', seed = 1, trials = null } = options;
  const expanded = allCells(config, suites);
  const resolved = withNeeds(expanded);
  const all = [...resolved.cells, ...resolved.leftOut];
  const filters = compileFilters(options, {
    planned: resolved.cells,
    leftOut: resolved.leftOut,
    absences: expanded.absences,
  });
  const again = askedAgain(options.lastFailed, all, filters.isSelected);
  const isLeftOpen = ({ key }: Cell): boolean => again === null || again.open.has(key);
  // Probes that lack a setting have no cells that a run could have left open.
  const absent = collectedAbsences(again === null ? expanded.absences.filter(filters.wouldSelect) : []);
  const named = resolved.leftOut.filter((cell) => filters.isNamed(cell) && isLeftOpen(cell));
  const cells = withNeeded([...resolved.cells, ...named], (cell) => filters.isSelected(cell) && isLeftOpen(cell));
  const problems = [...expanded.problems, ...resolved.problems, ...filters.problems, ...(again?.problems ?? [])];
  if (cells.length === 0 && again === null && !hasErrors(problems)) {
    problems.push(nothingLeft(expanded.cells.length, absent));
  }

  const plannedFor = (cell: Cell): PlannedCell => ({
    cell,
    expected: expectedOf(baseline, cell.key),
    ...howAsked(cell.probe, profile, trials),
  });
  const pointFor = (cell: Cell): PlannedCell => ({
    ...plannedFor(cell),
    expected: expectedOf(baseline, cell.key, true),
  });
  const plannedCells = inOrderOfNeeds(cells.map(plannedFor));
  const leftOut = resolved.leftOut.filter(filters.isSelected);
  const reserve = reserveOf({ planned: cells, all: resolved.cells, leftOut }, plannedFor, pointFor).filter(
    ({ planned }) => again === null || again.left.inDoubt.includes(planned.cell.key),
  );
  const acceptedWire = acceptedWireByModel(plannedCells, baseline);
  const asked = [...plannedCells, ...reserve.map(({ planned }) => planned)];
  // When somebody asks: they take longer than the rest of the plan, and `validate` and the text of `list` need none.
  const digests = once(() => digestsOf(config, suites));
  const digest = once(() => planDigest(digests(), asked, { profile, seed, acceptedWire }));
  const models = config.targets.flatMap((target) => target.models.map(({ key }) => key));
  const isTagged = ({ probe }: Cell): boolean =>
    options.tags === undefined || probe.tags.some((tag) => options.tags?.includes(tag));
  const plan: Plan = {
    cells: plannedCells,
    reserve,
    absent,
    profile,
    seed,
    acceptedWire,
    get digest() {
      return digest();
    },
    get digests() {
      return digests();
    },
    knownModels: new Set(models.filter(modelsNamedBy(baseline))),
    plannedCells: plannedCells.length,
    ...(again && { lastFailed: { ...again.left, of: resolved.cells.filter(isTagged).length } }),
  };
  return { plan, problems };
}

function acceptedWireByModel(cells: readonly PlannedCell[], baseline: Baseline | null): Plan['acceptedWire'] {
  const models = new Set(cells.map(({ cell }) => cell.model.key));
  return new Map(
    [...models].flatMap((model) => {
      const accepted = baseline === null ? null : acceptedWireOf(baseline, model);
      return accepted === null ? [] : [[model, accepted] as const];
    }),
  );
}

/** By which course, how often, and whether a doubt is asked on. */
export function howAsked(
  probe: Probe,
  profile: RunProfile,
  exactly: number | null,
): Pick<PlannedCell, 'course' | 'trials' | 'confirm'> {
  const trials = plannedTrials(probe, profile, exactly);
  return { course: courseOf(probe, trials), trials, confirm: profile !== 'smoke' && exactly === null };
}

/**
 * How often a probe is asked: `exactly` when given; otherwise once in `smoke`, the probe's own number or once in
 * `standard`, and until decided in `certify`, where the probe's own number is the minimum.
 */
function plannedTrials(probe: Probe, profile: RunProfile, exactly: number | null): TrialsSpec {
  if (exactly !== null) return { kind: 'count', count: exactly };
  if (profile === 'smoke') return { kind: 'count', count: 1 };
  if (profile === 'standard') return probe.trials ?? { kind: 'count', count: 1 };
  if (probe.trials?.kind === 'decided') return probe.trials;
  const min = probe.trials?.count ?? 1;
  return { kind: 'decided', ...defaultTest, min, max: Math.max(defaultTest.max, min) };
}

function courseOf(probe: Probe, trials: TrialsSpec): CourseName {
  if (probe.find !== null) return 'find';
  if (probe.enforce !== null) return 'enforce';
  return trials.kind === 'decided' ? 'sequential' : 'fixed';
}

/**
 * The planned cells in their order, except that what a planned cell needs comes before it. A cycle is cut at an
 * arbitrary place.
 */
function inOrderOfNeeds(cells: readonly PlannedCell[]): readonly PlannedCell[] {
  const byKey = new Map(cells.map((planned) => [planned.cell.key, planned]));
  const seen = new Set<string>();
  const ordered: PlannedCell[] = [];
  const visit = (planned: PlannedCell): void => {
    if (seen.has(planned.cell.key)) return;
    seen.add(planned.cell.key);
    for (const need of planned.cell.needs) {
      const needed = byKey.get(need);
      if (needed !== undefined) visit(needed);
    }
    ordered.push(planned);
  };
  cells.forEach(visit);
  return ordered;
}

function nothingLeft(all: number, absent: readonly AbsentSetting[]): Problem {
  if (absent.length > 0) {
    return { severity: 'error', message: 'no cell is left to ask', hint: absenceHint(absent), place: null };
  }
  const message =
    all === 0
      ? 'there is nothing to ask: the suites contain no probe, or the config no model'
      : 'the filters leave no cell';
  return { severity: 'error', message, place: null };
}

interface AskedAgain {
  readonly open: ReadonlySet<string>;
  readonly left: Omit<LastFailed, 'of'>;
  /** An error if the plan has none of the cells any more, a warning if it lacks some. */
  readonly problems: readonly Problem[];
}

/**
 * The cells that are asked again; null: all of them.
 * @param all every cell of config and suites, also those that are asked only in doubt
 * @param isSelected by the other filters
 */
function askedAgain(
  left: LeftOpen | undefined,
  all: readonly Cell[],
  isSelected: (cell: Cell) => boolean,
): AskedAgain | null {
  if (left === undefined) return null;
  const open = new Set(left.cells);
  const found = all.filter(({ key }) => open.has(key));
  const known = new Set(found.map(({ key }) => key));
  const lost = left.cells.filter((key) => !known.has(key));
  const leftOut = found.filter((cell) => !isSelected(cell)).map(({ key }) => key);
  return { open, left: { ...left, leftOut }, problems: lost.length === 0 ? [] : [lostCells(lost, left.cells.length)] };
}

function lostCells(lost: readonly string[], all: number): Problem {
  const none = lost.length === all;
  const what = 'that the earlier run left open';
  return {
    severity: none ? 'error' : 'warning',
    message: none
      ? `nothing ${what} is in the plan: its config or suites were others, or have changed since`
      : `${lost.length} of ${all} cells ${what} ${lost.length === 1 ? 'is' : 'are'} not in the plan any more`,
    hint: listedNames('these cells', lost, 'chatspec report RUN --json'),
    place: null,
  };
}

/** The runs before, as far as a plan reads them, by cell key. */
interface RunBefore {
  readonly cells: ReadonlyMap<string, CellMemory>;
}

/** The plan with what earlier runs learned of its cells. Its digest stays: the same requests are planned. */
export function planAfter(plan: Plan, before: RunBefore | null | undefined): Plan {
  if (!before || before.cells.size === 0) return plan;
  return {
    ...plan,
    cells: plan.cells.map((planned) => plannedAfter(planned, before)),
    reserve: plan.reserve.map((one) => ({ ...one, planned: plannedAfter(one.planned, before) })),
  };
}

export function plannedAfter(planned: PlannedCell, { cells }: RunBefore): PlannedCell {
  const memory = cells.get(planned.cell.key);
  return memory === undefined ? planned : { ...planned, expected: withMemory(planned.expected, memory) };
}

/**
 * The cells with their `needs` filled in: the cells of the needed probe, on the same model, that have the same labels
 * on all common axes. If the needed probe has no cells because the config does not define a setting for the model, the
 * need cannot be met. No cell needs a left-out one, and a left-out cell is dropped if no cell meets its own needs.
 */
function withNeeds({ cells, leftOut, absences }: Cells): Omit<Cells, 'absences'> {
  const byProbe = groupBy(cells, probeKeyOf);
  const absent = groupBy(absences, probeKeyOf);
  const problems = new Map<string, Problem>();
  const resolve = (cell: Cell, isPlanned: boolean): Cell[] => {
    const keys = new Set<string>();
    let unmeetable: string | null = null;
    for (const need of cell.probe.needs) {
      const probeKey = cellKey(need.probe, [], cell.model.key);
      const found = (byProbe.get(probeKey) ?? []).filter(({ point }) => isSubset(sharedPoint(point, cell), cell.point));
      const lacking = absent.get(probeKey);
      for (const { key } of found) keys.add(key);
      if (found.length > 0) continue;
      if (lacking !== undefined && !byProbe.has(probeKey)) {
        const why = `as the config defines ${settingsLacking(lacking)} for this model`;
        unmeetable ??= `needs ${need.probe}, which is not asked, ${why}`;
      } else if (!isPlanned) {
        return [];
      } else {
        const problem = unmetNeedProblem(cell, need);
        problems.set(problem.message, problem);
      }
    }
    return isPlanned || unmeetable === null ? [{ ...cell, needs: [...keys], unmeetable }] : [];
  };
  return {
    cells: cells.flatMap((cell) => resolve(cell, true)),
    leftOut: leftOut.flatMap((cell) => resolve(cell, false)),
    problems: [...problems.values()],
  };
}

/** The selected cells and all they need, which is marked as not selected; in the order of `cells`. */
function withNeeded(cells: readonly Cell[], isSelected: (cell: Cell) => boolean): readonly Cell[] {
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  const selected = new Set(cells.filter(isSelected).map(({ key }) => key));
  // A set is walked with what is added on the way.
  const planned = new Set(selected);
  for (const key of planned) for (const need of byKey.get(key)?.needs ?? []) planned.add(need);
  return cells.filter(({ key }) => planned.has(key)).map((cell) => ({ ...cell, selected: selected.has(cell.key) }));
}

function sharedPoint(point: Cell['point'], cell: Cell): Cell['point'] {
  return Object.fromEntries(Object.entries(point).filter(([axis]) => Object.hasOwn(cell.point, axis)));
}

function unmetNeedProblem(cell: Cell, { probe, place }: Need): Problem {
  const name = qualifiedProbeName(cell.probe);
  const point = Object.entries(cell.point).map(([axis, label]) => `${axis}=${label}`);
  const message = `${name} needs ${probe}, which has no point with the labels of ${point.join(', ')}`;
  const hint = 'axes of the same name must share their labels; rename one, or exclude the point';
  return { severity: 'error', message, hint, place };
}

const qualifiedProbeName = ({ suite, name }: Cell['probe']): string => `${suite}/${name}`;
