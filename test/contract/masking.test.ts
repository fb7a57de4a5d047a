import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import * as facts from './facts.js';
import { ended, project, simulate, type Project } from './program.js';

/** A service that repeats the key of its caller, and texts that are nobody's business. */

/** None that looks like a key, so that only knowing it helps. */
const key = 'our/3y+"with=5ecret~of nobody';
const spellings = {
  verbatim: key,
  json: JSON.stringify(key).slice(1, -1),
  url: encodeURIComponent(key),
  base64: Buffer.from(key).toString('base64'),
  hex: Buffer.from(key).toString('hex'),
};
const secrets = { mail: 'li.lei@example.com', phone: '13800138000', keyLike: 'sk-proj-Ab3dE6gH9jK2mN5pQ8sT1vW4' };
const said = Object.values(secrets).join(' and ');

const model = (id: string, when: object, action: object) => ({
  id,
  extends: 'sim-reference',
  faults: [{ when, do: action }],
});
const json = { response_format: ['json_object'] };
const profiles = JSON.stringify({
  profiles: [
    model(
      'refuser',
      { tools: true },
      {
        respond: { status: 400, body: { error: { message: `Bad key: ${Object.values(spellings).join(' or ')}` } } },
      },
    ),
    model('repeater', { ...json, stream: false }, { content: `Your key is ${key}.` }),
    model('streamer', { ...json, stream: true }, { content: `Your key is ${key}.` }),
    model('gossip', json, { content: `Ask ${said}.` }),
  ],
});
const suite = `suite: secrets
defaults: { request: { messages: [{ role: user, content: Return a JSON object. }] } }
probes:
  plain: { request: { response_format: { type: json_object } } }
  stream: { request: { stream: true, response_format: { type: json_object } } }
  call:
    request:
      tools: [{ type: function, function: { name: f, parameters: { type: object, properties: {}, required: [], additionalProperties: false } } }]
      tool_choice: required
`;

let work: Project;
const texts = new Map<string, string>();
const outputs: string[] = [];
beforeAll(async () => {
  work = await project({ 'secrets.yaml': suite });
  const { base_url } = await simulate(work, profiles);
  await work.write({
    'chatspec.yaml': `targets:
  far:
    base_url: ${base_url}
    api_key_env: FAR_KEY
    models: [refuser, repeater, streamer, gossip]
suites: [secrets.yaml]
redact: ['[0-9]{11}']
`,
  });
  for (const args of [
    ['run', '--out', 'run'],
    ['evidence', 'run', '*'],
    ['report', 'run'],
    ['doctor'],
    ['run', '--verbose'],
    ['report', 'run', '--json'],
    ['evidence', 'run', '*', '--json'],
    ['rejudge', 'run'],
    ['diff', 'run', 'run-rejudged', '--json'],
    ['baseline', 'accept', 'run', '--dry-run'],
  ]) {
    const { stdout, stderr } = await work.chatspec(args, { FAR_KEY: key });
    outputs.push(stdout, stderr);
  }
  for (const name of await readdir(join(work.folder, 'run')))
    texts.set(name, await readFile(join(work.folder, 'run', name), 'utf8'));
});

test('a key stands nowhere, in none of its spellings', () => {
  expect([...texts.keys()]).toContain('journal.jsonl');
  for (const [name, text] of [...texts, ['output', outputs.join('\n')] as const])
    for (const [spelling, secret] of Object.entries(spellings))
      expect(text.includes(secret), `${spelling} in ${name}`).toBe(false);
});

test('not even when the program crashes', async () => {
  const crash = `JSON.stringify = new Proxy(JSON.stringify, { apply(to, self, args) {
    if (args[0]?.type === 'exchange') throw new Error('crashed at ' + process.env.FAR_KEY);
    return Reflect.apply(to, self, args);
  } });`;
  const env = { FAR_KEY: key, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crash)}` };
  const { code, stderr } = await ended(work.start(['run', '--out', 'crashed'], env));
  expect(code).toBe(3);
  expect(stderr).toContain('crashed at ');
  for (const secret of Object.values(spellings)) expect(stderr).not.toContain(secret);
});

test('what is masked does not change the judgement', async () => {
  const { cells } = await work.json<facts.Report>('run/report.json');
  const failing = cells.filter(({ verdict }) => verdict !== 'pass').map((cell) => [cell.key, cell.class, cell.status]);
  expect(failing.sort()).toEqual([
    ['secrets/call@far/refuser', 'http_error', 400],
    ['secrets/plain@far/gossip', 'not_json', 200],
    ['secrets/plain@far/repeater', 'not_json', 200],
    ['secrets/stream@far/gossip', 'not_json', 200],
    ['secrets/stream@far/streamer', 'not_json', 200],
  ]);
});

test('the increments of a stream, joined, do not hold it', async () => {
  // Who shows it may no longer know the key: it must have been masked before it was recorded.
  const { stdout } = await work.chatspec(['evidence', 'run', 'secrets/stream@far/streamer', '--json']);
  const bodies = [...stdout.matchAll(/"body": ("(?:[^"\\]|\\.)*")/g)].map(([, body]) => JSON.parse(body!) as string);
  expect(bodies.length).toBeGreaterThan(0);
  for (const body of bodies) {
    const chunks = [...body.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => JSON.parse(data!) as Chunk);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.map(({ choices }) => choices?.[0]?.delta?.content ?? '').join('')).not.toContain(key);
  }
});

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
}

describe('other secrets', () => {
  test('are whole in the journal, so that a judgement repeated is the same judgement', () => {
    for (const secret of Object.values(secrets)) expect(texts.get('journal.jsonl')).toContain(secret);
  });

  test('stand in nothing that leaves the folder', () => {
    for (const name of ['index.html', 'report.md', 'junit.xml', 'failures.jsonl', 'capabilities.json', 'report.json'])
      for (const secret of Object.values(secrets))
        expect(texts.get(name)!.includes(secret), `${secret} in ${name}`).toBe(false);
    for (const secret of Object.values(secrets)) expect(outputs.join('\n').includes(secret), secret).toBe(false);
  });
});
