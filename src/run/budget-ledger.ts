import { isSuccess, type Answer } from '../chat/exchange.js';
import { objectOf, own } from '../chat/fields.js';
import { readExchangeAnswer, replyIn } from '../chat/read-answer.js';
import {
  promptTokensIn,
  writtenTokensIn,
  assumedOutputTokens,
  outputCap,
  hiddenTokens,
  tokenUse,
  type TokenUse,
} from '../chat/tokens.js';
import { shareOfLimit } from '../config/accounts.js';
import type { Budget, ModelConfig } from '../config/config.js';
import type { BudgetUsedUp } from '../journal/event.js';
import { jsonText, type Json } from '../json/json.js';

interface Reservation {
  readonly kind: 'reserved';
  /** Replaces what was reserved by what the request really took. */
  settle(spent: Spending): void;
  /** Takes the reservation back: the request was not sent. */
  release(): void;
}

/** Without the rounding errors of sums. */
const roundedSpend = (value: number): number => Number(value.toPrecision(12));

/**
 * The hard limits of a whole run. A request is reserved before it is sent, so that even those in flight cannot exceed
 * them.
 * @param share the part of the budget that this run may use, above 0 and up to 1
 */
export function createBudgetLedger(budget: Budget, share: number) {
  const limits = {
    requests: budget.requests === null ? Infinity : shareOfLimit(budget.requests, share),
    tokens: budget.tokens === null ? Infinity : shareOfLimit(budget.tokens, share),
    cost: budget.cost === null ? Infinity : budget.cost * share,
  };
  const used = { requests: 0, tokens: 0, cost: 0 };
  /** Of requests in flight. */
  const held = { requests: 0, tokens: 0, cost: 0 };
  let wakeUp: (() => void)[] = [];

  const add = (to: typeof used, { tokens, cost }: Spending, sign: 1 | -1 = 1): void => {
    to.requests += sign;
    to.tokens += sign * tokens;
    to.cost += sign * cost;
  };
  const giveBack = (most: Spending): void => {
    add(held, most, -1);
    const waiting = wakeUp;
    wakeUp = [];
    for (const wake of waiting) wake();
  };
  const usedUp = (most: Spending): BudgetUsedUp | null => {
    const next = { requests: 1, ...most };
    for (const unit of ['requests', 'tokens', 'cost'] as const) {
      const limit = limits[unit];
      // Sums of decimal prices carry rounding errors of the order of 1e-16.
      if (used[unit] + held[unit] + next[unit] <= limit * (1 + 1e-12)) continue;
      const reason = { kind: 'budget', unit, limit, shard_part: share < 1 } as const;
      return unit === 'requests'
        ? reason
        : { ...reason, spent: roundedSpend(used[unit]), next: roundedSpend(next[unit]) };
    }
    return null;
  };
  type Reserved = Reservation | BudgetUsedUp;
  /** Reserves one request, or says which limit is used up. Waits while requests in flight may still give some back. */
  const reserve = (most: Spending): Reserved | Promise<Reserved> => {
    const lacking = usedUp(most);
    if (lacking !== null) {
      if (held.requests === 0) return lacking;
      return new Promise<void>((resolve) => wakeUp.push(resolve)).then(() => reserve(most));
    }
    add(held, most);
    return {
      kind: 'reserved',
      settle(spent) {
        add(used, spent);
        giveBack(most);
      },
      release: () => giveBack(most),
    };
  };

  return {
    reserve,
    /** Charges one request of the interrupted run that this one continues. */
    charge: (spent: Spending): void => add(used, spent),
    /** What has been charged so far, without what is only reserved. */
  };
}

/** What a request takes of the budget. */
interface Spending {
  readonly tokens: number;
  /** In the currency of the configured prices. */
  readonly cost: number;
}

/** Tokens that a chat template adds around the messages. */
const templateTokens = 16;

interface Tokens {
  readonly prompt: number;
  readonly completion: number;
}

/** Estimates, on the high side, what requests to one model take, and learns from what they took. */
export function createTokenEstimator(model: ModelConfig) {
  /** A quarter in English, up to a half in other languages. */
  let tokensPerByte = 0.25;
  let usualOutput = assumedOutputTokens;

  const spending = ({ prompt, completion }: Tokens): Spending => ({
    tokens: prompt + completion,
    cost: model.price === null ? 0 : (prompt * model.price.prompt + completion * model.price.completion) / 1e6,
  });
  const expected = (body: Json): Tokens => ({
    prompt: Math.ceil(jsonBytes(body) * tokensPerByte) + templateTokens,
    completion: (outputCap(body, model.rename) ?? usualOutput) * choiceCount(body),
  });
  const learn = (body: Json, use: TokenUse, completion: number): void => {
    if (use.prompt !== null) tokensPerByte = Math.max(tokensPerByte, (use.prompt - templateTokens) / jsonBytes(body));
    if (outputCap(body, model.rename) === null) {
      usualOutput = Math.max(usualOutput, Math.ceil(completion / choiceCount(body)));
    }
  };

  return {
    /** The most that the request should take: what to reserve for it. */
    most: (body: Json): Spending => spending(expected(body)),
    /**
     * What it took: what the service reports, but never less than what was sent and what arrived; where the service
     * does not report it, what was expected. Nothing for a refusal, unless the service says so.
     */
    spent(body: Json, answer: Answer, reply = replyIn(readExchangeAnswer(answer))): Spending {
      const use = tokenUse(reply);
      if (isFree(answer)) return spending({ prompt: use.prompt ?? 0, completion: use.completion ?? 0 });
      const usual = expected(body);
      // A count of zero is taken for a missing one: no request takes no tokens, and no text is written with none.
      const prompt = Math.max(use.prompt || usual.prompt, promptTokensIn(body));
      const written = reply === null ? 0 : writtenTokensIn(reply);
      const isKnown = written === 0 ? use.completion !== null : (use.completion ?? 0) > 0;
      const reported = isKnown ? (use.completion ?? 0) + hiddenTokens(use) : (use.total ?? 0) - prompt;
      const completion = Math.max(isKnown || reported > 0 ? reported : usual.completion, written);
      learn(body, use, completion);
      return spending({ prompt, completion });
    },
  };
}

function jsonBytes(body: Json): number {
  return Buffer.byteLength(jsonText(body));
}

/** How many answers a request asks for at once. */
function choiceCount(body: Json): number {
  const wanted = own(objectOf(body) ?? {}, 'n');
  return typeof wanted === 'number' && wanted > 1 ? wanted : 1;
}

/** Failures before the request left this machine: no service can have billed it. */
const neverSent: ReadonlySet<string> = new Set(['connection_refused', 'dns', 'tls', 'connect_timeout']);

function isFree({ status, failure }: Answer): boolean {
  return status === null ? neverSent.has(failure?.kind ?? '') : !isSuccess(status);
}
