import type { Finding } from './course.js';

/**
 * Takes the haste out of partial drops that come in company: when several cells of one run drop a little, an hour in
 * which everything went badly explains them better than several changes do. Such a cell is shown as unsettled, and
 * alarms when the next run confirms it again. A cell that drops alone, or that no longer passes at all, alarms at once.
 * @param findings by cell key, of one run
 * @param shownBefore keys that the run before showed as unsettled; null when that is not known: then nothing is put off
 */
export function tempered(
  findings: ReadonlyMap<string, Finding>,
  shownBefore: ReadonlySet<string> | null,
): ReadonlyMap<string, Finding> {
  if (shownBefore === null) return findings;
  const company = [...findings.values()].filter(droppedInPart).length;
  if (company < 2) return findings;
  return new Map(
    [...findings].map(([key, finding]) => {
      const putOff = finding.surprise === 'confirmed' && droppedInPart(finding) && !shownBefore.has(key);
      return [key, putOff ? { ...finding, surprise: 'unsettled' as const } : finding];
    }),
  );
}

function droppedInPart({ surprise, fresh, trials }: Finding): boolean {
  if (fresh?.suspicion !== 'regression' || trials.passed === 0) return false;
  return surprise === 'confirmed' || surprise === 'unsettled';
}
