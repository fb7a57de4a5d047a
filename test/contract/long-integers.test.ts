import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { project, type Project } from './program.js';

/** Integers beyond 2^53 keep their digits from the files of a user to the wire, and from the answer to the verdict. */

const id = '2512292042121000001';
const near = '2512292042121000002';

const suite = `suite: digits
vars: { order: ${id} }
probes:
  exact:
    capability: json_schema
    samples: rows.jsonl
    request:
      messages: [{ role: user, content: "Repeat {{order}} and {{row}}." }]
      seed: ${id}
      response_format:
        type: json_schema
        json_schema: { name: order, strict: true, schema: { $ref: ./order.json } }
    expect:
      rules:
        - { id: same, assert: "value.id = vars.order and $string(value.id) = '${id}'" }
        - { id: literal, assert: "value.id < ${near}" }
  inexact:
    capability: json_object
    request: { messages: [{ role: user, content: As JSON. }], response_format: { type: json_object } }
    expect: { rules: [{ id: half, assert: value.id / 2 > 1 }] }
`;
const schema = `{"type":"object","required":["id"],"additionalProperties":false,
  "properties":{"id":{"type":"integer","const":${id},"maximum":18446744073709551615}}}`;

let work: Project;
let server: Server;
let answer = `{"id":${id}}`;
const bodies: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies.push(body);
      const content = body.includes('response_format') ? answer : 'Hello.';
      const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' };
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      const frame = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [choice], usage };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(frame));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  work = await project({
    'chatspec.yaml': `targets: { demo: { base_url: "http://127.0.0.1:${port}/v1", models: [m] } }\nsuites: [digits.yaml]\n`,
    'digits.yaml': suite,
    'order.json': schema,
    'rows.jsonl': `{"row":${near}}\n`,
  });
});
afterAll(() => void server.close());

interface Cell {
  readonly key: string;
  readonly verdict: string;
  readonly class?: string | null;
}

async function cells(args: string, folder: string): Promise<readonly Cell[]> {
  const { stderr } = await work.chatspec(`${args} --out ${folder}`);
  const report = await work.json<{ readonly cells: readonly Cell[] }>(`${folder}/report.json`).catch(() => null);
  expect(report, stderr).not.toBeNull();
  return report?.cells ?? [];
}

test('sends every digit, and takes the answer with the same digits', async () => {
  const [exact, inexact] = await cells('run --trials 1', 'right');
  const sent = bodies.find((body) => body.includes('json_schema')) ?? '';
  expect(sent).toContain(`"const":${id}`);
  expect(sent).toContain('"maximum":18446744073709551615');
  expect(sent).toContain(`"seed":${id}`);
  expect(sent).toContain(`Repeat ${id} and ${near}.`);
  expect(exact).toMatchObject({ verdict: 'pass' });
  expect(inexact).toMatchObject({ verdict: 'inconclusive' });
  expect(await work.read('right/journal.jsonl')).toContain(`"const":${id}`);
});

test('tells an answer that is one too high, and judges it again from the journal', async () => {
  answer = `{"id":${near}}`;
  const [exact] = await cells('run --trials 1', 'wrong');
  expect(exact).toMatchObject({ verdict: 'fail', class: 'schema_violation' });
  const { code, stderr } = await work.chatspec('rejudge wrong');
  expect([0, 1], stderr).toContain(code);
  expect(await work.json('wrong/report.json')).toMatchObject({ cells: [{ class: 'schema_violation' }, {}] });
});

test('check asks for a document with the digits', async () => {
  answer = `{"id":${id}}`;
  bodies.length = 0;
  const { port } = server.address() as AddressInfo;
  const args = ['check', '--schema', 'order.json', '--base-url', `http://127.0.0.1:${port}/v1`, '--model', 'm'];
  const { code, stdout, stderr } = await work.chatspec([...args, '--prompt', `Repeat ${id}.`, '--json']);
  expect([0, 1], stderr).toContain(code);
  expect(bodies.some((body) => body.includes(id))).toBe(true);
  expect(bodies.join('')).not.toContain('2512292042121000000');
  expect(stdout).not.toContain('2512292042121000000');
});
