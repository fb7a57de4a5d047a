import type { Expected } from '../../baseline/entries.js';
import { isJudged, type Standing } from '../../cell/verdict.js';
import { enoughAlike, nameOfCause } from '../../decide/law.js';
import type { Finding, SharedFailure } from '../../decide/course.js';
import type { PreviousRun } from '../../journal/event.js';
import { groupBy } from '../../json/group-by.js';
import type { Plan, PlannedCell } from '../../plan/plan.js';
import type { Count } from '../../stats/count.js';
import type { ExpectedCell } from '../report-format.js';
import { isSameFailureKind, sharedFailures } from './shared-failures.js';

export interface CellStanding {
  readonly standing: Standing;
  /** In doubt: shown, but raises no alarm. */
  readonly unsettled: boolean;
  /** The cell that proves its failures, which are the same. */
  readonly same_cause_as?: string;
  /** A failure shared with other cells of its model, which together prove it. */
  readonly shared?: Omit<SharedFailure, 'cells' | 'alarm'>;
}

interface RunStandings {
  /** By cell key. */
  readonly standings: ReadonlyMap<string, CellStanding>;
  /** By model. */
  readonly shared: ReadonlyMap<string, readonly SharedFailure[]>;
}

export const notJudged: CellStanding = { standing: null, unsettled: false };

/**
 * How the cells of a run compare with the baseline.
 * @param plan a planned cell without a finding was not asked
 */
export function standingsOf(
  { cells, lastFailed }: Pick<Plan, 'cells' | 'lastFailed'>,
  findings: ReadonlyMap<string, Finding>,
  previous: Pick<PreviousRun, 'shared'> | null,
): RunStandings {
  const asked = cells.flatMap((planned): readonly ConcludedCell[] => {
    const finding = findings.get(planned.cell.key);
    return finding === undefined ? [] : [{ planned, finding }];
  });
  const own = new Map(asked.map(({ planned, finding }) => [planned.cell.key, standingOf(planned, finding)] as const));
  const provedBy = sameCauses(asked, own);
  const isProved = (key: string): boolean => own.get(key)?.unsettled === false || provedBy.has(key);
  const isOwnAlarm = (key: string): boolean => own.get(key)?.standing === 'regression' && isProved(key);
  // A partial run asks what failed, which says nothing of all answers.
  const isAll = ({ cell }: PlannedCell): boolean =>
    lastFailed === undefined || lastFailed.shared?.includes(cell.model.key) === true;
  const shared = sharedFailures({ cells: cells.filter(isAll), findings, isOwnAlarm, before: previous?.shared });
  const standings = new Map(
    asked.map(({ planned, finding }) => {
      const { key } = planned.cell;
      const alarm = isOwnAlarm(key) ? undefined : alarmShared(planned, finding, shared);
      return [key, alarm ?? withProof(own.get(key) ?? notJudged, provedBy.get(key))] as const;
    }),
  );
  return { standings, shared };
}

function withProof(own: CellStanding, same_cause_as: string | undefined): CellStanding {
  return same_cause_as === undefined ? own : { standing: own.standing, unsettled: false, same_cause_as };
}

interface ConcludedCell {
  readonly planned: PlannedCell;
  readonly finding: Finding;
}

function standingOf({ expected }: PlannedCell, finding: Finding): CellStanding {
  if (!isJudged(finding)) return notJudged;
  const { doubtOutcome, law } = finding;
  // Failures of a new cell that no test confirms may be chance.
  const isOpen = doubtOutcome !== null && doubtOutcome !== 'confirmed';
  if (expected.kind === 'new') return { standing: 'new', unsettled: isOpen };
  if (doubtOutcome === 'unreliable') return { standing: 'unreliable', unsettled: false };
  const suspicion = law?.suspicion ?? null;
  // A cell stays unreliable until that is accepted, whatever else is in doubt; only a proved change weighs more.
  if (law?.unreliable === true && doubtOutcome !== 'confirmed') return { standing: 'unreliable', unsettled: false };
  if (suspicion === null || doubtOutcome === null || doubtOutcome === 'cleared') {
    return { standing: 'as_expected', unsettled: false };
  }
  return { standing: suspicion, unsettled: doubtOutcome === 'unsettled' };
}

const countsOfLastRun = ({ finding }: ConcludedCell): Count => finding.law?.doubt.at(-1) ?? { passed: 0, total: 0 };

/** By key of a cell in doubt of which no trial of this run passed: the cell that proves the same. */
function sameCauses(
  asked: readonly ConcludedCell[],
  standings: RunStandings['standings'],
): ReadonlyMap<string, string> {
  const lost = asked.filter((one) => {
    const { standing } = standings.get(one.planned.cell.key) ?? notJudged;
    return (standing === 'regression' || standing === 'changed') && countsOfLastRun(one).passed === 0;
  });
  const byCause = groupBy(lost, ({ planned, finding }) => nameOfCause(planned, finding));
  const proofs = [...byCause.values()].flatMap((cells) => {
    const isProved = ({ planned }: ConcludedCell): boolean => standings.get(planned.cell.key)?.unsettled === false;
    const proof = cells.find(isProved)?.planned.cell.key;
    if (proof === undefined) return [];
    return cells
      .filter((one) => !isProved(one) && countsOfLastRun(one).total >= enoughAlike)
      .map(({ planned }) => [planned.cell.key, proof] as const);
  });
  return new Map(proofs);
}

/** The standing of a cell that shows a failure which its model's cells prove together; undefined: it shows none. */
function alarmShared(
  { cell, expected }: PlannedCell,
  { first }: Finding,
  shared: RunStandings['shared'],
): CellStanding | undefined {
  if (expected.kind !== 'pass' || expected.state?.unreliable === true) return undefined;
  const isShown = (one: SharedFailure): boolean => first?.failed.some((kind) => isSameFailureKind(kind, one)) === true;
  const alarm = shared.get(cell.model.key)?.find((one) => one.alarm && isShown(one));
  if (alarm === undefined) return undefined;
  const { class: failure, reason, doubt, runs, failed, total, before, log10, bound } = alarm;
  const found = { class: failure, reason, doubt, runs, failed, total, before, log10, bound };
  return { standing: 'regression', unsettled: false, shared: found };
}

/** Expectation of the baseline for a cell, as written in the report. */
export function expectedCell(expected: Expected): ExpectedCell | null {
  switch (expected.kind) {
    case 'new':
      return null;
    case 'pass':
      return { ...nothingNamed, verdict: 'pass', threshold: expected.threshold, ...expectedTrials(expected) };
    case 'entry': {
      const { verdict, reason, status, passed, total, ways, date, note, link, threshold } = expected.entry;
      const counted = ways === undefined ? { passed, total } : { passed, total, ways };
      const named = { verdict, class: expected.entry.class, reason, status, ...counted, date, note, link };
      return { ...named, threshold, ...expectedTrials(expected) };
    }
  }
}

function expectedTrials({ trials }: Exclude<Expected, { kind: 'new' }>): Pick<ExpectedCell, 'trials'> {
  return trials === undefined ? {} : { trials };
}

const nothingNamed = {
  class: null,
  reason: null,
  status: null,
  passed: null,
  total: null,
  date: null,
  note: null,
  link: null,
};
