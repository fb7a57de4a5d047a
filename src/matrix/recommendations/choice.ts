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

export const free: Choice = { labels: {}, from: null, below: null, noCap: false };

/** The cap of the basic example: that a search for the least cap fails below it says nothing about a form. */
export const usualCap = 512;

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

/** The evidence about requests that the client would send. */
export function coveredBy(choice: Choice, all: readonly Evidence[]): readonly Evidence[] {
  const isFree = choice.from === null && choice.below === null;
  return all.filter((one) => {
    if (!covers(choice, one)) return false;
    if (isFree && one.isSearched && one.cap !== null && one.cap < usualCap)
      return one.trials.passed === one.trials.total;
    return !one.isWithoutEffect || [...one.optional].some((name) => choice.labels[name] === one.labels[name]);
  });
}

/** One of its restrictions by itself, and the choice without it. */
export interface Part {
  readonly single: Choice;
  readonly rest: Choice;
  /** The axis or member that is restricted; null: the cap. */
  readonly name: string | null;
  /** Nothing is sent for it. */
  readonly isLeftOut: boolean;
}

export function partsOf(choice: Choice): readonly Part[] {
  const { labels, from, below, noCap } = choice;
  const named = Object.entries(labels).map(([name, label]): Part => {
    const others = Object.fromEntries(Object.entries(labels).filter(([other]) => other !== name));
    const [single, rest] = [
      { ...free, labels: { [name]: label } },
      { ...choice, labels: others },
    ];
    return { single, rest, name, isLeftOut: label === null };
  });
  const cap = { name: null, isLeftOut: noCap };
  return [
    ...named,
    ...(from === null ? [] : [{ ...cap, single: { ...free, from }, rest: { ...choice, from: null } }]),
    ...(below === null ? [] : [{ ...cap, single: { ...free, below }, rest: { ...choice, below: null } }]),
    ...(noCap ? [{ ...cap, single: { ...free, noCap }, rest: { ...choice, noCap: false } }] : []),
  ];
}
