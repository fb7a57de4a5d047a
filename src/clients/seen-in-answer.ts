import type { Exchange } from '../chat/exchange.js';
import { itemsOrEmpty, objectOf } from '../chat/fields.js';
import { isObject, type Json } from '../json/json.js';
import { isSameJson } from '../json/merge-patch.js';
import { derive, explicit } from '../judge/expectation.js';
import { judgeExchange } from '../judge/judge.js';
import { parsedJson, writtenJson } from '../json/json-text.js';

/** An answer of the embedded service to a client, as its `onAnswer` hands it over. */
interface AnswerToClient {
  /** Text of the request's body. */
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly complete: boolean;
}

/** What a careful client finds in an answer. */
export interface SeenInAnswer {
  /** The outcome class; null where nothing is wrong. */
  readonly class: string | null;
  readonly quirks: readonly string[];
  /** The parsed content, the first call's arguments, or the text; null where there is none. */
  readonly value: Json;
}

/** Judges an answer that a client got, by what its request leads to expect. */
export function seenInAnswer({ request, status, headers, body, complete }: AnswerToClient): SeenInAnswer {
  const sent = parsed(request);
  const judgeBody = (text: string) => {
    const exchange: Exchange = {
      request: { url: '', headers: {}, body: sent },
      answer: {
        status,
        headers,
        body: [text],
        failure: complete ? null : { kind: 'connection_reset', message: 'the connection broke' },
      },
      timing: { started_at: '1970-01-01T00:00:00.000Z', headers_ms: 0, total_ms: 0 },
    };
    const expectation = explicit(derive(isObject(sent) ? sent : {}), {});
    return judgeExchange(exchange, expectation, { vars: {}, request: sent, steps: {} });
  };
  const text = Buffer.from(body).toString('utf8');
  const asSent = judgeBody(text);
  const isMoved = asSent.class === 'missing_tool_call' && asSent.quirks.includes(movedCall);
  const outcome = isMoved ? judgeBody(withCallMovedBack(text)) : asSent;
  const quirks = isMoved ? [...new Set([...outcome.quirks, movedCall])].sort() : outcome.quirks;
  return { class: outcome.class, quirks, value: outcome.value ?? null };
}

const movedCall = 'legacy_function_call';

/** A client that knows the retired field finds the call there: to it, the answer is right in an odd form. */
function withCallMovedBack(text: string): string {
  const body = objectOf(parsed(text)) ?? {};
  const choices = itemsOrEmpty(body['choices']).map((item) => {
    const { message, ...choice } = objectOf(item) ?? {};
    const { function_call: call, ...said } = objectOf(message ?? null) ?? {};
    const calls = call === undefined ? [] : [{ id: 'call_moved', type: 'function', function: call }];
    return { ...choice, finish_reason: 'tool_calls', message: { ...said, tool_calls: calls } };
  });
  return writtenJson({ ...body, choices });
}

function parsed(text: string): Json {
  try {
    return parsedJson(text) as Json;
  } catch {
    return null;
  }
}

/** Quirks that put something in front of the text; a careful reader takes it off. */
const inFront = new Set(['think_tags_in_content', 'tool_call_markup_in_content']);

/** Whether an answer with this quirk says what the right one says. */
export function saysTheSame(quirk: string, value: Json, right: Json): boolean {
  if (inFront.has(quirk) && typeof value === 'string' && typeof right === 'string') {
    return right !== '' && value.endsWith(right);
  }
  return isSameJson(value, right);
}
