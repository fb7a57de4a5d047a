import type { CountedRequest, ModelBefore, PromptTokensChange } from '../../journal/event.js';
import { sum } from '../../stats/sum.js';
import { isRecent } from './news-for.js';

/** Identical requests of one run that count different numbers of prompt tokens. */
export interface PromptTokensVary {
  readonly of: number;
  readonly requests: number;
  readonly example: { readonly cell: string | null; readonly counts: readonly number[] };
}

export interface PromptTokens {
  readonly change?: PromptTokensChange;
  readonly vary?: PromptTokensVary;
}

type Counted = Omit<CountedRequest, 'at'>;

/** Smaller differences may be those of a date in a template: "November 9" and "November 23". */
const leastDifference = 4;

/** A service that counts a request in several ways within a run has changed nothing if it did another night. */
export function promptTokens(before: ModelBefore | undefined, now: readonly Counted[], at: string): PromptTokens {
  const vary = varietyIn(now);
  if (vary !== null) return { vary };
  const found = changeSince(before?.requests ?? [], now);
  if (found !== null) return { change: found };
  const last = before?.prompt_change;
  if (last === undefined || now.length === 0 || !isRecent(last.at ?? at, at)) return {};
  return { change: last };
}

function varietyIn(now: readonly Counted[]): PromptTokensVary | null {
  const varying = now.filter(
    (one) => spread(one.prompt_tokens) >= leastDifference && spread(whole(one)) >= leastDifference,
  );
  const [example] = varying.toSorted(byCell);
  if (example === undefined) return null;
  return {
    ...{ of: now.length, requests: varying.length },
    example: { cell: example.cell, counts: example.prompt_tokens },
  };
}

const spread = (counts: readonly number[]): number => Math.max(...counts) - Math.min(...counts);

/** With what was read from a cache: some services leave that out of the prompt's own count. */
const whole = (one: Counted): readonly number[] => one.with_cached ?? one.prompt_tokens;

function changeSince(earlier: readonly CountedRequest[], now: readonly Counted[]): PromptTokensChange | null {
  const known = new Map(earlier.map((one) => [one.request, one]));
  const pairs = now.flatMap((one) => {
    const then = known.get(one.request);
    return then === undefined ? [] : [{ cell: one.cell, then, one }];
  });
  const changed = pairs.filter(({ then, one }) => isChanged(then, one)).sort(byCell);
  const [example] = changed;
  if (example === undefined) return null;
  return {
    ...{ of: pairs.length, requests: changed.length },
    before: sum(changed.map(({ then }) => countOf(then))),
    now: sum(changed.map(({ one }) => countOf(one))),
    since: changed.map(({ then }) => then.at ?? '').reduce((a, b) => (a > b ? a : b)),
    example: { cell: example.cell, before: countOf(example.then), now: countOf(example.one) },
  };
}

const countOf = ({ prompt_tokens: counts }: Counted): number => Math.max(...counts);

function isChanged(then: Counted, now: Counted): boolean {
  return areApart(then.prompt_tokens, now.prompt_tokens) && areApart(whole(then), whole(now));
}

function areApart(some: readonly number[], others: readonly number[]): boolean {
  return some.every((one) => others.every((other) => Math.abs(one - other) >= leastDifference));
}

/** A cell says more than the plain request. */
function byCell(one: { readonly cell: string | null }, other: { readonly cell: string | null }): number {
  if (one.cell === null || other.cell === null) return Number(one.cell === null) - Number(other.cell === null);
  return one.cell < other.cell ? -1 : Number(one.cell > other.cell);
}

/** So many requests of a model are remembered. */
const mostRemembered = 24;

/**
 * What the next run is told: the requests of this run, and those of earlier ones that it did not send. Those that were
 * sent in both come first, as they are likely to be sent again.
 */
export function countedNext(before: ModelBefore | undefined, now: readonly Counted[]): readonly CountedRequest[] {
  const earlier = before?.requests ?? [];
  const known = new Set(earlier.map(({ request }) => request));
  const sent = new Set(now.map(({ request }) => request));
  const again = now.filter(({ request }) => known.has(request));
  const fresh = now.filter(({ request }) => !known.has(request));
  const left = earlier.filter(({ request }) => !sent.has(request)).toSorted(byTime);
  return [...again, ...fresh, ...left].slice(0, mostRemembered);
}

/** The latest first. */
const byTime = ({ at: one = '' }: CountedRequest, { at: other = '' }: CountedRequest): number =>
  one > other ? -1 : Number(one < other);
