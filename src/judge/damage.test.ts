import { describe, expect, test } from 'vitest';
import { callMessage } from '../../test/support/build.js';
import { judged, type Judged } from '../../test/support/judged.js';
import { named, tools } from '../../test/support/orders.js';
import type { Json, JsonObject } from '../json/json.js';
import type { Outcome } from './outcome.js';

const text = 'Order for 王芳 (Zoë Nuñez), item 保温杯 🎁.';
const rules = [{ id: 'stated-buyer', assert: 'value.buyer = vars.answer.buyer', message: 'the buyer is in the text' }];
const latin1 = (sound: string): string => Buffer.from(sound, 'utf8').toString('latin1');

/** What is said of a document in which the buyer should be this and is that. */
function answered(stated: string, came: Json, more: Judged = {}): Outcome {
  return judged({
    message: { content: JSON.stringify({ buyer: came, total: 5 }) },
    request: { messages: [{ role: 'user', content: text }] },
    expect: { content: 'json', rules },
    vars: { text, answer: { buyer: stated } },
    ...more,
  });
}

const saidOf = ({ detail, quirks }: Outcome): readonly [string | null, boolean] => [
  detail,
  quirks.includes('text_damaged'),
];

describe('text that came back damaged', () => {
  test.each<readonly [string, string, string]>([
    ['UTF-8 read as Latin-1', '王芳', latin1('王芳')],
    ['UTF-8 read as Windows-1252', '王芳', 'çŽ‹èŠ³'],
    ['accents', 'Zoë Nuñez', latin1('Zoë Nuñez')],
    ['a letter beyond the BMP', '🎁', 'ðŸŽ\u0081'],
    ['twice', 'Zoë', latin1(latin1('Zoë'))],
    ['a mark for each letter', '王芳', '??'],
    ['a mark for each UTF-16 unit', '🎁', '??'],
    ['marks beside letters', 'Zoë Nuñez', 'Zo? Nu?ez'],
    ['half a letter', '🎁', '\ud83c'],
    ['bytes replaced', '王芳', '\ufffd\ufffd\ufffd芳'],
    ['escapes', '王芳', '\\u738b\\u82b3'],
    ['entities', '王芳', '&#29579;&#33459;'],
  ])('%s', (_, stated, came) => {
    const [detail, isSeen] = saidOf(answered(stated, came));
    expect(isSeen).toBe(true);
    expect(detail).toMatch(/^text came back damaged: .*; broken rule stated-buyer/);
  });

  test('in the arguments of a call, with no values to compare with', () => {
    const outcome = judged({
      message: callMessage(['create_order', JSON.stringify({ buyer: latin1('王芳'), total: '5' })]),
      expect: named,
      request: { tools, messages: [{ role: 'user', content: text }] },
    });
    expect(outcome.class).toBe('schema_violation');
    expect(saidOf(outcome)).toEqual([
      expect.stringMatching(/^text came back damaged: "王芳": .*; the arguments of/),
      true,
    ]);
  });

  test('in a name of a member', () => {
    const content = JSON.stringify({ [latin1('王芳')]: 1 });
    expect(answered('王芳', null, { message: { content } }).quirks).toContain('text_damaged');
  });

  test('in a reply that is right otherwise', () => {
    const outcome = answered('王芳', '王芳', { message: { content: `{"buyer":"王芳","note":"Zo\ufffd\ufffd"}` } });
    expect(outcome).toMatchObject({ passed: true, detail: null, quirks: ['text_damaged'] });
  });

  test('in a stream that splits a letter between chunks', () => {
    const outcome = judged({
      answer: { body: [streamOf('Hello \ufffd', '\ufffd!')] },
      expect: { content: 'text' },
      request: { stream: true },
    });
    expect(outcome.quirks).toContain('text_damaged');
  });
});

describe('no damage is seen', () => {
  test.each<readonly [string, Json]>([
    ['where it is right', '王芳'],
    ['in another script', 'Wang Fang'],
    ['in a translation', 'Princess Fragrance'],
    ['without its accents', 'Zoe Nunez'],
    ['where it is left out', ''],
    ['in a name that nobody stated', 'Ã la carte'],
    ['in another name', '李雷'],
    ['in capitals', 'ZOË NUÑEZ'],
    ['in decomposed letters', 'Zoë Nuñez'.normalize('NFD')],
    ['in a question', 'Is it for you?'],
    ['in one mark for what is unknown', '?'],
    ['in marks for what is unknown', '???'],
    ['in an escape of a regular expression', '\\u0041'],
    ['in an entity of another letter', 'Tom &amp; Ann'],
    ['in a percent-encoded address', 'https://shop.example/?q=%E7%8E%8B%E8%8A%B3'],
    ['in wide letters', 'ＷＡＮＧ'],
    ['in nothing', null],
    ['in a number', 5],
  ])('%s', (_, came) => {
    const outcome = answered('王芳', came);
    expect(outcome.quirks).not.toContain('text_damaged');
    expect(outcome.detail ?? '').not.toContain('damaged');
  });

  test.each([
    ['the request holds the same', `Repair this: ${latin1('王芳')} is 王芳 and \ufffd`, latin1('王芳')],
    ['the request holds U+FFFD itself', 'What is \ufffd?', 'The sign \ufffd'],
  ])('where %s', (_, asked, came) => {
    const outcome = answered('王芳', came, { request: { messages: [{ role: 'user', content: asked }] } });
    expect(outcome.quirks).not.toContain('text_damaged');
  });

  test('where the letters came whole as well', () => {
    const content = `王芳 looks like ${latin1('王芳')} when its bytes are misread.`;
    const outcome = answered('王芳', null, { message: { content }, expect: { content: 'text' } });
    expect(outcome.quirks).not.toContain('text_damaged');
  });

  test('where the cap cut the last letter', () => {
    const outcome = answered('王芳', null, { message: { content: 'For 王\ufffd' }, finish: 'length' });
    expect(outcome.quirks).not.toContain('text_damaged');
  });

  test('where a model babbles bytes to its cap', () => {
    const outcome = answered('王芳', null, { message: { content: 'q\ufffd z\ufffd\ufffd of' }, finish: 'length' });
    expect(outcome.quirks).not.toContain('text_damaged');
  });

  test('in the text of a question whose letters a mark would fit', () => {
    const request: JsonObject = { messages: [{ role: 'user', content: 'Kommt Tomé?' }] };
    const outcome = answered('Tomé', null, {
      message: { content: 'Wer ist Tom?' },
      expect: { content: 'text' },
      request,
    });
    expect(outcome.quirks).not.toContain('text_damaged');
  });
});

describe('it could show', () => {
  const could = (came: Json): boolean => answered('王芳', came).wire[0]?.could.includes('beyond_ascii') === true;

  test.each(['王芳', 'Frau 王', latin1('王芳'), '??', '\ufffd'])('in %s', (came) => {
    expect(could(came)).toBe(true);
  });

  test.each(['Wang Fang', '', 'Olaf', '李雷', 'Is it you?'])('not in %s', (came) => {
    expect(could(came)).toBe(false);
  });
});

function streamOf(...deltas: readonly string[]): string {
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
  const chunks = deltas.map((content, index) => ({
    ...head,
    choices: [{ index: 0, delta: { content }, finish_reason: index === deltas.length - 1 ? 'stop' : null }],
  }));
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}
