import { cellKey, parseCellKey, splitAtModel } from '../cell/cell-key.js';
import { compilePattern, matches } from '../cell/cell-pattern.js';
import { isJudged } from '../cell/verdict.js';
import type { AcceptedCell } from './accepted-run.js';

/**
 * The patterns of `covers`, extended until they match every accepted cell, with one line for each probe where possible.
 * They name probes so that the cells of a probe that is added later are new. A new pattern matches no cell of the run
 * that was not accepted and no model without a judged cell; it replaces the patterns that it makes superfluous. Wider
 * patterns (`*@TARGET/*`) are left to people.
 */
export function widenedCovers(
  covers: readonly string[],
  cells: readonly AcceptedCell[],
  only: string | null,
): readonly string[] {
  const isOnly = only === null ? () => true : compilePattern(only);
  const known = covers.map(compilePattern);
  const accepted = cells.filter((cell) => isOnly(cell.key) && isJudged(cell));
  let open = accepted.filter(({ key }) => !known.some((covered) => covered(key)));
  const measured = new Set(cells.filter(isJudged).map(({ model }) => model));
  const foreign = cells.filter((cell) => !isOnly(cell.key) || !measured.has(cell.model));

  const added: string[] = [];
  let candidates = candidatesFor(open, only).map((pattern) => ({ pattern, test: compilePattern(pattern) }));
  candidates = candidates.filter(({ test }) => !foreign.some(({ key }) => test(key)));
  while (open.length > 0) {
    const reach = candidates.map(({ test }) => open.filter(({ key }) => test(key)).length);
    const best = candidates[reach.indexOf(Math.max(...reach))];
    if (best === undefined) break;
    added.push(best.pattern);
    open = open.filter(({ key }) => !best.test(key));
  }
  const kept = covers.filter((pattern) => !added.some((wider) => reachesAllOf(wider, pattern)));
  return [...kept, ...added.sort()];
}

/** From the probe on all models to the single cell, each level sorted: of two with the same matches, the wider wins. */
function candidatesFor(cells: readonly AcceptedCell[], only: string | null): readonly string[] {
  const levels = cells.map(({ key, model }) => {
    const parts = parseCellKey(key);
    if (parts === null) return [key];
    const probe = `${parts.suite}/${parts.probe}`;
    return [cellKey(probe, [], `${parts.target}/*`), cellKey(probe, [], model), key];
  });
  const depth = Math.max(0, ...levels.map((level) => level.length));
  const byWidth = Array.from({ length: depth }, (_, index) => levels.flatMap((level) => level[index] ?? []).sort());
  return [...new Set([...(only === null ? [] : [only]), ...byWidth.flat()])];
}

/** Reads the narrower pattern as a key. Its stars then only match stars of the wider one, which errs on the safe side. */
function reachesAllOf(wider: string, narrower: string): boolean {
  return matches(wider, splitAtModel(narrower).model === null ? `${narrower}@*` : narrower);
}
