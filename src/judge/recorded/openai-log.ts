import { itemsOrEmpty, memberOf, objectOf, own } from '../../chat/fields.js';
import type { Quirk } from '../../chat/quirks.js';
import { writtenJson, type Json, type JsonObject } from '../../json/json.js';
import { recordedAnswer } from './recorded-answer.js';
import { firstMember, isOtherEndpoint, pairOf, recordId, requestBodyIn, type RecordForm } from './recorded-pair.js';

/**
 * The two files of a batch: `{ custom_id, method, url, body }` asks and `{ custom_id, response: { status_code, body },
 * error }` answers. A record that holds both is a pair.
 */
export const batchRecord: RecordForm = (record) => {
  const id = recordId(record, ['custom_id']);
  if (id === null) return null;
  const asked = objectOf(firstMember(record, ['request'])) ?? record;
  if (isOtherEndpoint(own(asked, 'url'))) return [{ kind: 'other', id }];
  const given = objectOf(firstMember(record, ['request', 'body']));
  const request = given === null ? null : requestBodyIn(given);
  const answered = firstMember(record, ['response', 'answer']) ?? batchError(record);
  if (answered === undefined) {
    return request === null ? [{ kind: 'problem', id, code: 'unknown_form' }] : [{ kind: 'request', id, request }];
  }
  const answer = recordedAnswer(answered);
  if (answer !== null && request === null) return [{ kind: 'answer', id, answer }];
  return pairOf({ id, request: request ?? {}, answer, expect: own(record, 'expect') });
};

/** A request of a batch that was never answered. */
function batchError(record: JsonObject): Json | undefined {
  const error = firstMember(record, ['error']);
  if (error === undefined) return undefined;
  const message = firstMember(objectOf(error) ?? {}, ['message', 'code']) ?? error;
  return { failure: { kind: 'other', message } };
}

/** Quirks that a conversation cannot show. */
const unseenInConversation: readonly Quirk[] = [
  'finish_reason_missing',
  'id_missing',
  'model_missing',
  'created_missing',
  'object_unexpected',
  'usage_missing',
];

/**
 * A conversation, as files for fine-tuning and evaluations have them: its last message is the answer, and everything
 * else was sent.
 */
export const conversationRecord: RecordForm = (record) => {
  const messages = itemsOrEmpty(own(record, 'messages'));
  const message = objectOf(messages.at(-1));
  if (message === null || own(message, 'role') !== 'assistant') return null;
  const { expect = null, ...sent } = record;
  const request = { ...sent, messages: messages.slice(0, -1) };
  const body = [writtenJson({ choices: [{ index: 0, message }] })];
  const answer = { status: 200, headers: {}, body, failure: null };
  return pairOf({ id: recordId(record, ['id', 'custom_id']), request, answer, expect, unseen: unseenInConversation });
};

const answerNames = ['answer', 'response', 'completion', 'output', 'error'];

/** `{ request, answer }`, by these names or by those that others use. */
export const plainPair: RecordForm = (record) => {
  const asked = firstMember(record, ['request', 'input']);
  const named = answerNames.find((name) => own(record, name) !== undefined && own(record, name) !== null);
  if (asked === undefined && named === undefined) return null;
  const id = recordId(record, ['id', 'custom_id', 'request_id']);
  if (isOtherEndpoint(memberOf(asked, 'url'))) return [{ kind: 'other', id }];
  const request = requestBodyIn(asked);
  const answer = named === undefined ? undefined : namedAnswer(record, named);
  if (request === null && answer) return [{ kind: 'answer', id, answer }];
  return pairOf({ id, request, answer, expect: own(record, 'expect') });
};

/** The answer under this name; an error tells what went wrong in place of one. */
function namedAnswer(record: JsonObject, named: string): ReturnType<typeof recordedAnswer> {
  const value = own(record, named) ?? null;
  return recordedAnswer(named === 'error' ? { error: value } : value);
}
