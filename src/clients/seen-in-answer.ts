import type { Exchange } from '../chat/exchange.js';
import { isObject, type Json } from '../json/json.js';
import { derive, explicit } from '../judge/derived-expectation.js';
import { judge } from '../judge/judge.js';

/** An answer of the embedded service to a client, as its `onAnswer` hands it over. */
export interface AnswerToClient {
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
  const exchange: Exchange = {
    request: { url: '', headers: {}, body: sent },
    answer: {
      ...{ status, headers, body: [Buffer.from(body).toString('utf8')] },
      failure: complete ? null : { kind: 'connection_reset', message: 'the connection broke' },
    },
    timing: { started_at: '1970-01-01T00:00:00.000Z', headers_ms: 0, total_ms: 0 },
  };
  const expectation = explicit(derive(isObject(sent) ? sent : {}), {});
  const outcome = judge(exchange, expectation, { vars: {}, request: sent, steps: {} });
  return { class: outcome.class, quirks: outcome.quirks, value: outcome.value ?? null };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
