import type { Finding } from './course.js';

/** By cell key: in how many runs in a row, up to the one before, a cell was shown as a regression, alarm or not. */
export type ShownBefore = ReadonlyMap<string, number>;

/** With so many partial drops in one run, a bad hour is likely even if some of the cells already dropped in the run before. */
const manyDrops = 20;

/**
 * Puts off the alarms of partial drops when several cells of one run drop a little, since one bad hour of the service is
 * a likelier cause than several changes. Such a cell is shown as unsettled. It raises an alarm once the next run confirms
 * it again, or the next two if many cells dropped, since two bad hours in a row would hit some cells twice. A cell that
 * is the only one to drop, or that no longer passes at all, raises an alarm at once.
 * @param findings by cell key, of one run
 * @param shownBefore null when it is not known: then no alarm is put off
 */
export function withoutBadHour(
  findings: ReadonlyMap<string, Finding>,
  shownBefore: ShownBefore | null,
): ReadonlyMap<string, Finding> {
  if (shownBefore === null) return findings;
  const drops = [...findings.values()].filter(isPartialDrop).length;
  if (drops < 2) return findings;
  const runsNeeded = drops < manyDrops ? 1 : 2;
  return new Map(
    [...findings].map(([key, finding]) => {
      const tooEarly = (shownBefore.get(key) ?? 0) < runsNeeded;
      const putOff = finding.surprise === 'confirmed' && isPartialDrop(finding) && tooEarly;
      return [key, putOff ? { ...finding, surprise: 'unsettled' as const } : finding];
    }),
  );
}

function isPartialDrop({ surprise, fresh, trials, threshold }: Finding): boolean {
  if (fresh?.suspicion !== 'regression') return false;
  // Where a threshold has risen, the trials of the finding are those at its new value.
  const passed = threshold === null ? trials.passed : fresh.passed;
  if (passed === 0) return false;
  return surprise === 'confirmed' || surprise === 'unsettled';
}
