import type { Answer, Exchange } from '../../src/chat/exchange.js';
import type { Json, JsonObject } from '../../src/json/json.js';
import type { Expectation } from '../../src/judge/expectation.js';
import { judge } from '../../src/judge/judge.js';
import type { Outcome } from '../../src/judge/outcome.js';

/** What a plain request expects. */
export const plainExpectation: Expectation = {
  ...{ toolCall: { kind: 'none' }, content: 'text', schema: null, finishReasons: null },
  ...{ rejected: null, outcome: null, rules: [], reasoning: null },
};

export interface Judged {
  readonly message?: JsonObject;
  readonly finish?: string | null;
  readonly usage?: JsonObject | null;
  /** Fields of the request. */
  readonly request?: JsonObject;
  readonly expect?: Partial<Expectation>;
  readonly answer?: Partial<Answer>;
  readonly vars?: JsonObject;
  readonly steps?: JsonObject;
}

/** Judges one plain completion (or any answer) against an expectation. */
export function judged({ request = {}, expect = {}, vars = {}, steps = {}, ...rest }: Judged): Outcome {
  const body: Json = { model: 'm-1', messages: [{ role: 'user', content: 'Hi' }], ...request };
  const exchange: Exchange = {
    request: { url: 'http://127.0.0.1/v1/chat/completions', headers: {}, body },
    answer: { status: 200, headers: {}, body: [completion(rest)], failure: null, ...rest.answer },
    timing: { started_at: '2026-11-20T00:00:00Z', headers_ms: 1, total_ms: 2 },
  };
  return judge(exchange, { ...plainExpectation, ...expect }, { vars, request: body, steps });
}

export function completion({ message = { content: 'Hello.' }, finish = 'stop', usage }: Judged): string {
  return JSON.stringify({
    ...{ id: 'c-1', object: 'chat.completion', created: 1, model: 'm-1' },
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage: usage === undefined ? { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } : usage,
  });
}

/** A message with calls of these names and arguments. */
export function calling(...calls: readonly (readonly [name: string | null, args: Json])[]): JsonObject {
  return {
    content: null,
    tool_calls: calls.map(([name, args], index) => ({
      id: `call-${index}`,
      type: 'function',
      function: { name, arguments: args },
    })),
  };
}
