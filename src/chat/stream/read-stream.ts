import { isObject, type Json, writtenJson } from '../../json/json.js';
import { assembleChunks } from './assemble-chunks.js';
import { excerpt } from '../excerpt.js';
import { errorInBody } from '../errors/error-object.js';
import { parseJson } from '../parse-json.js';
import type { Reading } from '../reply.js';
import { createParser } from 'eventsource-parser';
import type { Quirk } from '../quirks.js';

/** Reads the whole text of a stream: chunks until [DONE], an error, or an event that is not a chunk. */
export function readStream(text: string): Reading {
  const assembly = assembleChunks();
  const events = streamEvents([text], assembly.note);
  if (/^data:[^\s]/m.test(text)) assembly.note('sse_space_missing');
  let done = false;
  for (const { event, data, unfinished } of events) {
    if (done) {
      assembly.note('data_after_done');
      break;
    }
    if (data.trim() === '[DONE]') {
      done = true;
      continue;
    }
    if (data.trim() === '' && event !== 'error') continue;
    const parsed = parseJson(data);
    // The body was cut here, so nothing more follows.
    if (!parsed.ok && unfinished && event !== 'error') break;
    const error = errorOf(event, parsed.ok ? parsed.value : data, parsed.ok);
    if (error !== undefined) return { kind: 'error', error, partial: assembly.reply(false) };
    if (!parsed.ok || !isObject(parsed.value)) {
      return {
        kind: 'malformed',
        detail: `an event is not a chunk: ${offending(data)}`,
        partial: assembly.reply(false),
      };
    }
    assembly.add(parsed.value);
  }
  const reply = assembly.reply(done);
  if (reply !== null) return { kind: 'reply', reply };
  return { kind: 'malformed', detail: whyNothing(events.length, done), partial: null };
}

function errorOf(event: string | null, data: Json, isJson: boolean): Json | undefined {
  if (event === 'error') return data;
  return isJson && isObject(data) ? errorInBody(data) : undefined;
}

function whyNothing(events: number, done: boolean): string {
  if (events === 0) return 'the stream carried no event';
  if (done && events === 1) return 'the stream carried nothing but [DONE]';
  return 'no chunk of the stream carried a choice';
}

function offending(data: string): string {
  const rewrapped = data.startsWith(':') ? ' (a comment line wrapped as data)' : '';
  const unknown = noJsonNumber.exec(data)?.[1];
  const why = unknown === undefined ? '' : ` (${unknown} is no value of JSON)`;
  return `${writtenJson(excerpt(data, 81))}${rewrapped}${why}`;
}

/** Numbers of Python and JavaScript that JSON does not have. */
const noJsonNumber = /[:,[]\s*(-?(?:NaN|Infinity))\s*[,}\]]/;

interface ServerSentEvent {
  readonly event: string | null;
  readonly data: string;
  /** The body was cut inside this event. */
  readonly unfinished: boolean;
  /** The piece of the body that ended it, counted from 0. */
  readonly piece: number;
}

/** The events of a whole stream, which may be in pieces, in order. */
export function streamEvents(pieces: readonly string[], note: (quirk: Quirk) => void): ServerSentEvent[] {
  const events: ServerSentEvent[] = [];
  let unfinished = false;
  let piece = 0;
  const parser = createParser({
    onEvent: ({ event, data }) => void events.push({ event: event ?? null, data, unfinished, piece }),
    onComment: () => note('sse_comments'),
    onError: (error) => {
      const line = error.line?.trim() ?? '';
      if (error.type !== 'unknown-field' || line === '') return;
      // A service that dies mid-stream may write its error object as a bare line.
      if (/^[[{]/.test(line)) {
        events.push({ event: null, data: line, unfinished, piece });
      } else if (/^error[ \t]*:/.test(line)) {
        events.push({ event: 'error', data: line.replace(/^error[ \t]*:\s*/, ''), unfinished, piece });
      } else {
        note('sse_unknown_lines');
      }
    },
  });
  for (const [index, text] of pieces.entries()) {
    piece = index;
    parser.feed(text);
  }
  unfinished = !/(?:\r\n|\n|\r)(?:\r\n|\n|\r)$/.test(pieces.slice(-4).join(''));
  // The last event counts even if the blank line after it never came.
  parser.feed('\n\n');
  return events;
}
