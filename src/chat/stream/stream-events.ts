import { createParser } from 'eventsource-parser';
import type { Quirk } from '../quirks.js';

interface StreamEvent {
  readonly event: string | null;
  readonly data: string;
  /** The body was cut inside this event. */
  readonly unfinished: boolean;
}

/** The events of a whole stream, in order. */
export function streamEvents(text: string, note: (quirk: Quirk) => void): StreamEvent[] {
  const events: StreamEvent[] = [];
  let unfinished = false;
  const parser = createParser({
    onEvent: ({ event, data }) => void events.push({ event: event ?? null, data, unfinished }),
    onComment: () => note('sse_comments'),
    onError: (error) => {
      const line = error.line?.trim() ?? '';
      if (error.type !== 'unknown-field' || line === '') return;
      // A service that dies mid-stream may write its error object as a bare line.
      if (/^[[{]/.test(line)) events.push({ event: null, data: line, unfinished });
      else note('sse_unknown_lines');
    },
  });
  parser.feed(text);
  unfinished = !/(?:\r\n|\n|\r)(?:\r\n|\n|\r)$/.test(text);
  // The last event counts even if the blank line after it never came.
  parser.feed('\n\n');
  return events;
}
