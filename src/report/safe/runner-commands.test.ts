import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { liveCommands } from '../../../test/support/live-commands.js';
import { inert } from './escape.js';

describe('commands to a build machine', () => {
  test.each([
    ['::set-output name=x::y', '\\u003a:set-output name=x\\u003a:y'],
    ['  ::error::x', '  \\u003a:error\\u003a:x'],
    ['a ##[set-env name=X]y', 'a #\\u0023[set-env name=X]y'],
    ['###vso[task.setvariable variable=x]y', '##\\u0023vso[task.setvariable variable=x]y'],
    ["##teamcity[buildStatus text='x']", "#\\u0023teamcity[buildStatus text='x']"],
    ['section_start:1:x', 'section\\u005fstart:1:x'],
    ['travis_fold:start:x', 'travis\\u005ffold:start:x'],
  ])('%s', (text, shown) => {
    expect(liveCommands(text)).not.toEqual([]);
    expect(inert(text)).toBe(shown);
    expect(liveCommands(shown)).toEqual([]);
  });

  test.each(['http://[::1]:8080/v1', 'http://[::ffff:7f00:1]/v1', 'a: b :: c', '# [link] ## [x]', 'issue #12', 'C#[]'])(
    'leaves %s',
    (text) => {
      expect(inert(text)).toBe(text);
    },
  );

  test('are found behind further colons and signs', () => {
    expect(inert(':::error::x ###[error]')).toBe('\\u003a\\u003a:error\\u003a:x ##\\u0023[error]');
  });

  test('are found wherever a text is cut', () => {
    const pieces = ['::', ':', '#', '##', '[', ']', 'error', 'vso', 'section_', 'start:1', ' ', 'x'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), fc.nat(), (parts, at) => {
        const shown = inert(parts.join(''));
        expect(liveCommands(shown)).toEqual([]);
        expect(liveCommands(shown.slice(at % (shown.length + 1)))).toEqual([]);
        expect(inert(shown)).toBe(shown);
      }),
    );
  });
});
