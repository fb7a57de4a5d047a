import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { shippedSchema } from '../../src/files/shipped-schema.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { clientFixture, clientFixtures } from '../support/client-fixture.js';
import { tempFolder } from '../support/temp-folder.js';

/** What real client libraries send, as their tracked locks say; all of their calls run to their end. */

const env = { PATH: process.env['PATH'] ?? '' };

test.each(clientFixtures)('%s sends what its shapes.lock.yaml says, and each call gets its answer', async (name) => {
  const cwd = await clientFixture(name);
  const { code, stdout, stderr } = await chatspec(['shapes', 'check', '--', 'node', 'calls.mjs'], { cwd, env });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^unchanged: \d+ request shapes? as in/) as string,
  });
  // Each line names a call and the type of what it gave.
  const lines = stderr.trim().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line).toMatch(/^[\w ]+: (?:string|number|object)$/);
});

test.each(clientFixtures)('the lock of %s fits its schema, and holds no key, prompt, port or date', async (name) => {
  const text = await readFile(join('fixtures', 'clients', name, 'shapes.lock.yaml'), 'utf8');
  const valid = await shippedSchema('shapes');
  expect(valid(parse(text)), JSON.stringify(valid.errors)).toBe(true);
  expect(text).not.toMatch(/chatspec-shapes$|Li Lei|keyboards|127\.0\.0\.1|2026-/m);
});

test('an upgrade from openai 4 to 6 says which calls changed, and on the wire', async () => {
  const [old, cwd] = await Promise.all(['openai-4' as const, 'openai-6' as const].map(clientFixture));
  const lock = join(old ?? '', 'shapes.lock.yaml');
  const { code, stdout } = await chatspec(['shapes', 'check', '--lock', lock, '--', 'node', 'calls.mjs'], {
    cwd: cwd ?? '',
    env,
  });
  expect(code).toBe(1);
  await expect(stdout).toMatchFileSnapshot('__snapshots__/cli/shapes-openai-4-to-6.txt');
});

test('a recorded shape becomes a suite that the embedded service passes', async () => {
  const cwd = await clientFixture('openai-6');
  const { code, stdout } = await chatspec(['shapes', 'to-suite'], { cwd });
  expect(code).toBe(0);
  const folder = await tempFolder();
  await writeFiles(folder, {
    'application.yaml': stdout,
    'chatspec.yaml':
      'targets: { demo: { base_url: simulator, models: [sim-reference] } }\nsuites: [application.yaml]\n',
  });
  expect(await chatspec(['validate'], { cwd: folder })).toMatchObject({ code: 0 });
  const run = await chatspec(['run', '--fail-on', 'fail'], { cwd: folder });
  expect(run, run.stdout).toMatchObject({ code: 0 });
});
