import type { Learned } from '../../baseline/learned.js';
import { isJudged } from '../../cell/verdict.js';
import type { Finding } from '../../decide/course.js';
import type { SharedFailure } from '../../decide/shared-failure.js';
import { hasRate, type Ticket } from '../../plan/ticket.js';
import { type Count, sumOf } from '../../stats/count.js';
import type { CellStanding } from './apparent-standing.js';
import { isSameKind } from './shared-failures.js';

const none: Count = { passed: 0, total: 0 };

/**
 * How a cell of such a model stands. Where the failures are an alarm, it is a regression if it is expected to pass and
 * showed one of them; and what its model showed does not count as known of any cell until the doubt is over.
 */
export function withShared(
  { expected, course }: Ticket,
  finding: Finding,
  stands: CellStanding,
  ofModel: readonly SharedFailure[],
  learned: Learned | undefined,
): CellStanding {
  if (expected.kind === 'new' || !hasRate({ course }) || !isJudged(finding)) return stands;
  const isPartial = stands.standing !== 'regression' || stands.unsettled || finding.trials.passed > 0;
  const alarm = ofModel.find(
    (one) => one.alarm && finding.first?.failed.some((kind) => isSameKind(kind, one)) === true,
  );
  if (alarm !== undefined && expected.kind === 'pass' && isPartial) {
    const { class: outcome, reason, runs, failed, total, before } = alarm;
    const shared = { class: outcome, reason, runs, failed, total, before };
    return { standing: 'regression', unsettled: false, shared };
  }
  if (stands.drop !== undefined || stands.passes_in_a_row !== undefined) return stands;
  const before = learned?.held ?? none;
  const held = ofModel.some((one) => one.alarm) ? none : sumOf([before, finding.trials]);
  return { ...stands, held: { passed: held.passed, total: held.total } };
}
