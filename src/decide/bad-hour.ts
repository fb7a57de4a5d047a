import type { Finding } from './course.js';

/** By cell key, what the run before showed as a regression, alarm or not: for how many runs in a row, that one included. */
export type ShownBefore = ReadonlyMap<string, number>;

/** So many cells that drop a little in one run look like a bad hour even when some of them did so the run before. */
const crowd = 20;

/**
 * Takes the haste out of partial drops that come in company: when several cells of one run drop a little, an hour in
 * which everything went badly explains them better than several changes do. Such a cell is shown as unsettled, and
 * alarms when the next run confirms it again; in a crowd, where two bad hours would find some cells twice, when the next
 * two do. A cell that drops alone, or that no longer passes at all, alarms at once.
 * @param findings by cell key, of one run
 * @param shownBefore null when it is not known: then nothing is put off
 */
export function tempered(
  findings: ReadonlyMap<string, Finding>,
  shownBefore: ShownBefore | null,
): ReadonlyMap<string, Finding> {
  if (shownBefore === null) return findings;
  const company = [...findings.values()].filter(droppedInPart).length;
  if (company < 2) return findings;
  const runsNeeded = company < crowd ? 1 : 2;
  return new Map(
    [...findings].map(([key, finding]) => {
      const tooEarly = (shownBefore.get(key) ?? 0) < runsNeeded;
      const putOff = finding.surprise === 'confirmed' && droppedInPart(finding) && tooEarly;
      return [key, putOff ? { ...finding, surprise: 'unsettled' as const } : finding];
    }),
  );
}

function droppedInPart({ surprise, fresh, trials }: Finding): boolean {
  if (fresh?.suspicion !== 'regression' || trials.passed === 0) return false;
  return surprise === 'confirmed' || surprise === 'unsettled';
}
