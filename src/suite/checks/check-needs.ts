import { didYouMean } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import type { Source } from '../../files/source.js';
import type { Probe } from '../probe.js';
import type { ReadSuite } from '../read/read-suite.js';

interface Naming {
  readonly key: string;
  readonly needs: readonly string[];
  readonly source: Source;
  readonly path: readonly (string | number)[];
}

/**
 * Every probe that another one names must exist (unless a suite could not be read); no probe may come to need itself;
 * and what a composite document is split into must be probes of single keywords.
 */
export function* needProblems(suites: readonly ReadSuite[], complete: boolean): Generator<Problem> {
  const probes = new Map<string, Naming & { readonly probe: Probe }>();
  for (const { suite, source } of suites) {
    for (const probe of suite.probes) {
      const key = `${suite.name}/${probe.name}`;
      const needs = probe.needs.map((need) => need.probe);
      probes.set(key, { key, needs, source, path: ['probes', probe.name], probe });
    }
  }
  for (const { key, needs, source, path, probe } of probes.values()) {
    const split = probe.split.map((named) => named.probe);
    if (complete) {
      yield* unknown(needs, probes, { source, path: [...path, 'needs'], what: `${key} needs` });
      yield* unknown(split, probes, { source, path: [...path, 'enforce', 'split'], what: `${key} splits into` });
    }
    for (const [index, part] of split.entries()) {
      const named = probes.get(part)?.probe;
      if (named === undefined || (named.enforce !== null && part !== key)) continue;
      const message = part === key ? `${key} splits into itself` : `${part} is no probe with enforce`;
      const hint = 'name the probes that break one of these keywords each';
      yield problemAt(source, [...path, 'enforce', 'split', index], message, hint);
    }
  }
  yield* cycles(probes);
}

function* unknown(
  names: readonly string[],
  probes: ReadonlyMap<string, Naming>,
  { source, path, what }: Pick<Naming, 'source' | 'path'> & { readonly what: string },
): Generator<Problem> {
  for (const [index, name] of names.entries()) {
    if (probes.has(name)) continue;
    const hint = didYouMean(name, probes.keys(), 'probes') ?? 'is its suite listed under suites in the config?';
    yield problemAt(source, [...path, index], `${what} ${name}, which no suite holds`, hint);
  }
}

/** Each circle once, at the need that closes it. */
function* cycles(probes: ReadonlyMap<string, Naming>): Generator<Problem> {
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
          [...probe.path, 'needs', index],
          `${probe.key} comes to need itself: ${way}`,
          'take one of these needs away',
        );
      } else if (!done.has(need) && probes.has(need)) open.push({ key: need, next: 0 });
    }
  }
}
