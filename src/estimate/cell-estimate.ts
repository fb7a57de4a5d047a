import { withLabels } from '../cell/axis-labels.js';
import { assumedOutputTokens, outputCap } from '../chat/tokens.js';
import type { ModelConfig } from '../config/config.js';
import type { TrialRange } from '../decide/course.js';
import { courseCost } from '../decide/courses/courses.js';
import { type Json, type JsonObject, writtenJson } from '../json/json.js';
import { requestsAtOnce, type PlannedCell } from '../plan/plan.js';
import { assemble } from '../plan/request/request-body.js';

/** Without faults that are sent again, which cannot be planned. */
export interface Amount {
  readonly requests: TrialRange;
  /** A quarter of the prompt's bytes, and for the answer what is usual, at most the output cap. */
  readonly tokens: TrialRange;
  /** In the currency of the prices; null without a price. */
  readonly cost: TrialRange | null;
}

export interface CellEstimate extends Amount {
  readonly key: string;
  readonly model: string;
}

export const rangeOf = (of: (which: keyof TrialRange) => number): TrialRange => ({
  expected: of('expected'),
  largest: of('largest'),
});

export const sumOfRanges = (ranges: readonly TrialRange[]): TrialRange =>
  rangeOf((which) => ranges.reduce((sum, range) => sum + range[which], 0));

/** The amount of one cell; nothing when it is not asked. */
export function estimateCell(planned: PlannedCell): CellEstimate {
  const isAsked = planned.cell.unmeetable === null;
  return estimateTrials(planned, isAsked ? courseCost(planned) : { expected: 0, largest: 0 });
}

export function estimateTrials(planned: PlannedCell, asked: TrialRange): CellEstimate {
  const { cell } = planned;
  const trials = { expected: asked.expected * requestsAtOnce(cell), largest: asked.largest * requestsAtOnce(cell) };
  const { key, model, probe } = cell;
  const asking = probe.steps.filter((step) => step.kind === 'ask').map(({ id }) => id);
  const steps = probe.enforce === null ? asking : ['request'];
  const kind = probe.enforce === null ? 'trial' : 'invalid';
  const bodies = steps.map((step) => assemble(cell, { kind, patch: {} }, step));
  const each = requestsATrial(planned, bodies.length);
  const requests = Math.max(1, bodies.length);
  const total = (of: (body: JsonObject) => number): number => bodies.reduce((tokens, body) => tokens + of(body), 0);
  const capOf = (body: JsonObject): number => outputCap(body, model.rename) ?? assumedOutputTokens;
  const most = Math.max(total(capOf), bodies.length * (probe.find?.axis === 'max_tokens' ? probe.find.to : 0));
  // A refusal is not billed.
  const share = isKnownRefusal(planned) ? 0 : each.expected / requests;
  const retries = each.largest / requests;
  const prompt = scaledRange(trials, total((body) => promptTokens(cell, body)) * share, total(bodyTokens) * retries);
  const output = scaledRange(trials, total((body) => answerTokens(cell, body, capOf(body))) * share, most * retries);
  return { key, requests: scaledRange(trials, each.expected, each.largest), ...used(model, prompt, output) };
}

/** The request that opens a model. */
export function estimateControl(model: ModelConfig): CellEstimate {
  const output = { expected: usualOutputTokens, largest: 256 };
  return {
    key: model.key,
    requests: rangeOf(() => 1),
    ...used(
      model,
      rangeOf(() => 25),
      output,
    ),
  };
}

const scaledRange = ({ expected, largest }: TrialRange, usual: number, most: number): TrialRange => ({
  expected: Math.round(expected * usual),
  largest: largest * most,
});

const used = (
  { key, price }: ModelConfig,
  prompt: TrialRange,
  output: TrialRange,
): Omit<CellEstimate, 'key' | 'requests'> => ({
  model: key,
  tokens: sumOfRanges([prompt, output]),
  cost: price && rangeOf((which) => (prompt[which] * price.prompt + output[which] * price.completion) / 1e6),
});

/** A server error that belongs to the request is asked twice, then a control, then once more. */
const requestsOfServerError = 4;

/**
 * How many requests a trial takes: those of its steps, and what the client's own retries add. A cell that is known to
 * fail ends its flow early.
 */
function requestsATrial({ cell: { probe }, expected }: PlannedCell, steps: number): TrialRange {
  const { retry } = probe;
  const largest = steps * (1 + (retry?.max ?? 0));
  if (expected.kind !== 'entry' || expected.entry.verdict !== 'fail') return { expected: steps, largest };
  const { class: failure, status } = expected.entry;
  const isServerError = failure === 'http_error' && status !== null && status >= 500;
  // A flow fails at the first step or at a later one.
  return { expected: (1 + steps) / 2 + (isServerError ? requestsOfServerError - 1 : 0), largest };
}

const isKnownRefusal = ({ expected }: PlannedCell): boolean =>
  expected.kind === 'entry' && expected.entry.verdict === 'fail' && expected.entry.class === 'http_error';

/**
 * Output tokens of a usual answer to the built-in probes. Caps are far above it, so that no answer is cut; a model that
 * reasons takes more. Those that ask for a plain text want a sentence or two.
 */
const usualOutputTokens = 100;
const usualTextTokens = 40;

/** Bytes of JSON a token: more of it are single characters than in a text. */
const bytesOfJson = 2.5;
const bytesOfText = 4;

const bytesIn = (value: Json): number => Buffer.byteLength(writtenJson(value));

/** Tokens of what a model reads: messages and tools, with the values of the first sample. */
function promptTokens({ probe }: PlannedCell['cell'], { messages = [], tools = null }: JsonObject): number {
  const values = Object.entries({ ...probe.vars, ...probe.samples[0] });
  const texts = values.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  const read = withLabels(writtenJson([messages, tools]), Object.fromEntries(texts));
  return Math.ceil(Buffer.byteLength(read) / bytesOfText);
}

/** Tokens of the whole body, for a service that counts schemas, too. */
const bodyTokens = (body: JsonObject): number => Math.ceil(bytesIn(body) / bytesOfText);

/** Tokens of a usual answer to this body; never more than its cap. */
function answerTokens({ probe: { enforce } }: PlannedCell['cell'], body: JsonObject, cap: number): number {
  const isPlain = body['response_format'] === undefined && body['tools'] === undefined;
  const ofDocument = enforce === null ? usualOutputTokens : Math.ceil(bytesIn(enforce.valid) / bytesOfJson);
  return Math.min(cap, enforce === null && isPlain ? usualTextTokens : ofDocument);
}
