import { trialsBehind } from '../../baseline/knowledge.js';
import { isJudged } from '../../cell/verdict.js';
import type { FailureKind, Finding } from '../../decide/course.js';
import type { SharedFailure } from '../../decide/shared-failure.js';
import { discoveryRate } from '../../decide/false-alarms.js';
import { hoursOfRun } from '../../decide/bad-hour.js';
import { groupBy } from '../../json/group-by.js';
import { hasRate, type Ticket } from '../../plan/ticket.js';
import type { Count } from '../../stats/count.js';
import { boundOfFewer } from '../../stats/stratified-test.js';
import { unlikely } from '../../stats/unlikely.js';
import type { CellStanding } from './apparent-standing.js';

/** What is in doubt since the run before is still seen where this one, by itself, would be no rarer than this by chance. */
const stillSeen = 0.2;

/** Where a failure that is still there would not show with more than this probability, nobody looked. */
const mayBeMissed = 0.2;

/** What this many runs in a row showed in the same cells is neither a bad hour nor a rare day. */
export const runsThatLast = 3;

interface Compared {
  readonly tickets: readonly Ticket[];
  readonly findings: ReadonlyMap<string, Finding>;
  /** Without what is found here. */
  readonly standings: ReadonlyMap<string, CellStanding>;
  /** By `TARGET/MODEL`, of the run before; undefined: not known. */
  readonly before: ReadonlyMap<string, readonly SharedFailure[]> | undefined;
}

/** A cell whose trials can be added up with those of others. */
interface Cell {
  readonly key: string;
  readonly target: string;
  readonly model: string;
  readonly capability: string;
  readonly first: NonNullable<Finding['first']>;
  readonly known: Count;
  /** How the cell is known to fail; null: it is expected to pass. */
  readonly failsWith: FailureKind | null;
}

/**
 * What spoils a tenth of all answers of a model shows in one trial of many cells, and proves nothing in any of them: a cell
 * that is asked once passes nine times in ten, and nobody knows that it always did. All of them together prove it. Over
 * the cells of a model, the failures of one kind are compared with those that are known of the same cells, each cell with
 * itself, so that rates may differ (`boundOfFewer`). Only trials count that the plan asks whatever they show: a failure
 * leads to further ones, which would count it twice. For the same reason a cell that has failed counts among the known
 * ones with its rate, but with no more trials than one that has not.
 *
 * It is an alarm if chance explains it in less than one of 100 runs over all models and kinds, and if neither a single
 * capability nor a bad hour is enough to explain it; whether the hour was bad, the next run shows. What stands in so few
 * cells that either would always be enough is an alarm once they have shown it for three runs. The runs in which it is in
 * doubt are added up, and each look takes only its part of the probability, as for `luckyDrops`.
 *
 * A cell that no longer passes at all speaks for itself, and is left out.
 */
export function sharedFailures({
  tickets,
  findings,
  standings,
  before,
}: Compared): ReadonlyMap<string, readonly SharedFailure[]> {
  const all = tickets.flatMap((ticket) => comparedCell(ticket, findings.get(ticket.cell.key), standings) ?? []);
  const measured = groupBy(all, ({ model }) => model);
  const models = [...new Set(tickets.map(({ cell }) => cell.model.key))];
  return new Map(
    models.flatMap((model) => {
      const own = measured.get(model) ?? [];
      const open = (before?.get(model) ?? []).filter((one) => asksTooLittle(own, one));
      const kinds = kindsIn(own).filter((kind) => !open.some((one) => isSameKind(one, kind)));
      const tests = measured.size * kinds.length;
      const cells = withUsualTrials(own);
      const told = kinds.flatMap((kind) => {
        const earlier = before?.get(model)?.find((one) => isSameKind(one, kind));
        const comparable = cells.filter(({ failsWith }) => failsWith === null || isSameKind(failsWith, kind));
        return doubtOf({ kind, cells: comparable, all, tests, earlier }) ?? [];
      });
      const found = [...open, ...told];
      return found.length === 0 ? [] : [[model, found] as const];
    }),
  );
}

/**
 * A run that asks less of a model than those before, by its filters or since the service did not answer, tells nothing of a
 * failure that so few trials would not show.
 */
function asksTooLittle(cells: readonly Cell[], { failed, total, runs }: SharedFailure): boolean {
  const asked = cells.reduce((sum, { first }) => sum + first.total, 0);
  return asked < total / runs && (1 - failed / total) ** asked > mayBeMissed;
}

interface Doubt {
  readonly kind: FailureKind;
  /** Those of the model that may show it. */
  readonly cells: readonly Cell[];
  /** Of the run. */
  readonly all: readonly Cell[];
  /** As many are made in the run. */
  readonly tests: number;
  /** What the run before found. */
  readonly earlier: SharedFailure | undefined;
}

/** null: chance explains the failures. */
function doubtOf({ kind, cells, all, tests, earlier }: Doubt): SharedFailure | null {
  const chanceOf = (some: readonly Cell[], runsBefore?: SharedFailure): number =>
    boundOfFewer(some.map((cell) => stratumOf(cell, kind, runsBefore)));
  const isInDoubt = (some: readonly Cell[]): boolean => tests * chanceOf(some) <= unlikely;
  const isSeen = isInDoubt(cells);
  if (!isSeen && (earlier === undefined || chanceOf(cells) > stillSeen)) return null;
  const runs = (earlier?.runs ?? 0) + 1;
  const isClear = runs * (runs + 1) * tests * chanceOf(cells, earlier) <= discoveryRate;
  const isProvenWithout = (parts: readonly ReadonlySet<string>[]): boolean =>
    parts.every((part) => isInDoubt(cells.filter(({ key }) => !part.has(key))));
  // Two nights in a row may have a bad hour. Only where the run spends no more than that on the model, nothing else can tell.
  const mostLost = runs > 1 ? cells.length / 2 : cells.length;
  const hours = (): readonly ReadonlySet<string>[] =>
    hoursWith(kind, cells, all).filter((hour) => cells.filter(({ key }) => hour.has(key)).length <= mostLost);
  const isNews = () => isSeen && isProvenWithout(capabilitiesOf(cells)) && isProvenWithout(hours());
  // An hour that is bad by chance spoils other cells than those that failed before, and a capability that was always like
  // this would hardly have passed whenever it was asked until then.
  const isLasting = () =>
    runs >= runsThatLast && chanceOf(cells.filter(({ key }) => hasLasted(earlier?.cells[key]))) <= unlikely;
  const alarm = isClear && (earlier?.alarm === true || isNews() || isLasting());
  return { ...kind, ...summed(cells, kind, earlier), runs, alarm };
}

/** Trials of a cell that failed in the runs before. */
const hasLasted = (failed: number | undefined): boolean => (failed ?? 0) >= runsThatLast - 1;

const capabilitiesOf = (cells: readonly Cell[]): readonly ReadonlySet<string>[] =>
  [...groupBy(cells, ({ capability }) => capability).values()].map((some) => new Set(some.map(({ key }) => key)));

export const isSameKind = (one: FailureKind, other: FailureKind): boolean =>
  one.class === other.class && one.reason === other.reason;

function comparedCell(ticket: Ticket, finding: Finding | undefined, standings: Compared['standings']): Cell | null {
  const { cell, expected } = ticket;
  const known = trialsBehind(expected);
  if (finding?.first === undefined || !isJudged(finding) || !hasRate(ticket) || known === null) return null;
  const stands = standings.get(cell.key);
  const speaksForItself = expected.kind === 'pass' && finding.trials.passed === 0 && stands?.unsettled === false;
  if (speaksForItself) return null;
  const { key, capability, model } = cell;
  return {
    ...{ key, capability, model: model.key, target: model.target, first: finding.first, known },
    failsWith: expected.kind === 'entry' ? expected.entry : null,
  };
}

/** Those that the first trials show, and those that are known. */
function kindsIn(cells: readonly Cell[]): readonly FailureKind[] {
  const all = cells.flatMap(({ first, failsWith }) => [...first.failed, ...(failsWith === null ? [] : [failsWith])]);
  const alike = groupBy(all, (kind) => JSON.stringify([kind.class, kind.reason]));
  return [...alike.values()].flatMap((kinds) =>
    kinds.slice(0, 1).map(({ class: outcome, reason }) => ({ class: outcome, reason })),
  );
}

/** A cell that failed was asked again, and so it is known from more trials than one that never did. */
function withUsualTrials(cells: readonly Cell[]): readonly Cell[] {
  const ratios = cells
    .filter(({ known, first }) => known.passed === known.total && first.total > 0)
    .map(({ known, first }) => known.total / first.total)
    .sort((a, b) => a - b);
  const usual = ratios[Math.floor((ratios.length - 1) / 2)] ?? 1;
  return cells.map((cell) => {
    const { passed, total } = cell.known;
    const most = Math.max(1, Math.round(usual * cell.first.total));
    if (passed === total || total <= most) return cell;
    const failed = Math.ceil(((total - passed) * most) / total);
    return { ...cell, known: { passed: most - failed, total: most } };
  });
}

const failuresOf = ({ first }: Cell, kind: FailureKind): number =>
  first.failed.find((one) => isSameKind(one, kind))?.count ?? 0;

/** Runs ask the same first trials, so those of earlier ones are as many. */
function counted(cell: Cell, kind: FailureKind, earlier: SharedFailure | undefined) {
  return {
    failed: failuresOf(cell, kind) + (earlier?.cells[cell.key] ?? 0),
    total: cell.first.total * ((earlier?.runs ?? 0) + 1),
  };
}

function stratumOf(cell: Cell, kind: FailureKind, earlier: SharedFailure | undefined) {
  const { failed, total } = counted(cell, kind, earlier);
  return { fresh: { passed: Math.max(0, total - failed), total }, baseline: cell.known };
}

function summed(cells: readonly Cell[], kind: FailureKind, earlier: SharedFailure | undefined) {
  const all = cells.map((cell) => ({ cell, ...counted(cell, kind, earlier) }));
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    failed: sum(({ failed }) => failed),
    total: sum(({ total }) => total),
    before: {
      failed: sum(({ cell }) => cell.known.total - cell.known.passed),
      total: sum(({ cell }) => cell.known.total),
    },
    cells: Object.fromEntries(all.flatMap(({ cell, failed }) => (failed === 0 ? [] : [[cell.key, failed] as const]))),
  };
}

/** The hours that may have spoilt most: each begins with a failure. */
function hoursWith(
  kind: FailureKind,
  comparable: readonly Cell[],
  all: readonly Cell[],
): readonly ReadonlySet<string>[] {
  const target = comparable[0]?.target;
  const order = all.filter((cell) => cell.target === target).map(({ key }) => key);
  const length = Math.ceil(order.length / hoursOfRun);
  const failing = new Set(comparable.filter((cell) => failuresOf(cell, kind) > 0).map(({ key }) => key));
  return order.flatMap((key, index) => (failing.has(key) ? [new Set(order.slice(index, index + length))] : []));
}
