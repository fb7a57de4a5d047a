import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { findsKey } from '../support/keys/find-key.js';
import { leakyConfig, leakySuite, serveLeaks, ways } from '../support/keys/leaky-service.js';
import { mistakes } from '../support/keys/mistakes.js';
import { tempFolder } from '../support/temp-folder.js';

/** What is left in the folder, by path. The files that a test wrote are not searched. */
async function produced(folder: string, written: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const own = new Set(written.map((file) => join(folder, file)));
  const texts = files
    .filter((file) => !own.has(file))
    .map(async (file) => [file, await readFile(file, 'utf8')] as const);
  return new Map(await Promise.all(texts));
}

test.each([['correct horse battery', 'a.b*C(d)[e]{f}^$|g?h\\i']])(
  'no artefact holds %j, which was sent, or %j of a target that was not asked',
  async (own, other) => {
    const folder = await tempFolder();
    const keys = [own, other];
    const env = { OWN_KEY: own, OTHER_KEY: other };
    const service = await serveLeaks(keys);
    onTestFinished(() => service.close());
    const files = {
      'chatspec.yaml': JSON.stringify(leakyConfig(service.baseUrl)),
      'leak.yaml': JSON.stringify(leakySuite),
    };
    await writeFiles(folder, files);
    let printed = '';
    const does = async (...args: readonly string[]): Promise<number | null> => {
      const { code, stdout, stderr } = await chatspec(args, { cwd: folder, env });
      printed += stdout + stderr;
      return code;
    };

    expect(await does('run', '--out', 'r', '--trials', '2', '--models', 'leaky/*')).toBe(1);
    const report = JSON.parse(await readFile(join(folder, 'r', 'report.json'), 'utf8')) as Report;
    expect(report.cells).toHaveLength(ways.length);
    await does(
      'report',
      'r',
      '--out',
      'again',
      '--format',
      'html,md,junit,ctrf,openmetrics,issue,json,failures,terminal',
    );
    await does('rejudge', 'r', '--out', 'rr');
    await does('evidence', 'r', ...report.cells.map((cell) => cell.key));
    for (const way of ways) {
      service.wayOfPlain = way;
      await does('doctor', '--target', 'leaky');
    }
    await does('baseline', 'accept', 'r');

    const artefacts = new Map([...(await produced(folder, Object.keys(files))), ['what was printed', printed]]);
    expect([...artefacts.keys()].some((name) => name.endsWith('r/index.html'))).toBe(true);
    expect(printed).toContain('***');
    for (const [name, text] of artefacts) {
      for (const key of keys) expect(findsKey(text, key), `${key} in ${name}`).toBeNull();
    }
  },
);

test.each(Object.keys(mistakes))('a key in %s is neither printed nor sent', async (place) => {
  for (const key of ['opensesame', 'correct horse battery', 'sk-canary-7Hq2mZx9Lw4Tb6Rk']) {
    const folder = await tempFolder();
    const { files, args } = mistakes[place]!(key);
    await writeFiles(folder, files);
    const { code, stdout, stderr } = await chatspec(args, { cwd: folder, env: { OTHER_KEY: key } });
    expect(findsKey(stdout + stderr, key), `${stdout}${stderr}`).toBeNull();
    expect(code).toBe(2);
    for (const [name, text] of await produced(folder, Object.keys(files))) {
      expect(findsKey(text, key), name).toBeNull();
    }
  }
});
