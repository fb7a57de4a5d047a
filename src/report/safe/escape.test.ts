import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oneLine, visible, xmlText } from './escape.js';

const anything = fc.string({ unit: 'binary', maxLength: 60 });

describe('escaping', () => {
  test('makes control characters visible and keeps lines', () => {
    expect(visible('a\u001b[31mb\r\nc\u0007\u202ed')).toBe('a\\u001b[31mb\nc\\u0007\\u202ed');
  });

  test('makes characters visible that reorder or hide text, in every plane, and leaves emoji as they are', () => {
    expect(visible('a\u061cb\u00adc\u{e0041}d\u2028e')).toBe('a\\u061cb\\u00adc\\u{e0041}d\\u2028e');
    expect(visible('\u2764\ufe0f 日本 ü')).toBe('\u2764\ufe0f 日本 ü');
  });

  test('leaves no control or hidden character in any text', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(visible(text)).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u,
        );
        expect(oneLine(text, 20).length).toBeLessThanOrEqual(40);
        expect(oneLine(text)).not.toContain('\n');
      }),
    );
  });

  test('leaves no command to a build machine in XML, which may be printed', () => {
    expect(xmlText('::error::x\n##[command]y')).toBe('\\u003a:error\\u003a:x\n#\\u0023[command]y');
  });

  test('leaves no character that XML 1.0 forbids', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(xmlText(text)).not.toMatch(/[^\u0009\u000a\u000d\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
      }),
    );
  });
});
