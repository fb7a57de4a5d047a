import type { Outcome } from '../judge/outcome.js';
import type { Baseline, BaselineEntry, Expected } from './entries.js';
import { compilePattern, type PatternTest } from '../cell/cell-pattern.js';

interface Index {
  readonly entries: ReadonlyMap<string, BaselineEntry>;
  readonly thresholds: ReadonlyMap<string, number>;
  readonly covers: readonly PatternTest[];
}

const indexes = new WeakMap<Baseline, Index>();

/**
 * What the baseline expects of a cell. An entry counts even if no pattern of `covers` matches it, since whoever wrote it
 * has accepted the cell. Without a baseline every cell is new.
 */
export function expectedOf(baseline: Baseline | null, key: string): Expected {
  if (baseline === null) return { kind: 'new' };
  const { entries, thresholds, covers } = indexOf(baseline);
  const entry = entries.get(key);
  if (entry !== undefined) return { kind: 'entry', entry };
  const threshold = thresholds.get(key) ?? null;
  if (threshold !== null || covers.some((covered) => covered(key))) return { kind: 'pass', threshold };
  return { kind: 'new' };
}

function indexOf(baseline: Baseline): Index {
  const known = indexes.get(baseline);
  if (known !== undefined) return known;
  const index: Index = {
    entries: new Map(baseline.expect.map((entry) => [entry.key, entry])),
    thresholds: new Map((baseline.thresholds ?? []).map(({ key, value }) => [key, value])),
    covers: baseline.covers.map(compilePattern),
  };
  indexes.set(baseline, index);
  return index;
}

/** Whether a failure is the one that the entry names. Members that the entry leaves out are not compared. */
export function failsAsKnown(entry: BaselineEntry, failure: Pick<Outcome, 'class' | 'reason' | 'status'>): boolean {
  return (['class', 'reason', 'status'] as const).every(
    (field) => entry[field] === null || entry[field] === failure[field],
  );
}
