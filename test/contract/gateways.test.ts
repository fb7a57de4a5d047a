import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { project, type Project } from './program.js';

/** A gateway whose models answer as gateways were seen to answer: what it says is no verdict on a model. */

const suite = `suite: shop
defaults: { request: { max_tokens: 100 } }
probes:
  hello: { capability: chat, request: { messages: [{ role: user, content: Say hello. }] } }
  again: { capability: stream.chat, needs: [shop/hello], request: { messages: [{ role: user, content: Say hello again. }] } }
  order:
    capability: tools
    request:
      messages: [{ role: user, content: Order 3 keyboards for Li Lei. }]
      tool_choice: required
      tools: [{ type: function, function: { name: order, parameters: { type: object, properties: { buyer: { type: string } }, required: [buyer], additionalProperties: false } } }]
`;

type Body = Readonly<Record<string, unknown>>;
interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const completion = (body: Body): Reply => {
  const call = [{ id: 'c1', type: 'function', function: { name: 'order', arguments: '{"buyer":"Li Lei"}' } }];
  const message = body['tools'] === undefined ? { content: 'Hello there.' } : { content: null, tool_calls: call };
  const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' };
  return { body: { id: 'c', object: 'chat.completion', created: 1, model: body['model'], choices: [choice] } };
};
const refusal = (status: number, error: unknown): Reply => ({ status, body: error });

let sent = 0;
const models: Readonly<Record<string, (body: Body) => Reply>> = {
  good: completion,
  'no-database': () => refusal(400, { error: { message: 'No connected db.', type: 'no_db_connection', code: '400' } }),
  'no-provider': () => refusal(400, { status: 'failure', message: 'Invalid provider passed' }),
  numbered: () => refusal(400, { error: { message: `Request ${(sent += 1)}-af was not authorised to pass` } }),
  'old-field': () =>
    refusal(400, { error: { message: 'Unsupported parameter: max_tokens', param: 'max_tokens', type: 'x' } }),
  disabled: () => refusal(200, { error: { message: '密钥已被禁用' } }),
  picky: (body) => (body['tools'] === undefined ? completion(body) : refusal(400, { error: { message: 'DEGRADED' } })),
};

/** Answers for all models of one target. */
const toolless = (body: Body): Reply =>
  body['tools'] === undefined ? completion(body) : refusal(400, { error: { message: 'tools are not supported here' } });

/** LiteLLM names the key as the parameter. */
let answersLeft = Infinity;
const expiring = (body: Body): Reply =>
  (answersLeft -= 1) >= 0
    ? completion(body)
    : refusal(400, {
        error: { message: 'Authentication Error - Expired Key.', type: 'expired_key', param: 'key', code: '400' },
      });

let server: Server;
let work: Project;
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (more: Buffer) => (text += more.toString()));
    request.on('end', () => {
      const body = JSON.parse(text) as Body;
      const own = Object.entries({ toolless, expiring }).find(
        ([name]) => request.url?.startsWith(`/${name}/`) === true,
      );
      const answer = own?.[1] ?? models[String(body['model'])] ?? completion;
      const { status = 200, headers = {}, body: said } = answer(body);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(said));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  work = await project({
    'shop.yaml': suite,
    'chatspec.yaml': `targets:
  gate: { base_url: http://127.0.0.1:${port}/v1, limits: { retries: 0 }, models: [${Object.keys(models).join(', ')}] }
  toolless: { base_url: http://127.0.0.1:${port}/toolless/v1, limits: { retries: 0 }, models: [good, fine, picky] }
  down: { base_url: http://127.0.0.1:9/v1, limits: { retries: 0 }, models: [good, fine] }
  expiring: { base_url: http://127.0.0.1:${port}/expiring/v1, limits: { retries: 0, concurrency: 1 }, models: [good, fine] }
  direct: { base_url: http://127.0.0.1:${port}/v1, limits: { retries: 0 }, models: [good, fine, picky] }
suites: [shop.yaml]
`,
  });
});
afterAll(() => void server.close());

interface Report {
  readonly models: readonly { readonly id: string; readonly reachable: boolean }[];
  readonly cells: readonly { readonly key: string; readonly verdict: string; readonly reason: string | null }[];
}

async function run(names: string, out: string): Promise<{ readonly code: number | null; readonly report: Report }> {
  const { code } = await work.chatspec(`run --models ${names} --out ${out}`);
  return { code, report: await work.json<Report>(`${out}/report.json`) };
}

describe('a model of which no request was completed, with one refusal for all', () => {
  test('is not reached, whatever the status, and nothing of it can be accepted', async () => {
    const refusing = ['no-database', 'no-provider', 'numbered', 'old-field', 'disabled'];
    const { code, report } = await run(refusing.map((name) => `gate/${name}`).join(','), 'out-refusing');
    expect(code).toBe(3);
    expect(report.models.map(({ reachable }) => reachable)).toEqual(refusing.map(() => false));
    expect([...new Set(report.cells.map(({ verdict }) => verdict))]).toEqual(['inconclusive']);
    const { stdout } = await work.chatspec('report out-refusing');
    expect(stdout).not.toContain('baseline accept');
    const rejudged = await work.chatspec('rejudge out-refusing --json');
    expect((JSON.parse(rejudged.stdout) as Report).models).toMatchObject(report.models);
  });

  test('is not one that refuses only some requests', async () => {
    const { report } = await run('gate/picky,gate/good', 'out-picky');
    expect(report.models.map(({ reachable }) => reachable)).toEqual([true, true]);
    expect(report.cells.filter(({ verdict }) => verdict !== 'pass')).toMatchObject([
      { key: 'shop/order@gate/picky', verdict: 'fail', reason: 'unknown' },
    ]);
  });
});

describe('what all models of a target show alike', () => {
  interface Diff {
    readonly lost: readonly { readonly cell: string }[];
    readonly otherwise: readonly {
      readonly cell: string;
      readonly base: { readonly reason: string };
      readonly head: { readonly reason: string };
    }[];
  }
  const rowsUnder = (title: RegExp, markdown: string): number =>
    Number([...markdown.matchAll(/^## (.*) \((\d+)\)$/gm)].find(([, name = '']) => title.test(name))?.[2] ?? 0);

  test('is one cause in a diff of targets, in the report and in the page', async () => {
    await run('direct/*,toolless/*', 'out-targets');
    const compare = (more: string) => work.chatspec(`diff out-targets --targets direct toolless ${more}`);
    const { stdout, code } = await compare('--json');
    expect(code).toBe(1);
    const diff = JSON.parse(stdout) as Diff;
    expect(diff.lost.map(({ cell }) => cell)).toEqual(['shop/order@good', 'shop/order@fine']);
    // It fails on both sides, and is lost on neither.
    expect(diff.otherwise).toMatchObject([{ cell: 'shop/order@picky', base: { reason: 'unknown' }, head: {} }]);
    expect(diff.otherwise[0]?.head.reason).not.toBe('unknown');
    const markdown = (await compare('--format md')).stdout;
    expect([rowsUnder(/Lost/, markdown), rowsUnder(/another way/, markdown)]).toEqual([1, 1]);
    const page = await work.read('out-targets/index.html');
    const changes = [...page.matchAll(/data-change="\w+" data-model="([^"]*)"/g)].map(([, models]) => models);
    expect(changes).toContain('toolless/good toolless/fine toolless/picky');
    const report = await work.read('out-targets/report.md');
    expect(report).toContain('all models of toolless');
    expect(report).not.toContain('all models of direct');
  });

  test('a target that is not reached is one row', async () => {
    await run('direct/good,direct/fine,down/*', 'out-unreached');
    const { stdout, code } = await work.chatspec('diff out-unreached --targets direct down --format md');
    expect([rowsUnder(/Not measured/, stdout), code]).toEqual([1, 3]);
  });
});

test('a key that expires behind a gateway, whatever parameter it blames, turns no cell red', async () => {
  answersLeft = 3;
  const { code, report } = await run('expiring/*', 'out-expiring');
  expect(code).toBe(3);
  expect(report.cells.filter(({ verdict }) => verdict === 'fail' || verdict === 'flaky')).toEqual([]);
  const { run: told } = await work.json<{ readonly run: { readonly stops: readonly { readonly kind: string }[] } }>(
    'out-expiring/report.json',
  );
  expect(told.stops.map(({ kind }) => kind)).toEqual(['key_refused']);
});
