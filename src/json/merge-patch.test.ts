import { describe, expect, test } from 'vitest';
import { type Json, at, pointerSteps, withValueAt } from './json.js';
import { mergePatch } from './merge-patch.js';

const json = (text: string): Json => JSON.parse(text) as Json;

describe('mergePatch', () => {
  // The examples of RFC 7396, appendix A.
  test.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('%s with %s', (target, patch, merged) => {
    expect(mergePatch(json(target), json(patch))).toEqual(json(merged));
  });
});

describe('a member named __proto__', () => {
  const hostile = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';

  test('is merged as a member and reaches no prototype', () => {
    const merged = mergePatch(json('{"__proto__":{"a":1}}'), json(hostile));
    expect(JSON.stringify(merged)).toBe(
      '{"__proto__":{"a":1,"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    );
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('is written and read by pointers as a member', () => {
    const steps = pointerSteps('/__proto__/polluted');
    expect(at({}, steps)).toBeUndefined();
    const written = withValueAt({}, steps, true);
    expect(JSON.stringify(written)).toBe('{"__proto__":{"polluted":true}}');
    expect(at(written, steps)).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
