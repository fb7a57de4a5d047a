import { bodyForm } from './body-form.js';
import { excerpt } from './excerpt.js';
import { isSuccess, type Answer } from './exchange.js';
import { findBracket, parseJson } from './parse-json.js';
import type { Quirk } from './quirks.js';
import { readPlain } from './read-plain.js';
import { readStream } from './stream/read-stream.js';
import type { Reading, Reply } from './reply.js';

/** A cache, since the judge, the run and its report all read the same answers. */
const readings = new WeakMap<Answer, Reading>();

/**
 * Reads the body of an answer: a completion, an error in its place, or nothing readable.
 * The body decides whether it is a stream; how it was cut into pieces makes no difference. For an interrupted answer it
 * reads what had arrived. Each answer is read only once. Never throws.
 */
export function readAnswer(answer: Answer): Reading {
  const before = readings.get(answer);
  if (before !== undefined) return before;
  const reading = readWithoutFail(answer);
  readings.set(answer, reading);
  return reading;
}

/** Whatever a service sends, an answer that cannot be read must not end a run. */
function readWithoutFail(answer: Answer): Reading {
  try {
    return read(answer);
  } catch (error) {
    return { kind: 'unread', error, partial: null };
  }
}

function read(answer: Answer): Reading {
  const { body, headers } = answer;
  const text = body.join('').replace(/^\uFEFF/, '');
  const type = headers['content-type'] ?? '';
  const form = bodyForm(text);
  switch (form.kind) {
    case 'empty':
      return nothing(names(type, 'event-stream') ? 'the stream carried no event' : 'the body is empty');
    case 'html':
      return nothing(`the body is an HTML page${titleOf(text)}`);
    case 'json':
      return withQuirk(readPlain(form.value), type !== '' && !names(type, 'json') ? 'content_type_wrong' : null);
    case 'events':
      return withQuirk(readStream(text), type !== '' && !names(type, 'event-stream') ? 'content_type_wrong' : null);
    case 'other':
      return nothing(moreThanJson(text.trim()) ?? `the body is neither JSON nor a stream of events: ${form.error}`);
  }
}

/** What a body is that begins with a JSON object and goes on behind it; null for any other. */
function moreThanJson(text: string): string | null {
  const last = text.startsWith('{') ? findBracket(text, (depth) => depth === 0) : null;
  if (last === null) return null;
  const first = parseJson(text.slice(0, last + 1));
  if (!first.ok) return null;
  const isCompletion = readPlain(first.value).kind === 'reply';
  const rest = excerpt(text.slice(last + 1).trim(), 80);
  return `the body is ${isCompletion ? 'a completion' : 'a JSON object'} with other text behind it: ${rest}`;
}

function names(type: string, form: string): boolean {
  return type.toLowerCase().includes(form);
}

/** The completion that was read, whole or in part; null when there is none. */
export function replyIn(reading: Reading): Reply | null {
  return reading.kind === 'reply' ? reading.reply : reading.partial;
}

/** Whether a stream came to its [DONE]: a connection that breaks after it loses nothing. */
export function isDone(reading: Reading): boolean {
  if (reading.kind !== 'reply') return false;
  return reading.reply.ending === 'finish_reason_and_done' || reading.reply.ending === 'done_only';
}

/** Whether a control succeeded: a whole 2xx answer with a choice that can be read, whatever its finish_reason. */
export function hasReadableChoice(answer: Answer): boolean {
  if (answer.failure !== null || !isSuccess(answer.status)) return false;
  const reading = readAnswer(answer);
  return reading.kind === 'reply' && reading.reply.choices > 0;
}

function nothing(detail: string): Reading {
  return { kind: 'malformed', detail, partial: null };
}

function titleOf(html: string): string {
  const title = /<title[^>]*>([^<]{1,80})/i.exec(html)?.[1]?.trim();
  return title === undefined || title === '' ? '' : ` (${title})`;
}

function withQuirk(reading: Reading, quirk: Quirk | null): Reading {
  if (quirk === null) return reading;
  const marked = (reply: Reply): Reply => ({ ...reply, quirks: [...reply.quirks, quirk].sort() });
  if (reading.kind === 'reply') return { kind: 'reply', reply: marked(reading.reply) };
  return reading.partial === null ? reading : { ...reading, partial: marked(reading.partial) };
}
