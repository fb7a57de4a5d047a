import type { Finding } from '../decide/course.js';
import { courseCost } from '../decide/courses/courses.js';
import type { Ticket } from '../plan/ticket.js';
import type { Report } from './report-format.js';

/**
 * By cell key: the planned trials that a cell lacks because the run, its target or its model stopped before. Trials lost
 * to faults are not among them, nor those beyond the plan, such as a fresh sample.
 * @param tickets in an order in which needs come first
 * @param stopped cells of which some or all trials were not asked, because nothing more was sent
 */
export function missingTrialsOf(
  tickets: readonly Ticket[],
  findings: ReadonlyMap<string, Finding>,
  stopped: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const missing = new Map<string, number>();
  /** Cells without a verdict because of a stop: nobody knows whether what needs them would be blocked. */
  const leftOpen = new Set<string>();
  for (const ticket of tickets) {
    const { key, needs } = ticket.cell;
    const finding = findings.get(key);
    if (finding === undefined) continue;
    const { verdict, needed } = finding;
    const unmet = needs.filter((need) => !isMet(findings.get(need)));
    const isBlockedByStop = verdict === 'blocked' && unmet.length > 0 && unmet.every((need) => leftOpen.has(need));
    const isStopped = verdict !== 'blocked' && stopped.has(key) && needed > 0;
    if (!isStopped && !isBlockedByStop) continue;
    if (verdict === 'blocked' || verdict === 'not_run' || verdict === 'inconclusive') leftOpen.add(key);
    // A course that decides by itself when to stop may have asked more than was expected, and still lack some.
    missing.set(key, Math.max(1, courseCost(ticket).expected - judgedTrials(finding)));
  }
  return missing;
}

const isMet = (finding: Finding | undefined): boolean => finding?.verdict === 'pass' || finding?.verdict === 'flaky';

interface Judged {
  readonly trials: { readonly total: number };
  readonly threshold: Finding['threshold'];
}

/** A search counts what it asked at every value. */
function judgedTrials({ trials, threshold }: Judged): number {
  return threshold === null ? trials.total : threshold.curve.reduce((sum, [, , total]) => sum + total, 0);
}

/** How many of the planned trials are missing because something stopped; the cells of these models are left out. */
export function missingTrials(
  { cells }: Pick<Report, 'cells'>,
  without: ReadonlySet<string> = new Set(),
): { readonly missing: number; readonly planned: number } {
  const counted = cells.filter((cell) => !without.has(cell.model) && cell.asked_for === undefined);
  const missing = counted.reduce((sum, { trials }) => sum + (trials.missing ?? 0), 0);
  return { missing, planned: missing + counted.reduce((sum, cell) => sum + judgedTrials(cell), 0) };
}
