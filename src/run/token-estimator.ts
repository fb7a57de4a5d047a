import { promptTokensIn, writtenTokensIn } from '../chat/counted-tokens.js';
import { type Answer, isSuccess } from '../chat/exchange.js';
import { objectOf, own } from '../chat/fields.js';
import { assumedOutputTokens, outputCap } from '../chat/output-cap.js';
import { readAnswer, replyIn } from '../chat/read-answer.js';
import type { Reply } from '../chat/reply.js';
import { hiddenTokens, tokenUse, type TokenUse } from '../chat/token-use.js';
import type { ModelConfig } from '../config/config.js';
import type { Json, JsonObject } from '../json/json.js';
import { jsonText } from '../json/json-text.js';

/** What a request takes of the budget. */
export interface Spending {
  readonly tokens: number;
  /** In the currency of the configured prices. */
  readonly cost: number;
  /** Of both: what the service did not report, by chatspec's own count. Absent: nothing. */
  readonly unreported?: { readonly tokens: number; readonly cost: number };
}

/** Tokens that a chat template adds around the messages. */
const templateTokens = 16;

/** The tokens that a service reports for a request; null where it does not. Hidden tokens count as output. */
export interface ReportedUsage {
  readonly prompt: number | null;
  readonly completion: number | null;
  /** Only where one of the others is missing. */
  readonly total: number | null;
}

/** What shows how many tokens an answer took. */
export interface Billed {
  readonly reported: ReportedUsage | null;
  /** Tokens of the text that arrived, by chatspec's own count. */
  readonly written: number;
  /** It was refused, or never left this machine: it costs nothing unless the service says so. */
  readonly free: boolean;
}

interface Tokens {
  readonly prompt: number;
  readonly completion: number;
}

/** Estimates, on the high side, what requests to one model take, and learns from what they took. */
export interface TokenEstimator {
  /** The most that the request should take: what to reserve for it. */
  most(body: Json): Spending;
  /**
   * What it took: what the service reports, but never less than what was sent and what arrived; where the service does
   * not report it, what was expected.
   */
  spent(body: Json, billed: Billed): Spending;
  /** Whether the service says that it wrote more than the request allowed. */
  overshot(body: Json, usage: ReportedUsage): boolean;
}

export function createTokenEstimator(model: ModelConfig): TokenEstimator {
  /** A quarter in English, up to a half in other languages. */
  let tokensPerByte = 0.25;
  let usualOutput = assumedOutputTokens;

  const cost = ({ prompt, completion }: Tokens): number =>
    model.price === null ? 0 : (prompt * model.price.prompt + completion * model.price.completion) / 1e6;
  const spending = (use: Tokens): Spending => ({ tokens: use.prompt + use.completion, cost: cost(use) });
  const capOf = (body: Json): number | null => {
    const cap = outputCap(body, model.rename);
    return cap === null ? null : cap * choicesOf(body);
  };
  const expectedOutput = (body: Json): number => capOf(body) ?? usualOutput * choicesOf(body);
  const expected = (body: Json): Tokens => ({
    prompt: Math.ceil(bytesOf(body) * tokensPerByte) + templateTokens,
    completion: expectedOutput(body),
  });
  const learn = (body: Json, { reported }: Billed, completion: number): void => {
    const prompt = reported?.prompt ?? null;
    if (prompt !== null) tokensPerByte = Math.max(tokensPerByte, (prompt - templateTokens) / bytesOf(body));
    if (capOf(body) === null) usualOutput = Math.max(usualOutput, Math.ceil(completion / choicesOf(body)));
  };

  return {
    most: (body) => spending(expected(body)),
    spent(body, billed) {
      if (billed.free)
        return spending({ prompt: billed.reported?.prompt ?? 0, completion: billed.reported?.completion ?? 0 });
      const sent = promptTokensIn(body);
      const claimed = completed(billed.reported, sent);
      const took = {
        prompt: Math.max(claimed.prompt ?? expected(body).prompt, sent),
        completion: Math.max(claimed.completion ?? expectedOutput(body), billed.written),
      };
      learn(body, billed, took.completion);
      const unreported = spending({
        prompt: took.prompt - Math.min(took.prompt, claimed.prompt ?? 0),
        completion: took.completion - Math.min(took.completion, claimed.completion ?? 0),
      });
      return { ...spending(took), ...(unreported.tokens > 0 && { unreported }) };
    },
    overshot(body, usage) {
      const cap = capOf(body);
      return cap !== null && usage.completion !== null && usage.completion > cap;
    },
  };
}

function bytesOf(body: Json): number {
  return Buffer.byteLength(jsonText(body));
}

/** How many answers a request asks for at once. */
function choicesOf(body: Json): number {
  const wanted = own(objectOf(body) ?? {}, 'n');
  return typeof wanted === 'number' && wanted > 1 ? wanted : 1;
}

/** Fills in what a total says: of what is left of it, a prompt takes what was sent, and the answer the rest. */
function completed(reported: ReportedUsage | null, sent: number): Pick<ReportedUsage, 'prompt' | 'completion'> {
  if (reported === null) return { prompt: null, completion: null };
  const { prompt, completion, total } = reported;
  if (total === null) return { prompt, completion };
  if (completion !== null) return { prompt: prompt ?? total - completion, completion };
  return { prompt: prompt ?? sent, completion: total - (prompt ?? sent) };
}

/**
 * The usage that a reply reports, as far as it can be believed. A count of zero is taken for a missing one: no request
 * takes no tokens, and no text is written with none.
 * @param written tokens of the text that arrived
 */
function usageIn(reply: Reply | null, written: number): ReportedUsage | null {
  if (reply === null) return null;
  const use = tokenUse({ usage: reply.usage === null ? null : withNumbers(reply.usage) });
  const prompt = use.prompt === 0 ? null : use.prompt;
  const output = use.completion === null ? null : use.completion + hiddenTokens(use);
  const completion = output === 0 && written > 0 ? null : output;
  const total = prompt === null || completion === null ? believedTotal(use) : null;
  return prompt === null && completion === null && total === null ? null : { prompt, completion, total };
}

/** A count that is written as a string is no mistake in the amount. */
function withNumbers(usage: JsonObject): JsonObject {
  if (!Object.values(usage).some((value) => typeof value === 'string')) return usage;
  const asNumber = (value: Json): Json =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return Object.fromEntries(Object.entries(usage).map(([name, value]) => [name, asNumber(value)]));
}

/** A total that holds no more than the parts it comes with adds nothing to them. */
function believedTotal({ prompt, completion, total }: TokenUse): number | null {
  return total !== null && total > (prompt ?? 0) + (completion ?? 0) ? total : null;
}

/** Failures before the request left this machine: no service can have billed it. */
const neverSent: ReadonlySet<string> = new Set(['connection_refused', 'dns', 'tls', 'connect_timeout']);

/** What an answer costs: nothing for a refusal, unless it says so. */
export function billedUsage(answer: Answer, reply = replyIn(readAnswer(answer))): Billed {
  const refused = answer.status !== null && !isSuccess(answer.status);
  const unsent = answer.status === null && neverSent.has(answer.failure?.kind ?? '');
  const written = writtenTokensIn(answer, reply);
  return { reported: usageIn(reply, written), written, free: refused || unsent };
}
