import { isObject, type Json } from '../../json/json.js';
import { assembleChunks } from './assemble-chunks.js';
import { excerpt } from '../excerpt.js';
import { errorIn } from '../errors/error-object.js';
import { parseJson } from '../parse-json.js';
import type { Reading } from '../reply.js';
import { streamEvents } from './stream-events.js';

/** Reads the whole text of a stream: chunks until [DONE], an error, or an event that is not a chunk. */
export function readStream(text: string): Reading {
  const assembly = assembleChunks();
  const events = streamEvents(text, assembly.note);
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
    if (!parsed.ok && unfinished) break;
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
  return isJson && isObject(data) ? errorIn(data) : undefined;
}

function whyNothing(events: number, done: boolean): string {
  if (events === 0) return 'the stream carried no event';
  if (done && events === 1) return 'the stream carried nothing but [DONE]';
  return 'no chunk of the stream carried a choice';
}

function offending(data: string): string {
  const rewrapped = data.startsWith(':') ? ' (a comment line wrapped as data)' : '';
  return `${JSON.stringify(excerpt(data, 81))}${rewrapped}`;
}
