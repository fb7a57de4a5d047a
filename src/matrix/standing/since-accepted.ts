import { countedFrom, trialsBehind } from '../../baseline/knowledge.js';
import { withHeld, type Learned } from '../../baseline/learned.js';
import { isJudged } from '../../cell/verdict.js';
import type { Finding } from '../../decide/course.js';
import { passesBehind } from '../../decide/courses/passes-behind.js';
import type { Ticket } from '../../plan/ticket.js';
import type { CellStanding } from './apparent-standing.js';

/** Without the trials of a drop that luck may explain: what is compared with a rate is no part of it. */
export type SinceAccepted = Omit<Learned, 'held'>;

/**
 * How often a cell that was accepted from trials that all passed has passed, then and in all runs since; null for any
 * other. All trials count, the failed ones too, or a flaky cell would seem to pass. What is left out: an alarm, since its
 * trials are of a changed cell; and a drop that luck may explain, as long as it lasts.
 * @param stands how it stands after this run
 * @param learned before this run
 */
export function sinceAccepted(
  ticket: Ticket,
  finding: Finding,
  stands: CellStanding,
  learned: Learned | undefined,
): SinceAccepted | null {
  const { expected } = ticket;
  const [since, counts] = [countedFrom(expected), trialsBehind(expected)];
  if (passesBehind(ticket) === null || since === null || counts === null) return null;
  const known = learned?.since === since ? learned : { since, ...counts };
  const { passed, total } = known;
  if (isChanged(stands) || stands.drop !== undefined || stands.held !== undefined) return { since, passed, total };
  const all = withHeld(known);
  if (!isJudged(finding)) return all;
  return { since, passed: all.passed + finding.trials.passed, total: all.total + finding.trials.total };
}

/** What the next run compares the cell with: a drop that luck may explain is held as long as it lasts. */
export function learnedSince(counted: SinceAccepted, stands: CellStanding): Learned {
  const held = stands.drop ?? stands.held;
  return held === undefined || held.total === 0 || isChanged(stands) ? counted : { ...counted, held };
}

const isChanged = ({ standing, unsettled, waits }: CellStanding): boolean =>
  standing === 'regression' && (!unsettled || waits === true);
