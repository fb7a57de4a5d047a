import { splitAtModel, withoutPoint } from '../../../cell/cell-key.js';
import { compilePattern } from '../../../cell/cell-pattern.js';
import { groupBy } from '../../../json/group-by.js';
import type { RunKeys, SplitPattern } from './run-keys.js';

/**
 * Few patterns that match exactly these cell keys and no other key of the run; null if there are none, since a key that
 * holds a star matches others as well.
 */
export function exactPatterns(keys: readonly string[], all: RunKeys): readonly string[] | null {
  const wanted = new Set(keys);
  const [only] = wanted;
  if (only !== undefined && wanted.size === 1 && all.matching(splitAtModel(only), wanted) !== null) return [only];
  const models = groupBy(wanted, (key) => splitAtModel(key).model ?? '');
  const each = ofEachModel(models, wanted, all);
  if (models.size === 1) return each;
  // What several models share is shorter without them, unless it takes many patterns to say it. What one model of them
  // does not have is not shared.
  const fewest = [...models.values()].reduce((one, other) => (other.length < one.length ? other : one));
  const shared = cover(candidatesFor(fewest, null), wanted, wanted, all);
  const tests = shared.map(compilePattern);
  const rest = [...wanted].filter((key) => !tests.some((isTrue) => isTrue(key)));
  const others = ofEachModel(
    groupBy(rest, (key) => splitAtModel(key).model ?? ''),
    wanted,
    all,
  );
  if (each === null || others === null) return each ?? others;
  return shared.length + others.length <= each.length ? [...shared, ...others] : each;
}

function ofEachModel(
  models: ReadonlyMap<string, readonly string[]>,
  wanted: ReadonlySet<string>,
  all: RunKeys,
): readonly string[] | null {
  const patterns: string[] = [];
  for (const [model, keys] of models) {
    const open = new Set(keys);
    const found = cover([...candidatesFor(keys, model), ...keys.map(splitAtModel)], open, wanted, all);
    const tests = found.map(compilePattern);
    if (!keys.every((key) => tests.some((isTrue) => isTrue(key)))) return null;
    for (const pattern of found) patterns.push(pattern);
  }
  return patterns;
}

/** Patterns that match as many of the open keys as can be, and no key that is not wanted. */
function cover(
  patterns: readonly SplitPattern[],
  open: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
  all: RunKeys,
): readonly string[] {
  const candidates = patterns.flatMap((pattern) => {
    const matched = all.matching(pattern, wanted);
    return matched === null || matched.length === 0 ? [] : [{ pattern, matched }];
  });
  const chosen: string[] = [];
  const left = new Set(open);
  while (left.size > 0) {
    const best = mostOf(candidates, left);
    if (best === null) break;
    chosen.push(textOf(best.pattern));
    for (const key of best.matched) left.delete(key);
  }
  return chosen;
}

interface Candidate {
  readonly pattern: SplitPattern;
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

const textOf = ({ head, model }: SplitPattern): string => (model === null ? head : `${head}@${model}`);

/** Both are of one model, or of all. */
function isSimpler({ head: one }: SplitPattern, { head: other }: SplitPattern): boolean {
  return one.length === other.length ? one < other : one.length < other.length;
}

/**
 * What people would write: a label, a probe or a suite.
 * @param model null: for patterns of all models
 */
function candidatesFor(keys: readonly string[], model: string | null): readonly SplitPattern[] {
  const heads = new Set(keys.flatMap((key) => candidatesOf(splitAtModel(key).head)));
  return [...heads].map((head) => ({ head, model }));
}

/** The same for one cell, without its model. */
function candidatesOf(head: string): readonly string[] {
  const probe = withoutPoint(head);
  const suite = probe.slice(0, probe.indexOf('/'));
  const labels = head === probe ? [] : head.slice(probe.length + 1, -1).split(',');
  return ['*', `${suite}/*`, probe].flatMap((path) => [
    path,
    ...labels.flatMap((label, index) => {
      // The longer form tells `n=16` from `n=160` and `max_n=16`.
      const [before, after] = [index === 0 ? '' : '*,', index === labels.length - 1 ? '' : ',*'];
      return [`${path}[*${label}*]`, `${path}[${before}${label}${after}]`];
    }),
  ]);
}
