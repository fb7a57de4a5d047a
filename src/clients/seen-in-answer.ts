import type { Exchange } from '../chat/exchange.js';
import { itemsOrEmpty, objectOf } from '../chat/fields.js';
import { isObject, jsonOrUndefined, type Json, writtenJson } from '../json/json.js';
import { isSameJson } from '../json/merge-patch.js';
import { derive, explicit } from '../judge/expectation.js';
import { judgeExchange } from '../judge/judge.js';
import type { Outcome } from '../judge/outcome.js';
import { wayOfAnswer } from './answer-way.js';

/** An answer of the embedded service to a client, as its `onAnswer` hands it over. */
interface AnswerToClient {
  /** Text of the request's body. */
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly complete: boolean;
  /** How the connection ends. */
  readonly ending: string;
}

/** The findings of a careful client in an answer. */
export interface SeenInAnswer {
  /** The outcome class; null where nothing is wrong. */
  readonly class: string | null;
  readonly quirks: readonly string[];
  /** The parsed content, the first call's arguments, or the text; null where there is none. */
  readonly value: Json;
  /** The arguments of every call; text that is no JSON as it is. */
  readonly calls: readonly Json[];
  /** Equal for two answers that are odd or wrong in the same way. */
  readonly way: string;
  /** `end`, or how the connection breaks, hangs or goes on for ever. */
  readonly ending: string;
}

/** Judges an answer that a client got, by what its request leads to expect. */
export function seenInAnswer(answer: AnswerToClient): SeenInAnswer {
  const { request, status, headers, body, complete, ending } = answer;
  const sent = jsonOrUndefined(request) ?? null;
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
  const way = wayOfAnswer({ outcome: asSent, body: text, contentType: headers['content-type'] ?? '', ending });
  return { class: outcome.class, quirks, value: outcome.value ?? null, calls: callsIn(outcome), way, ending };
}

function callsIn({ reply }: Outcome): readonly Json[] {
  return (reply?.tool_calls ?? []).map(({ arguments: args }) => {
    if (typeof args !== 'string') return args ?? {};
    return args === '' ? {} : (jsonOrUndefined(args) ?? args);
  });
}

const movedCall = 'legacy_function_call';

/** A client that knows the retired field finds the call there: to it, the answer is right in an odd form. */
function withCallMovedBack(text: string): string {
  const body = objectOf(jsonOrUndefined(text)) ?? {};
  const choices = itemsOrEmpty(body['choices']).map((item) => {
    const { message, ...choice } = objectOf(item) ?? {};
    const { function_call: call, ...said } = objectOf(message ?? null) ?? {};
    const calls = call === undefined ? [] : [{ id: 'call_moved', type: 'function', function: call }];
    return { ...choice, finish_reason: 'tool_calls', message: { ...said, tool_calls: calls } };
  });
  return writtenJson({ ...body, choices });
}

/** Quirks that put something in front of the text; a careful reader takes it off. */
const inFront = new Set(['think_tags_in_content', 'tool_call_markup_in_content']);

/** Whether an answer with this quirk says what the right one says; a call may come more than once. */
export function answersAlike(quirk: string, odd: Said, right: Said): boolean {
  if (right.calls.length === 0) return odd.calls.length === 0 && saysTheSame(quirk, odd.value, right.value);
  const holds = (calls: readonly Json[], call: Json): boolean => calls.some((one) => isSameJson(one, call));
  return (
    odd.calls.length >= right.calls.length &&
    odd.calls.every((call) => holds(right.calls, call)) &&
    right.calls.every((call) => holds(odd.calls, call))
  );
}

type Said = Pick<SeenInAnswer, 'value' | 'calls'>;

function saysTheSame(quirk: string, value: Json, right: Json): boolean {
  if (inFront.has(quirk) && typeof value === 'string' && typeof right === 'string') {
    return right !== '' && value.endsWith(right);
  }
  return isSameJson(value, right);
}
