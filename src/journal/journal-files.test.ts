import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.js';
import { journalFiles } from './journal-files.js';

test('what is appended stands in the file as UTF-8, whatever it is made of and however long it is', async () => {
  const folder = await tempFolder();
  let number = 0;
  // Each takes one to four bytes, and the last one two units. A piece holds 65,536 bytes.
  const character = fc.constantFrom('a', 'ü', '☃', '😀');
  const few = fc.string({ unit: character, maxLength: 5 });
  const times = fc.oneof(fc.integer({ min: 65_528, max: 65_540 }), fc.integer({ min: 0, max: 140_000 }));
  // Put together only in the test: the text of a counterexample would fill the screen.
  const parts = fc.tuple(few, character, times, few);
  await fc.assert(
    fc.asyncProperty(fc.array(parts, { minLength: 1, maxLength: 3 }), async (all) => {
      const texts = all.map(([before, repeated, count, after]) => before + repeated.repeat(count) + after);
      const file = join(folder, `${(number += 1)}.jsonl`);
      const opened = await journalFiles.openAppend(file, true);
      for (const text of texts) opened.append(text);
      await opened.close();
      expect((await readFile(file, 'utf8')) === texts.join('')).toBe(true);
    }),
    { numRuns: 40 },
  );
});
