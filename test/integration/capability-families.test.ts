import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

const ask = 'request: { messages: [{ role: user, content: Say hello. }], max_tokens: 2000 }';
const suite = `suite: letters
families: [{ name: letter, order: 5 }]
forms:
  - { need: plain_text, order: 5, capability: letter.short, settings: { style: short }, care: read it aloud }
probes:
  hello: { capability: chat, ${ask} }
  unknown: { capability: unknown, ${ask} }
  short: { capability: letter.short, ${ask} }
`;

test('a suite adds a family and a form to reports with nothing but its own file', async () => {
  const cwd = await tempFolder();
  await writeFiles(cwd, {
    'chatspec.yaml': 'targets: { t: { base_url: simulator, models: [sim-reference] } }\nsuites: [letters.yaml]\n',
    'letters.yaml': suite,
  });
  await chatspec(['run', '--out', 'r'], { cwd });
  const report = JSON.parse(await readFile(join(cwd, 'r', 'report.json'), 'utf8')) as Report;
  expect(report.families).toEqual(['letter', 'chat', 'unknown']);
  expect(report.recommendations).toMatchObject([
    {
      ...{ need: 'plain_text', form: 'letter.short', settings: { style: 'short', max_tokens: '2000' } },
      because: 'letter.short held in 3 of 3 trials; read it aloud.',
    },
  ]);
  expect(report.columns.map(({ id }) => id)).toEqual(['letter', 'chat', 'unknown']);
});
