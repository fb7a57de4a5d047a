import type { Expected } from '../../baseline/entries.js';
import { knowledgeOf, sinceOf } from '../../baseline/knowledge.js';
import type { Learned } from '../../baseline/learned.js';
import { isJudged } from '../../cell/verdict.js';
import type { Finding } from '../../decide/course.js';
import { type Count, sumOf } from '../../stats/count.js';
import type { CellStanding } from './apparent-standing.js';

/** Of a cell that the baseline does not know well. */
export interface Known extends Omit<Learned, 'held'> {
  /** What this run compared it with: without its own trials, and without a row of passes that it may have gone on with. */
  readonly before: Count;
}

/**
 * What is known of a cell that the baseline does not know well, this run's trials included; null for any other cell.
 * @param learned before this run
 */
export function knownAfter(expected: Expected, finding: Finding, learned: Learned | undefined): Known | null {
  const [since, before] = [sinceOf(expected), knowledgeOf(expected)];
  if (since === null || before === null) return null;
  const held = learned?.since === since ? learned.held : undefined;
  const now = isJudged(finding) && isAtStoredValue(expected, finding) ? finding.trials : null;
  const { passed, total } = sumOf([before, held, now].flatMap((count) => count ?? []));
  return { since, passed, total, before };
}

/**
 * What the next run compares the cell with. Trials of a changed cell would make what it does now the usual thing, and it
 * would be forgotten after a single alarm; passes in a row that luck may explain are held as long as the row lasts.
 */
export function learnedFrom(
  { since, passed, total, before }: Known,
  { standing, unsettled, waits, passes_in_a_row: row, held }: CellStanding,
): Learned {
  const isNews = standing !== null && standing !== 'as_expected' && standing !== 'new';
  if (isNews && (!unsettled || waits === true)) return { since, ...before };
  if (row !== undefined) return { since, ...before, held: { passed: row, total: row } };
  if (held !== undefined) return { since, ...before, ...(held.total > 0 && { held }) };
  return { since, passed, total };
}

/** Trials at another value of the searched axis say nothing about the one that was accepted. */
function isAtStoredValue(expected: Expected, { threshold }: Finding): boolean {
  const stored = expected.kind === 'pass' ? expected.threshold : null;
  return stored === null || threshold === null || threshold.value === stored;
}
