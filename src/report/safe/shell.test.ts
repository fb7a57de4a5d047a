import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { configOption, curlCommand, shellWord } from './shell.js';

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

test('curl reads each argument as it is, and takes a key from the shell', () => {
  const command = curlCommand(
    shellWord("https://host.example/v1?a=1&b='2'"),
    [
      ['Authorization', { shell: 'Bearer $API_KEY' }],
      ['x-note', "it's `id`"],
    ],
    `--data ${shellWord('{"a": "$b"}')}`,
  );
  const script = `curl() { printf '%s\\n' "$@"; }\n${command}`;
  const options = { encoding: 'utf8', env: { API_KEY: 'k 1' } } as const;
  expect(execFileSync('sh', ['-c', script], options).trim().split('\n')).toEqual([
    '-sS',
    "https://host.example/v1?a=1&b='2'",
    '-H',
    'Authorization: Bearer k 1',
    '-H',
    "x-note: it's `id`",
    '--data',
    '{"a": "$b"}',
  ]);
});
