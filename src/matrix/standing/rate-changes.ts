import { benjaminiHochberg } from '../../stats/benjamini-hochberg.js';
import { discoveryRate } from '../../decide/false-alarms.js';
import type { Finding } from '../../decide/course.js';
import { probabilityOfFewer, probabilityOfMore } from '../../stats/exact-test.js';
import type { Ticket } from '../../plan/ticket.js';
import { isJudged } from '../../cell/verdict.js';

interface Comparison {
  readonly key: string;
  readonly suspicion: 'regression' | 'improvement';
  /** One-sided, in the direction of the suspicion. */
  readonly pValue: number;
}

/**
 * Which cells that the baseline calls flaky now have another rate, by key, with the false discovery rate controlled over
 * all of them. The fresh sample is compared, or all trials in a run without fresh samples, since none of these was
 * selected for its result.
 */
export function rateChangesOf(
  tickets: readonly Ticket[],
  findings: ReadonlyMap<string, Finding>,
): ReadonlyMap<string, 'regression' | 'improvement'> {
  const compared = tickets.flatMap((ticket) => comparison(ticket, findings.get(ticket.cell.key)) ?? []);
  const stands = benjaminiHochberg(
    compared.map(({ pValue }) => pValue),
    discoveryRate,
  );
  return new Map(compared.filter((_, index) => stands[index]).map(({ key, suspicion }) => [key, suspicion]));
}

function comparison({ cell, confirm, expected }: Ticket, finding: Finding | undefined): Comparison | null {
  if (finding === undefined || !isJudged(finding)) return null;
  if (expected.kind !== 'entry' || expected.entry.verdict !== 'flaky') return null;
  const { fresh, trials } = finding;
  if (fresh !== null) {
    const { suspicion, pValue } = fresh;
    if (pValue === null || (suspicion !== 'regression' && suspicion !== 'improvement')) return null;
    return { key: cell.key, suspicion, pValue };
  }
  const { passed, total } = expected.entry;
  if (confirm || passed === null || total === null || total === 0) return null;
  const before = { passed, total };
  return trials.passed / trials.total < passed / total
    ? { key: cell.key, suspicion: 'regression', pValue: probabilityOfFewer(trials, before) }
    : { key: cell.key, suspicion: 'improvement', pValue: probabilityOfMore(trials, before) };
}
