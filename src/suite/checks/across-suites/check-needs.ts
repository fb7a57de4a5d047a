import { didYouMean } from '../../../files/problems/nearest.js';
import type { Problem } from '../../../files/problems/problem.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import type { Need } from '../../probe.js';
import type { PlacedProbe, SuitesDraft } from '../suites-draft.js';

/** Every probe that another one needs must exist. */
export function* checkNeeds(draft: SuitesDraft): Generator<Problem> {
  for (const placed of draft.probes.values()) yield* unknownProbes(draft, placed, 'needs');
}

/** What a composite document is split into must be probes of single keywords. */
export function* checkSplits(draft: SuitesDraft): Generator<Problem> {
  for (const placed of draft.probes.values()) {
    yield* unknownProbes(draft, placed, 'split');
    const { key, probe, source, path } = placed;
    for (const [index, { probe: part }] of probe.split.entries()) {
      const named = draft.probes.get(part)?.probe;
      if (named === undefined || (named.enforce !== null && part !== key)) continue;
      const message = part === key ? `${key} splits into itself` : `${part} is not a probe with enforce`;
      const hint = 'name probes that break one of these keywords each';
      yield problemAt(source, [...path, 'enforce', 'split', index], message, hint);
    }
  }
}

const wording = {
  needs: { verb: 'needs', below: ['needs'] },
  split: { verb: 'splits into', below: ['enforce', 'split'] },
} as const;

function* unknownProbes(
  { probes, complete }: SuitesDraft,
  { key, probe, source, path }: PlacedProbe,
  list: 'needs' | 'split',
): Generator<Problem> {
  if (!complete) return;
  const { verb, below } = wording[list];
  for (const [index, { probe: name }] of probe[list].entries()) {
    if (probes.has(name)) continue;
    const hint = didYouMean(name, probes.keys(), 'probes') ?? 'is its suite listed under suites in the config?';
    yield problemAt(source, [...path, ...below, index], `${key} ${verb} ${name}, which no suite has`, hint);
  }
}

/** No probe may need itself by way of others. Each cycle is reported once, at the need that closes it. */
export function* checkNeedCycles({ probes }: SuitesDraft): Generator<Problem> {
  const needsOf = (key: string): readonly Need[] => probes.get(key)?.probe.needs ?? [];
  const done = new Set<string>();
  for (const start of probes.keys()) {
    if (done.has(start)) continue;
    const open: { readonly key: string; next: number }[] = [{ key: start, next: 0 }];
    for (let here = open.at(-1); here !== undefined; here = open.at(-1)) {
      const index = here.next++;
      const need = needsOf(here.key)[index]?.probe;
      const placed = probes.get(here.key);
      if (placed === undefined || need === undefined) {
        done.add(here.key);
        open.pop();
        continue;
      }
      const from = open.findIndex(({ key }) => key === need);
      if (from >= 0) {
        const cycle = [...open.slice(from).map(({ key }) => key), need].join(' -> ');
        const message = `${placed.key} needs itself: ${cycle}`;
        yield problemAt(placed.source, [...placed.path, 'needs', index], message, 'remove one of these needs');
      } else if (!done.has(need) && probes.has(need)) open.push({ key: need, next: 0 });
    }
  }
}
