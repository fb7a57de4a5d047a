import { cellKey, parseCellKey, splitAtModel } from '../cell/cell-key.js';
import { compilePattern, matches } from '../cell/cell-pattern.js';
import { isJudged } from '../cell/verdict.js';
import type { AcceptedCell } from './accepted-run.js';

/**
 * The patterns of `covers`, widened until they reach every accepted cell, a line a probe where that is possible: a
 * probe that is written later has not been looked at, so it must come out as new. A new pattern reaches no cell of the
 * run that was not accepted and no model of which nothing was judged. Patterns that a new one makes superfluous go.
 * Wider ones (`*@TARGET/*`) are for people to write.
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

/** From the probe on all models to the single cell, each level sorted: of two that reach the same, the wider is easier to read. */
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

/** A star of the narrower pattern must find a star of the wider one, so reading it as a key errs on the safe side. */
function reachesAllOf(wider: string, narrower: string): boolean {
  return matches(wider, splitAtModel(narrower).model === null ? `${narrower}@*` : narrower);
}
