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
import type { ModelConfig } from '../config/config.js';
import { jsonText, type Json } from '../json/json.js';
import { rememberedByObject } from '../json/remembered.js';
import type { Spending } from './budget-ledger.js';

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
     * The tokens and the cost of a request: as the service reports them, but never less than what was sent and what
     * arrived; where the service does not report it, what was expected. Nothing for a refusal, unless the service says
     * so.
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

const jsonBytes = rememberedByObject((body: Json): number => Buffer.byteLength(jsonText(body)));

/** The number of answers that a request asks for at once. */
function choiceCount(body: Json): number {
  const wanted = own(objectOf(body) ?? {}, 'n');
  return typeof wanted === 'number' && wanted > 1 ? wanted : 1;
}

/** Failures before the request left this machine: no service can have billed it. */
const neverSent: ReadonlySet<string> = new Set(['connection_refused', 'dns', 'tls', 'connect_timeout']);

function isFree({ status, failure }: Answer): boolean {
  return status === null ? neverSent.has(failure?.kind ?? '') : !isSuccess(status);
}
