import { beforeEach, expect, test, vi } from 'vitest';
import { aCompletion } from '../../test/support/build.js';
import { judged, type Judged } from '../../test/support/judged.js';
import { anyCall, asJson, optional, tools } from '../../test/support/orders.js';
import { parseJson } from '../chat/parse-json.js';

vi.mock('../chat/parse-json.js', { spy: true });
beforeEach(() => void vi.mocked(parseJson).mockClear());

const document = '{"buyer":"Li Lei","total":897}';

test.each<readonly [string, Judged, string | null]>([
  ['a text', { message: { content: 'Hello.' } }, null],
  ['a text where a call is optional', { message: { content: 'Hello.' }, expect: optional, request: { tools } }, null],
  ['a text where a call is required', { message: { content: 'Hello.' }, expect: anyCall, request: { tools } }, null],
  ['a document', { message: { content: document }, expect: asJson }, document],
  ['a text where a document is required', { message: { content: 'Sure!' }, expect: asJson }, 'Sure!'],
  [
    'a document where a call is optional',
    { message: { content: document }, expect: { ...asJson, ...optional } },
    document,
  ],
  ['a document where any content passes', { message: { content: document }, expect: { content: 'any' } }, document],
  [
    'a document that breaks off',
    { message: { content: document.slice(0, -1) }, expect: asJson },
    document.slice(0, -1),
  ],
])('%s is read as JSON once at most, and the body around it once', (_what, given, content) => {
  judged(given);
  const texts = vi.mocked(parseJson).mock.calls.map(([text]) => text);
  expect(texts).toEqual([aCompletion(given), ...(content === null ? [] : [content])]);
});
