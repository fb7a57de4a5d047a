import { expect, test } from 'vitest';
import type { Json } from '../../json/json.js';
import { answersInText } from './answer-text.js';
import { errorAnswer } from './error-answer.js';
import { recordedAnswer, statusOf, transportFailure } from './recorded-answer.js';

test.each<[Json, number | null | undefined]>([
  [99, undefined],
  [100, 100],
  [599, 599],
  [600, undefined],
  ['100', 100],
  ['599', 599],
  ['099', undefined],
  ['600', undefined],
  ['20', undefined],
  ['2000', undefined],
  [200.5, undefined],
  ['ok', undefined],
  [true, undefined],
  [0, null],
  [null, null],
])('the status %j is %s', (given, status) => {
  expect(statusOf(given)).toBe(status);
});

/** What is left of an answer where it is one. */
const brief = (given: Json) => {
  const answer = recordedAnswer(given);
  return answer === null ? null : [answer.status, answer.failure?.kind ?? null, answer.body.join('')];
};

test.each<[string, Json, unknown]>([
  ['a text', 'oops', [200, null, 'oops']],
  ['a body without a status', { body: 'oops' }, [200, null, 'oops']],
  ['a failure without a status', { failure: 'socket hang up' }, [null, 'other', '']],
  ['a failure by its name', { failure: { kind: 'tls', message: 'x' } }, [null, 'tls', '']],
  ['a failure behind a status', { status: 200, body: '{"a', failure: 'cut off' }, [200, 'other', '{"a']],
  ['no status, and no reason', { status: null }, [null, 'other', '']],
  ['no status, and an error', { status: 0, error: 'timed out' }, [null, 'total_timeout', '']],
  ['the first status that is there', { status: null, status_code: 503, body: '' }, [503, null, '']],
  ['no status at all', { status: 'ok', body: '' }, null],
  ['a body of pieces', { body: ['{"a":', '1}'] }, [200, null, '{"a":1}']],
  ['an error as text', { error: 'timeout' }, [null, 'total_timeout', '']],
  ['an error as text beside more', { error: 'timeout', code: 5 }, [200, null, '{"error":"timeout","code":5}']],
  ['an error with its status', { error: { code: 429 } }, [429, null, '{"error":{"code":429}}']],
  ['an error with a code', { error: { code: 'slow' } }, [200, null, '{"error":{"code":"slow"}}']],
  ['an error beside choices', { choices: [], error: 'no' }, [200, null, '{"choices":[],"error":"no"}']],
  [
    'an error object beside choices',
    { choices: [], error: { code: 500 } },
    [200, null, '{"choices":[],"error":{"code":500}}'],
  ],
  ['a completion with a status of its own', { choices: [], status: 'ok' }, [200, null, '{"choices":[],"status":"ok"}']],
  ['an error behind a status', { status: 503, body: 'oops', error: 'x' }, [503, null, 'oops']],
  ['pieces of a body', ['{"a":', '1}'], [200, null, '{"a":1}']],
  ['events as they came', ['data:{"a":1}\n\n', 'data: [DONE]\n\n'], [200, null, 'data:{"a":1}\n\ndata: [DONE]\n\n']],
  ['chunks with an end', ['{"a":1}', '[DONE]'], [200, null, 'data: {"a":1}\n\ndata: [DONE]\n\n']],
  ['chunks that stop', [{ a: 1 }], [200, 'other', 'data: {"a":1}\n\n']],
  ['no chunks', [], [200, null, '']],
  ['no error', { choices: null, error: null }, [200, null, '{"choices":null,"error":null}']],
  ['a number', 5, null],
])('%s', (_what, given, expected) => {
  expect(brief(given)).toEqual(expected);
});

test.each([
  ['Request timed out.', 'total_timeout'],
  ['timeout', 'total_timeout'],
  ['read time-out', 'total_timeout'],
  ['socket hang up', 'other'],
  ['the times are bad', 'other'],
])('%j is a failure of the kind %s', (text, kind) => {
  expect(transportFailure(text)).toEqual({ kind, message: text });
});

test('a failure without words has some', () => {
  for (const given of [{}, { message: '' }, '', 5]) expect(transportFailure(given).message).toBe('no answer came');
});

const nothing = { status: null, type: '', message: '' };
test('an error without words is told by its type', () => {
  expect(errorAnswer({ ...nothing, type: 'ReadTimeout' }).failure?.message).toBe('ReadTimeout');
  expect(errorAnswer({ ...nothing, type: 'ReadTimeout', message: 'too slow' }).failure?.message).toBe('too slow');
});

test.each<[object, number | null, string | null]>([
  [{ status: 429, type: 'RateLimitError' }, 429, null],
  [{ status: '408', type: 'APITimeoutError' }, null, 'total_timeout'],
  [{ status: 500, type: 'APIConnectionError' }, null, 'other'],
  [{ message: 'Error code: 400 - {}' }, 400, null],
  [{ message: 'HTTP 503' }, 503, null],
  [{ message: 'status code=404' }, 404, null],
  [{ status: 401, message: 'Error code: 400' }, 401, null],
  [{ message: 'decode 400 tokens' }, null, 'other'],
  [{ message: 'Error code: 999' }, null, 'other'],
  [{ type: 'ReadTimeout' }, null, 'total_timeout'],
])('an error that a log has as %j', (given, status, failure) => {
  const answer = errorAnswer({ ...nothing, ...given });
  expect([answer.status, answer.failure?.kind ?? null]).toEqual([status, failure]);
});

const chunk = '{"object":"chat.completion.chunk","choices":[]}';
const delta = '{"choices":[{"delta":{}}]}';
const plain = '{"choices":[]}';
test.each<[string, string, number]>([
  ['one document', plain, 1],
  ['two documents', `${plain}\n${plain}`, 2],
  ['the chunks of one stream', `${chunk}\n\n${delta}`, 1],
  ['a chunk and a completion', `${chunk}\n${plain}`, 2],
  ['two documents and a half', `${plain}\n${plain}\n{"choices":`, 1],
  ['two documents and a text', `${plain}\n${plain}\noops`, 1],
  ['a text', 'oops', 1],
])('%s: how many answers', (_what, text, answers) => {
  expect(answersInText(text)).toHaveLength(answers);
});

test.each<[string, string, unknown]>([
  ['a head and a body', 'HTTP/1.1 404 Not Found\r\nX-Id:  a \r\n\r\noops', { status: 404, body: ['oops'] }],
  ['a head alone', 'HTTP/2 204\r\nx-id: a\r\n', { status: 204, body: [] }],
  ['the last of two heads', 'HTTP/1.1 307 Go\nx-id: b\n\nHTTP/2 200\nx-id: a\n\nok', { status: 200, body: ['ok'] }],
])('%s', (_what, text, expected) => {
  const [answer] = answersInText(text);
  expect(answer).toMatchObject({ ...(expected as object), headers: { 'x-id': 'a' }, failure: null });
});

test.each([
  ['what begins like a head and is none', 'HTTP/1.1 404', 200],
  ['an answer within a record', '{"id":7,"response":{"status":503,"body":"x"}}', 503],
  ['a completion that has such a member', '{"choices":[],"response":{"status":503,"body":"x"}}', 200],
])('%s', (_what, text, status) => {
  expect(answersInText(text).map((one) => one?.status)).toEqual([status]);
});
