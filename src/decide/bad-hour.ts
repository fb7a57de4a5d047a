import type { Finding } from './course.js';

/** By cell key: in how many runs in a row, up to the one before, a cell was shown as a regression, alarm or not. */
export type ShownBefore = ReadonlyMap<string, number>;

/** With so many partial drops in one run, a bad hour is likely even when some of the cells dropped the run before. */
const manyDrops = 20;

/**
 * Puts off the alarms of partial drops when several cells of one run drop a little: one hour in which everything went
 * badly explains that better than several changes do. Such a cell is shown as unsettled and alarms when the next run
 * confirms it again, or, with many drops at once, when the next two do, since two bad hours in a row would hit some
 * cells twice. A cell that drops alone, or that no longer passes at all, alarms at once.
 * @param findings by cell key, of one run
 * @param shownBefore null when it is not known: then no alarm is put off
 */
export function withoutBadHour(
  findings: ReadonlyMap<string, Finding>,
  shownBefore: ShownBefore | null,
): ReadonlyMap<string, Finding> {
  if (shownBefore === null) return findings;
  const drops = [...findings.values()].filter(droppedInPart).length;
  if (drops < 2) return findings;
  const runsNeeded = drops < manyDrops ? 1 : 2;
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
