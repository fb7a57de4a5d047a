import type { Expected } from '../../baseline/entries.js';
import { countsOf, knowledgeOf, wellKnown } from '../../baseline/knowledge.js';
import type { Count } from '../../stats/count.js';
import { benjaminiHochberg } from '../../stats/benjamini-hochberg.js';
import { clearerIfPooled, discoveryRate } from '../../decide/false-alarms.js';
import type { Finding } from '../../decide/course.js';
import { probabilityOfFewer, probabilityOfMore } from '../../stats/exact-test.js';
import type { Ticket } from '../../plan/ticket.js';
import { isJudged } from '../../cell/verdict.js';

/** Whether a cell of which a rate is known now passes less often, or more often. */
export type RateChange = 'fell' | 'rose';

interface Comparison {
  readonly key: string;
  /** One-sided, in the direction of the change. */
  readonly pValue: number;
}

/**
 * Which cells of which a rate is known, because the baseline calls them flaky or because earlier runs showed it, now have
 * another, by key, with the false discovery rate controlled over all that are compared in the same direction. A lower rate
 * is an alarm, so only trials that were not selected for their result are compared: the fresh sample, or all trials in a
 * run without fresh samples. A higher one is only shown, so all trials count.
 */
export function rateChangesOf(
  tickets: readonly Ticket[],
  findings: ReadonlyMap<string, Finding>,
): ReadonlyMap<string, RateChange> {
  const found = (change: RateChange, compare: typeof fall): (readonly [string, RateChange])[] => {
    const compared: Comparison[] = [];
    for (const ticket of tickets) {
      const comparison = compare(ticket, findings.get(ticket.cell.key));
      if (comparison !== null) compared.push(comparison);
    }
    const stands = benjaminiHochberg(
      compared.map(({ pValue }) => pValue),
      discoveryRate,
    );
    return compared.filter((_, index) => stands[index]).map(({ key }) => [key, change]);
  };
  return new Map([...found('rose', rise), ...found('fell', fall)]);
}

function fall({ cell, confirm, expected }: Ticket, finding: Finding | undefined): Comparison | null {
  if (finding === undefined || !isJudged(finding)) return null;
  const { fresh, trials } = finding;
  if (fresh !== null) {
    const { suspicion, pValue } = fresh;
    return pValue === null || suspicion !== 'regression' ? null : { key: cell.key, pValue };
  }
  const before = confirm ? null : knownRate(expected);
  if (before === null) return null;
  return { key: cell.key, pValue: Math.min(1, weightOf(expected) * probabilityOfFewer(trials, before)) };
}

function rise({ cell, expected }: Ticket, finding: Finding | undefined): Comparison | null {
  // A cell that is expected to pass cannot become better than expected.
  if (finding === undefined || !isJudged(finding) || expected.kind === 'pass') return null;
  const before = knownRate(expected);
  if (before === null) return null;
  return { key: cell.key, pValue: Math.min(1, weightOf(expected) * probabilityOfMore(finding.trials, before)) };
}

const weightOf = (expected: Expected): number => (knowledgeOf(expected) === null ? 1 : clearerIfPooled);

/** How often a flaky cell passes, or one of which enough was learned since it was accepted; null for any other. */
function knownRate(expected: Expected): Count | null {
  const known = knowledgeOf(expected);
  if (expected.kind === 'entry' && expected.entry.verdict === 'fail') return null;
  if (known !== null) return known.total < wellKnown ? null : known;
  return expected.kind === 'entry' ? countsOf(expected.entry) : null;
}
