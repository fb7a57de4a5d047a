import { at } from '../../json/pointer.js';
import type { Json } from '../../json/json.js';
import { parseCellKey } from '../../cell/cell-key.js';
import { isSuccess } from '../../chat/exchange.js';
import type { Reply } from '../../chat/reply.js';
import type { ExchangeRecord } from '../../journal/event.js';
import type { Usage } from '../../matrix/gathered.js';
import type { AnswerTimes, CellTimes } from '../../matrix/timing.js';
import { logHistogram, type LogHistogram } from '../../stats/log-histogram.js';
import { usageIn } from './reply-tokens.js';

/** So many dots show the shape of a distribution, and still take little room in a report of 100 models. */
const mostDrawn = 20;

interface Seen {
  readonly kind: AnswerTimes['kind'];
  readonly stream: boolean | null;
  readonly firstByte: LogHistogram;
  readonly total: LogHistogram;
  readonly rate: LogHistogram;
  /** Of the answers that report their usage. */
  metered: number;
  prompt: number;
  completion: number;
  reasoning: number;
  /** By key; those of a setting are among those of their forms. */
  readonly cells: Map<string, SeenOfCell> | null;
}

type SeenOfCell = Pick<Seen, 'firstByte' | 'total' | 'metered' | 'prompt' | 'completion' | 'reasoning'>;

/** What is kept of an answer until its trial ends. */
interface Timed {
  readonly cell: string;
  readonly model: string;
  readonly kinds: readonly Pick<Seen, 'kind' | 'stream'>[];
  readonly timing: ExchangeRecord['exchange']['timing'];
  readonly usage: Usage;
}

/**
 * Collects how long the answers of each model took and how many tokens they are, in whatever order they come. Only whole
 * answers to the requests of probes count, in trials that passed: a model that refuses at once, or stops early, is not
 * fast, and a control that is sent after an error is no answer of this kind. What a request waited for a limit or a free
 * slot is not part of an exchange.
 */
export function openAnswerTimes() {
  /** By model, then by kind. Their number does not grow with the trials. */
  const models = new Map<string, Map<string, Seen>>();
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
      const form = { kind: kindOf(request.body), stream: at(request.body, ['stream']) === true };
      const thinking = thinkingOf(cell);
      const kinds = [form, ...(thinking === null ? [] : [{ kind: `thinking.${thinking}` as const, stream: null }])];
      waiting.set(id, { model, cell, kinds, timing, usage: usageIn(reply) });
    },
    /** The trial of this exchange passed, or did not, or did not end. */
    settle(id: string, passed: boolean): void {
      const timed = waiting.get(id);
      waiting.delete(id);
      if (timed === undefined || !passed) return;
      const kinds = models.get(timed.model) ?? new Map<string, Seen>();
      models.set(timed.model, kinds);
      for (const kind of timed.kinds) count(kinds, kind, timed);
    },
    /** By model; in the order of the names of the kinds. */
    all: (): ReadonlyMap<string, readonly AnswerTimes[]> =>
      new Map([...models].map(([model, kinds]) => [model, [...kinds].sort(byName).map(([, seen]) => timesOf(seen))])),
  };
}

function count(kinds: Map<string, Seen>, { kind, stream }: Pick<Seen, 'kind' | 'stream'>, timed: Timed): void {
  const name = `${kind} ${stream}`;
  const seen = kinds.get(name) ?? nothingSeen(kind, stream);
  kinds.set(name, seen);
  add(seen, timed);
  if (seen.cells !== null) {
    const ofCell = seen.cells.get(timed.cell) ?? { firstByte: logHistogram(), total: logHistogram(), ...noTokens };
    seen.cells.set(timed.cell, ofCell);
    add(ofCell, timed);
  }
  const { timing, usage } = timed;
  const { completion_tokens } = usage;
  if (usage.total_tokens > 0 && completion_tokens > 0 && timing.total_ms > 0)
    seen.rate.add((1000 * completion_tokens) / timing.total_ms);
}

function add(seen: SeenOfCell, { timing, usage }: Timed): void {
  if (timing.headers_ms !== null) seen.firstByte.add(timing.headers_ms);
  seen.total.add(timing.total_ms);
  if (usage.total_tokens === 0) return;
  seen.metered += 1;
  seen.prompt += usage.prompt_tokens;
  seen.completion += usage.completion_tokens;
  seen.reasoning += usage.reasoning_tokens;
}

const noTokens = { metered: 0, prompt: 0, completion: 0, reasoning: 0 };

const nothingSeen = (kind: Seen['kind'], stream: Seen['stream']): Seen => ({
  ...{ kind, stream, firstByte: logHistogram(), total: logHistogram(), rate: logHistogram() },
  ...noTokens,
  cells: kind.startsWith('thinking.') ? null : new Map(),
});

/** A request with tools is about a call, whatever else it asks for. */
function kindOf(body: Json): AnswerTimes['kind'] {
  const tools = at(body, ['tools']);
  if (Array.isArray(tools) && at(body, ['tool_choice']) !== 'none') return 'tools';
  const format = at(body, ['response_format', 'type']);
  return format === 'json_schema' || format === 'json_object' ? format : 'text';
}

function timesOf(seen: Seen): AnswerTimes {
  const { kind, stream, firstByte, total, rate, cells } = seen;
  return {
    ...{ kind, stream, answers: total.count() },
    ...{ first_byte_ms: quantiles(firstByte), total_ms: quantiles(total) },
    tokens_per_second: quantiles(rate),
    tokens: meanTokens(seen, Math.round),
    ...(cells !== null && { cells: [...cells].sort(byName).map(([cell, one]) => cellTimesOf(cell, one)) }),
  };
}

function cellTimesOf(cell: string, seen: SeenOfCell): CellTimes {
  const { firstByte, total } = seen;
  const times = { first_byte_ms: spreadOf(firstByte), total_ms: spreadOf(total) };
  return { cell, answers: total.count(), ...times, tokens: meanTokens(seen, (mean) => Number(mean.toFixed(2))) };
}

function meanTokens(
  { metered, prompt, completion, reasoning }: SeenOfCell,
  digits: (mean: number) => number,
): AnswerTimes['tokens'] {
  if (metered === 0) return null;
  const mean = (sum: number) => digits(sum / metered);
  return { prompt: mean(prompt), completion: mean(completion), reasoning: mean(reasoning) };
}

function quantiles(histogram: LogHistogram): AnswerTimes['total_ms'] {
  const [p50, p95] = [histogram.quantile(0.5), histogram.quantile(0.95)];
  if (p50 === null || p95 === null) return null;
  return { p50: rounded(p50), p95: rounded(p95), spread: spreadOf(histogram) };
}

/** The middle of each of up to `mostDrawn` equal shares of the values. */
function spreadOf(histogram: LogHistogram): readonly number[] {
  const shares = Math.min(mostDrawn, histogram.count());
  return Array.from({ length: shares }, (_, index) => rounded(histogram.quantile((index + 0.5) / shares) ?? 0));
}

/** More digits than the buckets know would pretend. */
const rounded = (value: number): number => Number(value.toPrecision(3));

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : Number(one > other);
