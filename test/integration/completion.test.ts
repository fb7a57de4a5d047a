import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { helpTexts } from '../../src/cli/help-texts.js';
import { verbs } from '../../src/cli/verbs.js';
import { builtFolder, chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** What the shells complete, and what the help of each verb ends with. */

let folder: string;
beforeEach(async () => {
  folder = await tempFolder();
  await writeFiles(folder, {
    'chatspec.yaml':
      'targets: { demo: { base_url: simulator, models: [sim-reference, vendor/sim-wobbly, "a$(id>owned)b"] }, other: { base_url: simulator, models: [m] } }\nsuites: [shop.yaml]\n',
    'shop.yaml':
      'suite: shop\nprobes:\n  hello: { tags: [quick], request: { messages: [{ role: user, content: Say hello. }] } }\n',
    'reports/runs/2026-01-01/report.json': '{}',
  });
});

const ask = async (shell: string, ...words: string[]) =>
  (await chatspec(['__complete', shell, ...words], { cwd: folder })).stdout.trimEnd().split('\n');
const bash = async (line: string) => ask('bash', line);

describe('candidates', () => {
  test.each([
    ['chatspec ru', ['words', 'run']],
    ['chatspec run --prof', ['words', '--profile']],
    ['chatspec run --profile s', ['words', 'smoke', 'standard']],
    ['chatspec run --profile=c', ['words', 'certify']],
    ['chatspec run --fail-on re', ['words', 'regression']],
    ['chatspec run --tags ', ['words', 'quick']],
    ['chatspec run --suites ', ['words', 'shop']],
    ['chatspec run --only sh', ['words', 'shop/hello']],
    ['chatspec run --models demo/sim', ['words', 'demo/sim-reference']],
    ['chatspec run --models sim-reference,vendor', ['words', 'sim-reference,vendor/sim-wobbly']],
    ['chatspec doctor --target o', ['words', 'other']],
    ['chatspec check --model sim-r', ['words', 'sim-reference']],
    ['chatspec check --base-url s', ['words', 'simulator']],
    ['chatspec check --schema ', ['files']],
    ['chatspec run --config ', ['files']],
    ['chatspec run --config "chatspec.yaml" --suites ', ['words', 'shop']],
    ['chatspec run --config no.yaml --suites ', ['words']],
    ['chatspec baseline ', ['words', 'accept']],
    ['chatspec baseline accept ', ['files', 'reports/latest', 'reports/runs/2026-01-01']],
    ['chatspec completion ', ['words', 'bash', 'zsh', 'fish']],
    ['chatspec report --format ht', ['words', 'html']],
    ['chatspec list --json --profile ce', ['words', 'certify']],
    ['chatspec evidence nope ', ['words']],
    ['chatspec frobnicate ', ['words']],
  ])('%s', async (line, words) => {
    expect(await bash(line)).toEqual(words);
  });

  test('of a run: its cell keys', async () => {
    await chatspec(['run', '--only', 'shop/hello@demo/sim-reference', '--out', 'r'], { cwd: folder });
    expect(await bash('chatspec evidence r sh')).toEqual(['words', 'shop/hello@demo/sim-reference']);
  });

  test('for zsh and fish come as words, with what they are', async () => {
    expect(await ask('fish', 'chatspec', 'val')).toEqual([
      'words',
      'validate\tcheck the config, the suites and the baseline',
    ]);
    expect(await ask('zsh', 'chatspec', 'run', '--profile', 'sm')).toEqual(['words', 'smoke']);
  });
});

describe('in a real bash', () => {
  const complete = async (line: string): Promise<string> => {
    const { stdout } = await promisify(execFile)(
      'bash',
      [
        '--norc',
        '-c',
        `chatspec() { node ${join(builtFolder, 'cli', 'main.js')} "$@"; }
source <(chatspec completion bash)
source <(chatspec completion bash)
COMP_LINE=$1 COMP_POINT=\${#1}
_chatspec
printf '%s|' "\${COMPREPLY[@]}"
complete -p chatspec`,
        'bash',
        line,
      ],
      { cwd: folder, env: { PATH: process.env['PATH'] ?? '' } },
    );
    return stdout;
  };

  test('completes names of models', async () => {
    expect(await complete('chatspec run --models demo/sim-r')).toBe(
      'demo/sim-reference|complete -o default -F _chatspec chatspec\n',
    );
  });

  test('runs nothing that stands in the line or in the config', async () => {
    await complete('chatspec run --models $(touch owned) `touch owned` demo/a');
    expect(await complete('chatspec run --models demo/a')).toContain('demo/a\\$\\(id\\>owned\\)b|');
    const { readdir } = await import('node:fs/promises');
    expect(await readdir(folder)).not.toContain('owned');
  });
});

test.each(['bash', 'zsh', 'fish'])('prints the script for %s', async (shell) => {
  const { code, stdout } = await chatspec(['completion', shell], { cwd: folder });
  expect(code).toBe(0);
  expect(stdout).toContain(`chatspec __complete ${shell}`);
});

test('a shell without a script is answered with those that have one', async () => {
  const { code, stderr } = await chatspec(['completion', 'bsh'], { cwd: folder });
  expect(code).toBe(2);
  expect(stderr).toContain('no completion for the shell "bsh"\n  → did you mean "bash"?');
});

describe('help', () => {
  test.each(verbs.map(({ usage }) => usage.split(' ')[0] ?? ''))(
    'of %s has two examples that parse, and its exit codes',
    async (verb) => {
      const { stdout } = await chatspec([verb, '--help'], { cwd: folder });
      const { examples, exits } = helpTexts[verb]!;
      const known = verbs.find(({ usage }) => usage.split(' ')[0] === verb)!;
      for (const example of examples) {
        expect(stdout).toContain(example);
        expect(example).toContain(`chatspec ${verb}`);
        const flags = [...example.matchAll(/ (--[a-z-]+)/g)].map(([, flag]) => flag);
        expect(known.options.map(([text]) => text.split(' ')[0])).toEqual(expect.arrayContaining(flags));
      }
      for (const [code, meaning] of exits) expect(stdout).toMatch(new RegExp(`  ${code} +${meaning.slice(0, 12)}`));
    },
  );

  test('has no text for a verb that does not exist', () => {
    expect(Object.keys(helpTexts).toSorted()).toEqual(verbs.map(({ usage }) => usage.split(' ')[0] ?? '').toSorted());
  });
});
