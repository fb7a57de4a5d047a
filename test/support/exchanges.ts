import type { Exchange } from '../../src/index.js';
import type { Expectation } from '../../src/parts.js';

export type Json = Exchange['request']['body'];
export type JsonObject = { readonly [name: string]: Json };

/** An exchange as a run records it. */
export function exchangeOf(body: Json, answer: Pick<Exchange['answer'], 'status' | 'headers' | 'body'>): Exchange {
  return {
    request: { url: 'http://127.0.0.1:8080/v1/chat/completions', headers: {}, body },
    answer: { ...answer, failure: null },
    timing: { started_at: '2026-11-20T08:00:00.000Z', headers_ms: 20, total_ms: 30 },
  };
}

/** What comes back is a text, where a case does not say otherwise. */
export function expectationOf(changes: Partial<Expectation>): Expectation {
  return {
    ...{ toolCall: { kind: 'none' }, content: 'text', schema: null, finishReasons: null },
    ...{ rejected: null, outcome: null, rules: [], reasoning: null },
    ...changes,
  };
}
