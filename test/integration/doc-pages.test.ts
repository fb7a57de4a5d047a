import { describe, expect, test } from 'vitest';
import { codeBlocks, markdownFiles, textOf } from '../support/documents.js';
import { playPage } from '../support/pages/play-page.js';

const files = markdownFiles();

/** Pages that tell a story: files to write and commands to run, one after the other in an empty folder. */
const pages = files.filter((file) => textOf(file).includes('\n```console'));

test('there are such pages', () => expect(pages.length).toBeGreaterThan(2));

test.each(pages)(
  '%s: commands end and print as the page says; npm run generate writes what they print',
  async (file) => {
    const text = textOf(file);
    expect(await playPage(text)).toEqual({ wrongExits: [], text });
  },
);

describe('what a program prints', () => {
  test.each(files.filter((file) => /^(?:docs\/|README)/.test(file)))(
    '%s: stands below its command and nowhere else',
    (file) => {
      const languages = [
        'sh',
        'bash',
        'console',
        'yaml',
        'json',
        'ts',
        'python',
        'go',
        'groovy',
        'grammar',
        'formula',
        'js',
      ];
      const others = codeBlocks(file).filter(({ language }) => !languages.includes(language));
      const commands = codeBlocks(file).filter(({ language, text }) => language !== 'console' && /^\$ /m.test(text));
      expect([...others, ...commands]).toEqual([]);
    },
  );
});
