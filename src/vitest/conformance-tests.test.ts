import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conformance } from './conformance-tests.js';

let folder: string;
let config: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chatspec-vitest-'));
  config = join(folder, 'chatspec.yaml');
  const probe = '{ titel: Plain, tags: [smoke], request: { messages: [{ role: user, content: Say hello. }] } }';
  await writeFile(config, 'targets: { demo: { base_url: simulator, models: [sim-reference] } }\nsuites: [own.yaml]\n');
  await writeFile(join(folder, 'own.yaml'), `suite: own\ntitle: Own\nprobes:\n  plain: ${probe}\n`);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

test('a mistake in a suite is an error that names its place and the next step', async () => {
  await expect(conformance({ config, env: {} })).rejects.toThrow(
    `${join(folder, 'own.yaml')}:4:12: probes.plain: unknown key "titel"\n  → did you mean "title"?`,
  );
});

test('so is a filter that matches nothing', async () => {
  await writeFile(
    join(folder, 'own.yaml'),
    'suite: own\ntitle: Own\nprobes:\n  plain: { title: Plain, tags: [smoke], request: { messages: [{ role: user, content: Say hello. }] } }\n',
  );
  await expect(conformance({ config, env: {}, tags: ['smok'] })).rejects.toThrow('\n  → did you mean "smoke"?');
});
