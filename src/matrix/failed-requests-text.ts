import { sum } from '../stats/sum.js';
import { areNotable, type FailedRequests } from './failed-requests.js';
import { kindsTogether } from './unmeasured/unanswered.js';

type Kind = FailedRequests['kinds'][number];

const endings: Readonly<Record<Exclude<Kind['kind'], 'status' | 'error_object'>, string>> = {
  timeout: 'timed out',
  cut: 'cut off',
  reset: 'connection closed',
  refused: 'connection refused',
  dns: 'host not found',
  tls: 'no secure connection',
  other: 'not readable',
};

/**
 * "39 of 392 requests got no usable answer (HTTP 500)", "44 of 105 streamed requests got no usable answer (cut off)": all
 * that ended so, since who reads a number takes it for all.
 */
export function failedText(failed: FailedRequests): string {
  const findings = findingsIn(failed);
  return `${allFailed(failed)}${findings === 0 ? '' : `, of which ${findings.toLocaleString('en')} made their trials fail`}`;
}

function allFailed({ failed, of, stream, kinds, findings = [] }: FailedRequests): string {
  const requests = stream === null ? 'request' : stream ? 'streamed request' : 'plain request';
  const all = failed + requestsIn(findings);
  return `${all.toLocaleString('en')} of ${counted(of, requests)} got no usable answer (${howTheyEnded(kindsTogether([kinds, findings]))})`;
}

const requestsIn = (kinds: readonly Kind[]): number => sum(kinds.map(({ requests }) => requests));
const findingsIn = ({ findings = [] }: FailedRequests): number => requestsIn(findings);

/** "cut off", "3 timed out, 1 HTTP 504" */
export function howTheyEnded(kinds: readonly Kind[]): string {
  return kinds
    .map((one) => (kinds.length === 1 ? endingOf(one) : `${one.requests.toLocaleString('en')} ${endingOf(one)}`))
    .join(', ');
}

function endingOf({ kind, status }: Kind): string {
  if (kind === 'status') return `HTTP ${status ?? ''}`;
  return kind === 'error_object' ? `an error inside a ${status ?? 200}` : endings[kind];
}

/**
 * What a client must know of them, if it is more than a bad moment explains.
 * @param stream whether it streams; null: either
 */
export function failureCaveats(failed: FailedRequests | undefined, stream: boolean | null): string[] {
  if (failed === undefined || !areNotable(failed)) return [];
  if (failed.stream !== null && stream !== null && failed.stream !== stream) return [];
  return [`${failedText(failed)}: ${remedyOf(failed)}`];
}

function remedyOf({ kinds, stream }: FailedRequests): string {
  if (kinds.every(({ status }) => status === 401 || status === 403)) return 'check the key';
  return `send them again${stream === true ? ', or do not stream' : ''}`;
}

/** More models in trouble share one note. */
const mostNotes = 3;
/** So many of them are named. */
const mostNamed = 6;

/**
 * The notes of a run about models of which more requests failed than a bad moment explains.
 * @param all by `TARGET/MODEL`
 */
export function failureNotes(all: ReadonlyMap<string, FailedRequests>): readonly string[] {
  const notable = [...all].filter(([, failed]) => areNotable(failed)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (notable.length <= mostNotes)
    return notable.map(([model, failed]) => `${model}: ${allFailed(failed)}${whatFollowed(failed)}`);
  const byShare = [...notable].sort(([, a], [, b]) => b.failed / b.of - a.failed / a.of);
  const named = byShare.slice(0, mostNamed).map(([model, failed]) => `${model} ${inShort(failed)}`);
  const more = notable.length > mostNamed ? ` and ${notable.length - mostNamed} more` : '';
  const lost = sum(notable.map(([, one]) => one.lost));
  return [
    `${notable.length} models left requests without a usable answer: ${named.join(', ')}${more}${whatFollowedAll(lost)}`,
  ];
}

/** "474 of 871 (HTTP 500; 358 made their trials fail)" */
function inShort(one: FailedRequests): string {
  const { failed, of, kinds, findings = [] } = one;
  const failing = findingsIn(one);
  const among = failing === 0 ? '' : `; ${failing} made their trials fail`;
  return `${failed + failing} of ${of} (${howTheyEnded(kindsTogether([kinds, findings]))}${among})`;
}

function whatFollowed(one: FailedRequests): string {
  const { failed, lost } = one;
  const findings = findingsIn(one);
  if (findings === 0) return whatFollowedAll(lost);
  const failing = `: ${findings.toLocaleString('en')} made their trials fail`;
  const others = failed.toLocaleString('en');
  return lost === 0
    ? `${failing}, and ${others} were answered when they were sent again. No verdict counts the ${others}, but a client that does not retry meets them all`
    : `${failing}. No verdict counts the other ${others}, and ${counted(lost, 'trial')} ended without an answer, but a client meets them all`;
}

function whatFollowedAll(lost: number): string {
  return lost === 0
    ? '. They were answered when they were sent again; no verdict counts them, but a client that does not retry meets them'
    : `, and ${counted(lost, 'trial')} ended without one. No verdict counts them, but a client meets them`;
}

const counted = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
