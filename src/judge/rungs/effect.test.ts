import { describe, expect, test } from 'vitest';
import { judged, type Judged } from '../../../test/support/judged.js';
import type { JsonObject } from '../../json/json.js';
import type { Expectation } from '../expectation.js';

describe('the effect of thinking', () => {
  const present: Partial<Expectation> = { reasoning: 'present' };
  const absent: Partial<Expectation> = { reasoning: 'absent' };
  const usage = (completion: number, more: JsonObject = {}): JsonObject => ({
    prompt_tokens: 9,
    completion_tokens: completion,
    total_tokens: 9 + completion,
    ...more,
  });
  test.each<readonly [string, Judged, boolean]>([
    ['reasoning text', { message: { content: 'OK', reasoning_content: 'hm' } }, true],
    ['reasoning tokens', { usage: usage(20, { completion_tokens_details: { reasoning_tokens: 12 } }) }, true],
    ['tokens that only the total includes', { usage: usage(3, { total_tokens: 40 }) }, true],
    ['tokens beyond the text', { message: { content: 'OK' }, usage: usage(124) }, true],
    ['a <think> block', { message: { content: '<think>hm</think>OK' } }, true],
    ['an empty <think> block', { message: { content: '<think>\n\n</think>OK' } }, false],
    ['none', { message: { content: 'OK' }, usage: usage(2) }, false],
    ['none, reported as zero', { usage: usage(3, { completion_tokens_details: { reasoning_tokens: 0 } }) }, false],
    // llama.cpp with a vocabulary of 411 tokens and no thinking at all.
    [
      'none, with a vocabulary of letters',
      { message: { content: 'A small one.'.repeat(38) }, usage: usage(262) },
      false,
    ],
    ['none, with a long text', { message: { content: 'word '.repeat(400) }, usage: usage(420) }, false],
  ])('%s', (_what, given, shows) => {
    expect(judged({ ...given, expect: present }).class).toBe(shows ? null : 'ineffective');
    expect(judged({ ...given, expect: absent }).class).toBe(shows ? 'ineffective' : null);
  });

  // A service that counts ten times too much does so whether the model reasons or not.
  test.each<readonly [string, Judged, boolean]>([
    ['tokens beyond the text', { message: { content: 'OK' }, usage: usage(1960) }, true],
    ['tokens that only the total includes', { usage: usage(3, { total_tokens: 400 }) }, true],
    ['reasoning text', { message: { content: 'OK', reasoning_content: 'hm' }, usage: usage(1960) }, false],
    ['a <think> block', { message: { content: '<think>hm</think>OK' }, usage: usage(1960) }, false],
    ['reasoning tokens', { usage: usage(20, { completion_tokens_details: { reasoning_tokens: 12 } }) }, false],
  ])('%s may also be a usage that is wrong: %#', (_what, given, mayBeUsage) => {
    const { detail } = judged({ ...given, expect: absent });
    expect(detail).toMatch(
      mayBeUsage
        ? /^there is reasoning although it should be off, or the usage counts too many tokens: \d+ /
        : /^there is reasoning although it should be off: /,
    );
  });

  test.each<readonly [string, JsonObject | null, RegExp]>([
    ['with usage', usage(1), /no tokens beyond the text/],
    ['without usage', null, /no text, and no usage that would count reasoning tokens/],
  ])('%s, names only what was looked at', (_what, counted, detail) => {
    expect(judged({ message: { content: 'OK' }, usage: counted, expect: present }).detail).toMatch(detail);
  });
});
