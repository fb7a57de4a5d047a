import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../json/json.js';
import { createMasker } from '../../masking/masker.js';
import { redactor, redactAll, redactForeign } from './redact.js';

describe('redactor', () => {
  const redact = redactor();

  test.each([
    'sk-abcdef1234567890',
    'sk-proj-abc_DEF-123456',
    'Bearer abcdefghijklmnop',
    'authorization: Basic dXNlcjpwYXNz',
    'ghp_0123456789abcdefghij',
    'AKIAIOSFODNN7EXAMPLE',
    'AIzaSyA-0123456789abcdefghijklmnopqrstu',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
    '"api_key": "0123456789abcdef"',
    'password=hunter2hunter2',
    'li.lei+orders@mail.example.com',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----',
  ])('masks %s', (secret) => {
    const masked = redact(`before ${secret} after`);
    expect(masked).toMatch(/^before .*\[redacted\].* after$/s);
    expect(masked).not.toContain(secret);
  });

  test.each([
    'tool-choice/order[tool_choice=object]@demo/gpt-4.1',
    '00-abababababababababababababababab-cdcdcdcdcdcdcdcd-01',
    'chatcmpl-8AXBqdNdvym5frgcPiwKTeNVv5qqGQDI',
    'invoice sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    '"total_tokens": 1204, "max_tokens": 512',
  ])('leaves %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  test('masks what the configured patterns match, in Unicode', () => {
    expect(redactor(['[0-9]{11}', '张.'])('call 13800138000, 张三')).toBe('call [redacted], [redacted]');
  });

  test('does not interpret dollar signs in the mask, and never runs a pattern as code', () => {
    expect(redactor(['b'])('abc$&')).toBe('a[redacted]c$&');
  });

  test('rejects an invalid regular expression', () => {
    expect(() => redactor(['('])).toThrow(SyntaxError);
  });

  test('masks the whole text when a pattern takes too long', () => {
    const masked = redactor(['(a+)+$'])(`${'a'.repeat(40)}! 13800138000`);
    expect(masked).toMatch(/^\[redacted: .*slow/);
  });

  test('leaves no part of a key, whatever surrounds it', () => {
    const around = fc.string({ unit: 'grapheme' }).filter((text) => !/[\w-]$/.test(text));
    fc.assert(
      fc.property(around, fc.stringMatching(/^[A-Za-z0-9]{20,40}$/), (before, key) => {
        expect(redact(`${before} sk-${key} `)).not.toContain(key);
      }),
    );
  });
});

describe('JSON of which nothing needs masking', () => {
  const isClean = redactor().isClean ?? (() => true);
  const secrets = [
    ...['sk-abcdef1234567890', 'ghp_0123456789abcdefghij', 'AKIAIOSFODNN7EXAMPLE', 'alice@example.com'],
    ...['Bearer\tabcdefghijklmnop', 'basic dXNlcjpwYXNz', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln'],
    ...['api_key=0123456789abcdef', 'Auth-Token: 0123456789', 'client_secret:"abcdef"', 'password=hunter2hunter2'],
    ...['AIzaSyA-0123456789abcdefghijklmnopqrstu', '-----BEGIN PRIVATE KEY-----\nMIIEow', 'xoxb-0123456789'],
  ];
  /** JSON that spells some of its characters by their codes. */
  const spelled = (text: string, isCode: (at: number) => boolean) =>
    Array.from(text)
      .map((one, at) =>
        /["\\]/.test(one) || !isCode(at) ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
      .join('');

  test('a secret is seen in any number of layers, and however its letters are spelled', () => {
    const seeds = fc.infiniteStream(fc.nat(9));
    fc.assert(
      fc.property(fc.constantFrom(...secrets), fc.nat(3), fc.string(), seeds, (secret, layers, around, codes) => {
        expect(redactor()(secret)).not.toBe(secret);
        let text = JSON.stringify({ [around]: `${around} ${secret} ${around}` });
        for (let layer = 0; layer < layers; layer++) {
          text = JSON.stringify({ content: spelled(text, () => codes.next().value === 0) });
        }
        expect(isClean(text)).toBe(false);
      }),
    );
    expect(isClean(JSON.stringify({ a: spelled('alice@example.com', (at) => at === 5) }))).toBe(false);
  });

  test('an ordinary answer has none', () => {
    const usage = { prompt_tokens: 8, completion_tokens: 4, total_tokens: 12 };
    const message = { role: 'assistant', content: '{"city":"Zürich","note":"a \\"quoted\\" word\\n"}', tool_calls: [] };
    expect(isClean(JSON.stringify({ id: 'chatcmpl-8AXB', choices: [{ message }], usage }))).toBe(true);
  });

  test('keys in use are seen, and patterns of a project have to see each text by itself', () => {
    const known = redactor([], createMasker(['corporate9417282key']));
    expect(known.isClean?.('{"a":"corporate9417282key"}')).toBe(false);
    expect(known.isClean?.('{"a":"another word"}')).toBe(true);
    expect(redactor(['^\\d{11}$']).isClean).toBeUndefined();
  });
});

test('redactForeign also redacts names and numbers', () => {
  const theirs = {
    'x@example.com': 13800138000,
    a: [{ phone: 13800138000, total: 5, text: 'x@example.com' }, null, true],
  };
  expect(redactForeign(theirs, redactor(['[0-9]{11}']))).toEqual({
    '[redacted]': '[redacted]',
    a: [{ phone: '[redacted]', total: 5, text: '[redacted]' }, null, true],
  });
});

test('redactAll redacts every string and treats __proto__ as an ordinary name', () => {
  const hostile = JSON.parse('{"a":["sk-abcdef123456",1],"__proto__":{"b":"x@example.com"}}') as object;
  const masked = redactAll(hostile, redactor());
  expect(JSON.stringify(masked)).toBe('{"a":["[redacted]",1],"__proto__":{"b":"[redacted]"}}');
  expect(Object.getPrototypeOf(masked)).toBe(Object.prototype);
});

test('JSON is copied where something is masked, once for each level, and nowhere else', () => {
  const harmless = { list: [1, { name: 'plain' }] };
  const deep = Array.from({ length: 200 }).reduce<Json>((inner) => ({ of: inner }), 'write to alice@example.com');
  const shown = redactForeign({ harmless, deep }, redactor()) as JsonObject;
  expect(shown['harmless']).toBe(harmless);
  expect(JSON.stringify(shown['deep'])).toContain('write to [redacted]');
});

test('a name of the config stays readable, though it looks like a key', () => {
  const redact = redactor([], undefined, ['pk-noprov', 'vendor/sk-model-large']);
  expect(redact('shop/hello@pk-noprov/vendor/sk-model-large')).toBe('shop/hello@pk-noprov/vendor/sk-model-large');
  expect(redact('pk-noprov1 and sk-abcdefgh12')).toBe('[redacted] and [redacted]');
});
