import { didYouMean } from '../files/nearest.js';
import type { Problem } from '../files/problem.js';
import { problemAt } from '../files/problem-at.js';
import type { Source } from '../files/source.js';
import type { ReadSuite } from './read-suite.js';

interface Needing {
  readonly key: string;
  readonly needs: readonly string[];
  readonly source: Source;
  readonly path: readonly (string | number)[];
}

/** Every needed probe must exist (unless a suite could not be read), and no probe may come to need itself. */
export function* needProblems(suites: readonly ReadSuite[], complete: boolean): Generator<Problem> {
  const probes = new Map<string, Needing>();
  for (const { suite, source } of suites) {
    for (const probe of suite.probes) {
      const key = `${suite.name}/${probe.name}`;
      const needs = probe.needs.map((need) => need.probe);
      probes.set(key, { key, needs, source, path: ['probes', probe.name, 'needs'] });
    }
  }
  for (const { key, needs, source, path } of probes.values()) {
    for (const [index, need] of needs.entries()) {
      if (probes.has(need) || !complete) continue;
      const hint = didYouMean(need, probes.keys(), 'probes') ?? 'is its suite listed under suites in the config?';
      yield problemAt(source, [...path, index], `${key} needs ${need}, which no suite holds`, hint);
    }
  }
  yield* cycles(probes);
}

/** Each circle once, at the need that closes it. */
function* cycles(probes: ReadonlyMap<string, Needing>): Generator<Problem> {
  const done = new Set<string>();
  for (const start of probes.keys()) {
    if (done.has(start)) continue;
    const open: { readonly key: string; next: number }[] = [{ key: start, next: 0 }];
    for (let here = open.at(-1); here !== undefined; here = open.at(-1)) {
      const probe = probes.get(here.key);
      const index = here.next++;
      const need = probe?.needs[index];
      if (probe === undefined || need === undefined) {
        done.add(here.key);
        open.pop();
        continue;
      }
      const from = open.findIndex(({ key }) => key === need);
      if (from >= 0) {
        const way = [...open.slice(from).map(({ key }) => key), need].join(' -> ');
        yield problemAt(
          probe.source,
          [...probe.path, index],
          `${probe.key} comes to need itself: ${way}`,
          'take one of these needs away',
        );
      } else if (!done.has(need) && probes.has(need)) open.push({ key: need, next: 0 });
    }
  }
}
