import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { builtFolder, chatspec } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** What the shells complete, and what the help of each verb ends with. */

let folder: string;
beforeEach(async () => {
  folder = await tempFolder();
});

describe('in a real bash', () => {
  const complete = async (line: string): Promise<readonly string[]> => {
    const { stdout } = await promisify(execFile)(
      'bash',
      [
        '--norc',
        '-c',
        `chatspec() { node ${join(builtFolder, 'cli', 'main.js')} "$@"; }
source <(chatspec completion bash)
read -ra COMP_WORDS <<<"$1"
if [[ $1 == *' ' ]]; then COMP_WORDS+=(''); fi
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_chatspec
printf '%s\n' "\${COMPREPLY[@]}"`,
        'bash',
        line,
      ],
      { cwd: folder, env: { PATH: process.env['PATH'] ?? '' } },
    );
    return stdout.trim().split('\n');
  };

  test.each([
    ['chatspec ru', ['run']],
    ['chatspec run --prof', ['--profile']],
    ['chatspec run --profile s', ['smoke', 'standard']],
    ['chatspec run --fail-on re', ['regression']],
    ['chatspec shapes check --fail-on u', ['unsupported']],
    ['chatspec check --schema ', ['']],
    ['chatspec baseline ', ['accept']],
    ['chatspec completion ', ['bash', 'zsh', 'fish']],
    ['chatspec report --format ht', ['html']],
    ['chatspec frobnicate ', ['']],
    ['chatspec run --models $(touch owned) `touch owned` ', ['']],
  ])('%s', async (line, words) => {
    expect(await complete(line)).toEqual(words);
    expect(await readdir(folder)).not.toContain('owned');
  });
});

test.each([
  ['zsh', 'bashcompinit'],
  ['fish', "complete -c chatspec -n '__fish_seen_subcommand_from run' -l profile"],
])('the script for %s', async (shell, part) => {
  const { code, stdout } = await chatspec(['completion', shell], { cwd: folder });
  expect(code).toBe(0);
  expect(stdout).toContain(part);
});
