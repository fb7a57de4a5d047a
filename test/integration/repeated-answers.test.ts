import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** Each answer of a cache is right for some request, so only answers together show it. */

const models = ['sim-reference', 'sim-gateway-once', 'sim-thinker', 'sim-cached', 'sim-cached-prompt'];

test('a cache in front of a model is told, and any other model is not', async () => {
  const cwd = await tempFolder();
  await writeFiles(cwd, {
    'chatspec.yaml': `targets: { demo: { base_url: simulator, models: [${models.join(', ')}] } }\nsuites: [own.yaml]\n`,
    'own.yaml': [
      'suite: own',
      'forms: [{ capability: spoken, need: plain_text, order: 1 }]',
      'probes:',
      '  greet: { capability: spoken, trials: 20, request: { messages: [{ role: user, content: Greet me. }] } }',
      '  cap: { trials: 5, request: { max_tokens: 300, messages: [{ role: user, content: Greet me. }] } }',
      '',
    ].join('\n'),
  });
  const ask = (line: string) => chatspec(line.split(' '), { cwd });
  const fileOf = (run: string, name: string) => readFile(join(cwd, run, name), 'utf8');
  const repeatedIn = async (run: string) => {
    const report = JSON.parse(await fileOf(run, 'report.json')) as Report;
    return Object.fromEntries(report.models.map(({ model, repeated_answers: found }) => [model, found]));
  };

  const { code, stdout, stderr } = await ask('run --out night');
  expect(code, stderr).toBe(0);
  const found = await repeatedIn('night');
  // The opening control is a request of its own.
  expect(found['sim-cached']).toMatchObject({ repeated: 19 + 4, of: 26, of_others: 0 });
  const mixed = found['sim-cached-prompt'];
  expect(mixed).toMatchObject({ repeated: 24, of: 26 });
  expect([5, 20]).toContain(mixed?.of_others);
  for (const innocent of models.slice(0, 3)) expect(found[innocent]).toBeUndefined();

  const said = 'demo/sim-cached: 23 of 26 answers repeat an earlier one, id and all';
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(said);
  expect((await fileOf('night', 'report.md')).replaceAll('\\', '')).toContain(said);
  expect(await fileOf('night', 'index.html')).toContain(said);
  expect(await fileOf('night', 'openmetrics.txt')).toContain(
    'chatspec_repeated_answers{model="demo/sim-cached",request="same"} 23\n',
  );
  const map = JSON.parse(await fileOf('night', 'capabilities.json')) as {
    capabilities: { model: string; caveats: string[] }[];
  };
  expect(map.capabilities.find(({ model }) => model === 'demo/sim-cached')?.caveats).toEqual([
    '23 of 26 answers repeat an earlier one, id and all: a cache answers, so its trials show less than they seem to',
  ]);

  await ask('rejudge night --out again');
  expect(await repeatedIn('again')).toEqual(found);
});
