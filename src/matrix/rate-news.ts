import { benjaminiHochberg } from '../decide/benjamini-hochberg.js';
import type { Finding } from '../decide/course.js';
import { probabilityOfFewer, probabilityOfMore } from '../decide/exact-test.js';
import type { Ticket } from '../plan/cell.js';
import { isJudged } from './judged.js';
import type { RateNews } from './standing.js';

/** The share of false news among all news about flaky cells, on average. */
const falseDiscoveryRate = 0.01;

/**
 * Which cells that the baseline calls flaky have another rate now, by key. Each is compared by a one-sided exact test
 * (on its fresh sample; on all its trials where the run takes none, since no trial was then picked for what it showed),
 * and the false discovery rate is held over all of them, for drops and for rises apart.
 */
export function rateNewsOf(
  tickets: readonly Ticket[],
  findings: ReadonlyMap<string, Finding>,
): ReadonlyMap<string, 'worse' | 'better'> {
  const compared = tickets.flatMap((ticket) => comparison(ticket, findings.get(ticket.cell.key)));
  const worse = benjaminiHochberg(
    compared.map(({ fewer }) => fewer),
    falseDiscoveryRate,
  );
  const better = benjaminiHochberg(
    compared.map(({ more }) => more),
    falseDiscoveryRate,
  );
  const news = new Map<string, Exclude<RateNews, null>>();
  compared.forEach(({ key }, index) => {
    if (worse[index]) news.set(key, 'worse');
    else if (better[index]) news.set(key, 'better');
  });
  return news;
}

function comparison(ticket: Ticket, finding: Finding | undefined): { key: string; fewer: number; more: number }[] {
  const { expected } = ticket;
  if (finding === undefined || !isJudged(finding)) return [];
  if (expected.kind !== 'entry' || expected.entry.verdict !== 'flaky') return [];
  const { passed, total } = expected.entry;
  if (passed === null || total === null) return [];
  const sample = finding.fresh ?? (ticket.confirm ? null : finding.trials);
  if (sample === null || sample.total === 0) return [];
  const before = { passed, total };
  return [{ key: ticket.cell.key, fewer: probabilityOfFewer(sample, before), more: probabilityOfMore(sample, before) }];
}
