import { countsOf, knowledgeOf } from '../../baseline/knowledge.js';
import type { Count } from '../../stats/count.js';
import { isJudged } from '../../cell/verdict.js';
import { type CellOfRun, type Drop, waitingDrops } from '../../decide/bad-hour.js';
import type { Finding } from '../../decide/course.js';
import type { PreviousRun } from '../../journal/previous-run.js';
import type { Ticket } from '../../plan/ticket.js';
import type { CellStanding } from './apparent-standing.js';
import { blockedBefore } from './blocked-before.js';
import { luckyDrops, luckyRows, mixtureOf } from './luck.js';
import { rateChangesOf } from './rate-changes.js';
import type { SharedFailure } from '../../decide/shared-failure.js';
import { sharedFailures } from './shared-failures.js';
import { withShared } from './standing-of-shared.js';
import { standingOf } from './standing.js';

/**
 * How the cells of a run compare with the baseline, by key.
 * @param tickets in the order of the plan; one without a finding was not asked
 * @param previous null when it is not known: then no alarm waits for the next run
 */
export function standingsOf(
  tickets: readonly Ticket[],
  findings: ReadonlyMap<string, Finding>,
  plannedCells: number,
  previous: Pick<PreviousRun, 'shown' | 'confirmed' | 'drops'> | null,
): ReadonlyMap<string, CellStanding> {
  const rateChanges = rateChangesOf(tickets, findings);
  const standings = new Map<string, CellStanding>();
  const drops = new Map<string, Drop>();
  for (const ticket of tickets) {
    const { key } = ticket.cell;
    const finding = findings.get(key);
    if (finding === undefined) continue;
    standings.set(key, standingOf(ticket, finding, plannedCells, rateChanges.get(key) ?? null));
  }
  for (const key of blockedBefore(tickets, standings)) {
    const finding = findings.get(key);
    const isNews = finding !== undefined && isJudged(finding) && finding.verdict !== 'pass';
    if (isNews && finding.surprise !== 'cleared') standings.set(key, { standing: 'new', unsettled: true });
  }
  let spread: ReturnType<typeof mixtureOf> | null = null;
  const compared = {
    tickets,
    findings,
    standings,
    before: previous?.drops,
    mixture: () => (spread ??= mixtureOf(tickets)),
  };
  for (const [key, { drop, isLuck }] of luckyDrops({ ...compared, shown: previous?.shown })) {
    standings.set(key, { standing: 'regression', unsettled: isLuck, ...(drop && { drop }) });
  }
  for (const [key, { row, isLuck }] of luckyRows(compared)) {
    standings.set(key, { standing: 'improvement', unsettled: isLuck, passes_in_a_row: row });
  }
  for (const ticket of tickets) {
    const { key } = ticket.cell;
    const [finding, stands] = [findings.get(key), standings.get(key)];
    const drop = finding && stands ? dropOf(ticket, finding, stands) : null;
    if (drop !== null) drops.set(key, drop);
  }
  if (drops.size === 0 || previous === null) return standings;
  const cells = tickets.flatMap((ticket) => cellOfRun(ticket, findings.get(ticket.cell.key), drops));
  for (const key of waitingDrops(cells, previous.confirmed ?? new Set(previous.shown.keys()))) {
    standings.set(key, { ...standings.get(key), standing: 'regression', unsettled: true, waits: true });
  }
  return standings;
}

/** The same with the failures that many cells of a model share, by model. */
export function standingsWithShared(
  tickets: readonly Ticket[],
  findings: ReadonlyMap<string, Finding>,
  plannedCells: number,
  previous: Pick<PreviousRun, 'shown' | 'confirmed' | 'drops' | 'learned' | 'shared'> | null,
): {
  readonly standings: ReadonlyMap<string, CellStanding>;
  readonly shared: ReadonlyMap<string, readonly SharedFailure[]>;
} {
  const alone = standingsOf(tickets, findings, plannedCells, previous);
  const shared = sharedFailures({ tickets, findings, standings: alone, before: previous?.shared });
  if (shared.size === 0) return { standings: alone, shared };
  const standings = new Map(alone);
  for (const ticket of tickets) {
    const { key, model } = ticket.cell;
    const [finding, stands, ofModel] = [findings.get(key), alone.get(key), shared.get(model.key)];
    if (finding === undefined || stands === undefined || ofModel === undefined) continue;
    standings.set(key, withShared(ticket, finding, stands, ofModel, previous?.learned.get(key)));
  }
  return { standings, shared };
}

function cellOfRun(
  { cell, expected }: Ticket,
  finding: Finding | undefined,
  drops: ReadonlyMap<string, Drop>,
): readonly CellOfRun[] {
  if (finding === undefined || !isJudged(finding)) return [];
  const first = expected.kind === 'pass' && finding.threshold === null ? firstTrials(finding) : null;
  return [{ key: cell.key, target: cell.model.target, first, drop: drops.get(cell.key) ?? null }];
}

function firstTrials({ trials, fresh }: Finding): Count {
  return { passed: trials.passed - (fresh?.passed ?? 0), total: trials.total - (fresh?.total ?? 0) };
}

function dropOf({ expected }: Ticket, finding: Finding, stands: CellStanding): Drop | null {
  const { fresh, trials, threshold } = finding;
  if (stands.standing !== 'regression' || stands.unsettled || fresh?.suspicion !== 'regression') return null;
  // Where a threshold has risen, the trials of the finding are those at its new value.
  const passed = threshold === null ? trials.passed : fresh.passed;
  const known =
    fresh.pValue === null
      ? null
      : (knowledgeOf(expected) ?? (expected.kind === 'entry' ? countsOf(expected.entry) : null));
  return { inPart: passed > 0, fresh, usual: known === null ? null : known.passed / known.total };
}
