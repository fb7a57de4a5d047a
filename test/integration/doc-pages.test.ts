import { expect, test } from 'vitest';
import { markdownFiles, textOf } from '../support/documents.js';
import { wrongExitsOf } from '../support/pages/run-page.js';

/** Pages that tell a story: files to write and commands to run, one after the other in an empty folder. */
const pages = markdownFiles().filter((file) => textOf(file).includes('\n```console'));

test('there are such pages', () => expect(pages.length).toBeGreaterThan(2));

test.each(pages)('%s: every command ends with the exit code that the page says', async (file) => {
  expect(await wrongExitsOf(file)).toEqual([]);
});
