import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';
import { serveHttp } from '../support/loopback.js';

/** What stands last is what people read: the remedy, and what a budget means for the plan. */

let folder: string;
const run = (...args: string[]) => chatspec(args, { cwd: folder });

beforeAll(async () => {
  folder = await lastingFolder();
  await writeFiles(folder, {
    'shop.yaml': 'suite: shop\nprobes: { hello: { request: { messages: [{ role: user, content: Say hello. }] } } }\n',
  });
});

async function configFor(address: string, more = ''): Promise<void> {
  await writeFiles(folder, {
    'chatspec.yaml': `targets: { service: { base_url: '${address}', models: [m] } }\nsuites: [shop.yaml]\n${more}`,
  });
}

describe.each<readonly [number, string, RegExp]>([
  [401, 'Incorrect API key.', /Check the key, its scope and the base address/],
  [404, 'Not Found', /Check base_url: http:.* is answered with 404/],
])('where every request meets %s, the remedy comes last', (status, message, remedy) => {
  const started = async (): Promise<void> => {
    const service = await serveHttp((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message } }));
    });
    onTestFinished(() => service.close());
    await configFor(service.baseUrl);
  };

  test('of the terminal', async () => {
    await started();
    const { code, stdout } = await run('run', '--out', `r${status}`, '--quiet');
    const words = stdout.trim().replaceAll(/\s+/g, ' ');
    expect(code).toBe(3);
    expect(words).toMatch(/^▼ Nothing was measured .*service\/m: not reached\. .*HTTP \d+: /);
  });

  test('of the model in doctor', async () => {
    await started();
    const { code, stdout } = await run('doctor');
    expect(code).not.toBe(0);
    const ofModel = (stdout.split('\n\n')[0] ?? '').split('\n');
    expect(ofModel[0]).toMatch(/NOT OK/);
    expect(ofModel.at(-1)).toMatch(/^ +next step +/);
    expect(ofModel.at(-1)).toMatch(remedy);
  });
});

describe('list says what a budget means for the plan', () => {
  const budgetLines = (stdout: string): readonly string[] =>
    stdout.split('\n').filter((line) => line.startsWith('budget'));

  test.each<readonly [string, readonly (string | RegExp)[]]>([
    ['', []],
    [
      'budget: { requests: 1 }',
      [
        /^budget {8}1 request: less than expected, so the run stops .*raise budget\.requests in the config or --budget-requests N$/,
      ],
    ],
    [
      'budget: { requests: 3 }',
      [/^budget {8}3 requests: enough for what is expected, less than the most; the run stops there$/],
    ],
    [
      'budget: { tokens: 1 }',
      [/^budget {8}1 token: less than expected, .*budget\.tokens in the config or --budget-tokens N$/],
    ],
    ['budget: { requests: 100000, tokens: 100000000 }', []],
  ])('%s', async (budget, expected) => {
    await configFor('simulator', `${budget}\n`);
    const { code, stdout } = await run('list');
    expect(code).toBe(0);
    const lines = budgetLines(stdout);
    expect(lines).toHaveLength(expected.length);
    for (const [at, line] of lines.entries()) expect(line).toMatch(expected[at] ?? '');
    // Below the sums that it is compared with.
    if (lines.length > 0) expect(stdout.indexOf('budget ')).toBeGreaterThan(stdout.indexOf('tokens '));
  });
});
