import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { aCompletion, aUsage } from '../support/build.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { serveHttp } from '../support/loopback.js';
import { tempFolder } from '../support/temp-folder.js';

/** A service whose answers stay right, and that counts other prompts than the night before. */

test('prompt tokens that change for identical requests are news, and no deviation', async () => {
  const state = { hidden: 0, requests: 0, mixed: 0 };
  const service = await serveHttp((_, response, text) => {
    const { model, messages } = JSON.parse(text) as { model: string; messages: unknown };
    state.requests += 1;
    if (model === 'm-mixed') state.mixed += 1;
    const added = { 'm-steady': 0, 'm-changed': state.hidden, 'm-mixed': (state.mixed % 2) * 30 }[model] ?? 0;
    const usage = model === 'm-silent' ? null : aUsage({ prompt_tokens: JSON.stringify(messages).length + added });
    const id = `chatcmpl-${String(state.requests).padStart(12, '0')}`;
    response.writeHead(200, { 'content-type': 'application/json' }).end(aCompletion({ id, model, usage }));
  });
  const cwd = await tempFolder();
  const message = (text: string) => `{ messages: [{ role: user, content: ${text}. }] }`;
  await writeFiles(cwd, {
    'chatspec.yaml': [
      `targets: { t: { base_url: '${service.baseUrl}', limits: { concurrency: 1 }, models: [m-steady, m-changed, m-mixed, m-silent] } }`,
      'suites: [own.yaml]',
      '',
    ].join('\n'),
    'own.yaml': `suite: own\nprobes:\n  greet: { trials: 3, request: ${message('Greet me')} }\n  ask: { request: ${message('Ask me')} }\n`,
  });
  const ask = (line: string) => chatspec(line.split(' '), { cwd });
  const reportOf = async () => JSON.parse(await readFile(join(cwd, 'reports/latest/report.json'), 'utf8')) as Report;
  const changesIn = async () =>
    (await reportOf()).models.flatMap(({ model, prompt_tokens_change: change }) => (change ? [[model, change]] : []));

  await ask('run');
  expect(await changesIn()).toEqual([]);
  state.hidden = 40;
  const { stdout, code, stderr } = await ask('run');
  expect(code, stderr).toBe(0);
  const first = await changesIn();
  const example = { cell: 'own/ask', before: 37, now: 77 };
  expect(first).toMatchObject([['m-changed', { of: 3, requests: 3, example }]]);
  const said = 't/m-changed counts';
  const sentence =
    /t\/m-changed counts [\d.]+ times as many prompt tokens for the same requests as in the run of [\d-]+ \(37 then and 77 now for own\/ask\)/;
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(sentence);
  const markdown = await readFile(join(cwd, 'reports/latest/report.md'), 'utf8');
  expect(markdown.replaceAll('\\', '')).toContain(said);
  expect(await readFile(join(cwd, 'reports/latest/index.html'), 'utf8')).toContain(said);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('t/m-mixed counts different numbers of prompt tokens');
  for (const innocent of ['m-steady', 'm-silent']) expect(stdout).not.toContain(`${innocent} counts`);

  // The next run of the week says it again, with the run that saw it; one that asks other cells forgets nothing.
  const saw = (await reportOf()).run.started_at;
  await ask('run --only own/greet');
  expect(await changesIn()).toMatchObject([['m-changed', { example, at: saw }]]);
  await ask('rejudge reports/latest --out again');
  expect(JSON.parse(await readFile(join(cwd, 'again/report.json'), 'utf8'))).toMatchObject({
    models: (await reportOf()).models,
  });
  state.hidden = 0;
  await ask('run');
  expect(await changesIn()).toMatchObject([['m-changed', { of: 3, example: { before: 77, now: 37 } }]]);
  await service.close();
});
