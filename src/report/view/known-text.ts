import type { ExpectedCell } from '../../matrix/report-format.js';

/**
 * What the baseline says of a cell that does not pass: "accepted as failing on 2026-11-20". When that was accepted says
 * nothing of when it began; without a date it reads "known to fail".
 */
export function knownText({ verdict, date }: Pick<ExpectedCell, 'verdict' | 'date'>): string {
  const fails = verdict === 'fail';
  if (!date) return `known to ${fails ? 'fail' : 'be flaky'}`;
  return `accepted as ${fails ? 'failing' : 'flaky'} on ${date}`;
}
