import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acting, foreignElements, proseOf, rendered, textOf } from '../../../test/support/rendered-markdown.js';
import { oneLine, markdown, markdownBlock, markdownCode, markdownTable } from './escape.js';

/** What Markdown, GFM and the filters of GitHub and GitLab treat as special, and some that is not. */
const pieces = [
  ...Array.from('`\\|*_[]()!<>&@#$:/~-+=^.,"\'{}%?;0123ax \n\t'),
  ...['``', '![', '](', 'http://a.b', 'www.a.b', '<img src=x>', '<!--', '&lt;', '[^1]', '@me', '#12', 'a@b.cd', '$x$'],
  ...['---', '```', '\\|', '\\`', ':tada:', 'GH-1', '::error::', '<https://a.b>', '[x]: http://a.b', '1. ', '~~'],
];
const hostile = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join(''));
const runs = { numRuns: 400 };

describe('Markdown of data', () => {
  test.each([
    ['| **x** [a](b) <img src=x> `c`\nd', '&#124; \\*\\*x\\*\\* \\[a\\](b) &lt;img src=x&gt; \\`c\\` d'],
    ['ask @team about #12, see https://a.b', 'ask `@team` about `#12`, see `https://a.b`'],
    ['suite/probe@demo/one fails', '`suite/probe@demo/one` fails'],
    ['fixed in 0123456789abcdef0123456789abcdef01234567', 'fixed in `0123456789abcdef0123456789abcdef01234567`'],
    ['0.95 of 1,000 (95 %)', '0.95 of 1,000 (95 %)'],
  ])('%j', (text, shown) => {
    expect(markdown(text)).toBe(shown);
  });

  test('is text and code, and says what the data says', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const source = markdown(text);
        expect(foreignElements(source)).toEqual([]);
        expect(proseOf(source)).not.toMatch(acting);
        expect(textOf(source)).toBe(oneLine(text));
      }),
      runs,
    );
  });

  test('stays in its code span', () => {
    expect(markdownCode('a`b``c')).toBe('``` a`b``c ```');
    expect(markdownCode('a|b')).toBe('`a|b`');
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = oneLine(text) === '' ? ' ' : oneLine(text);
        expect(rendered(`${markdownCode(text)} and ${markdownCode(text)}`)).toMatch(
          /^<p><code>[^<]*<\/code> and <code>/,
        );
        expect(textOf(`x ${markdownCode(text)} x`)).toBe(`x ${shown} x`);
      }),
      runs,
    );
  });

  test('stays in its cell of a table', () => {
    // The id that broke out: the backslash took away the protection of the pipe.
    const id = '![x](http://host/p.png)\\|';
    expect(foreignElements(markdownTable(['a'], [[markdownCode(id)]]))).toEqual([]);
    fc.assert(
      fc.property(hostile, hostile, (text, other) => {
        const source = markdownTable(
          [markdown(other), 'b'],
          [[markdownCode(text), `${markdown(other)}<br>${markdown(text)}`]],
        );
        expect(foreignElements(source)).toEqual([]);
        expect(proseOf(source)).not.toMatch(acting);
        const cells = rendered(source).match(/<td>[^]*?<\/td>/g) ?? [];
        expect(cells).toHaveLength(2);
        expect(cells[0]).toMatch(/^<td><code>[^<]*<\/code><\/td>$/);
        const shown = oneLine(text).replace(/\\+(?=\|)/g, (slashes) => '\\u005c'.repeat(slashes.length));
        if (oneLine(text) !== '') expect(textOf(cells[0]!)).toBe(shown);
      }),
      runs,
    );
  });

  test('stays in its code block', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const source = ['x', '', ...markdownBlock(text, 'json'), '', 'y'].join('\n');
        expect(rendered(source)).toMatch(
          /^<p>x<\/p>\n<pre><code class="language-json">[^<]*<\/code><\/pre>\n<p>y<\/p>$/,
        );
        const quoted = ['> x', '', ...markdownBlock(text)].join('\n> ');
        expect(rendered(quoted)).toMatch(/^<blockquote>\n<p>x<\/p>\n<pre><code>[^<]*<\/code><\/pre>\n<\/blockquote>$/);
      }),
      runs,
    );
  });
});
