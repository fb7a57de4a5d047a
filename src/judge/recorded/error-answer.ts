import type { Answer } from '../../chat/exchange.js';
import { writtenJson } from '../../json/json.js';
import { statusOf } from './recorded-answer.js';

/** An error as a client library wrote it to a log. */
interface LoggedError {
  /** The status, as far as the log has it. */
  readonly status: string | number | null;
  /** The library's name of the error. */
  readonly type: string;
  readonly message: string;
  readonly headers?: Answer['headers'];
}

/** The library gives these a status of its own, although no answer came. */
const withoutAnswer = /time-?d?[ _-]?out|connection/i;

/** The status in the text of a client's error: `Error code: 429 - {...}` */
const statusInText = /\b(?:error code|status(?: code)?|HTTP)[:= ]{1,2}(\d{3})\b/i;

/** The answer behind a logged error: an error of the service, or none at all. */
export function errorAnswer({ status, type, message, headers = {} }: LoggedError): Answer {
  const text = message === '' ? type : message;
  const named = statusOf(status) ?? statusOf(statusInText.exec(message)?.[1] ?? null) ?? null;
  if (named === null || withoutAnswer.test(type)) {
    const kind = /time/i.test(type) ? 'total_timeout' : 'other';
    return { status: null, headers: {}, body: [], failure: { kind, message: text } };
  }
  return { status: named, headers, body: [writtenJson({ error: { message: text } })], failure: null };
}
