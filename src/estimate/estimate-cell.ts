import { assumedOutputTokens, outputCap } from '../chat/tokens.js';
import type { ModelConfig } from '../config/config.js';
import type { TrialRange } from '../decide/course.js';
import { courseCost } from '../decide/courses/courses.js';
import { assemble } from '../plan/request/assemble-body.js';
import type { Ticket } from '../plan/ticket.js';
import { costOf, sum, type Amount, type LikelyRange } from './amount.js';
import { isBilled, requestsATrial } from './requests-a-trial.js';
import { answerTokens, bodyTokens, promptTokens, usualOutputTokens } from './usual-tokens.js';

export interface CellEstimate extends Amount {
  readonly key: string;
  readonly model: string;
}

/** How the requests are sent, as far as it holds them back. */
export interface Sending {
  /** Account by target: those of one account share its limits, the strictest of theirs; absent: each target has its own. */
  readonly accounts?: ReadonlyMap<string, string>;
  /** Among how many shards every limit is divided; default 1. */
  readonly shards?: number;
}

const nothing: TrialRange = { expected: 0, largest: 0, likely: [0, 0] };

/** What one cell will take; nothing when it is not asked. */
export function estimateCell(ticket: Ticket): CellEstimate {
  return estimateTrials(ticket, ticket.cell.unmeetable === null ? courseCost(ticket) : nothing);
}

export function estimateTrials(ticket: Ticket, trials: TrialRange): CellEstimate {
  const { cell } = ticket;
  const { key, model, probe } = cell;
  const steps =
    probe.enforce === null ? probe.steps.filter((step) => step.kind === 'ask').map(({ id }) => id) : ['request'];
  const kind = probe.enforce === null ? 'trial' : 'invalid';
  const bodies = steps.map((step) => assemble(cell, { kind, patch: {} }, step));
  const each = requestsATrial(ticket, bodies.length);
  const share = bodies.length === 0 || !isBilled(ticket) ? 0 : each.expected / bodies.length;
  const caps = bodies.map((body) => outputCap(body, model.rename) ?? assumedOutputTokens);
  const total = (of: (body: (typeof bodies)[number], cap: number) => number): number =>
    bodies.reduce((tokens, body, index) => tokens + of(body, caps[index] ?? 0), 0);
  const most = Math.max(
    total((_, cap) => cap),
    bodies.length * (probe.find?.axis === 'max_tokens' ? probe.find.to : 0),
  );
  const retries = bodies.length === 0 ? 1 : each.largest / bodies.length;
  const usage = {
    prompt: times(trials, total((body) => promptTokens(cell, body)) * share, total(bodyTokens) * retries),
    output: times(trials, total((body, cap) => answerTokens(cell, body, cap)) * share, most * retries),
  };
  const requests = times(trials, each.expected, each.largest);
  return { key, model: model.key, requests, tokens: sum([usage.prompt, usage.output]), cost: costOf(model, usage) };
}

function times({ expected, largest, likely: [from, to] }: TrialRange, usual: number, most: number): LikelyRange {
  const of = (trials: number): number => Math.round(trials * usual);
  return { expected: of(expected), largest: largest * most, likely: [of(from), of(to)] };
}

/** The request that opens a model. */
export function estimateControl(model: ModelConfig): CellEstimate {
  const same = (amount: number, largest = amount): LikelyRange => ({
    expected: amount,
    largest,
    likely: [amount, amount],
  });
  const usage = { prompt: same(25), output: same(usualOutputTokens, 256) };
  const { key } = model;
  return {
    ...{ key, model: key, requests: same(1) },
    tokens: sum([usage.prompt, usage.output]),
    cost: costOf(model, usage),
  };
}

/** The same, expected to take as much as is likely. */
export function atItsMost({ key, model, requests, tokens, cost }: CellEstimate): CellEstimate {
  const most = (range: LikelyRange): LikelyRange => ({ ...range, expected: range.likely[1] });
  return { key, model, requests: most(requests), tokens: most(tokens), cost: cost && most(cost) };
}

/** The same, not expected. */
export function unexpected({ key, model, requests, tokens, cost }: CellEstimate): CellEstimate {
  const none = ({ largest }: LikelyRange): LikelyRange => ({ expected: 0, largest, likely: [0, 0] });
  return { key, model, requests: none(requests), tokens: none(tokens), cost: cost && none(cost) };
}
