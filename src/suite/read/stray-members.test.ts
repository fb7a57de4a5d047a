import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSuites } from './load-suites.js';

async function problemsOf(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'chatspec-stray-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 's.yaml'), text);
  const place = { file: join(folder, 'chatspec.yaml'), line: 1, column: 1 };
  return (await loadSuites([{ pattern: 's.yaml', place }], folder)).problems.map(({ place, message, hint }) => ({
    ...{ line: place?.line, column: place?.column },
    ...{ message, hint },
  }));
}

const messages = 'messages: [{ role: user, content: hi }]';
const stray = (name: string, line: number, holder = 'a') => ({
  ...{ line, column: 3 },
  message: `probes: "${name}" stands beside the probe "${holder}", not in it`,
  hint: `indent this line and those that belong to it, so that they stand under "${holder}:"`,
});

test('a request at the level of the probe is told as that, at its place, and as nothing else', async () => {
  expect(await problemsOf(`suite: s\nprobes:\n  a:\n  request:\n    ${messages}\n`)).toEqual([stray('request', 4)]);
});

test('so is each member that stands there, and one beside a probe that has members of its own', async () => {
  const text = `suite: s\nprobes:\n  a:\n    title: A\n  request:\n    ${messages}\n  trials: 3\n  b:\n  steps: []\n`;
  expect(await problemsOf(text)).toEqual([stray('request', 5), stray('trials', 7), stray('steps', 9, 'b')]);
});

test.each([
  [
    'a probe may have the name of a member',
    `suite: s\nprobes:\n  a: { request: { ${messages} } }\n  request: { request: { ${messages} } }\n`,
  ],
  ['as the only one', `suite: s\nprobes:\n  find: { request: { ${messages} } }\n`],
  [
    'and ask what the defaults say',
    `suite: s\ndefaults: { request: { ${messages} } }\nprobes:\n  a: { title: A }\n  tags: { title: B }\n`,
  ],
])('%s', async (_name, text) => {
  expect(await problemsOf(text)).toEqual([]);
});

test.each([
  [`suite: s\nprobes:\n  a:\n    request: { ${messages} }\n    ${messages}\n`, 5],
  [`suite: s\nprobes:\n  a: { request: { ${messages} } }\ntags: [b]\n`, 4],
])('a member of what stands beside it is an unknown key at its line', async (text, line) => {
  expect(await problemsOf(text)).toMatchObject([{ line, message: expect.stringContaining('unknown key') as string }]);
});
