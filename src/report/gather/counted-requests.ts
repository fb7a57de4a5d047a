import { hash } from 'node:crypto';
import { isSuccess } from '../../chat/exchange.js';
import { objectOf, own } from '../../chat/fields.js';
import type { Reply } from '../../chat/reply.js';
import { tokenUse } from '../../chat/token-use.js';
import { splitAtModel } from '../../cell/cell-key.js';
import type { CountedRequest, ExchangeRecord, ModelBefore } from '../../journal/event.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { askedBy } from './asked-by.js';

type Counted = Omit<CountedRequest, 'at'>;

/** So many requests of a model are remembered, and those that an earlier run has remembered. */
const mostRequests = 12;
/** So many different counts of a request are kept. */
const mostCounts = 4;

/**
 * Keeps the prompt tokens that a service counts for a few requests of each model, so that the next run can compare those
 * that it sends again. They are those with the smallest digests: the same in whatever order they come.
 */
export function openCountedRequests() {
  /** By model: the digests of the requests that an earlier run has remembered. */
  const wanted = new Map<string, Wanted>();
  const models = new Map<string, Map<string, Counted>>();
  /** What the last answer to a request said. The trials of a cell mostly send the same body, and nearly all say the same. */
  const told = new WeakMap<JsonObject, Told>();

  const isTold = (body: Json, now: Told): boolean => {
    if (!isObject(body)) return false;
    const before = told.get(body);
    if (before?.cell === now.cell && before.prompt === now.prompt && before.cached === now.cached) return true;
    told.set(body, now);
    return false;
  };

  return {
    /** @param before by `TARGET/MODEL`: what the run before knew of the models */
    start: (before: Readonly<Record<string, ModelBefore>>): void => {
      for (const [model, { requests = [] }] of Object.entries(before)) {
        const digests = requests.map(({ request }) => request);
        wanted.set(model, { digests: new Set(digests), prefixes: new Set(digests.map((one) => one.slice(0, 8))) });
      }
    },
    add: ({ model, cell, exchange: { request, answer } }: ExchangeRecord, reply: Reply | null): void => {
      if (reply === null || answer.failure !== null || !isSuccess(answer.status)) return;
      const { prompt } = tokenUse(reply);
      // A service that does not count may say 0.
      if (prompt === null || prompt === 0) return;
      const cached = cachedIn(reply.usage);
      if (isTold(request.body, { cell, prompt, cached })) return;
      const known = models.get(model) ?? new Map<string, Counted>();
      models.set(model, known);
      const sampled = wanted.get(model) ?? none;
      const prefix = prefixOf(request.body);
      if (!mayHavePlace(known, prefix, sampled)) return;
      const found = {
        request: digestOf(prefix, request.body),
        cell: cell === null ? null : splitAtModel(cell).head,
        prompt_tokens: [prompt],
        with_cached: [prompt + cached],
      };
      const before = known.get(found.request);
      if (before !== undefined) known.set(found.request, together(before, found));
      else if (hasPlace(known, found.request, sampled.digests)) known.set(found.request, found);
    },
    /** By model, in the order of their digests. */
    all: (): ReadonlyMap<string, readonly Counted[]> => {
      return new Map([...models].map(([model, known]) => [model, [...known.values()].sort(byDigest).map(shortened)]));
    },
  };
}

interface Told {
  readonly cell: string | null;
  readonly prompt: number;
  readonly cached: number;
}

interface Wanted {
  readonly digests: ReadonlySet<string>;
  readonly prefixes: ReadonlySet<string>;
}

const none: Wanted = { digests: new Set(), prefixes: new Set() };

const byDigest = (one: Counted, other: Counted): number => (one.request < other.request ? -1 : 1);

/** Asked of every answer, before anything of its request is made. */
function mayHavePlace(known: Map<string, Counted>, prefix: string, { prefixes }: Wanted): boolean {
  if (known.size < mostRequests || prefixes.has(prefix)) return true;
  let smaller = 0;
  for (const digest of known.keys()) if (digest < prefix) smaller += 1;
  return smaller < mostRequests;
}

/** Whether it is wanted, or among the smallest; then another one may have to give way. */
function hasPlace(known: Map<string, Counted>, request: string, wanted: ReadonlySet<string>): boolean {
  const smallest = [...known.keys(), request].sort().slice(0, mostRequests);
  if (!wanted.has(request) && !smallest.includes(request)) return false;
  for (const digest of known.keys()) if (!wanted.has(digest) && !smallest.includes(digest)) known.delete(digest);
  return true;
}

function together(one: Counted, other: Counted): Counted {
  return {
    request: one.request,
    cell: firstOf(one.cell, other.cell),
    prompt_tokens: union(one.prompt_tokens, other.prompt_tokens),
    with_cached: union(one.with_cached ?? [], other.with_cached ?? []),
  };
}

/** Cells may send the same request, and come in any order. null: the plain request that each model is asked first. */
function firstOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return null;
  return one < other ? one : other;
}

function union(some: readonly number[], more: readonly number[]): readonly number[] {
  if (more.every((count) => some.includes(count))) return some;
  return [...new Set([...some, ...more])].sort((a, b) => a - b).slice(0, mostCounts);
}

/** Without what says the same twice. */
function shortened({ with_cached: withCached, ...counted }: Counted): Counted {
  const isSame = JSON.stringify(withCached) === JSON.stringify(counted.prompt_tokens);
  return { ...counted, ...(!isSame && withCached !== undefined && { with_cached: withCached }) };
}

/** Tokens of the prompt that were read from a cache. Some services leave these out of the prompt's own count. */
function cachedIn(usage: JsonObject | null): number {
  if (usage === null) return 0;
  const details = objectOf(own(usage, 'prompt_tokens_details')) ?? objectOf(own(usage, 'input_tokens_details'));
  const found = [
    details === null ? undefined : own(details, 'cached_tokens'),
    ...['cached_tokens', 'prompt_cache_hit_tokens', 'cache_read_input_tokens'].map((name) => own(usage, name)),
  ].find((value) => typeof value === 'number' && value > 0);
  return typeof found === 'number' ? found : 0;
}

/** The first letters of a digest are those of the fingerprint, which is known: most requests need no other. */
const prefixOf = (body: Json): string => askedBy(body).toString(16).padStart(8, '0').replace(/\d/g, letterFor);

/** Sixteen letters. No digits, since many in a row may be redacted as a number. */
function digestOf(prefix: string, body: Json): string {
  return prefix + hash('sha256', JSON.stringify(body), 'hex').slice(0, 8).replace(/\d/g, letterFor);
}

const letterFor = (digit: string): string => 'ghijklmnop'.charAt(Number(digit));
