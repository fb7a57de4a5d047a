import { splitAtModel, withoutPoint } from '../../../cell/cell-key.js';
import { compilePattern } from '../../../cell/cell-pattern.js';
import { groupBy } from '../../../json/group-by.js';

/** The keys of all cells of a run, in which many patterns are looked up. */
export interface RunKeys {
  /** The keys that a pattern matches; null if one of them is not wanted. */
  matching(pattern: string, wanted: ReadonlySet<string>): readonly string[] | null;
}

export function runKeys(keys: readonly string[]): RunKeys {
  const byModel = groupBy(keys, (key) => splitAtModel(key).model ?? '');
  const byPath = groupBy(keys, (key) => withoutPoint(splitAtModel(key).head));
  const bySuite = groupBy(keys, (key) => suiteOf(key));
  const none: readonly string[] = [];

  /** The shortest list that holds every key of the pattern. */
  const among = (pattern: string): readonly string[] => {
    const { head, model } = splitAtModel(pattern);
    const path = withoutPoint(head);
    const lists = [
      keys,
      ...(model === null || model.includes('*') ? [] : [byModel.get(model) ?? none]),
      ...(path.includes('*') ? [] : [byPath.get(path) ?? none]),
      ...(suiteOf(pattern).includes('*') ? [] : [bySuite.get(suiteOf(pattern)) ?? none]),
    ];
    return lists.reduce((shortest, list) => (list.length < shortest.length ? list : shortest));
  };

  return {
    matching(pattern, wanted) {
      const isTrue = compilePattern(pattern);
      const matched: string[] = [];
      for (const key of among(pattern)) {
        if (!isTrue(key)) continue;
        if (!wanted.has(key)) return null;
        matched.push(key);
      }
      return matched;
    },
  };
}

/** Of a key or a pattern; a pattern that does not begin with a suite has a star. */
function suiteOf(key: string): string {
  const slash = key.indexOf('/');
  const at = key.indexOf('@');
  return slash === -1 || (at !== -1 && at < slash) ? '*' : key.slice(0, slash);
}
