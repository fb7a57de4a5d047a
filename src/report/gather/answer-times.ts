import { parseCellKey } from '../../cell/cell-key.js';
import { isSuccess } from '../../chat/exchange.js';
import { readExchangeAnswer, replyIn } from '../../chat/read-answer.js';
import type { Reply } from '../../chat/reply.js';
import { requestKind } from '../../chat/request-kind.js';
import { firstContentMs } from '../../chat/stream/timed-chunks.js';
import { tokenUse } from '../../chat/tokens.js';
import type { ExchangeRecord, RunEvent } from '../../journal/event.js';
import type { Usage } from '../../matrix/gathered.js';
import type { AnswerTimes } from '../../matrix/report-format.js';
import { logHistogram, type LogHistogram } from '../../stats/log-histogram.js';

interface CollectedTimes {
  readonly kind: AnswerTimes['kind'];
  readonly stream: boolean | null;
  readonly headers: LogHistogram;
  readonly firstContent: LogHistogram;
  readonly total: LogHistogram;
  readonly rate: LogHistogram;
  /** Of the answers that report their usage. */
  metered: number;
  prompt: number;
  completion: number;
  reasoning: number;
}

/** Facts of an answer that are kept until its trial ends. */
interface Timed {
  readonly model: string;
  readonly kinds: readonly Pick<CollectedTimes, 'kind' | 'stream'>[];
  readonly timing: ExchangeRecord['exchange']['timing'];
  /** Milliseconds; null: no stream, or nobody knows. */
  readonly firstContent: number | null;
  readonly usage: Usage;
}

/**
 * Collects how long the answers of each model took and how many tokens they are, in whatever order they come. Only
 * whole answers to the requests of probes count, in trials that passed: a model that refuses at once, or stops early,
 * is not fast, and a control that is sent after an error is no answer of this kind. What a request waited for a limit
 * or a free slot is not part of an exchange.
 */
export function openAnswerTimes() {
  /** By model, then by kind. Their number does not grow with the trials. */
  const models = new Map<string, Map<string, CollectedTimes>>();
  /** By id of the exchange: answers wait here for their trial. */
  const waiting = new Map<string, Timed>();
  /** By cell: hundreds of answers have the same. */
  const thinkings = new Map<string, string | null>();
  const thinkingOf = (cell: string): string | null => {
    const known = thinkings.get(cell);
    if (known !== undefined) return known;
    const thinking = parseCellKey(cell)?.point['thinking'] ?? null;
    thinkings.set(cell, thinking);
    return thinking;
  };
  return {
    add({ id, model, cell, purpose, exchange }: ExchangeRecord, reply: Reply | null): void {
      const { answer, request, timing } = exchange;
      if (purpose !== 'probe' || cell === null || reply === null) return;
      if (answer.failure !== null || !isSuccess(answer.status)) return;
      const { form, stream } = requestKind(request.body);
      const thinking = thinkingOf(cell);
      const kinds = [
        { kind: form, stream },
        ...(thinking === null ? [] : [{ kind: `thinking.${thinking}` as const, stream: null }]),
      ];
      const firstContent = reply.streamed ? firstContentMs(exchange) : null;
      waiting.set(id, { model, kinds, timing, firstContent, usage: usageIn(reply) });
    },
    /** The trial of this exchange passed, or did not, or did not end. */
    settle(id: string, passed: boolean): void {
      const timed = waiting.get(id);
      waiting.delete(id);
      if (timed === undefined || !passed) return;
      const kinds = models.get(timed.model) ?? new Map<string, CollectedTimes>();
      models.set(timed.model, kinds);
      for (const kind of timed.kinds) addAnswerTimes(kinds, kind, timed);
    },
    /** By model; in the order of the names of the kinds. */
    all: (): ReadonlyMap<string, readonly AnswerTimes[]> =>
      new Map(
        [...models].map(([model, kinds]) => [
          model,
          [...kinds].sort(compareEntryKeys).map(([, seen]) => summarisedTimes(seen)),
        ]),
      ),
  };
}

function addAnswerTimes(
  kinds: Map<string, CollectedTimes>,
  { kind, stream }: Pick<CollectedTimes, 'kind' | 'stream'>,
  timed: Timed,
): void {
  const name = `${kind} ${stream}`;
  const seen = kinds.get(name) ?? emptyCollectedTimes(kind, stream);
  kinds.set(name, seen);
  const { timing, usage } = timed;
  if (timing.headers_ms !== null) seen.headers.add(timing.headers_ms);
  if (timed.firstContent !== null) seen.firstContent.add(timed.firstContent);
  seen.total.add(timing.total_ms);
  if (usage.total_tokens === 0) return;
  seen.metered += 1;
  seen.prompt += usage.prompt_tokens;
  seen.completion += usage.completion_tokens;
  seen.reasoning += usage.reasoning_tokens;
  if (usage.completion_tokens > 0 && timing.total_ms > 0) {
    seen.rate.add((1000 * usage.completion_tokens) / timing.total_ms);
  }
}

const emptyCollectedTimes = (kind: CollectedTimes['kind'], stream: CollectedTimes['stream']): CollectedTimes => ({
  kind,
  stream,
  headers: logHistogram(),
  firstContent: logHistogram(),
  total: logHistogram(),
  rate: logHistogram(),
  metered: 0,
  prompt: 0,
  completion: 0,
  reasoning: 0,
});

function summarisedTimes(seen: CollectedTimes): AnswerTimes {
  const { kind, stream, headers, firstContent, total, rate, metered } = seen;
  const mean = (sum: number) => Math.round(sum / metered);
  const tokens = { prompt: mean(seen.prompt), completion: mean(seen.completion), reasoning: mean(seen.reasoning) };
  return {
    kind,
    stream,
    answers: total.count(),
    headers_ms: quantiles(headers),
    first_content_ms: quantiles(firstContent),
    total_ms: quantiles(total),
    tokens_per_second: quantiles(rate),
    tokens: metered === 0 ? null : tokens,
  };
}

function quantiles(histogram: LogHistogram): AnswerTimes['total_ms'] {
  const [p50, p95] = [histogram.quantile(0.5), histogram.quantile(0.95)];
  return p50 === null || p95 === null ? null : { p50: roundedTime(p50), p95: roundedTime(p95) };
}

/** More digits than the buckets know would pretend. */
const roundedTime = (value: number): number => Number(value.toPrecision(3));

const compareEntryKeys = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : Number(one > other);

/** The tokens that a reply reports; 0 where the service does not report any. */
export function usageIn(reply: Pick<Reply, 'usage'> | null): Usage {
  const { prompt, completion, reasoning, cached, total } = tokenUse(reply);
  const prompt_tokens = prompt ?? 0;
  const completion_tokens = completion ?? 0;
  return {
    prompt_tokens,
    completion_tokens,
    reasoning_tokens: reasoning ?? 0,
    ...(cached !== null && cached > 0 && { cached_tokens: cached }),
    total_tokens: total === null || total === 0 ? prompt_tokens + completion_tokens : total,
  };
}

/** Whether reasoning took the output tokens: the reply says nothing else, or at least half of them were reasoning. */
export function reasoningTookTokens(reply: Reply | null): boolean {
  if (reply === null) return false;
  const { completion_tokens, reasoning_tokens } = usageIn(reply);
  const reasoned = reasoning_tokens > 0 || (reply.reasoning ?? '').trim() !== '';
  const silent = (reply.content ?? '').trim() === '' && reply.tool_calls.length === 0;
  return reasoned && (silent || (completion_tokens > 0 && reasoning_tokens * 2 >= completion_tokens));
}

/** By cell: output tokens and milliseconds of each answer that passed. A service that reports no tokens gives 0. */
export type Measured = ReadonlyMap<string, readonly { readonly tokens: number; readonly ms: number }[]>;

/** A reporter that keeps how long the answers of each cell were, and how long they took. */
export function measuring(): { readonly measured: Measured; readonly onEvent: (event: RunEvent) => void } {
  const pending = new Map<string, { readonly tokens: number; readonly ms: number }>();
  const measured = new Map<string, { readonly tokens: number; readonly ms: number }[]>();
  return {
    measured,
    onEvent(event) {
      if (event.type === 'exchange' && event.purpose === 'probe') {
        const tokens = usageIn(replyIn(readExchangeAnswer(event.exchange.answer))).completion_tokens;
        pending.set(event.id, { tokens, ms: event.exchange.timing.total_ms });
      } else if (event.type === 'trial') {
        const answer = pending.get(event.exchanges.findLast((id) => pending.has(id)) ?? '');
        for (const id of event.exchanges) pending.delete(id);
        if (answer === undefined || !event.outcome.passed) return;
        measured.set(event.cell, [...(measured.get(event.cell) ?? []), answer]);
      }
    },
  };
}
