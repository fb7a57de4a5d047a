import type { Answer } from '../exchange.js';
import { clipped, errorFacts, type ErrorFacts } from './error-facts.js';

/** The longest wait that an answer may ask for, in seconds. */
const longestWait = 3600;

/**
 * How long an answer asks to wait, in seconds, at most {@link longestWait}; null where it does not say. A moment in
 * time counts as a duration from the answer's own Date header, since two clocks may differ by minutes; without one,
 * from `now`. Headers come before the body: Retry-After, then the reset times of rate limits that are used up, then
 * fields and sentences of the error.
 */
export function retryAfterOfAnswer(answer: Answer, now: number | Date): number | null {
  const date = Date.parse(answer.headers['date'] ?? '');
  const at = Number.isNaN(date) ? Number(now) : date;
  const wait = retryAfterHeader(answer.headers, at) ?? resetHeaders(answer, at) ?? waitInBody(answer);
  return wait === null ? null : Math.min(Math.max(wait, 0), longestWait);
}

/**
 * The same for an error whose body has been read already, in seconds, without an upper limit. A moment in time counts
 * as a duration from the answer's own Date header; without one it says nothing.
 */
export function waitOf(status: number | null, headers: Headers, facts: ErrorFacts): number | null {
  const date = Date.parse(headers['date'] ?? '');
  const header = retryAfterHeader(headers, date) ?? resetHeaders({ status, headers }, date);
  return header !== null && Number.isFinite(header) ? header : waitInFacts(facts);
}

type Headers = Answer['headers'];

function retryAfterHeader(headers: Headers, now: number): number | null {
  const ms = plainNumber(headers['retry-after-ms']);
  if (ms !== null) return ms / 1000;
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return null;
  // Some services write a Unix time instead of a duration. A number too large for a pause is read as one.
  const duration = untilReset(value, now) ?? longestOf(value.split(',').map((one) => untilReset(one, now)));
  if (duration !== null) return duration;
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : (date - now) / 1000;
}

/** Of several headers, such as those of a service and of a proxy before it; null unless each is a time. */
function longestOf(waits: readonly (number | null)[]): number | null {
  return waits.reduce((longest, wait) => (longest === null || wait === null ? null : Math.max(longest, wait)), 0);
}

/** Reset times count only in a refusal, since successful answers carry them too. */
function resetHeaders(answer: Pick<Answer, 'status' | 'headers'>, now: number): number | null {
  if (answer.status !== 429 && answer.status !== 503) return null;
  const { headers } = answer;
  const waits: number[] = [];
  const add = (wait: number | null): void => {
    if (wait !== null) waits.push(wait);
  };
  for (const [name, value] of Object.entries(headers)) {
    const isReset = /^(?:x-)?ratelimit-(?:limit-)?reset/.test(name);
    if (!isReset) continue;
    const inMs = name.endsWith('-ms');
    const limit = inMs ? name.slice(0, -'-ms'.length) : name;
    const remaining = plainNumber(headers[limit.replace(/ratelimit-(?:limit-)?reset/, 'ratelimit-remaining')]);
    if (remaining === null || remaining <= 0) {
      add(untilReset(inMs && Number(value) < 1e11 ? `${value.trim()}ms` : value, now));
    }
  }
  // The structured field of the IETF draft: "default";r=0;t=30
  for (const item of (headers['ratelimit'] ?? '').split(',')) {
    const left = /(?:;\s*r|remaining)\s*=\s*(\d+)/.exec(item)?.[1];
    const time = /(?:;\s*t|reset)\s*=\s*(\d+)/.exec(item)?.[1];
    if (time !== undefined && (left === undefined || left === '0')) add(Number(time));
  }
  return waits.reduce<number | null>((longest, wait) => Math.max(longest ?? wait, wait), null);
}

/** Seconds until a reset, written as a duration, a Unix time in seconds or milliseconds, or a date. */
function untilReset(value: string, now: number): number | null {
  const plain = plainNumber(value);
  if (plain !== null && plain > 1e11) return (plain - now) / 1000;
  if (plain !== null && plain > 1e8) return plain - now / 1000;
  const duration = seconds(value);
  if (duration !== null) return duration;
  const date = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : (date - now) / 1000;
}

const unitWords = 'ms|milliseconds?|h|hours?|m|minutes?|mins?|s|seconds?|secs?|Sekunden?|Minuten?|secondes?';
const amount = String.raw`\d+(?:\.\d+)?\s*(?:${unitWords})(?![a-z])\s*`;
const waitSentences = [
  new RegExp(String.raw`(?:try again|retry|available|wait|réessayer|erneut)[^.\d]{0,40}?((?:${amount})+)`, 'i'),
  /retry[ _-]?(?:after|delay)["'\s:=]+(\d+(?:\.\d+)?)/i,
  /(\d+(?:\.\d+)?\s*(?:秒|分钟|小时|時間|分))[^。]{0,6}(?:后|後|以内)/,
  new RegExp(String.raw`\b(?:in|dans)\s+((?:${amount})+)`, 'i'),
];

/** A class of characters, since for a plain word V8 stops at each e, which takes three times as long. */
const speaksOfError = /erro[r]/;

function waitInBody(answer: Answer): number | null {
  const text = answer.body.join('');
  if (text === '' || (answer.status !== null && answer.status < 400 && !speaksOfError.test(text))) return null;
  return waitInFacts(errorFacts(text.slice(0, 100_000)));
}

function waitInFacts(facts: ErrorFacts): number | null {
  for (const wait of facts.waits) {
    const found = seconds(wait);
    if (found !== null) return found;
  }
  for (const message of facts.messages.map(clipped)) {
    for (const sentence of waitSentences) {
      const found = sentence.exec(message)?.[1];
      const wait = found === undefined ? null : seconds(found.trim());
      if (wait !== null) return wait;
    }
  }
  return null;
}

const units: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  秒: 1,
  分: 60,
  小: 3600,
  時: 3600,
};

/** `30`, `5.289s`, `1m30s`, `2 minutes`, `17ms` in seconds; null for anything else. */
function seconds(text: string): number | null {
  const plain = plainNumber(text);
  if (plain !== null) return plain;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+|秒|分钟|分|小时|時間)/gi)];
  if (parts.length === 0) return null;
  const rest = text.replace(/(\d+(?:\.\d+)?)\s*([a-z]+|秒|分钟|分|小时|時間)/gi, '').replace(/[\s,]|and/g, '');
  if (rest !== '') return null;
  let total = 0;
  for (const [, count, unit] of parts) {
    const word = (unit ?? '').toLowerCase();
    const size = units[/^(?:ms|milli)/.test(word) ? 'ms' : word.slice(0, 1)];
    if (size === undefined) return null;
    total += Number(count) * size;
  }
  return total;
}

function plainNumber(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : null;
}
