import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { configOption, shellWord } from './escape.js';

test.each(['plain.yaml', 'my config.yaml', "it's.yaml", '$HOME.yaml', 'a;b', '*', '', '-x', '`id`'])(
  '%s is one word',
  (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text);
  },
);

test('only another config is named', () => {
  expect(configOption('chatspec.yaml')).toBe('');
  expect(configOption(undefined)).toBe('');
  expect(configOption('ci/my config.yaml')).toBe(" --config 'ci/my config.yaml'");
});
