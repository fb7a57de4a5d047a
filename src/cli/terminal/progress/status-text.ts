import { numberText } from '../number-text.js';
import type { Status, Waiting } from './run-so-far.js';

/** All of a status on one line, the most important first. */
export function statusText(status: Status): string {
  const { cells, planned, perMinute, elapsedSeconds, left, deviations } = status;
  const parts = [
    `${numberText(cells)}/${numberText(planned)} cells`,
    `${requestsText(status)} (${rateText(perMinute)})`,
    `${durationText(elapsedSeconds)}${leftText(left)}`,
    `${numberText(deviations)} ${deviations === 1 ? 'deviation' : 'deviations'} so far`,
    ...status.spent.map(({ unit, spent, limit }) => {
      const [done, most] = [spent, limit].map((value) => (value === null ? '' : amount(unit, value)));
      return unit === 'cost'
        ? `cost ${done ?? ''}${limit === null ? '' : ` of ${most ?? ''}`}`
        : `${done ?? ''} of ${most ?? ''} ${unit} spent`;
    }),
    ...unaskedParts(status),
    ...status.waiting.map(waitingText),
  ];
  return parts.join(', ');
}

/** "480 of 1,500 requests": those that were answered are the ones that the report counts. */
function requestsText({ requests, mostRequests, lostRequests }: Status): string {
  const of = mostRequests === null ? '' : ` of ${numberText(mostRequests)}`;
  const noun = (mostRequests ?? requests) === 1 ? 'request' : 'requests';
  return `${numberText(requests)}${of} ${noun}${lostRequests === 0 ? '' : ` and ${numberText(lostRequests)} without an answer`}`;
}

/** What an interruption or a spent budget left out; null: nothing. */
export function unaskedText(status: Status): string | null {
  const parts = unaskedParts(status);
  return parts.length === 0
    ? null
    : `of ${numberText(status.planned)} ${status.planned === 1 ? 'cell' : 'cells'}, ${parts.join(' and ')}`;
}

function unaskedParts({ notAsked, partly }: Status): readonly string[] {
  return [
    ...(notAsked === 0 ? [] : [`${numberText(notAsked)} not asked`]),
    ...(partly === 0 ? [] : [`${numberText(partly)} asked only in part`]),
  ];
}

function waitingText(waiting: Waiting): string {
  const { target } = waiting;
  switch (waiting.kind) {
    case 'rate_limit':
      return `${target}: per-minute limit, ${durationText(waiting.seconds)}`;
    case 'answer':
      return `${target}: no answer for ${durationText(waiting.seconds)}`;
  }
}

function leftText(seconds: number | null): string {
  return seconds === null ? '' : `, about ${durationText(seconds)} left`;
}

/** By the second where that says enough, so that the first second of a run is not blown up to a minute. */
function rateText(perMinute: number): string {
  if (perMinute < 120) return `${numberText(Math.round(perMinute))} a minute`;
  return `${numberText(Math.round(perMinute / 60))} a second`;
}

/** "45 s", "3 min 10 s", "1 h 5 min" */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${rest} s`;
}

function amount(unit: 'tokens' | 'cost', value: number): string {
  return unit === 'cost' ? value.toFixed(value < 1 ? 4 : 2) : numberText(Math.floor(value));
}
