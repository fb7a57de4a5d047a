import { isSuccess, type Answer, type TransportFailureKind } from '../../chat/exchange.js';
import { isDone, readAnswer } from '../../chat/read-answer.js';
import type { AnswerSign } from '../../judge/refusals/answer-sign.js';
import type { FailedRequests } from '../../matrix/failed-requests.js';

export type FailureKind = FailedRequests['kinds'][number]['kind'];

/** How a request ended that got no usable answer; `status` is null where no whole answer came. */
export interface HowItFailed {
  readonly kind: FailureKind;
  readonly status: number | null;
}

/** So many requests ended alike, by how they did. */
export type FailedAlike = Map<string, HowItFailed & { requests: number }>;

export function countFailure(among: FailedAlike, { kind, status }: HowItFailed): void {
  const name = `${kind} ${status ?? ''}`;
  const known = among.get(name) ?? { kind, status, requests: 0 };
  known.requests += 1;
  among.set(name, known);
}

/** `load`: the service has too much to do, or wants money. `stop`: the run itself ended the request or refused its answer. */
export type HowItEnded = 'answered' | 'load' | 'stop' | HowItFailed;

/** @param sign what the answer says of load */
export function howItEnded(answer: Answer, sign: AnswerSign): HowItEnded {
  const { status, failure } = answer;
  if (failure !== null || status === null) {
    const kind = failure === null ? 'reset' : ofTransport[failure.kind];
    if (kind === null) return 'stop';
    if (!isSuccess(status)) return { kind, status: null };
    if (isDone(readAnswer(answer))) return 'answered';
    return { kind: kind === 'timeout' ? kind : 'cut', status: null };
  }
  if (sign.kind === 'load' || sign.kind === 'unpaid') return 'load';
  if (sign.kind === 'none') return isSuccess(status) ? { kind: 'error_object', status } : { kind: 'status', status };
  const reading = isSuccess(status) ? readAnswer(answer) : null;
  if (reading?.kind === 'reply' && reading.reply.ending === 'open') return { kind: 'cut', status: null };
  return 'answered';
}

/** null: a stop, or a limit of chatspec's own. */
const ofTransport: Readonly<Record<TransportFailureKind, FailureKind | null>> = {
  connection_refused: 'refused',
  connection_reset: 'reset',
  dns: 'dns',
  tls: 'tls',
  connect_timeout: 'timeout',
  headers_timeout: 'timeout',
  body_timeout: 'timeout',
  total_timeout: 'timeout',
  bad_encoding: 'other',
  other: 'other',
  too_large: null,
  redirect: null,
  withheld: null,
  interrupted: null,
};
