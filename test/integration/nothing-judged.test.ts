import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

/** What is true only because nothing was judged is not said, and no exit code says it. */

let cwd: string;
const ask = (line: string) => chatspec(line.split(' '), { cwd });
const limits = 'limits: { retries: 0 }';

beforeAll(async () => {
  cwd = await lastingFolder();
  const dead = `base_url: 'http://127.0.0.1:1/v1', ${limits}`;
  await writeFiles(cwd, {
    'chatspec.yaml':
      `targets: { live: { base_url: simulator, models: [a, b] }, dead: { ${dead}, models: [a, b] } }\n`.replaceAll(
        '[a, b] }, dead',
        '[sim-reference, sim-object-500] }, dead',
      ),
  });
  await ask('run --tags smoke --models live/* --out live');
  await ask('run --tags smoke --models dead/* --out dead');
  await ask('run --tags smoke --out both');
}, 60_000);

describe('diff', () => {
  test.each([
    { line: 'live dead', code: 3 },
    { line: 'dead live', code: 3 },
    { line: 'dead --models dead/a dead/b', code: 3 },
    { line: 'both --models live/sim-reference dead/a', code: 3 },
    { line: 'both --targets live dead', code: 3 },
    { line: 'live both', code: 0 },
    { line: 'live --models sim-object-500 sim-reference', code: 0 },
    { line: 'live --models sim-reference sim-object-500', code: 1 },
  ])('$line ends with $code', async ({ line, code }) => {
    for (const form of ['', ' --json', ' --format md']) {
      const { stdout, ...ended } = await ask(`diff ${line}${form}`);
      expect(ended.code, form).toBe(code);
      if (form !== ' --json') expect(stdout.includes('Nothing was compared'), stdout).toBe(code === 3);
    }
    expect((await ask('diff --help')).stdout).toMatch(new RegExp(`^  ${code} `, 'm'));
  });
});

/** Sentences that are true of no cell at all. */
const vacuous =
  /every (judged )?cell|all \d* ?(judged )?cells|nothing (has changed|was lost|lost|deviates)|accepted dead|as (the baseline )?expect|none of them stands out|entries change: *$|can be relied on for/im;

test.each([
  'report dead',
  'report dead --format issue',
  'report dead --format md,junit,html --out rendered',
  'evidence dead',
  'rejudge dead --out again',
  'diff dead dead',
  'diff live dead',
  'diff dead --models dead/a dead/b --format md',
  'baseline accept dead --dry-run',
  'baseline accept dead',
  'run --last-failed dead --dry-run --models dead/*',
  'capabilities export dead --format litellm',
])('%s says nothing of cells that nobody judged', async (line) => {
  const { stdout, stderr } = await ask(line);
  expect(`${stdout}${stderr}`).not.toMatch(vacuous);
  if (line.includes('--out rendered')) {
    const files = await Promise.all(
      ['report.md', 'junit.xml'].map((name) => readFile(join(cwd, 'rendered', name), 'utf8')),
    );
    for (const text of files) expect(text).not.toMatch(vacuous);
  }
});

test('evidence and baseline accept say that no cell was judged', async () => {
  expect((await ask('evidence dead')).stderr).toContain('no cell of the run was judged');
  expect((await ask('evidence both')).stderr).toContain('the cells that do not pass');
  expect((await ask('baseline accept dead')).stdout).toContain(
    'nothing of dead was accepted: none of its cells was judged',
  );
});
