import { expect, test } from 'vitest';
import * as library from './index.js';

/** Every function of chatspec/judge, given anything: an answer, or one sentence that names what was wrong. */

const functions = Object.entries<unknown>(library).filter(
  (entry): entry is [string, (...given: unknown[]) => unknown] => typeof entry[1] === 'function',
);
const others = [undefined, null, 7, '', 'text', true, [], {}, { status: 200 }, Promise.resolve({}), () => 1, new Map()];
const rests: readonly (readonly unknown[])[] = [[], [undefined, {}], [{}, {}], [{ request: {} }], [Date.now()]];

/** What JavaScript says where nobody looked. */
const raw =
  /Cannot read|Cannot destructure|is not a function|not iterable|Invalid value used|undefined \(|is not defined/;

test('there are functions to give something to', () => {
  expect(functions.map(([name]) => name).sort()).toEqual([
    'checkSchema',
    'classify',
    'judge',
    'readAnswer',
    'retryAfterOf',
    'schemaProblem',
    'serverErrorAsFailure',
    'tokenUse',
  ]);
});

test.each(functions)('%s', async (_, call) => {
  for (const first of others) {
    for (const rest of rests) {
      try {
        await call(first, ...rest);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect((error as Error).message).not.toMatch(raw);
        expect((error as Error).message).not.toContain('\n');
      }
    }
  }
});
