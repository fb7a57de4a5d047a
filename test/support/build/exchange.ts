import type { Answer, Exchange } from '../../../src/chat/exchange.js';
import type { ExchangeRecord } from '../../../src/journal/event.js';
import type { Json, JsonObject } from '../../../src/json/json.js';
import { aModel } from './config.js';

export interface CompletionChanges {
  readonly id?: string;
  readonly model?: string;
  readonly message?: JsonObject;
  readonly finish?: string | null;
  /** null is sent; undefined leaves the default. */
  readonly usage?: Json;
}

/** The body of an answer that is not streamed. */
export function aCompletion(changes: CompletionChanges = {}): string {
  const { id = 'c-1', model = 'm-1', message = { content: 'Hello.' }, finish = 'stop' } = changes;
  return JSON.stringify({
    ...{ id, object: 'chat.completion', created: 1, model },
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage: changes.usage === undefined ? aUsage() : changes.usage,
  });
}

export function aUsage(changes: JsonObject = {}): JsonObject {
  return { prompt_tokens: 40, completion_tokens: 12, total_tokens: 52, ...changes };
}

/** A message with calls of these names and arguments. */
export function callMessage(...calls: readonly (readonly [name: string | null, args: Json])[]): JsonObject {
  return {
    content: null,
    tool_calls: calls.map(([name, args], index) => ({
      id: `call-${index}`,
      type: 'function',
      function: { name, arguments: args },
    })),
  };
}

export function anAnswer(changes: Partial<Answer> = {}): Answer {
  return { status: 200, headers: {}, body: [aCompletion()], failure: null, ...changes };
}

/** An answer of this text, or of these pieces as they arrived. */
export function anAnswerOf(body: string | readonly string[], type = 'text/event-stream'): Answer {
  return anAnswer({ headers: { 'content-type': type }, body: typeof body === 'string' ? [body] : body });
}

/** `body` is that of the request. */
export function anExchange(body: Json = aRequest(), answer: Partial<Answer> = {}, url = aUrl): Exchange {
  return {
    request: { url, headers: {}, body },
    answer: anAnswer(answer),
    timing: { started_at: '2026-11-20T08:00:00.000Z', headers_ms: 20, total_ms: 30 },
  };
}

const aUrl = 'http://127.0.0.1:8080/v1/chat/completions';

export function aRequest(changes: JsonObject = {}): JsonObject {
  return { model: 'm-1', messages: [{ role: 'user', content: 'Hi' }], ...changes };
}

type RecordChanges = Partial<ExchangeRecord> & { readonly body?: string; readonly status?: number };

/** The journal's line of an exchange for a cell; `body` and `status` are those of the answer. */
export function anExchangeRecord(id: string, cell: string | null, changes: RecordChanges = {}): ExchangeRecord {
  const { body, status = 200, ...others } = changes;
  const model = aModel(cell?.slice(cell.indexOf('@') + 1));
  const { request, answer, timing } = anExchange(
    aRequest({ model: model.id, messages: [{ role: 'user', content: 'Answer in json.' }], max_tokens: 512 }),
  );
  const headers = { 'content-type': 'application/json' };
  const reasoning = { completion_tokens_details: { reasoning_tokens: 3 } };
  const completion = { id: `chatcmpl-${id}`, message: { content: '{"total":"897"}' }, usage: aUsage(reasoning) };
  return {
    ...{ type: 'exchange', id, model: model.key, cell, ask: { kind: 'trial', patch: {}, sample: 0 } },
    ...{ purpose: 'probe', step: 'request', attempt: 0, served: null, fingerprint: null },
    exchange: {
      request: { ...request, headers: { authorization: 'Bearer [masked]', ...headers } },
      answer: {
        ...{ ...answer, status, body: [body ?? aCompletion(completion)] },
        headers: { ...headers, traceresponse: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` },
      },
      timing,
    },
    ...others,
  };
}
