import { acceptedWireOf } from '../baseline/accepted-wire.js';
import type { Baseline } from '../baseline/entries.js';
import { expectedOf, modelsNamedBy } from '../baseline/expected.js';
import type { Config } from '../config/config.js';
import { listedNames } from '../files/problems/nearest.js';
import { hasErrors, type Problem } from '../files/problems/problem.js';
import { once } from '../json/once.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { checkOnlyOptions } from '../options/first-argument.js';
import { aList, anObject, anything, orNull, required } from '../options/kinds.js';
import { defaultTest } from '../stats/sequential-test.js';
import type { Probe, Suite, TrialsSpec } from '../suite/probe.js';
import { collectedAbsences, type AbsentSetting } from './cells/absent-settings.js';
import { withNeeded, withNeeds } from './cells/cell-needs.js';
import { compileFilters } from './cells/filter.js';
import { allCells } from './cells/plan-cells.js';
import { reserveOf } from './cells/reserve.js';
import { absentSettingsNotes } from './cells/settings-advice.js';
import { digestsOf, planDigest } from './digests.js';
import { planOptionTable, type PlanOptions } from './plan-options.js';
import type { Cell, CourseName, Plan, Profile, Ticket, LastFailed, LeftOpen } from './ticket.js';

interface PlanInput {
  readonly config: Config;
  readonly suites: readonly Suite[];
  readonly baseline: Baseline | null;
  readonly options?: PlanOptions;
}

/** A program may hand on a whole project. */
const inputTable: OptionTable<PlanInput & Record<'env' | 'keys', unknown>> = {
  config: required(anObject),
  suites: required(aList),
  baseline: orNull(anObject),
  options: anObject,
  ...{ env: anything, keys: anything },
};

/**
 * Everything that will be asked, needs first. The plan must not run if there is an error among the problems: a filter
 * that matches nothing, filters that leave nothing, or a need that no cell meets.
 */
export function makePlan(input: PlanInput): { plan: Plan; problems: Problem[] } {
  checkOnlyOptions<object>('makePlan', input, inputTable);
  const { config, suites, baseline, options = {} } = input;
  checkOptions("`makePlan`'s options", options, planOptionTable);
  const expanded = allCells(config, suites);
  const resolved = withNeeds(expanded);
  const filters = compileFilters(options, {
    planned: resolved.cells,
    leftOut: resolved.leftOut,
    absences: expanded.absences,
  });
  const again = askedAgain(options.lastFailed, [...resolved.cells, ...resolved.leftOut], filters.isSelected);
  const isSelected = (cell: Cell): boolean => filters.isSelected(cell) && again.isLeftOpen(cell);
  const isNamed = (cell: Cell): boolean => filters.isNamed(cell) && again.isLeftOpen(cell);
  // Probes that lack a setting have no cells that a run could have left open.
  const absences = options.lastFailed === undefined ? expanded.absences.filter(filters.wouldSelect) : [];
  const absent = collectedAbsences(absences);
  const cells = withNeeded([...resolved.cells, ...resolved.leftOut.filter(isNamed)], isSelected);
  const problems = [...expanded.problems, ...resolved.problems, ...filters.problems, ...again.problems];
  if (cells.length === 0 && options.lastFailed === undefined && !hasErrors(problems))
    problems.push(nothingLeft(expanded.cells.length, absent));

  const { profile = 'standard', seed = 1, trials = null } = options;
  const ticketFor = (cell: Cell): Ticket => ticketOf(cell, baseline, profile, trials);
  const tickets = inOrderOfNeeds(cells.map(ticketFor));
  const leftOut = resolved.leftOut.filter(filters.isSelected);
  const pointFor = (cell: Cell): Ticket => ({ ...ticketFor(cell), expected: expectedOf(baseline, cell.key, true) });
  const reserve = reserveOf({ planned: cells, all: resolved.cells, leftOut }, ticketFor, pointFor).filter(
    ({ ticket }) => again.isInReserve(ticket.cell),
  );
  const acceptedWire = wireOf(tickets, baseline);
  const asked = [...tickets, ...reserve.map(({ ticket }) => ticket)];
  // When somebody asks: they take longer than the rest of the plan, and `validate` and the text of `list` need none.
  const digests = once(() => digestsOf(config, suites));
  const digest = once(() => planDigest(digests(), asked, { profile, seed, acceptedWire }));
  const models = config.targets.flatMap((target) => target.models.map(({ key }) => key));
  const knownModels = new Set(models.filter(modelsNamedBy(baseline)));
  const plan: Plan = {
    tickets,
    reserve,
    absent,
    get digest() {
      return digest();
    },
    get digests() {
      return digests();
    },
    profile,
    seed,
    knownModels,
    acceptedWire,
    plannedCells: tickets.length,
    ...(again.lastFailed && {
      lastFailed: { ...again.lastFailed, of: resolved.cells.filter(({ probe }) => isTagged(probe, options)).length },
    }),
  };
  return { plan, problems };
}

function wireOf(tickets: readonly Ticket[], baseline: Baseline | null): Plan['acceptedWire'] {
  const models = new Set(tickets.map(({ cell }) => cell.model.key));
  return new Map(
    [...models].flatMap((model) => {
      const accepted = baseline === null ? null : acceptedWireOf(baseline, model);
      return accepted === null ? [] : [[model, accepted] as const];
    }),
  );
}

function ticketOf(cell: Cell, baseline: Baseline | null, profile: Profile, exactly: number | null): Ticket {
  const trials = trialsOf(cell.probe, profile, exactly);
  return {
    cell,
    expected: expectedOf(baseline, cell.key),
    course: courseOf(cell.probe, trials),
    trials,
    confirm: profile !== 'smoke' && exactly === null,
  };
}

/**
 * How often a probe is asked: `exactly` when given; otherwise once in `smoke`, the probe's own number or once in
 * `standard`, and until decided in `certify`, where the probe's own number is the minimum.
 */
export function trialsOf(probe: Probe, profile: Profile, exactly: number | null): TrialsSpec {
  if (exactly !== null) return { kind: 'count', count: exactly };
  if (profile === 'smoke') return { kind: 'count', count: 1 };
  if (profile === 'standard') return probe.trials ?? { kind: 'count', count: 1 };
  if (probe.trials?.kind === 'decided') return probe.trials;
  const min = probe.trials?.count ?? 1;
  return { kind: 'decided', ...defaultTest, min, max: Math.max(defaultTest.max, min) };
}

/** Which course reaches the verdict. */
export function courseOf(probe: Probe, trials: TrialsSpec): CourseName {
  if (probe.find !== null) return 'find';
  if (probe.enforce !== null) return 'enforce';
  return trials.kind === 'decided' ? 'sequential' : 'fixed';
}

/** The tickets in their order, except that what a ticket needs comes before it. A cycle is cut at an arbitrary place. */
function inOrderOfNeeds(tickets: readonly Ticket[]): readonly Ticket[] {
  const byKey = new Map(tickets.map((ticket) => [ticket.cell.key, ticket]));
  const seen = new Set<string>();
  const ordered: Ticket[] = [];
  const visit = (ticket: Ticket): void => {
    if (seen.has(ticket.cell.key)) return;
    seen.add(ticket.cell.key);
    for (const need of ticket.cell.needs) {
      const needed = byKey.get(need);
      if (needed !== undefined) visit(needed);
    }
    ordered.push(ticket);
  };
  tickets.forEach(visit);
  return ordered;
}

function nothingLeft(all: number, absent: readonly AbsentSetting[]): Problem {
  const [hint] = absentSettingsNotes(absent);
  if (hint !== undefined) return { severity: 'error', message: 'no cell is left to ask', hint, place: null };
  const message =
    all === 0
      ? 'there is nothing to ask: the suites contain no probe, or the config no model'
      : 'the filters leave no cell';
  return { severity: 'error', message, place: null };
}

const isTagged = ({ tags: own }: Probe, { tags }: PlanOptions): boolean =>
  tags === undefined || own.some((tag) => tags.includes(tag));

interface AskedAgain {
  /** Whether the earlier run left the cell open; without one, of every cell. */
  readonly isLeftOpen: (cell: Cell) => boolean;
  /** The same of cells that are asked only in doubt. */
  readonly isInReserve: (cell: Cell) => boolean;
  /** undefined: everything is asked. */
  readonly lastFailed?: Omit<LastFailed, 'of'>;
  /** An error if the plan has none of the cells any more, a warning if it lacks some. */
  readonly problems: readonly Problem[];
}

/**
 * Which cells are asked again.
 * @param all every cell of config and suites, also those that are asked only in doubt
 * @param isSelected by the other filters
 */
function askedAgain(
  leftOpen: LeftOpen | undefined,
  all: readonly Cell[],
  isSelected: (cell: Cell) => boolean,
): AskedAgain {
  if (leftOpen === undefined) return { isLeftOpen: () => true, isInReserve: () => true, problems: [] };
  const { cells } = leftOpen;
  const open = new Set(cells);
  const found = all.filter(({ key }) => open.has(key));
  const known = new Set(found.map(({ key }) => key));
  const lost = cells.filter((key) => !known.has(key));
  return {
    isLeftOpen: ({ key }) => open.has(key),
    isInReserve: ({ key }) => leftOpen.inDoubt.includes(key),
    lastFailed: { ...leftOpen, leftOut: found.filter((cell) => !isSelected(cell)).map(({ key }) => key) },
    problems: lost.length === 0 ? [] : [lostCells(lost, cells.length)],
  };
}

function lostCells(lost: readonly string[], all: number): Problem {
  const none = lost.length === all;
  return {
    severity: none ? 'error' : 'warning',
    message: none
      ? 'nothing of what the earlier run left open is in the plan: its config or suites were others, or have changed since'
      : `${lost.length} of ${all} cells that the earlier run left open ${lost.length === 1 ? 'is' : 'are'} not in the plan any more`,
    hint: listedNames('these cells', lost, 'chatspec report RUN --json'),
    place: null,
  };
}
