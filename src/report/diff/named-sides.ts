import type { ReportDiff } from '../../matrix/diff/report-diff.js';

/**
 * The sides under names that tell them apart. People know runs by their folders, and no command takes the id of one; a
 * model or a target that is compared with itself is told by them, too.
 * @param runs the folders as they were given, one or two
 */
export function namedSides<Diff extends ReportDiff>(diff: Diff, runs: readonly string[]): Diff {
  const [base = diff.base, head = base] = runs;
  if (diff.kind === 'runs') return { ...diff, base, head };
  if (diff.base !== diff.head) return diff;
  return { ...diff, base: `${diff.base} in ${base}`, head: `${diff.head} in ${head}` };
}
