import type { Answer, Exchange } from '../../../src/chat/exchange.js';
import type { Clock } from '../../../src/run/clock.js';
import type { SendRequest } from '../../../src/run/target-state.js';
import { randomFrom } from '../../support/random.js';
import { environmentHeader } from './record-night.js';

/** What happens between a client and models that have nothing to do with it. Times are seconds after the first request. */
export interface Environment {
  readonly seed: number;
  /** Milliseconds that an answer takes: from, to. */
  readonly latency: readonly [number, number];
  readonly incidents: readonly Incident[];
}

/** A time in which a share of the requests gets no answer of the model. */
export interface Incident {
  readonly from: number;
  /** Infinity: until the end. */
  readonly seconds: number;
  readonly share: number;
  /** A request fails in one of these ways, each equally likely. */
  readonly failures: readonly EnvironmentFailure[];
  /** Only requests to this model; without it, to all. */
  readonly model?: string;
  /** Only while more requests than this are in flight. */
  readonly above?: number;
}

export const environmentFailures = [
  'http_500',
  'http_502',
  'http_503',
  'http_503_page',
  'http_504',
  'http_429',
  'reset',
  'timeout',
] as const;
export type EnvironmentFailure = (typeof environmentFailures)[number];

export interface EnvironmentCounts {
  requests: number;
  failed: number;
}

/** Longer than any request may take, in milliseconds: what is asked then waits for nothing. */
const timeoutMs = 10_000;

/** The way to a service in an environment: its answers take time, and some never come. */
export function inEnvironment(
  send: SendRequest,
  environment: Environment,
  clock: Clock,
): { readonly send: SendRequest; readonly counts: EnvironmentCounts } {
  const random = randomFrom(environment.seed);
  const counts: EnvironmentCounts = { requests: 0, failed: 0 };
  const [shortest, longest] = environment.latency;
  let began: number | null = null;
  let inFlight = 0;

  /** What befalls a request that is on its way from `sent` to `answered`, in seconds after the first. */
  const fateOf = (model: string, sent: number, answered: number): EnvironmentFailure | null => {
    for (const { from, seconds, share, failures, model: only, above = 0 } of environment.incidents) {
      const meets = sent < from + seconds && answered > from && (only ?? model) === model && inFlight > above;
      if (meets && random() < share) return failures[Math.floor(random() * failures.length)] ?? null;
    }
    return null;
  };

  const spoiling: SendRequest = async (body, extra, signal) => {
    const startedAt = clock.now();
    began ??= startedAt;
    inFlight += 1;
    counts.requests += 1;
    const latency = shortest + random() * (longest - shortest);
    const sent = (startedAt - began) / 1000;
    const model = String((body as { model?: unknown }).model);
    const fate = fateOf(model, sent, sent + latency / 1000);
    if (fate !== null) counts.failed += 1;
    // A refusal comes at once; what is cut was on its way.
    await clock.sleep(fate === null || fate === 'reset' ? latency : fate === 'timeout' ? timeoutMs : 5, signal);
    const exchange: Exchange =
      fate === null && !signal.aborted
        ? await send(body, extra, signal)
        : {
            request: { url: 'http://world/v1/chat/completions', headers: {}, body },
            answer: signal.aborted ? interrupted : answers[fate ?? 'reset'],
            timing: { started_at: '', headers_ms: null, total_ms: 0 },
          };
    inFlight -= 1;
    const total = clock.now() - startedAt;
    const started_at = new Date(startedAt).toISOString();
    return { ...exchange, timing: { started_at, headers_ms: total, total_ms: total } };
  };
  return { send: spoiling, counts };
}

const json = { 'content-type': 'application/json', [environmentHeader]: 'spoilt' };
const html = { 'content-type': 'text/html', [environmentHeader]: 'spoilt' };
const error = (message: string): string[] => [JSON.stringify({ error: { message, type: 'server_error' } })];
const page = (title: string): string[] => [
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`,
];
const refusal = (status: number, headers: Answer['headers'], body: readonly string[]): Answer => ({
  ...{ status, headers, body, failure: null },
});
const noAnswer = (kind: 'connection_reset' | 'total_timeout' | 'interrupted', message: string): Answer => ({
  ...{ status: null, headers: {}, body: [], failure: { kind, message } },
});

const interrupted = noAnswer('interrupted', 'the run was interrupted');
const answers: Readonly<Record<EnvironmentFailure, Answer>> = {
  http_500: refusal(500, json, error('Internal server error')),
  http_502: refusal(502, json, error('The upstream server could not be reached')),
  http_503: refusal(503, json, error('The model is not available at the moment')),
  http_503_page: refusal(503, html, page('503 Service Temporarily Unavailable')),
  http_504: refusal(504, json, error('The upstream server did not answer in time')),
  http_429: refusal(429, { ...json, 'retry-after': '1' }, error('Too many requests')),
  reset: noAnswer('connection_reset', 'the connection was reset'),
  timeout: noAnswer('total_timeout', 'no answer within the time limit'),
};
