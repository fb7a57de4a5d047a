import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { builtChatspec, chatspec, writeFiles, type CliResult } from '../support/cli.js';
import { serveHttp } from '../support/loopback.js';
import { runFiles } from '../support/run-files.js';
import { tempFolder } from '../support/temp-folder.js';

const key = 'sk-canary-7Hq2mZx9Lw4Tb6Rk';
const token = 'team+token/canary-5Vn8';
const env = { CANARY_KEY: key, TEAM_TOKEN: token };

/** No file and no output may contain any of these, whole or in part. */
const forbidden = [key, token].flatMap((secret) => [
  secret,
  secret.slice(3, -3),
  encodeURIComponent(secret),
  ...['', ':', 'a:', 'x-api-key:'].map((before) => base64Middle(before, secret)),
]);

/** The base64 characters that encode only the secret, whatever precedes and follows it. */
function base64Middle(before: string, secret: string): string {
  const text = Buffer.from(`${before}${secret}`).toString('base64').replaceAll('=', '');
  return text.slice(Math.ceil((before.length * 4) / 3) + 1, -2);
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const reply = (content: string, more: object = {}): string =>
  JSON.stringify({
    id: `c-${key}`,
    choices: [{ message: { role: 'assistant', content, ...more }, finish_reason: 'stop' }],
  });
const chunk = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const basic = Buffer.from(`user:${key}`).toString('base64');
const leaky = {
  'content-type': 'application/json',
  'x-request-id': key,
  traceresponse: `00-${key}`,
  'set-cookie': `session=${key}; Path=/`,
  'www-authenticate': `Bearer realm="${key}"`,
  location: `https://elsewhere.example/?key=${encodeURIComponent(token)}`,
  server: basic,
};

/** The known and the conceivable ways in which a service returns the key. */
const echoes: Readonly<Record<string, Answer>> = {
  'in the content': (response) => response.writeHead(200, leaky).end(reply(`You sent ${key} and ${token}.`)),
  'in base64 in the content': (response) => response.writeHead(200, leaky).end(reply(`Basic ${basic}`)),
  'as a tool call': (response) => {
    const call = { id: key, type: 'function', function: { name: key, arguments: JSON.stringify({ [key]: token }) } };
    response.writeHead(200, leaky).end(reply('', { tool_calls: [call], reasoning_content: key }));
  },
  'in an error': (response) =>
    response
      .writeHead(400, leaky)
      .end(JSON.stringify({ error: { message: `Incorrect key ${key}`, param: token, code: key } })),
  'in a refusal of the key': (response) => response.writeHead(403, leaky).end(`{"error":"${key} may not do this"}`),
  'in an error page': (response) =>
    response
      .writeHead(502, { ...leaky, 'content-type': 'text/html' })
      .end(`<h1>${key}</h1><a href="?t=${encodeURIComponent(token)}">`),
  'in the status line': (response) => response.writeHead(500, `no ${key}`, leaky).end(`authorization: Bearer ${key}`),
  'in a stream, letter by letter': (response) => {
    response.writeHead(200, { ...leaky, 'content-type': 'text/event-stream' });
    for (const letter of `say ${key}`) response.write(chunk(letter));
    response.end('data: [DONE]\n\n');
  },
  'in a stream, cut within': (response) => {
    response.writeHead(200, { ...leaky, 'content-type': 'text/event-stream' });
    response.write(`${chunk('hello')}data: {"error":"${key.slice(0, 14)}`);
    setTimeout(() => response.end(`${key.slice(14)}"}\n\n`), 10);
  },
  'escaped in JSON': (response) => {
    const escaped = Array.from(key, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    response.writeHead(200, leaky).end(reply('@').replace('@', escaped));
  },
  'by a redirect': (response) => response.writeHead(307, leaky).end(),
  'and then nothing': (response) => {
    response.writeHead(200, { ...leaky, 'content-length': '900' }).write(`{"key":"${key}"`);
    setTimeout(() => response.destroy(), 10);
  },
};
const ways = Object.keys(echoes);

const suite = `suite: leak
probes:
  way:
    title: A service that gives the key back
    request:
      messages: [{ role: user, content: hello }]
    expect: { content: json }
    vary: { seed: [${ways.map((_, index) => index).join(', ')}] }
`;

let folder: string;
/** Everything that the program printed. */
let printed: string;
beforeEach(async () => {
  folder = await tempFolder();
  printed = '';
});

async function does(args: readonly string[], cli = chatspec): Promise<CliResult> {
  const result = await cli(args, { cwd: folder, env });
  printed += result.stdout + result.stderr;
  return result;
}

async function project(baseUrl: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  await writeFiles(folder, {
    'chatspec.yaml': `targets:
  leaky:
    base_url: '${baseUrl}'
    api_key_env: CANARY_KEY
    headers: { x-token: { env: TEAM_TOKEN } }
    limits: { retries: 0, timeout_s: 120 }
    models: [parrot]
suites: [leak.yaml]
baseline: baseline.yaml
`,
    'leak.yaml': suite,
    ...more,
  });
}

/** Every file below the folder, as bytes read as Latin-1, by its path. */
async function produced(): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(file, 'latin1')] as const));
  return new Map(texts);
}

async function expectNoLeak(): Promise<void> {
  const files = new Map([...(await produced()), ['what was printed', printed]]);
  for (const [name, text] of files) {
    const found = forbidden.filter((form) => name.includes(form) || text.includes(form));
    expect(found, name).toEqual([]);
  }
}

test('the search finds every form it looks for', () => {
  const leaks = [`Bearer ${key}`, `user:${key}`, `x-api-key:${token}`, `?k=${encodeURIComponent(token)}`];
  for (const leak of leaks) {
    expect(forbidden.some((form) => leak.includes(form))).toBe(true);
    const encoded = Buffer.from(leak).toString('base64');
    if (!leak.includes('%'))
      expect(
        forbidden.some((form) => encoded.includes(form)),
        leak,
      ).toBe(true);
  }
});

describe('a service that returns the key', () => {
  test('leaves it in no file and no output of any verb', async () => {
    const keys = new Set<unknown>();
    const service = await serveHttp((request, response, body) => {
      keys.add(request.headers.authorization);
      const way = (JSON.parse(body) as { seed?: number }).seed;
      // The opening control succeeds and also returns the key.
      if (way === undefined) response.writeHead(200, leaky).end(reply(`hello ${key}`));
      else echoes[ways[way] ?? '']?.(response, request);
    });
    onTestFinished(() => service.close());
    await project(service.baseUrl);

    expect((await does(['run', '--out', 'r', '--trials', '2'])).code).toBe(1);
    expect(keys).toEqual(new Set([`Bearer ${key}`]));
    const report = JSON.parse(await readFile(join(folder, 'r', 'report.json'), 'utf8')) as Report;
    expect(report.cells).toHaveLength(ways.length);
    expect(new Set(report.cells.map((cell) => cell.class)).size).toBeGreaterThan(3);

    await does(['run', '--out', 'j', '--json', '--concurrency', '2']);
    for (const args of [
      'report r',
      'report r --json',
      'report r --out again --format html,md,junit,ctrf,openmetrics,issue,json,failures,terminal',
    ]) {
      await does(args.split(' '));
    }
    await does(['rejudge', 'r']);
    await does(['rejudge', 'r', '--json', '--out', 'rr']);
    await does(['diff', 'r', 'j', '--json']);
    await does(['diff', 'r', 'j', '--markdown']);
    const cells = report.cells.map((cell) => cell.key);
    await does(['evidence', 'r', ...cells]);
    await does(['evidence', 'r', ...cells, '--json']);
    await does(['evidence', 'r', 'leak/nothing']);
    await does(['doctor']);
    await does(['doctor', '--json']);
    await does(['baseline', 'accept', 'r']);
    await does(['list']);
    await does(['validate']);

    const files = [...(await produced()).keys()].map((file) => file.slice(folder.length + 1));
    for (const name of runFiles) {
      expect(files).toContain(`r/${name}`);
    }
    expect((await produced()).get(join(folder, 'r', 'journal.jsonl'))).toContain('***');
    expect(printed).toContain('***');
    await expectNoLeak();
  });

  test.each([401, 429, 503])('from the first request on, with %d', async (status) => {
    const service = await serveHttp((_, response) => {
      response.writeHead(status, leaky).end(`{"error":{"message":"the key ${key} (${basic}) is refused"}}`);
    });
    onTestFinished(() => service.close());
    await project(service.baseUrl);
    expect((await does(['run', '--out', 'r'])).code).toBe(3);
    expect((await does(['doctor'])).code).toBe(3);
    await expectNoLeak();
  });

  test('leaves it in no output of the built program, even when it crashes', async () => {
    const service = await serveHttp((_, response) => response.writeHead(200, leaky).end(reply(key)));
    onTestFinished(() => service.close());
    await project(service.baseUrl);
    await does(['run', '--out', 'r', '--tags', 'none'], builtChatspec);
    await does(['run', '--out', 'leak.yaml/r'], builtChatspec);
    const crashed = await does(['run', '--out', 'r'], (args, place) =>
      builtChatspec(args, { ...place, env: { ...place.env, NODE_OPTIONS: `--import=${crashing}` } }),
    );
    expect(crashed).toMatchObject({ code: 3, stdout: '' });
    expect(crashed.stderr).toContain('this is a bug in chatspec');
    expect(crashed.stderr).toContain('crashed at ');
    await expectNoLeak();
  });
});

/** Makes the program crash during a run while it holds the key. */
const crashing = `data:text/javascript,${encodeURIComponent(
  `JSON.stringify = new Proxy(JSON.stringify, { apply(to, self, args) {
    if (args[0]?.type === 'exchange') throw new Error('crashed at ' + process.env.CANARY_KEY + ' ' + process.env.TEAM_TOKEN);
    return Reflect.apply(to, self, args);
  } });`,
)}`;

describe('a request whose body contains the key', () => {
  test.each([
    ['plainly', key],
    ['within a longer text', `my key is ${key}.`],
    ['in base64', Buffer.from(`user:${key}`).toString('base64')],
    ['as another secret header', token],
  ])('%s is not sent', async (_, text) => {
    let asked = 0;
    const service = await serveHttp((_request, response, body) => {
      if (body.includes('marker')) asked += 1;
      response.writeHead(200).end(reply('hello'));
    });
    onTestFinished(() => service.close());
    // The key is in a file that chatspec does not check beforehand.
    await project(service.baseUrl, {
      'leak.yaml': `suite: leak\nprobes:\n  body:\n    samples: s.jsonl\n    request: { messages: [{ role: user, content: 'marker {{text}}' }] }\n`,
    });
    const written = { cwd: folder, env };
    await writeFiles(folder, { 's.jsonl': `${JSON.stringify({ text })}\n` });
    const result = await chatspec(['run', '--out', 'r'], written);
    printed = result.stdout + result.stderr;
    await writeFiles(folder, { 's.jsonl': '{}\n' });
    expect(asked).toBe(0);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain('its body holds a configured key');
    await expectNoLeak();
  });
});

describe('a key in a file', () => {
  test.each([
    ['the config', { 'chatspec.yaml': `targets: { leaky: { base_url: simulator, api_key: ${key}, models: [m] } }\n` }],
    [
      'the config, as the variable',
      { 'chatspec.yaml': `targets: { leaky: { base_url: simulator, api_key_env: ${key}, models: [m] } }\n` },
    ],
    [
      'the address',
      { 'chatspec.yaml': `targets: { leaky: { base_url: 'https://${key}@service.example/v1', models: [m] } }\n` },
    ],
    ['a broken config', { 'chatspec.yaml': `targets: { leaky: { api_key: ${key}, models: [m }\n` }],
  ])('%s is an error, and the message does not show it', async (_, files) => {
    await writeFiles(folder, files);
    const result = await does(['run', '--out', 'r']);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    await writeFiles(folder, { 'chatspec.yaml': '' });
    await expectNoLeak();
  });
});
