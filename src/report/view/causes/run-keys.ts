import { splitAtModel, withoutPoint } from '../../../cell/cell-key.js';
import { compileGlob } from '../../../cell/cell-pattern.js';

/** The keys of all cells of a run, in which many patterns are looked up. */
export interface RunKeys {
  /** The keys that a pattern matches, in no order; null if one of them is not wanted. */
  matching(pattern: SplitPattern, wanted: ReadonlySet<string>): readonly string[] | null;
}

/** A pattern, divided as {@link splitAtModel} does. */
export type SplitPattern = ReturnType<typeof splitAtModel>;

/** Models are asked the same, so a pattern is tried on what stands before the model once for all of them. */
export function runKeys(keys: readonly string[]): RunKeys {
  const byHead = new Map<string, Map<string, string>>();
  for (const key of keys) {
    const { head, model } = splitAtModel(key);
    const ofHead = byHead.get(head) ?? new Map<string, string>();
    ofHead.set(model ?? '', key);
    byHead.set(head, ofHead);
  }
  const known = new Map<string, readonly ReadonlyMap<string, string>[]>();
  /** As {@link compilePattern} reads the part before the model. */
  const headsOf = (pattern: string): readonly ReadonlyMap<string, string>[] => {
    const before = known.get(pattern);
    if (before !== undefined) return before;
    const isTrue = compileGlob(pattern);
    const allPoints = !pattern.includes('[');
    const found = [...byHead].filter(([head]) => isTrue(head) || (allPoints && isTrue(withoutPoint(head))));
    const heads = found.map(([, ofHead]) => ofHead);
    known.set(pattern, heads);
    return heads;
  };
  return {
    matching({ head, model }, wanted) {
      const isOfModel = model?.includes('*') === true ? compileGlob(model) : null;
      const matched: string[] = [];
      for (const ofHead of headsOf(head)) {
        if (model !== null && isOfModel === null) {
          const key = ofHead.get(model);
          if (key === undefined) continue;
          if (!wanted.has(key)) return null;
          matched.push(key);
          continue;
        }
        for (const [name, key] of ofHead) {
          if (isOfModel?.(name) === false) continue;
          if (!wanted.has(key)) return null;
          matched.push(key);
        }
      }
      return matched;
    },
  };
}
