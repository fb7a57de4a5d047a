import type { Answer, Exchange, TransportFailureKind } from '../../../src/chat/exchange.js';
import type { Json } from '../../../src/json/json.js';
import { knownTasksIn } from '../../../src/simulator/answers/known-tasks.js';
import { replayedAnswersIn } from '../../../src/simulator/faults/response-actions.js';
import { bodyBytes, type HttpResponse } from '../../../src/simulator/http/response.js';
import { createService } from '../../../src/simulator/http/service.js';
import type { Profile } from '../../../src/simulator/profiles/profile.js';
import { profilesFolder, samplesFolder } from '../../../test/support/ask-service.js';

/** The embedded service without sockets, so that thousands of requests take seconds. */
export interface EmbeddedService {
  readonly ask: (body: Json, headers?: Readonly<Record<string, string>>) => Promise<Exchange>;
}

export function serviceOf(profiles: ReadonlyMap<string, Profile>, seed: number): EmbeddedService {
  const service = createService({
    ...{ profiles, seed, now: () => 1_795_000_000_000, onRequest: () => undefined },
    findTask: knownTasksIn(samplesFolder),
    replayedAnswers: replayedAnswersIn(profilesFolder),
  });
  return {
    ask: async (body, headers = {}) => ({
      request: { url: 'http://127.0.0.1/v1/chat/completions', headers: {}, body },
      answer: answerOf(await service.complete(JSON.stringify(body), headers)),
      timing: { started_at: '2026-11-20T08:00:00.000Z', headers_ms: 1, total_ms: 2 },
    }),
  };
}

/** What a client would see of it: what ends badly, or never, is a failure of the network. */
function answerOf(response: HttpResponse): Answer {
  const { status, headers, parts, ending } = response;
  const failure = failureOf(response);
  if (ending === 'reset_before_headers' || ending === 'reset_during_headers' || ending === 'stall_before_headers')
    return { status: null, headers: {}, body: [], failure };
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const isPacked = 'content-encoding' in lower;
  return { status, headers: lower, body: isPacked ? [] : [bodyBytes(parts).toString('utf8')], failure };
}

function failureOf({ status, ending, repeat, headers, parts }: HttpResponse): Answer['failure'] {
  const failed = (kind: TransportFailureKind): Answer['failure'] => ({ kind, message: kind });
  if (ending.startsWith('reset')) return failed('connection_reset');
  if (ending.startsWith('stall') || repeat?.times === Infinity) return failed('total_timeout');
  if (repeat !== null || 'content-encoding' in headers) return failed('too_large');
  if (status >= 300 && status < 400) return failed('redirect');
  if (bodyBytes(parts).includes(0xff)) return failed('bad_encoding');
  return null;
}
