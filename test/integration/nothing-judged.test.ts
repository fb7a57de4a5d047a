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
