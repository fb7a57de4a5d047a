import { groupBy } from '../../json/group-by.js';
import type { Evidence, Sent } from './evidence.js';

/** What a client sends with a form. What is not named is not sent, or may be as the client likes. */
export interface Choice {
  /** By axis or member; null: it must not be sent. */
  readonly labels: Readonly<Record<string, string | null>>;
  /** At least so many tokens, and fewer than so many; null: no bound. */
  readonly from: number | null;
  readonly below: number | null;
  readonly noCap: boolean;
}

/** A choice under which everything that was judged is good. */
export interface Found {
  readonly choice: Choice;
  /** What was judged under it. */
  readonly holding: readonly Evidence[];
  /** Only a caveat can say all of it, so forms that need less come first. */
  readonly awkward: boolean;
}

/** The cap of the basic example: what fails below it says nothing about a form. */
export const usualCap = 512;

const free: Choice = { labels: {}, from: null, below: null, noCap: false };

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
export function searchSettings(all: readonly Evidence[], isGood: (evidence: Evidence) => boolean): Found | null {
  const counted = all.filter((one) => isGood(one) || one.cap === null || one.cap >= usualCap);
  const valuesFail = counted.some((one) => !isGood(one) && one.judgesValues && one.onlyValuesWrong);
  const open: Restricted[] = [{ choice: free, cost: 0 }];
  const seen = new Set<string>();
  for (;;) {
    const next = cheapest(open);
    if (next === null) return null;
    const holding = counted.filter((one) => covers(next.choice, one));
    if (!holding.some(isGood)) continue;
    const contrary = holding.find((one) => !isGood(one));
    if (contrary === undefined) {
      if (valuesFail && !holding.some((one) => one.judgesValues)) continue;
      if (isWitnessed(next.choice, all, isGood) && !mayBeLuck(next.choice, counted, isGood))
        return { choice: next.choice, holding, awkward: next.cost >= awkwardCost };
      continue;
    }
    for (const { choice, cost } of restrictionsAgainst(contrary, next.choice, holding.filter(isGood))) {
      const key = keyOf(choice);
      if (seen.has(key) || next.cost + cost > mostCost) continue;
      seen.add(key);
      open.push({ choice, cost: next.cost + cost });
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

/** Whether a request of this kind is one that the client would send. */
export function covers({ labels, from, below, noCap }: Choice, { labels: sent, cap }: Sent): boolean {
  // Only those who ask for it send a schema without strict.
  if (sent['strict'] === 'false' && labels['strict'] !== 'false') return false;
  for (const [name, label] of Object.entries(labels)) {
    const value = sent[name];
    if (label === null ? value !== undefined : value !== label) return false;
  }
  if (noCap) return cap === null;
  return (from === null || (cap !== null && cap >= from)) && (below === null || (cap !== null && cap < below));
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
  if (from !== undefined && lacksTokens(contrary)) yield { choice: { ...choice, from }, cost: 1 };
  if (cap === null) return;
  if (caps.some((one) => one < cap)) yield { choice: { ...choice, below: cap }, cost: 3 };
  if (good.some((one) => one.cap === null)) yield { choice: { ...choice, noCap: true }, cost: 4 };
}

/** More tokens mend no other failure; a search for the least cap does not keep how the smaller ones failed. */
function lacksTokens({ cell, isSearched }: Evidence): boolean {
  return isSearched || cell.class === 'truncated' || cell.class === 'empty_content';
}

/**
 * Whether some probe shows of each setting that it matters: it fails without and passes with it. Otherwise cells may pass
 * under the setting for another reason.
 */
function isWitnessed(choice: Choice, all: readonly Evidence[], isGood: (evidence: Evidence) => boolean): boolean {
  const holding = new Set(all.filter((one) => isGood(one) && covers(choice, one)).map(({ probe }) => probe));
  return restrictionsIn(choice).every((single) =>
    all.some((one) => holding.has(one.probe) && !isGood(one) && !covers(single, one)),
  );
}

/** So many passes in a row are hardly luck. */
const enoughTrials = 10;

/** Requests that the choice leaves out pass and fail alike, so a few passes of the others may be chance. */
function mayBeLuck(choice: Choice, counted: readonly Evidence[], isGood: (evidence: Evidence) => boolean): boolean {
  const holding = counted.filter((one) => covers(choice, one));
  if (holding.reduce((sum, { trials }) => sum + trials.total, 0) >= enoughTrials) return false;
  return restrictionsIn(choice).some((single) => {
    const [name] = Object.keys(single.labels);
    const without =
      name === undefined ? { ...choice, from: null, below: null } : { ...choice, labels: others(choice, name) };
    // Without a cap, it is the service that chooses one, and it may choose different ones.
    const leftOut = counted.filter(
      (one) => covers(without, one) && !covers(single, one) && (name !== undefined || one.cap !== null),
    );
    const alike = groupBy(leftOut, ({ labels, cap }) => String(name === undefined ? cap : labels[name]));
    return [...alike.values()].some((group) => group.some(isGood) && !group.every(isGood));
  });
}

function others({ labels }: Choice, name: string): Choice['labels'] {
  return Object.fromEntries(Object.entries(labels).filter(([one]) => one !== name));
}

/** Each by itself. Streams and further tools have probes of their own. */
function restrictionsIn({ labels, from, below }: Choice): Choice[] {
  const settings = Object.entries(labels).filter(
    ([name, label]) => label !== null && name !== 'stream' && name !== 'tools',
  );
  return [
    ...settings.map(([name, label]) => ({ ...free, labels: { [name]: label } })),
    ...(from === null ? [] : [{ ...free, from }]),
    ...(below === null ? [] : [{ ...free, below }]),
  ];
}

/**
 * The cap to send: the largest of the thresholds that were measured, since a smaller one held only for shorter answers.
 * A search finds the least cap for one answer, so the next one that probes were judged with is sent instead. null where
 * any usual cap will do.
 */
export function capOf(
  { choice, holding }: Found,
  all: readonly Evidence[],
  isGood: (evidence: Evidence) => boolean,
): number | null {
  if (choice.below !== null) return Math.max(...holding.flatMap(({ cap }) => cap ?? []));
  if (choice.from === null) return null;
  const comparable = all.filter((one) => one.cap !== null && covers({ ...choice, from: null }, one));
  const series = [...groupBy(comparable, ({ cell }) => seriesOf(cell.key)).values()];
  const least = Math.max(choice.from, ...series.flatMap((own) => thresholdOf(own, isGood) ?? []));
  const sent = holding.flatMap(({ cap, isSearched }) => (cap === null || isSearched || cap < least ? [] : [cap]));
  return sent.length === 0 ? least : Math.min(...sent);
}

/** null: nothing fails, or nothing passes above. */
function thresholdOf(own: readonly Evidence[], isGood: (evidence: Evidence) => boolean): number | null {
  const caps = (good: boolean): number[] => own.flatMap((one) => (isGood(one) === good ? (one.cap ?? []) : []));
  const failing = caps(false);
  const passing = caps(true).filter((cap) => cap > Math.max(...failing));
  return failing.length > 0 && passing.length > 0 ? Math.min(...passing) : null;
}

/** Cells that differ only in their cap. */
function seriesOf(key: string): string {
  return key.replace(/max_tokens=\d+/, '');
}
