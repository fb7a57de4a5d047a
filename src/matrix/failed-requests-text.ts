import { areNotable, type FailedRequests } from './failed-requests.js';

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

/** "39 of 392 requests got no usable answer (HTTP 500)", "44 of 105 streamed requests got no usable answer (cut off)" */
export function failedText({ failed, of, stream, kinds }: FailedRequests): string {
  const requests = stream === null ? 'request' : stream ? 'streamed request' : 'plain request';
  return `${failed.toLocaleString('en')} of ${counted(of, requests)} got no usable answer (${howTheyEnded(kinds)})`;
}

/** "cut off", "3 timed out, 1 HTTP 504" */
export function howTheyEnded(kinds: readonly Kind[]): string {
  return kinds
    .map((one) => (kinds.length === 1 ? endingOf(one) : `${one.requests.toLocaleString('en')} ${endingOf(one)}`))
    .join(', ');
}

/** "timed out, HTTP 504" */
export function endingsOf(kinds: readonly Kind[]): string {
  return kinds.map(endingOf).join(', ');
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
    return notable.map(([model, failed]) => `${model}: ${failedText(failed)}${whatFollowed(failed.lost)}`);
  const byShare = [...notable].sort(([, a], [, b]) => b.failed / b.of - a.failed / a.of);
  const named = byShare
    .slice(0, mostNamed)
    .map(([model, { failed, of, kinds }]) => `${model} ${failed} of ${of} (${howTheyEnded(kinds)})`);
  const more = notable.length > mostNamed ? ` and ${notable.length - mostNamed} more` : '';
  const lost = notable.reduce((sum, [, one]) => sum + one.lost, 0);
  return [
    `${notable.length} models left requests without a usable answer: ${named.join(', ')}${more}${whatFollowed(lost)}`,
  ];
}

function whatFollowed(lost: number): string {
  return lost === 0
    ? '. They were answered when they were sent again; no verdict counts them, but a client that does not retry meets them'
    : `, and ${counted(lost, 'trial')} ended without one. No verdict counts them, but a client meets them`;
}

const counted = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
