import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '../support/cli.js';
import { projectFolder } from '../support/documents.js';
import { lastingFolder } from '../support/lasting-folder.js';
import { runNode } from '../support/run-node.js';

/** Tests that are skipped leave a file green, so that what could not be measured has to be said aloud. */

const request = 'request: { messages: [{ role: user, content: Say hello. }]';
const suite = `
suite: own
probes:
  plain: { ${request} }, vary: { max_tokens: [64, 128] } }
  pieces: { ${request}, stream: true }, vary: { max_tokens: [64, 128] } }
`;

async function printed(model: string) {
  const folder = await lastingFolder();
  await writeFiles(folder, {
    'package.json': '{ "type": "module" }',
    'chatspec.yaml': `targets: { demo: { base_url: simulator, limits: { retries: 0 }, models: [${model}] } }\nsuites: [own.yaml]\nbaseline: b.yaml\nmax_unmeasured: 0.6\n`,
    'b.yaml': `format: chatspec-baseline/1\ncovers: [{ cells: '*@demo/${model}', trials: 12 }]\n`,
    ...{ 'own.yaml': suite, 'm.test.ts': "import { conformance } from 'chatspec/vitest';\n\nawait conformance();\n" },
  });
  await mkdir(join(folder, 'node_modules'));
  await symlink(projectFolder, join(folder, 'node_modules/chatspec'));
  await symlink(join(projectFolder, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  const program = join(projectFolder, 'node_modules/vitest/vitest.mjs');
  const { code, stdout, stderr } = await runNode([program, 'run'], { CI: '1', NO_COLOR: '1' }, folder);
  return { code, text: `${stdout}\n${stderr}` };
}

test('a green file says what a model did not answer', async () => {
  const { code, text } = await printed('sim-stream-cut');
  expect(code).toBe(0);
  expect(text).toMatch(/none of its \d+ requests with stream: true got a usable answer \(cut off\)/);
});

test('and nothing where all was answered', async () => {
  const { code, text } = await printed('sim-reference');
  expect(code).toBe(0);
  expect(text).not.toContain('could not be measured');
});
