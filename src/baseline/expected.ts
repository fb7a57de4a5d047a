import type { Outcome } from '../judge/outcome.js';
import { splitAtModel } from '../cell/cell-key.js';
import { indexCovers, type CoverIndex } from './cover-index.js';
import type { Baseline, BaselineEntry, Expected, StoredThreshold } from './entries.js';

interface Index {
  readonly entries: ReadonlyMap<string, BaselineEntry>;
  readonly thresholds: ReadonlyMap<string, Pick<StoredThreshold, 'value' | 'fails_at'>>;
  readonly trialsOf: CoverIndex;
}

const indexes = new WeakMap<Baseline, Index>();

/**
 * What the baseline expects of a cell. An entry counts even if no pattern of `covers` matches it, since whoever wrote it
 * has accepted the cell. Without a baseline every cell is new.
 * @param itself the cell is not asked in every run, so that the line of its probe says nothing of it
 */
export function expectedOf(baseline: Baseline | null, key: string, itself = false): Expected {
  if (baseline === null) return { kind: 'new' };
  const { entries, thresholds, trialsOf } = indexOf(baseline);
  const covered = trialsOf(key, itself);
  const entry = entries.get(key);
  if (entry !== undefined) return { kind: 'entry', entry, ...known(trialsOfEntry(entry, covered)) };
  const stored = thresholds.get(key);
  if (stored === undefined && covered === undefined) return { kind: 'new' };
  const failsAt = stored?.fails_at === undefined ? {} : { failsAt: stored.fails_at };
  return { kind: 'pass', threshold: stored?.value ?? null, ...failsAt, ...known(covered) };
}

function known(trials: number | null | undefined): { readonly trials?: number } {
  return trials === null || trials === undefined ? {} : { trials };
}

/** A provisional entry that does not count its trials rests on those of its cover, or else on at least one. */
function trialsOfEntry({ total, provisional }: BaselineEntry, covered: number | null | undefined): number | null {
  return total ?? (provisional ? (covered ?? 1) : null);
}

/**
 * Which models the baseline names, by the key `TARGET/MODEL`: all whose id stands in an entry, a threshold, `wire` or
 * `covers`. Any other model is new. A pattern such as `*@demo/*` names no model: it matches misspelt ids as well.
 */
export function modelsNamedBy(baseline: Baseline | null): (model: string) => boolean {
  if (baseline === null) return () => false;
  const { covers, wire = [], expect, thresholds = [] } = baseline;
  const keys = [
    ...covers.map(({ cells }) => cells),
    ...expect.map(({ key }) => key),
    ...thresholds.map(({ key }) => key),
  ];
  const named = new Set([...keys.map((key) => splitAtModel(key).model), ...wire.map(({ model }) => model)]);
  return (model) => named.has(model);
}

function indexOf(baseline: Baseline): Index {
  const indexed = indexes.get(baseline);
  if (indexed !== undefined) return indexed;
  const index: Index = {
    entries: new Map(baseline.expect.map((entry) => [entry.key, entry])),
    thresholds: new Map((baseline.thresholds ?? []).map((stored) => [stored.key, stored])),
    trialsOf: indexCovers(baseline.covers),
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
