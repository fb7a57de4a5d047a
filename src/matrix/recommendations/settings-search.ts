import { coveredBy, covers, free, partsOf, type Choice } from './choice.js';
import type { Count } from '../../stats/count.js';
import type { Evidence } from './evidence.js';
import { asFarAsAsked } from './as-far-as-asked.js';
import { mayBeLuck } from './luck.js';
import type { Standard } from './standards.js';

/** A choice under which everything that was judged meets the standard. */
export interface Found {
  readonly choice: Choice;
  /** What was judged under it. */
  readonly holding: readonly Evidence[];
  /** Only a caveat can say all of it, so forms that need less come first. */
  readonly awkward: boolean;
}

/** A step of the search: a restriction, and how much is asked of the client by it. */
interface Restricted {
  readonly choice: Choice;
  readonly cost: number;
}

/** More than any combination of settings costs, so that a form with this restriction comes after those without. */
const awkwardCost = 10;
const mostCost = 25;

/**
 * The least that a client must observe so that all contrary evidence is about other requests than its own; null if there
 * is no such choice. Restrictions are tried in the order of what they cost.
 */
export function searchSettings(
  all: readonly Evidence[],
  standard: Standard,
  background: Count | null = null,
): Found | null {
  const { isGood } = standard;
  const valuesFail = all.some((one) => !isGood(one) && one.judgesValues && one.onlyValuesWrong);
  const open: Restricted[] = [{ choice: free, cost: 0 }];
  const seen = new Set<string>();
  for (;;) {
    const next = cheapest(open);
    if (next === null) return null;
    const { choice } = next;
    const holding = coveredBy(choice, all);
    if (!holding.some(isGood)) continue;
    const contrary = standard.contraryIn(holding);
    const vouched = contrary === undefined ? asFarAsAsked(choice, holding, all, isGood) : choice;
    if (contrary === undefined && vouched === choice) {
      if (valuesFail && !holding.some((one) => one.judgesValues)) continue;
      if (standard.isEnough(holding) && isWitnessed(choice, all, isGood) && !mayBeLuck(choice, all, background))
        return { choice, holding, awkward: next.cost >= awkwardCost };
      continue;
    }
    const steps =
      contrary === undefined
        ? [{ choice: vouched, cost: 0 }]
        : restrictionsAgainst(
            contrary,
            choice,
            holding.filter((one) => one !== contrary && isGood(one)),
          );
    for (const step of steps) {
      const key = keyOf(step.choice);
      if (seen.has(key) || next.cost + step.cost > mostCost) continue;
      seen.add(key);
      open.push({ choice: step.choice, cost: next.cost + step.cost });
    }
  }
}

function cheapest(open: Restricted[]): Restricted | null {
  const first = open.reduce<Restricted | null>(
    (best, one) => (best === null || one.cost < best.cost ? one : best),
    null,
  );
  if (first !== null) open.splice(open.indexOf(first), 1);
  return first;
}

function keyOf({ labels, from, below, noCap }: Choice): string {
  return JSON.stringify([Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)), from, below, noCap]);
}

/** Restrictions that rule out a contrary request and leave some good ones. */
function* restrictionsAgainst(contrary: Evidence, choice: Choice, good: readonly Evidence[]): Generator<Restricted> {
  const names = new Set([contrary, ...good].flatMap(({ labels }) => Object.keys(labels)));
  for (const name of names) {
    if (name in choice.labels || name === 'tool_choice') continue;
    const bad = contrary.labels[name];
    if (bad !== undefined && contrary.optional.has(name))
      yield { choice: { ...choice, labels: { ...choice.labels, [name]: null } }, cost: 0.5 };
    for (const label of new Set(good.flatMap(({ labels }) => labels[name] ?? []))) {
      if (label === bad || unhelpful.has(`${name}=${label}`)) continue;
      const cost = costs.get(`${name}=${label}`) ?? usualCost;
      yield { choice: { ...choice, labels: { ...choice.labels, [name]: label } }, cost };
    }
  }
  yield* capsAgainst(contrary, choice, good);
}

const usualCost = 2;
const costs: ReadonlyMap<string, number> = new Map([
  ['stream=false', 1],
  ['stream=true', awkwardCost],
  ['json_word=present', 1],
  ['tools=one', awkwardCost],
  ['strict=false', awkwardCost],
]);

/** Nobody sends these to be understood better. */
const unhelpful: ReadonlySet<string> = new Set(['json_word=absent', 'tools=several']);

function* capsAgainst(contrary: Evidence, choice: Choice, good: readonly Evidence[]): Generator<Restricted> {
  const { cap } = contrary;
  if (choice.noCap) return;
  const caps = [...new Set(good.flatMap((one) => one.cap ?? []))].sort((a, b) => a - b);
  const from = caps.find((one) => one > (cap ?? 0) && one > (choice.from ?? 0));
  if (from !== undefined) yield { choice: { ...choice, from }, cost: lacksTokens(contrary) ? 1 : 3 };
  if (cap === null) return;
  if (caps.some((one) => one < cap)) yield { choice: { ...choice, below: cap }, cost: 3 };
  if (good.some((one) => one.cap === null)) yield { choice: { ...choice, noCap: true }, cost: 4 };
}

/** More tokens mend other failures seldom; a search for the least cap does not keep how the smaller ones failed. */
function lacksTokens({ cell, isSearched }: Evidence): boolean {
  return isSearched || cell.class === 'truncated' || cell.class === 'empty_content';
}

/**
 * Whether some probe shows of each setting that it matters: it fails without and passes with it. Otherwise cells may pass
 * under the setting for another reason. Streams and further tools have probes of their own.
 */
function isWitnessed(choice: Choice, all: readonly Evidence[], isGood: Standard['isGood']): boolean {
  const holding = new Set(all.filter((one) => isGood(one) && covers(choice, one)).map(({ probe }) => probe));
  return partsOf(choice).every(
    ({ single, rest, name, isLeftOut }) =>
      isLeftOut ||
      (name !== null && hasOwnProbes.has(name)) ||
      coveredBy(rest, all).every(isGood) ||
      all.some((one) => holding.has(one.probe) && !isGood(one) && covers(rest, one) && !covers(single, one)),
  );
}

const hasOwnProbes: ReadonlySet<string> = new Set(['stream', 'tools']);
