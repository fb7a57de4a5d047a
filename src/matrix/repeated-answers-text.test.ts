import { expect, test } from 'vitest';
import type { RepeatedAnswers } from './repeated-answers.js';
import { repeatedCaveats, repeatedNotes, repeatedText } from './repeated-answers-text.js';

const example = { exchange: 'e000002', repeats: 'e000001' };
const cached: RepeatedAnswers = { repeated: 37, of: 40, of_others: 0, example };

test.each<readonly [number, number, number, string]>([
  [37, 40, 0, '37 of 40 answers repeat an earlier one, id and all'],
  [1, 40, 0, '1 of 40 answers repeats an earlier one, id and all'],
  [1, 40, 1, '1 of 40 answers repeats an earlier one, id and all, and that answered another request'],
  [9, 9, 2, '9 of 9 answers repeat an earlier one, id and all, of which 2 repeat the answer to another request'],
])('%i of %i, %i of others', (repeated, of, of_others, text) => {
  expect(repeatedText({ repeated, of, of_others, example })).toBe(text);
});

test('a note says what to do, and the graver case comes first', () => {
  const [first, second] = repeatedNotes(
    new Map([
      ['t/a', cached],
      ['t/b', { ...cached, of_others: 3 }],
    ]),
  );
  expect(first).toMatch(
    /^t\/b: 37 of 40 .* users get answers that are not theirs\. Have its key cover the whole request/,
  );
  expect(second).toBe(
    't/a: 37 of 40 answers repeat an earlier one, id and all (exchange e000002 repeats e000001). A cache in front of the model answers, so repeated trials show nothing new: 20 of 20 may be one answer. Switch the cache off for this key, and measure again',
  );
});

test('many models share a line', () => {
  const notes = repeatedNotes(new Map(Array.from({ length: 5 }, (_, at) => [`t/m${at}`, cached] as const)));
  expect(notes).toHaveLength(4);
  expect(notes.at(-1)).toBe('2 more models repeat answers as well');
});

test('a caveat only where rates would change, or where requests are mixed up', () => {
  const share = (repeated: number, of_others = 0) => repeatedCaveats({ ...cached, repeated, of_others });
  expect(repeatedCaveats(undefined)).toEqual([]);
  expect(share(3)).toEqual([]);
  expect(share(4)).toEqual([expect.stringContaining('a cache answers') as string]);
  expect(share(1, 1)).toEqual([expect.stringContaining('a cache mixes up requests') as string]);
});
