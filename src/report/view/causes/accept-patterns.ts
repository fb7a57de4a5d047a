import { splitAtModel, withoutPoint } from '../../../cell/cell-key.js';
import { compilePattern } from '../../../cell/cell-pattern.js';
import { groupBy } from '../../../json/group-by.js';

/**
 * The fewest patterns found that match exactly these cell keys and no other key of the run; null if there are none, since
 * a key that holds a star matches others as well.
 */
export function exactPatterns(keys: readonly string[], all: RunKeys): readonly string[] | null {
  const wanted = new Set(keys);
  const [only] = wanted;
  if (only !== undefined && wanted.size === 1 && all.matching(only, wanted) !== null) return [only];
  const candidates = [...candidatesFor(keys)].flatMap((pattern) => {
    const matched = all.matching(pattern, wanted);
    return matched === null || matched.length === 0 ? [] : [{ pattern, matched }];
  });
  const chosen: string[] = [];
  const open = new Set(wanted);
  while (open.size > 0) {
    const best = mostOf(candidates, open);
    if (best === null) return null;
    chosen.push(best.pattern);
    for (const key of best.matched) open.delete(key);
  }
  return chosen;
}

interface Candidate {
  readonly pattern: string;
  readonly matched: readonly string[];
}

/** The candidate that matches most of the open keys; null: none matches any. */
function mostOf(candidates: readonly Candidate[], open: ReadonlySet<string>): Candidate | null {
  const gains = candidates.map((candidate) => ({
    candidate,
    gain: candidate.matched.filter((key) => open.has(key)).length,
  }));
  const best = gains.reduce<(typeof gains)[number] | null>(
    (found, one) =>
      found === null ||
      one.gain > found.gain ||
      (one.gain === found.gain && isSimpler(one.candidate.pattern, found.candidate.pattern))
        ? one
        : found,
    null,
  );
  return best === null || best.gain === 0 ? null : best.candidate;
}

function isSimpler(one: string, other: string): boolean {
  return one.length === other.length ? one < other : one.length < other.length;
}

/** The keys of all cells of a run, which many groups are looked up in. */
export interface RunKeys {
  /** The keys that a pattern matches; null if one of them is not wanted. */
  matching(pattern: string, wanted: ReadonlySet<string>): readonly string[] | null;
}

export function runKeys(keys: readonly string[]): RunKeys {
  const byModel = groupBy(keys, (key) => splitAtModel(key).model ?? '');
  return {
    matching(pattern, wanted) {
      const { model } = splitAtModel(pattern);
      const isTrue = compilePattern(pattern);
      const matched: string[] = [];
      // A pattern without a model is about all models, and one with a star in it about several.
      for (const key of model === null || model.includes('*') ? keys : (byModel.get(model) ?? [])) {
        if (!isTrue(key)) continue;
        if (!wanted.has(key)) return null;
        matched.push(key);
      }
      return matched;
    },
  };
}

/** What people would write: a label, a probe or a suite, of one model or of all. */
function candidatesFor(keys: readonly string[]): ReadonlySet<string> {
  const heads = new Set<string>();
  const models = new Set<string>();
  for (const key of keys) {
    const { head, model } = splitAtModel(key);
    const probe = withoutPoint(head);
    const suite = probe.slice(0, probe.indexOf('/'));
    if (model !== null) models.add(model);
    for (const path of ['*', `${suite}/*`, probe]) heads.add(path);
    const labels = head === probe ? [] : head.slice(probe.length + 1, -1).split(',');
    for (const label of labels) {
      for (const path of ['*', `${suite}/*`, probe]) for (const form of labelForms(label)) heads.add(`${path}${form}`);
    }
  }
  const ofModels = [...models].flatMap((model) => [...heads].map((head) => `${head}@${model}`));
  return new Set([...(models.size > 1 ? heads : []), ...ofModels, ...keys]);
}

/** A label anywhere in a point; the longer forms tell `n=16` from `n=160` and `max_n=16`. */
function labelForms(label: string): readonly string[] {
  return [`[*${label}*]`, `[${label}]`, `[${label},*]`, `[*,${label}]`, `[*,${label},*]`];
}
