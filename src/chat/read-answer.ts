import { isObject, type Json, type JsonObject } from '../json/json.js';
import { errorInBody } from './errors/error-object.js';
import { excerpt } from './excerpt.js';
import { isSuccess, type Answer } from './exchange.js';
import { itemsOrEmpty, objectOf, nonEmptyText } from './fields.js';
import { messageText } from './message-text.js';
import { bodyForm, findBracket, parseJson } from './parse-json.js';
import type { Quirk } from './quirks.js';
import { readFinish, openFrame, quirkList } from './reply-frame.js';
import type { Reading, Reply, ToolCall } from './reply.js';
import { readStream } from './stream/read-stream.js';

/** A cache, since the judge, the run and its report all read the same answers. */
const readings = new WeakMap<Answer, Reading>();

/**
 * Reads the body of an answer: a completion, an error in its place, or nothing readable.
 * The body decides whether it is a stream; how it was cut into pieces makes no difference. For an interrupted answer it
 * reads what had arrived. Each answer is read only once. Never throws.
 */
export function readExchangeAnswer(answer: Answer): Reading {
  const before = readings.get(answer);
  if (before !== undefined) return before;
  const reading = readWithoutFail(answer);
  readings.set(answer, reading);
  return reading;
}

/** No answer may end a run, not even one that cannot be read. */
function readWithoutFail(answer: Answer): Reading {
  try {
    return readAnswerBody(answer);
  } catch (error) {
    return { kind: 'unread', error, partial: null };
  }
}

function readAnswerBody(answer: Answer): Reading {
  const { body, headers, failure } = answer;
  if (failure?.kind === 'bad_encoding') return malformedReading(failure.message);
  const text = body.join('').replace(/^\uFEFF/, '');
  const type = headers['content-type'] ?? '';
  const form = bodyForm(text);
  switch (form.kind) {
    case 'empty':
      return malformedReading(mentionsForm(type, 'event-stream') ? 'the stream carried no event' : 'the body is empty');
    case 'html':
      return malformedReading(`the body is an HTML page${htmlTitle(text)}`);
    case 'json':
      return withQuirk(readPlain(form.value), type !== '' && !mentionsForm(type, 'json') ? 'content_type_wrong' : null);
    case 'events':
      return withQuirk(
        readStream(text),
        type !== '' && !mentionsForm(type, 'event-stream') ? 'content_type_wrong' : null,
      );
    case 'other':
      return (
        moreThanJson(text.trim()) ?? malformedReading(`the body is neither JSON nor a stream of events: ${form.error}`)
      );
  }
}

/**
 * The reading of a body with more behind its JSON document; null for any other. An error keeps its
 * meaning, whatever follows.
 */
function moreThanJson(text: string): Reading | null {
  const last = /^[[{]/.test(text) ? findBracket(text, (depth) => depth === 0) : null;
  if (last === null) return null;
  const first = parseJson(text.slice(0, last + 1));
  if (!first.ok) return null;
  const reading = readPlain(first.value);
  if (reading.kind === 'error') return reading;
  const behind = `with other text behind it: ${excerpt(text.slice(last + 1).trim(), 80)}`;
  return reading.kind === 'reply'
    ? { ...malformedReading(`the body is a completion ${behind}`), hasChoices: true }
    : malformedReading(`the body is a JSON object ${behind}`);
}

function mentionsForm(type: string, form: string): boolean {
  return type.toLowerCase().includes(form);
}

/** The completion that was read, whole or in part; null when there is none. */
export function replyIn(reading: Reading): Reply | null {
  return reading.kind === 'reply' ? reading.reply : reading.partial;
}

/** Whether a control succeeded: a whole 2xx answer with a choice that can be read, whatever its finish_reason. */
export function hasReadableChoice(answer: Answer): boolean {
  if (answer.failure !== null || !isSuccess(answer.status)) return false;
  const reading = readExchangeAnswer(answer);
  return reading.kind === 'reply' && reading.reply.choices > 0;
}

function malformedReading(detail: string): Extract<Reading, { kind: 'malformed' }> {
  return { kind: 'malformed', detail, partial: null };
}

function htmlTitle(html: string): string {
  const title = /<title[^>]*>([^<]{1,80})/i.exec(html)?.[1]?.trim();
  return title === undefined || title === '' ? '' : ` (${title})`;
}

function withQuirk(reading: Reading, quirk: Quirk | null): Reading {
  if (quirk === null) return reading;
  const marked = (reply: Reply): Reply => ({ ...reply, quirks: [...reply.quirks, quirk].sort() });
  if (reading.kind === 'reply') return { kind: 'reply', reply: marked(reading.reply) };
  return reading.partial === null ? reading : { ...reading, partial: marked(reading.partial) };
}

/** Reads a body that is one JSON document. */
function readPlain(body: Json): Reading {
  const reply = isObject(body) ? plainReply(body) : null;
  const error = errorInBody(body);
  if (error !== undefined) return { kind: 'error', error, partial: reply };
  if (reply !== null) return { kind: 'reply', reply };
  const isChoiceless = !isObject(body) || body['choices'] === undefined;
  return { kind: 'malformed', detail: whyUnreadable(body), partial: null, ...(!isChoiceless && { hasChoices: true }) };
}

function plainReply(body: JsonObject): Reply | null {
  const { seen, note } = quirkList();
  const choices = itemsOrEmpty(body['choices']);
  const choice = objectOf(choices[0]);
  if (choice === null) return null;
  const finish = readFinish(choice, note);
  const message = objectOf(choice['message']);
  if (message === null) {
    if (finish.reason !== 'length' && finish.reason !== 'content_filter') return null;
    note('message_missing');
  }
  const frame = openFrame();
  frame.add(body, note);
  const said = message ?? noMessage;
  if (objectOf(said['function_call']) !== null) note('legacy_function_call');
  const parts = {
    role: nonEmptyText(said['role']),
    text: messageText(said, note),
    tool_calls: toolCalls(said['tool_calls'], note),
    finish,
  };
  return frame.reply(parts, { choices: choices.length, streamed: false, ending: 'plain', empty_chunks: 0 }, seen);
}

const noMessage: JsonObject = {};

function toolCalls(value: Json | undefined, note: (quirk: Quirk) => void): ToolCall[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) note('tool_calls_not_a_list');
  if (Array.isArray(value) && value.length === 0) note('tool_calls_empty_list');
  const items = isObject(value) ? [value] : itemsOrEmpty(value);
  return items.filter(isObject).map((item) => {
    const named = objectOf(item['function']) ?? {};
    if (nonEmptyText(item['type']) === null) note('tool_call_type_missing');
    return {
      id: nonEmptyText(item['id']),
      name: nonEmptyText(named['name']),
      arguments: named['arguments'] ?? undefined,
    };
  });
}

function whyUnreadable(body: Json): string {
  if (!isObject(body)) return `the body is ${jsonTypePhrase(body)}, not a completion`;
  const choices = body['choices'];
  if (choices === undefined) return 'the body has no choices';
  if (!Array.isArray(choices)) return `choices is ${jsonTypePhrase(choices)}`;
  const first = (choices as readonly Json[])[0];
  if (first === undefined) return 'choices is empty';
  return isObject(first) ? 'choices[0] has no message' : `choices[0] is ${jsonTypePhrase(first)}`;
}

/** A JSON value in a few words, for people. */
function jsonTypePhrase(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
