import type { Expected } from '../../baseline/entries.js';
import { knowledgeOf, sinceOf } from '../../baseline/knowledge.js';
import type { Learned } from '../../baseline/learned.js';
import type { Count } from '../../stats/count.js';
import { isJudged } from '../../cell/verdict.js';
import type { Finding } from '../../decide/course.js';

/** What is known of a cell that the baseline does not know well, this run's trials included; null for any other cell. */
export function knownAfter(expected: Expected, finding: Finding): (Learned & { readonly before: Count }) | null {
  const [since, before] = [sinceOf(expected), knowledgeOf(expected)];
  if (since === null || before === null) return null;
  const counts = isJudged(finding) && isAtStoredValue(expected, finding);
  const { passed, total } = counts ? finding.trials : { passed: 0, total: 0 };
  return { since, passed: before.passed + passed, total: before.total + total, before };
}

/** Trials at another value of the searched axis say nothing about the one that was accepted. */
function isAtStoredValue(expected: Expected, { threshold }: Finding): boolean {
  const stored = expected.kind === 'pass' ? expected.threshold : null;
  return stored === null || threshold === null || threshold.value === stored;
}
