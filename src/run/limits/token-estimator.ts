import { type Answer, isSuccess } from '../../chat/exchange.js';
import { assumedOutputTokens, outputCap } from '../../chat/output-cap.js';
import { readAnswer, replyIn } from '../../chat/read-answer.js';
import type { Reply } from '../../chat/reply.js';
import { hiddenTokens, tokenUse } from '../../chat/token-use.js';
import type { ModelConfig } from '../../config/config.js';
import type { Json } from '../../json/json.js';

/** What a request takes of the budget. */
export interface Spending {
  readonly tokens: number;
  /** In the currency of the configured prices. */
  readonly cost: number;
}

/** Tokens that a chat template adds around the messages. */
const templateTokens = 16;

/** The tokens that a service reports for a request; null where it does not. */
export interface ReportedUsage {
  readonly prompt: number | null;
  readonly completion: number | null;
}

interface Tokens {
  readonly prompt: number;
  readonly completion: number;
}

/** Estimates, on the high side, what requests to one model take, and learns from what they took. */
export interface TokenEstimator {
  /** The most that the request should take: what to reserve for it. */
  most(body: Json): Spending;
  /** What it took; where the service does not report it, what was expected. */
  spent(body: Json, usage: ReportedUsage | null): Spending;
  /** Whether the service wrote more than the request allowed. */
  overshot(body: Json, usage: ReportedUsage): boolean;
}

export function createTokenEstimator(model: ModelConfig): TokenEstimator {
  /** A quarter in English, up to a half in other languages. */
  let tokensPerByte = 0.25;
  let usualOutput = assumedOutputTokens;

  const cost = ({ prompt, completion }: Tokens): number =>
    model.price === null ? 0 : (prompt * model.price.prompt + completion * model.price.completion) / 1e6;
  const spending = (use: Tokens): Spending => ({ tokens: use.prompt + use.completion, cost: cost(use) });
  const expected = (body: Json): Tokens => ({
    prompt: Math.ceil(bytesOf(body) * tokensPerByte) + templateTokens,
    completion: outputCap(body, model.rename) ?? usualOutput,
  });

  return {
    most: (body) => spending(expected(body)),
    spent(body, usage) {
      const { prompt, completion } = expected(body);
      if (usage === null) return spending({ prompt, completion });
      const took = { prompt: usage.prompt ?? prompt, completion: usage.completion ?? completion };
      if (usage.prompt !== null) {
        tokensPerByte = Math.max(tokensPerByte, (usage.prompt - templateTokens) / bytesOf(body));
      }
      if (outputCap(body, model.rename) === null) usualOutput = Math.max(usualOutput, took.completion);
      return spending(took);
    },
    overshot(body, usage) {
      const cap = outputCap(body, model.rename);
      return cap !== null && usage.completion !== null && usage.completion > cap;
    },
  };
}

function bytesOf(body: Json): number {
  return Buffer.byteLength(JSON.stringify(body));
}

/**
 * The usage that a reply reports, as far as it can be believed. Hidden tokens count as output. A count of zero is taken
 * for a missing one: no request takes no tokens, and no text is written with none.
 */
export function reportedUsage(reply: Reply | null): ReportedUsage | null {
  if (reply === null) return null;
  const use = tokenUse(reply);
  const prompt = use.prompt === 0 ? null : use.prompt;
  const written = use.completion === null ? null : use.completion + hiddenTokens(use);
  const completion = written === 0 && (reply.content ?? '') !== '' ? null : written;
  return prompt === null && completion === null ? null : { prompt, completion };
}

/** Failures before the request left this machine: no service can have billed it. */
const neverSent: ReadonlySet<string> = new Set(['connection_refused', 'dns', 'tls', 'connect_timeout']);

/** What an answer costs: nothing for a refusal; null, so that it is estimated, where an answer may have been billed. */
export function billedUsage(answer: Answer, reply = replyIn(readAnswer(answer))): ReportedUsage | null {
  const refused = answer.status !== null && !isSuccess(answer.status);
  const unsent = answer.status === null && neverSent.has(answer.failure?.kind ?? '');
  return reportedUsage(reply) ?? (refused || unsent ? { prompt: 0, completion: 0 } : null);
}
