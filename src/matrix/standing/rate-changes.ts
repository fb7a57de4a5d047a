import type { Expected } from '../../baseline/entries.js';
import { knowledgeOf, wellKnown } from '../../baseline/knowledge.js';
import type { Tally } from '../../baseline/learned.js';
import { benjaminiHochberg } from '../../stats/benjamini-hochberg.js';
import { clearerIfPooled, discoveryRate } from '../../decide/false-alarms.js';
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
 * Which cells of which a rate is known, because the baseline calls them flaky or because earlier runs showed it, now have another, by key, with the false discovery rate controlled over
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
  const { fresh, trials } = finding;
  if (fresh !== null) {
    const { suspicion, pValue } = fresh;
    if (pValue === null || (suspicion !== 'regression' && suspicion !== 'improvement')) return null;
    return { key: cell.key, suspicion, pValue };
  }
  const before = knownRate(expected);
  if (confirm || before === null) return null;
  const suspicion = trials.passed / trials.total < before.passed / before.total ? 'regression' : 'improvement';
  // A cell that is expected to pass cannot become better than expected.
  if (expected.kind === 'pass' && suspicion === 'improvement') return null;
  const compare = suspicion === 'regression' ? probabilityOfFewer : probabilityOfMore;
  const weight = knowledgeOf(expected) === null ? 1 : clearerIfPooled;
  return { key: cell.key, suspicion, pValue: Math.min(1, weight * compare(trials, before)) };
}

/** How often a flaky cell passes, or one of which enough was learned since it was accepted; null for any other. */
function knownRate(expected: Expected): Tally | null {
  const known = knowledgeOf(expected);
  if (expected.kind === 'entry' && expected.entry.verdict === 'fail') return null;
  if (known !== null) return known.total < wellKnown ? null : known;
  if (expected.kind !== 'entry') return null;
  const { passed, total } = expected.entry;
  return passed === null || total === null || total === 0 ? null : { passed, total };
}
