import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { simulate, type Simulator } from '../../src/simulator/index.js';
import { clientFixture } from '../support/client-fixture.js';

/** What applications on real client libraries get from the embedded service's reference. */

let simulator: Simulator;
beforeAll(async () => {
  simulator = await simulate();
});
afterAll(() => simulator.close());

const hello = expect.stringMatching(/^(?:Hello|Hi)\b/) as string;
const invoice = { buyer: 'Li Lei', date: '2026-05-01', total: 897, currency: 'CNY' };
const call = [{ name: 'create_order', arguments: { buyer: 'Li Lei', quantity: 3, total: 897 } }];
const bare = [{ name: 'ping', arguments: {} }];
const tools = { tool: call, streamed_tool: call, one_tool: call, bare_tool: bare };
const basic = { plain: hello, streamed: hello, structured: invoice, ...tools };
const openai = { ...basic, json: expect.objectContaining({ create_order: expect.anything() as object }) as object };
const ai = { ...basic, json: invoice, tool_loop: expect.stringContaining('"order_id":"A-1"') as string };

test.each([
  ['openai-6', {}, openai],
  ['openai-4', {}, openai],
  ['ai-5', { PROVIDER: 'openai' }, ai],
  ['ai-5', { PROVIDER: 'compatible' }, ai],
  ['langchain', {}, { ...basic, json: invoice, calling: invoice }],
  [
    'instructor',
    {},
    { plain: hello, streamed: hello, ...each(['tool', 'json', 'markdown', 'streamed_tool', 'streamed_json'], invoice) },
  ],
] as const)('%s %o gets the right answer to each of its calls', async (name, env, wanted) => {
  const cwd = await clientFixture(name);
  const { stdout } = await promisify(execFile)(process.execPath, ['try.mjs'], {
    cwd,
    env: { OPENAI_BASE_URL: simulator.baseUrl, OPENAI_API_KEY: 'sk-any', CALL_MS: '20000', ...env },
  });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { call: string; value?: unknown });
  expect(Object.fromEntries(lines.map(({ call: made, ...told }) => [made, told['value'] ?? told]))).toEqual(wanted);
});

function each<T>(names: readonly string[], value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.map((name) => [name, value]));
}
