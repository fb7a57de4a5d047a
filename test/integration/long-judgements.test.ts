import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { aCompletion } from '../support/build.js';
import { startChatspec } from '../support/cli.js';
import { serveHttp } from '../support/loopback.js';
import { tempFolder } from '../support/temp-folder.js';

const exploding = JSON.stringify({ total: `${'a'.repeat(60)}b` });
const schema = {
  type: 'object',
  properties: { total: { type: 'string', pattern: '^(a+)+$' } },
  required: ['total'],
  additionalProperties: false,
};

const messages = [{ role: 'user', content: 'json' }];
const hello = { request: { messages: [{ role: 'user', content: 'hi' }] }, trials: 1 };
const hellos = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`hello-${index}`, hello]));

/**
 * A target whose answers take long to judge, beside one that answers at once, both asked by the same probes.
 * @param contentOf what the slow one says to a request body
 */
async function besideAnother(probes: object, contentOf: (body: string) => string) {
  const server = await serveHttp((_request, response, body) => {
    const isQuick = body.includes('"model":"quick"');
    const content = body.includes('"hi"') ? 'Hello.' : isQuick ? '{"total":"aaa"}' : contentOf(body);
    response.setHeader('content-type', 'application/json');
    setTimeout(() => {
      response.end(aCompletion({ message: { content } }));
    }, 10);
  });
  onTestFinished(() => server.close());
  const cwd = await tempFolder();
  const target = (name: string, concurrency: number) => ({
    base_url: server.baseUrl.replace(/v1$/, `${name}/v1`),
    limits: { concurrency, retries: 0 },
    models: [name],
  });
  const config = { targets: { slow: target('slow', 8), quick: target('quick', 1) }, suites: ['suite.yaml'] };
  await writeFile(join(cwd, 'chatspec.yaml'), JSON.stringify(config));
  await writeFile(join(cwd, 'suite.yaml'), JSON.stringify({ suite: 's', probes: { ...probes, ...hellos } }));
  const cells = async (out: string, ...args: readonly string[]): Promise<unknown> => {
    const { code, stderr } = await startChatspec([...args, '--fail-on', 'never', '--out', out], { cwd }).done;
    expect(code, stderr).toBe(0);
    const report = JSON.parse(await readFile(join(cwd, out, 'report.json'), 'utf8')) as { readonly cells: unknown };
    return report.cells;
  };
  return { cwd, cells };
}

test('judgements of seconds are the same when judged again', async () => {
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
  const rules = ['c', 'd'].map((id) => ({ id, assert: `$contains(value.total & '${id}', /^(a+)+$/)` }));
  const probes = {
    pattern: { request: { messages, response_format }, trials: 1 },
    rules: { request: { messages, response_format: { type: 'json_object' } }, expect: { rules }, trials: 1 },
  };
  const { cells } = await besideAnother(probes, () => exploding);
  // Once each: every answer to the rules takes two seconds, here and when it is judged again.
  const live = await cells('run', 'run', '--trials', '1');
  expect(JSON.stringify(live)).toContain('a pattern of the schema takes too long on this value');
  expect(JSON.stringify(live)).toContain('it was stopped after 1000 ms');
  expect(await cells('again', 'rejudge', 'run')).toEqual(live);
});

test('so is a map of keywords over such answers, live, resumed or judged again', async () => {
  const enforce = { keyword: 'pattern', schema, valid: { total: 'aaa' }, invalid: { total: 'abc' } };
  // In a fence it is no document, but a map looks into it.
  const { cwd, cells } = await besideAnother({ map: { enforce } }, (body) =>
    body.includes('abc') && body.includes('response_format') ? `\`\`\`\n${exploding}\n\`\`\`` : '{"total":"aaa"}',
  );
  const live = await cells('run', 'run', '--trials', '1');
  const journal = await readFile(join(cwd, 'run', 'journal.jsonl'), 'utf8');
  const lines = journal.trimEnd().split('\n');
  expect(lines.at(-1)).toContain('run_finished');
  await mkdir(join(cwd, 'resumed'));
  await writeFile(join(cwd, 'resumed', 'journal.jsonl'), `${lines.slice(0, -1).join('\n')}\n`);
  expect(await Promise.all([cells('again', 'rejudge', 'run'), cells('resumed', 'run', '--resume')])).toEqual([
    live,
    live,
  ]);
});
