import { joined } from '../baseline/ways-of-failing.js';
import type { Finding } from '../decide/course.js';
import { sumOf, type Count } from '../stats/count.js';
import type { ReportCell, ReportDoubtRun, ReportEvidence } from './report-format.js';

type WithEvidence = Pick<ReportCell, 'evidence'>;

/** Knowledge of a cell in counts; null: none. */
export function knownCount({ evidence }: WithEvidence): Count | null {
  return evidence === null ? null : { passed: evidence.known[0], total: evidence.known[1] };
}

/** The trials that are in doubt, of all runs; null: there are none. */
export function doubtCount({ evidence }: WithEvidence): Count | null {
  return evidence === null || evidence.doubt.length === 0 ? null : sumOf(evidence.doubt);
}

/** The most that a report writes: larger evidence is no stronger. */
const mostEvidence = 1e300;
const evidenceFrom = (log10: number): number => Number(Math.min(mostEvidence, 10 ** log10).toPrecision(6));

/** @param isOfAlarm another cell, or the model as a whole, proves its doubt */
export function evidenceIn({ law }: Finding, run: string, isOfAlarm: boolean): ReportEvidence | null {
  if (law === null) return null;
  const runs = law.doubt.map((one): ReportDoubtRun => ({ ...one, run: one.run ?? run }));
  const [before, doubt] = [runs.slice(0, law.start), runs.slice(law.start)];
  const { passed, total, ways } = joined([law.known, ...before]);
  const isAlarmed = law.alarmed === true || (isOfAlarm && doubt.length > 0);
  return {
    known: [passed, total],
    ...(ways !== undefined && { ways }),
    doubt,
    changed: evidenceFrom(law.changed),
    holds: evidenceFrom(law.holds),
    bound: Number((10 ** law.bound).toPrecision(6)),
    ...(isAlarmed && { alarmed: true as const }),
    ...(law.unreliable === true && { unreliable: true as const }),
    ...(before.length > 0 && { weighed_again: before }),
  };
}
