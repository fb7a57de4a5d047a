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
});

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

/**
 * What a verb makes of a run that judged nothing. Verbs that hand on what was judged have nothing to hand on (3: could
 * not measure); those that show the run, or the plan, do so.
 */
const codes: readonly (readonly [verb: string, line: string, code: number])[] = [
  ['run', 'run --tags smoke --models dead/* --out dead-again', 3],
  ['list', 'list --tags smoke --models dead/*', 0],
  ['report', 'report dead', 0],
  ['report', 'report dead --site site', 0],
  ['rejudge', 'rejudge dead --out judged-again', 3],
  ['diff', 'diff dead dead', 3],
  ['baseline', 'baseline accept dead', 3],
  ['baseline', 'baseline accept dead --dry-run', 3],
  ['baseline', 'baseline accept both --only *@dead/*', 3],
  ['merge', 'merge dead-1 dead-2 --out merged', 3],
  ['capabilities', 'capabilities export dead', 3],
  ['capabilities', 'capabilities export dead --format litellm', 3],
  ['capabilities', 'capabilities export dead --format models.dev', 3],
  ['evidence', 'evidence dead *', 0],
  ['prune', 'prune --keep 1', 0],
];

describe('the exit code of a run that judged nothing', () => {
  beforeAll(async () => {
    for (const shard of [1, 2])
      await ask(`run --tags smoke --models dead/* --shard ${shard}/2 --out dead-${shard} --quiet`);
  });

  test.each(codes)('%s: %s ends with %i, with --json too, and its help has the code', async (verb, line, code) => {
    const { code: plain, stderr } = await ask(line);
    expect(plain, stderr).toBe(code);
    expect((await ask(`${line.replace(/ --out (\S+)/, ' --out $1-json')} --json`)).code).toBe(code);
    expect((await ask(`${verb} --help`)).stdout).toMatch(new RegExp(`^  ${code} `, 'm'));
  });
});

test.each(['', ' --json', ' --dry-run', ' --only *@dead/*'])('baseline accept%s writes no baseline', async (more) => {
  const { stdout } = await ask(`baseline accept dead${more}`);
  await expect(readFile(join(cwd, 'baseline.yaml'), 'utf8')).rejects.toThrow('ENOENT');
  if (more === ' --json') expect(JSON.parse(stdout)).toMatchObject({ written: false });
});
