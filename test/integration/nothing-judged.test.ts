import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { verbs } from '../../src/cli/verbs.js';
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

/** Sentences that are true of no cell at all. */
const vacuous =
  /every (judged )?cell|all \d* ?(judged )?cells|nothing (has changed|was lost|lost|deviates)|accepted dead|as (the baseline )?expect|all of them pass|entries change: *$|can be relied on for/im;

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

/**
 * What a verb makes of a run that judged nothing. Verbs that hand on what was judged have nothing to hand on (3: could not
 * measure); those that show the run, or the plan, do so.
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

  test('is stated for every verb that reads a run', () => {
    const reading = verbs.map(({ usage }) => usage).filter((usage) => /RUN/.test(usage));
    const stated = new Set(codes.map(([verb]) => verb));
    expect(reading.filter((usage) => !stated.has(usage.split(' ')[0]!))).toEqual([]);
  });
});

test.each(['', ' --json', ' --dry-run', ' --only *@dead/*'])('baseline accept%s writes no baseline', async (more) => {
  const { stdout } = await ask(`baseline accept dead${more}`);
  await expect(readFile(join(cwd, 'baseline.yaml'), 'utf8')).rejects.toThrow('ENOENT');
  if (more === ' --json') expect(JSON.parse(stdout)).toMatchObject({ written: false });
});

test('capabilities export says that the map knows nothing, and baseline accept that nothing was written', async () => {
  expect((await ask('capabilities export dead')).stderr).toContain(
    'error: the run judged no cell, so nothing is known of any model',
  );
  for (const more of ['', ' --json', ' --dry-run']) {
    expect((await ask(`baseline accept dead${more}`)).stderr).toContain(
      'error: no cell of dead was judged, so nothing was accepted, and baseline.yaml was not written',
    );
  }
  expect((await ask('baseline accept both --only *@dead/*')).stderr).toContain(
    'error: no cell of both that matches --only *@dead/* was judged, so nothing was accepted',
  );
});

test('evidence says that no cell was judged', async () => {
  expect((await ask('evidence dead')).stderr).toContain('no cell of the run was judged');
  expect((await ask('evidence both')).stderr).toContain('the cells that do not pass');
});
