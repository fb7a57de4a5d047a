import { cellStateOf } from '../../baseline/expected.js';
import { isJudged } from '../../cell/verdict.js';
import type { FailureKind, Finding, SharedFailure } from '../../decide/course.js';
import { weighShared } from '../../decide/law.js';
import type { Expected, TrialCounts } from '../../baseline/entries.js';
import { isWayOf, wayOf } from '../../baseline/ways-of-failing.js';
import { groupBy } from '../../json/group-by.js';
import { hasRate, type PlannedCell } from '../../plan/plan.js';
import { type Count, sumOf } from '../../stats/count.js';
import { boundOver, wellKnown } from '../../stats/evidence.js';
import { writtenJson } from '../../json/json.js';

interface SharedFailureInput {
  readonly cells: readonly PlannedCell[];
  readonly findings: ReadonlyMap<string, Finding>;
  /** Whether a cell, by key, is a regression by itself. */
  readonly isOwnAlarm: (cell: string) => boolean;
  /** By `TARGET/MODEL`, of the run before; undefined: not known. */
  readonly before: ReadonlyMap<string, readonly SharedFailure[]> | undefined;
}

/** A cell whose trials are added up with those of others. */
interface ComparedCell {
  readonly key: string;
  readonly model: string;
  readonly first: NonNullable<Finding['first']>;
  readonly known: TrialCounts;
}

/**
 * A model as a whole is one more row of the law: for each kind of failure, the sums over the first trials of its cells
 * that are expected to pass.
 */
export function sharedFailures(compared: SharedFailureInput): ReadonlyMap<string, readonly SharedFailure[]> {
  const { cells: plannedCells, findings, isOwnAlarm, before } = compared;
  const cells = plannedCells.flatMap((planned) => addedUp(planned, findings.get(planned.cell.key), isOwnAlarm) ?? []);
  const measured = groupBy(cells, ({ model }) => model);
  return new Map(
    [...measured].flatMap(([model, own]) => {
      const earlier = before?.get(model) ?? [];
      const kinds = kindsIn(own, earlier);
      const bound = boundOver(measured.size * kinds.length);
      const found = kinds.flatMap(
        (kind) =>
          sharedFailureOf(
            kind,
            own,
            earlier.find((one) => isSameFailureKind(one, kind)),
            bound,
          ) ?? [],
      );
      return found.length === 0 ? [] : [[model, found] as const];
    }),
  );
}

export const isSameFailureKind = (one: FailureKind, other: FailureKind): boolean =>
  one.class === other.class && one.reason === other.reason;

/** null: it proves something by itself, is not expected to pass, or its trials make up no rate. */
function addedUp(
  planned: PlannedCell,
  finding: Finding | undefined,
  isOwnAlarm: SharedFailureInput['isOwnAlarm'],
): ComparedCell | null {
  const { cell, expected } = planned;
  if (finding?.first === undefined || !isJudged(finding) || !hasRate(planned)) return null;
  if (expected.kind !== 'pass' || expected.state?.unreliable === true) return null;
  if (finding.trials.passed === 0 && isOwnAlarm(cell.key)) return null;
  return { key: cell.key, model: cell.model.key, first: finding.first, known: knownByChance(expected) };
}

/**
 * Knowledge of a cell without the trials that made it one that passes: cells that pass at times were accepted on a
 * lucky night, and all of them together look worse the night after. Among ten trials, the lucky ones hardly count.
 */
function knownByChance(expected: Extract<Expected, { kind: 'pass' }>): TrialCounts {
  const { known } = cellStateOf(expected);
  if (known.total >= wellKnown) return known;
  const accepted = Math.min(expected.trials ?? 0, known.passed);
  return { ...known, passed: known.passed - accepted, total: known.total - accepted };
}

function kindsIn(cells: readonly ComparedCell[], earlier: readonly FailureKind[]): readonly FailureKind[] {
  const all = [...cells.flatMap(({ first }) => first.failed), ...earlier];
  const alike = groupBy(all, (kind) => writtenJson([kind.class, kind.reason]));
  return [...alike.values()].flatMap((kinds) =>
    kinds.slice(0, 1).map(({ class: one, reason }) => ({ class: one, reason })),
  );
}

function sharedFailureOf(
  kind: FailureKind,
  cells: readonly ComparedCell[],
  earlier: SharedFailure | undefined,
  bound: number,
): SharedFailure | null {
  const failures = (cell: ComparedCell): number =>
    cell.first.failed.find((one) => isSameFailureKind(one, kind))?.count ?? 0;
  const known = sumOf(cells.map((cell) => notFailedSo(cell.known, kind)));
  const total = cells.reduce((sum, { first }) => sum + first.total, 0);
  const failed = cells.reduce((sum, cell) => sum + failures(cell), 0);
  const { log10, doubt, alarm } = weighShared(
    { known, doubt: [...(earlier?.doubt ?? []), { passed: total - failed, total }], alarmed: earlier?.alarm === true },
    bound,
  );
  if (doubt.length === 0) return null;
  const all = sumOf(doubt);
  const seen = cells.map((cell) => [cell.key, failures(cell) + (earlier?.cells[cell.key] ?? 0)] as const);
  return {
    ...kind,
    doubt,
    runs: doubt.length,
    failed: all.total - all.passed,
    total: all.total,
    before: { failed: known.total - known.passed, total: known.total },
    log10,
    bound,
    cells: Object.fromEntries(seen.filter(([, count]) => count > 0)),
    alarm,
  };
}

/** Knowledge of a cell, in trials that did not fail so. */
function notFailedSo({ total, ways = {} }: TrialCounts, { class: outcome, reason }: FailureKind): Count {
  const kind = wayOf({ class: outcome, reason, status: null });
  const alike = Object.entries(ways).filter(([way]) => isWayOf(kind, way));
  return { passed: total - alike.reduce((sum, [, count]) => sum + count, 0), total };
}
