import { isObject, type Json, type JsonObject } from '../json/json.js';
import { errorIn } from './errors/error-object.js';
import { listOf, objectOf, textOf } from './fields.js';
import { messageText } from './message-text.js';
import {
  quirkList,
  addToFrame,
  emptyFrame,
  finishOf,
  noteCreated,
  noteFrame,
  noteIndex,
  noteRole,
  noteUsage,
  replyOf,
} from './reply-frame.js';
import type { Quirk } from './quirks.js';
import type { Reading, Reply, ToolCall } from './reply.js';

/** Reads a body that is one JSON document. */
export function readPlain(body: Json): Reading {
  const reply = isObject(body) ? replyIn(body) : null;
  const error = errorIn(body);
  if (error !== undefined) return { kind: 'error', error, partial: reply };
  if (reply !== null) return { kind: 'reply', reply };
  return { kind: 'malformed', detail: whyUnreadable(body), partial: null };
}

function replyIn(body: JsonObject): Reply | null {
  const { seen, note } = quirkList();
  const choices = listOf(body['choices']);
  const choice = objectOf(choices[0]);
  if (choice === null) return null;
  const finish = finishOf(choice, note);
  const message = objectOf(choice['message']);
  if (message === null) {
    if (finish.reason !== 'length' && finish.reason !== 'content_filter') return null;
    note('message_missing');
  }
  const frame = emptyFrame();
  addToFrame(frame, body);
  noteFrame(frame, ['chat.completion'], note);
  noteCreated(body, note);
  noteIndex(choice, note);
  if (frame.usage === null) note('usage_missing');
  if (finish.reason === null) note('finish_reason_missing');
  const said = message ?? nothing;
  const role = textOf(said['role']);
  if (message !== null) noteRole(role, note);
  if (objectOf(said['function_call']) !== null) note('legacy_function_call');
  const tool_calls = toolCalls(said['tool_calls'], note);
  const parts = { role, text: messageText(said, note), tool_calls, finish };
  noteUsage(frame.usage, parts, note);
  return replyOf(frame, parts, { choices: choices.length, streamed: false, ending: 'plain', empty_chunks: 0 }, seen);
}

const nothing: JsonObject = {};

function toolCalls(value: Json | undefined, note: (quirk: Quirk) => void): ToolCall[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) note('tool_calls_not_a_list');
  if (Array.isArray(value) && value.length === 0) note('tool_calls_empty_list');
  const items = isObject(value) ? [value] : listOf(value);
  return items.filter(isObject).map((item) => {
    const named = objectOf(item['function']) ?? {};
    if (textOf(item['type']) === null) note('tool_call_type_missing');
    return {
      id: textOf(item['id']),
      name: textOf(named['name']),
      arguments: named['arguments'] ?? undefined,
    };
  });
}

function whyUnreadable(body: Json): string {
  if (!isObject(body)) return `the body is ${describe(body)}, not a completion`;
  const choices = body['choices'];
  if (choices === undefined) return 'the body has no choices';
  if (!Array.isArray(choices)) return `choices is ${describe(choices)}`;
  const first = (choices as readonly Json[])[0];
  if (first === undefined) return 'choices is empty';
  return isObject(first) ? 'choices[0] has no message' : `choices[0] is ${describe(first)}`;
}

/** A JSON value in a few words, for people. */
function describe(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
